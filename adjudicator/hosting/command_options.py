"""What several commands share: options, each of which overrides the setting of its name, and how a
refusal is told.
"""

import os
from typing import Any

import click

host_option = click.option(
    "--host", help="The network address to listen on; 0.0.0.0 for every network. [HOST, 127.0.0.1]"
)
port_option = click.option(
    "--port", type=click.IntRange(1, 65535), help="The port to listen on. [PORT, 8000]"
)


class HostCommand(click.Command):
    """A command that uses the service: what that refuses becomes its error message."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from adjudicator.service.base.errors import Refused, SignInAgain

        try:
            return super().invoke(ctx)
        except SignInAgain as error:
            raise click.ClickException(
                "This changes a match, so it needs the worker's key file. KEY_FILE says where that"
                " lies."
            ) from error
        except Refused as error:
            raise click.ClickException(str(error)) from error


class HostCommands(click.Group):
    """Commands that use the service."""

    command_class = HostCommand


def export_options(**given: Any) -> None:
    """Export the given options to the environment, where all rooms read their settings."""
    os.environ.update(
        {name.upper(): str(value) for name, value in given.items() if value is not None}
    )
