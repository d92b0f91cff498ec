"""Phases from and to other programs: lines, saved games."""
