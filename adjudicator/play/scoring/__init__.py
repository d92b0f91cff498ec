"""Scoring systems: the points that the matches of a tournament give their seats. Pure; a system knows no game, only `Finish`."""
