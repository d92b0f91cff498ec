"""Diplomacy and its variant: the map, the judging of orders, the flow of a match and its faces."""
