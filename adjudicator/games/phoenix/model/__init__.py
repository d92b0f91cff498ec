"""The values of RPS Phoenix (grid, orders, state, events, views); imports no other folder of the
game.
"""
