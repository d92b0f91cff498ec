"""A stand-in for the room `worker`: the minimum that can be hosted."""
