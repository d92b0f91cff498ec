"""Stores letters that come in by SMTP, LMTP or IMAP. It may not hold a private key."""
