"""Decides which orders are legal and carries them out; reads no text and draws nothing."""
