"""What a whole text orders: the orders that are kept, refusals, remarks, and what can be chosen."""
