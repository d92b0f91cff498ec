"""The values of a match: orders, outcomes, state, events, options, views. Decides nothing."""
