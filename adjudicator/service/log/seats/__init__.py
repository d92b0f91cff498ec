"""Who has the seats of a match: what the worker knows, the signed requests that change it, and the
rows that have to agree.
"""
