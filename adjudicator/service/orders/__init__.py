"""Orders in: sealing, letters to seats, receipts, disclosure. Opens only what the seat itself asks
for.
"""
