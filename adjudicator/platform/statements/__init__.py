"""Statements of a hot path: compiled once, sent together, answered without what nobody reads."""
