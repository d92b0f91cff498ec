"""Tokens of links and addresses in letters: what they open, and which of them are the worker's own.
It writes no letter.
"""
