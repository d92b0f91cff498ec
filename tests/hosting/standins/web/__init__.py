"""A stand-in for the room `web`: the least that can be hosted."""
