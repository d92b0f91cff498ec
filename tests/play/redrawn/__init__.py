"""Draws rounds of a tournament by docs/pairing.md alone: a second program, which shares no code with
the service's. The matching is the one that the page prints.
"""
