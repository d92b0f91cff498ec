"""Options that several commands share; each overrides the setting of its name."""

import os
from typing import Any

import click

host_option = click.option(
    "--host", help="The network address to listen on; 0.0.0.0 for every network. [HOST, 127.0.0.1]"
)
port_option = click.option(
    "--port", type=click.IntRange(1, 65535), help="The port to listen on. [PORT, 8000]"
)


def export_options(**given: Any) -> None:
    """Export the given options to the environment, where all rooms read their settings."""
    os.environ.update(
        {name.upper(): str(value) for name, value in given.items() if value is not None}
    )
