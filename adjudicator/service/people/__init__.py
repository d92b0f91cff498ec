"""Players, sessions and invitations. Knows no orders and no phases."""
