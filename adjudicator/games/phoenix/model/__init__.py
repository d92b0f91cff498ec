"""The values of RPS Phoenix: grid, orders, state, events, views."""
