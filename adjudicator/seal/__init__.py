"""The bytes of SEAL/1: canonical JSON, hashes, boxes, keys and receipts."""
