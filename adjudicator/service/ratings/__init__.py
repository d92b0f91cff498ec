"""Ratings: which ended matches count for whom, what ratings follow, and the ladder of each game.
Nothing here looks at a running match.
"""
