"""Phases from and to other programs: JSON lines and saved games."""
