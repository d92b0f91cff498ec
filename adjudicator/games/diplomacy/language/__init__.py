"""Parses order texts without a board: words, spellings, suggestions for errors."""
