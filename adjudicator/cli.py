"""The command line, `sealed`; each command is a file in `adjudicator/commands`, imported when it is
called.
"""

import importlib
import pkgutil
import sys
from pathlib import Path

import click

from adjudicator import __version__
from adjudicator.hosting import loading
from adjudicator.hosting.messages import printable
from adjudicator.platform.errors import HostFault

_COMMANDS = Path(__file__).with_name("commands")


class _Commands(click.Group):
    """Finds commands by file name: `commands/NAME.py` defines `command` and imports heavy modules
    inside it.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(
            module.name.replace("_", "-") for module in pkgutil.iter_modules([str(_COMMANDS)])
        )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name; None if there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"adjudicator.commands.{cmd_name.replace('-', '_')}")
        found = module.command
        return found if isinstance(found, click.Command) else None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="Sealed Orders")
def sealed() -> None:
    """Sealed Orders: long games of secret orders, by mail and on the web.

    Settings are read from the environment: DATA_DIR, DATABASE_URL, REDIS_URL, SITE_URL, PORT ...;
    `sealed check` shows what they lead to.
    """


def main() -> None:
    """Run a command; a HostFault, or an error of disk or database, ends it with one sentence and
    exit code 1, a WrongSetting with 78.
    """
    loading.end_with_a_sentence()
    try:
        sealed(prog_name="sealed")
    except HostFault as fault:
        click.echo(printable(str(fault)), err=True)
        sys.exit(fault.exit_code)
    except _machine_faults() as fault:
        from adjudicator.hosting import machine_errors

        sentence = machine_errors.describe_fault(fault)
        if not sentence:
            raise
        click.echo(sentence, err=True)
        sys.exit(1)


def _machine_faults() -> tuple[type[Exception], ...]:
    """Return the exception types of disk and database; the database's only if its module is
    loaded.
    """
    loaded = sys.modules.get("adjudicator.platform.db")
    return (OSError, *(loaded.PASSING if loaded else ()))
