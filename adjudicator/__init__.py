"""The rules of the games, the matches, the seals and the letters of Sealed Orders."""

__version__ = "0.3.0.dev0"
