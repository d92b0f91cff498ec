"""Pages of tournaments: the list, a new one, its page with what players and directors do there, and
its file.
"""
