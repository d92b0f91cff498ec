"""Pairing, seating and standings of tournaments over any game, pure: no tables, no clock, and no
randomness but a given stream.
"""
