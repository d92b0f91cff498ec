"""Letters about tournaments: of rounds and the end, and of results that directors decided."""
