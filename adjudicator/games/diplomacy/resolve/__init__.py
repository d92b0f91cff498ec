"""What comes of orders: movement under both rule sets, retreats, adjustments. Reads no text."""
