"""Results of tables: taken from matches, decided by directors, and what their corrections do to
rounds.
"""
