"""What happened, in sentences and as a text board."""
