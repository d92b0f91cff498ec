"""Phases in order: the one function that carries one out, the flow of a match from phase to phase, and its end."""
