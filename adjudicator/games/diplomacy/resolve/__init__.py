"""The rules of movement under both rule sets, of retreats and of adjustments. Parses no text."""
