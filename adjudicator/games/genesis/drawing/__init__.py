"""Draws the World as a picture and as plain text, from a view alone."""
