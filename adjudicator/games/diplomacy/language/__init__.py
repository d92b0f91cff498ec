"""Order texts to what they say, without a board: words, spelling, near misses."""
