"""Orders in: sealing, readiness, receipts, disclosure. Opens only what the seat itself asks for."""
