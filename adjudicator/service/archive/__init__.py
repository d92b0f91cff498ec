"""The archive: rows of ended public matches, figures of all of them, and matches that were played
elsewhere.
"""
