"""Drawing pictures: cutting, measuring, painting, palettes."""
