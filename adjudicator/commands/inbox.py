"""`sealed inbox`: receives letters alone, for hosting on several machines."""

import click


@click.command()
def command() -> None:
    """Run the inbox at INBOX_URL, and fetch letters from IMAP_URL; needs REDIS_URL and a shared
    DATABASE_URL, and no key file.
    """
    from adjudicator.hosting.serve import run_inbox

    run_inbox()
