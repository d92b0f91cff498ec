"""Takes letters apart: bytes in, `said.Said` out, in a child process with limits; knows no database, no match, no game."""
