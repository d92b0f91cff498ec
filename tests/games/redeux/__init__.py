"""RPS Redeux: its rulings, ends, orders and faces."""
