"""Draws the table as a picture and as plain text, from a view alone."""
