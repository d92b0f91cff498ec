"""Rock Paper Pyramid: three seats and nine rounds of one hidden piece each; a piece that captures
and is not captured takes.
"""
