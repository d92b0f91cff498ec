"""The rules of the games, the matches, the seals and the letters of Sealed Orders."""

__version__ = "0.2.0"
