"""The command `join` and the words that may follow it: options of the game, conditions of a match,
free texts.
"""
