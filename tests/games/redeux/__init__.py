"""RPS Redeux."""
