"""Positions set by hand on the drawn map, in the picture's units."""

from tools.map_arcs import Point

COASTS: dict[str, Point] = {
    "BUL/EC": (787, 650),
    "BUL/SC": (740, 699),
    "SPA/NC": (100, 585),
    "SPA/SC": (125, 770),
    "STP/NC": (757, 48),
    "STP/SC": (737, 170),
}
"""Where a fleet stands on one of two coasts."""

FIXED: dict[str, dict[str, Point]] = {
    "AEG": {"unit": (741, 752), "code": (747, 775)},
    "BEL": {"unit": (326, 421)},
    "BUL": {"code": (703, 675)},
    "CON": {"unit": (838, 706), "code": (799, 727)},
    "LVP": {"centre": (205.5, 321.5)},
    "DEN": {"code": (419, 267)},
}
"""Middles of the marks `unit`, `code`, `centre` and `away`, by province."""
