"""A stand-in for the live stream."""
