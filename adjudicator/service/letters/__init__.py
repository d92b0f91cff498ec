"""Rows of incoming and outgoing letters: queues, leases, bounces, suppression. Parses no text and
sends nothing.
"""
