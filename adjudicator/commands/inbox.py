"""`sealed inbox`: what takes letters in alone, for hosting across machines."""

import click


@click.command()
def command() -> None:
    """Run the inbox at INBOX_URL, and fetch letters from IMAP_URL; needs REDIS_URL and a shared DATABASE_URL, and no key file."""
    from adjudicator.hosting.serve import run_inbox

    run_inbox()
