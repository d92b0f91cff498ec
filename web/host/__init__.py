"""The pages for the host and for programs: mailbox, health and metrics, robots and public keys."""
