"""Rows of letters in and out: queues, leases, bounces, suppression. Reads no text and sends nothing."""
