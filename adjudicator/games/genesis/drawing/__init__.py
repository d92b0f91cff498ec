"""The World as a picture."""
