"""Non-interference: pairs of matches that differ only in what one seat hides are the same to the
byte for everybody else.
"""
