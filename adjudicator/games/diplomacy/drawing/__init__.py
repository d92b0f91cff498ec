"""The map as a picture of a position and of the last phase."""
