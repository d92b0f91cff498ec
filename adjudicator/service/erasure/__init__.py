"""Erasing players: what tells who they are goes, what proves orders stays with the seat."""
