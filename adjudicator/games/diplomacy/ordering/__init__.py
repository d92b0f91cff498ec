"""What a text says against the board: the orders it gives, refusals, remarks, and what can be chosen."""
