"""A stand-in for the room `worker`: the least that can be hosted."""
