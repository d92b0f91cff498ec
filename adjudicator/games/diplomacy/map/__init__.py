"""The map as data: provinces, borders, convoy routes, names, outlines. Knows no unit and no rule."""
