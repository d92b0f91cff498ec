"""Phases in order: each kind carried out on a state, and when the match ends."""
