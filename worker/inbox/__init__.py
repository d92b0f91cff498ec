"""Letters in: SMTP or IMAP to stored rows. Holds no private key."""
