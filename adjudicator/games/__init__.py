"""The games: rules only; no clock, no randomness of their own, no files but their own data."""
