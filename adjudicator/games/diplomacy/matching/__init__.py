"""Matches one line to a board: which unit it means, whether the unit can obey it, and which of
several lines counts.
"""
