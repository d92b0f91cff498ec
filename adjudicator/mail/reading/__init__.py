"""Parses letters: bytes in, `letter_text.LetterText` out, in a child process with limits; knows no
database, match or game.
"""
