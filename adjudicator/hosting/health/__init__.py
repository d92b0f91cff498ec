"""Checks for the host: `sealed check` and the health of each role. Changes nothing."""
