"""Diplomacy and its variant: the map, the resolution of orders, the flow of a match, its texts and
pictures.
"""
