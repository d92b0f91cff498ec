"""How the tables of a round ended, by play or by a director, and what a correction changes."""
