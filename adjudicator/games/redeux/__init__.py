"""RPS Redeux: two seats, a hand of hidden cards each; a Primary game of a few rounds, then Risk
Rounds with bets to the target.
"""
