"""Messages between the players of a match: who may write, who may read."""
