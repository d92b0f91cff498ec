"""Draws a position and the last phase on the map, as SVG and as text."""
