"""Phases begin and close: envelopes opened, adjudicated, reported, in one transaction."""
