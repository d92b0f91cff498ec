"""Seats of running matches that change hands: resigning, standing by, taking over, substitutes."""
