"""Tells the events of a match to one reader, in sentences and lists."""
