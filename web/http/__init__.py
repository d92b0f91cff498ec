"""What every request passes: limits, tokens, compression, the access log, error pages. Knows no
match.
"""
