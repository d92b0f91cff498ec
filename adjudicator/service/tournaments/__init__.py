"""Tournaments: their making, entries, rounds, results and standings. Their matches are played like
all others.
"""
