"""Scoring systems: the points that a tournament’s matches give, from `Finish` alone; and the
ratings that places lead to. Pure.
"""
