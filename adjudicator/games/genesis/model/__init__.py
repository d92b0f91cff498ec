"""The values of Genesis: orders, state, events, views, the World."""
