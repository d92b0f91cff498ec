"""What is placed by hand on the drawn map, in the picture's units."""

from tools.map_arcs import Point

COASTS: dict[str, Point] = {
    "BUL/EC": (790, 625),
    "BUL/SC": (730, 690),
    "SPA/NC": (100, 585),
    "SPA/SC": (125, 770),
    "STP/NC": (790, 70),
    "STP/SC": (712, 200),
}
"""Where a fleet stands on one of two coasts."""

FIXED: dict[str, dict[str, Point]] = {}
"""Middles of the marks `unit`, `code`, `centre` and `away`, by province."""
