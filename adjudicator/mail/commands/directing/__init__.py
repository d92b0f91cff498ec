"""Commands of those who make and direct tournaments."""
