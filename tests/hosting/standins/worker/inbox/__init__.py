"""Stand-ins for what takes letters in."""
