"""Which orders are legal and what they do."""
