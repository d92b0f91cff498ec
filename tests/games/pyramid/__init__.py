"""Rock Paper Pyramid: its rulings, captures, orders and faces."""
