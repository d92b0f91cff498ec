"""The rules of the games: one contract for all, then each game's own cases."""
