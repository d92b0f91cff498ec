"""Checks of the host: `sealed check`, and the health of each role. Changes nothing."""
