"""How the next round of each format is paired: circle, grid, search for few repeats, Swiss,
knock-out.
"""
