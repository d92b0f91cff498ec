"""Letters out: posting, SMTP, DKIM signatures, the local mailbox."""
