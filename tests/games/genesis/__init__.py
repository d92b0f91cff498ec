"""Genesis: its rulings, orders and faces."""
