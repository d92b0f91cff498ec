"""SVG into small PNGs, quickly: parts drawn before are kept as pixels. Knows no game and no letter,
and reads no table.
"""
