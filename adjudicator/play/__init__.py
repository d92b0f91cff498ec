"""The loop of phases, pure: submissions, bots, seats, transcripts, replay, scoring, tournaments. No
database, clock or randomness.
"""
