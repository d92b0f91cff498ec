"""A stand-in for the room `web`: the minimum that can be hosted."""
