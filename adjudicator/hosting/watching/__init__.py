"""Watching the log of another installation."""
