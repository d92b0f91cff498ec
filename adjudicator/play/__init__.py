"""The loop of phases, pure: submissions, bots, seat allocation, transcripts and their replay. No database, no clock, no randomness."""
