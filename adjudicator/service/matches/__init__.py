"""Matches before and beside their phases: creation, seats, preferences, masters."""
