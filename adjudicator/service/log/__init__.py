"""The public log of a match: what the worker writes into it, and what a closing holds against
it.
"""
