"""Claiming outgoing letters, and what reports say by the rows of their phases. Sends nothing."""
