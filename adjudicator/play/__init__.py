"""The loop of phases, pure: submissions, bots, seat allocation, transcripts, replay and scoring. No database, no clock, no randomness."""
