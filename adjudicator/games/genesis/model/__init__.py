"""The values of Genesis (orders, state, events, views, the World); imports no other folder of the
game.
"""
