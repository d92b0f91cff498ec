"""Adjudicates phases: one function for every caller, the flow of a match from phase to phase, and
its end.
"""
