"""The map as data: provinces, borders, convoy routes, names, outlines. Contains no state and no
rules of play.
"""
