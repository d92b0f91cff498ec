"""The values of a match: orders, outcomes, state, events, editions, options. Adjudicates
nothing.
"""
