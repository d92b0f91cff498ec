"""RPS Phoenix: its rulings, orders and faces."""
