"""The checks of `sealed check --deep`: what takes time, and the worker's key file."""

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

from adjudicator.hosting.databases import read_tx_at
from adjudicator.hosting.health.findings import Finding, Ok, Wrong
from adjudicator.hosting.machine_errors import describe_database_fault
from adjudicator.platform.config import Settings
from adjudicator.platform.words import join_list, plural
from adjudicator.seal import crypto
from adjudicator.service.upkeep.chance_check import check_chances

_FEW = 5  # matches that a finding names


def check_deeply(settings: Settings) -> Iterator[Finding]:
    """Yield a finding for each thing that is looked at; the key file is needed, so it runs where
    the worker does.
    """
    try:
        keyring = crypto.load_key_file(settings.key_file)
    except crypto.KeyFileError as fault:
        yield Wrong(f"{fault} Without it nothing can be checked deeply.")
        return
    try:
        with read_tx_at(settings.database_url) as session:
            checked, broken = check_chances(session, keyring)
    except SQLAlchemyError as fault:
        yield Wrong(describe_database_fault(settings.database_url, fault))
        return
    if broken:
        names = join_list([*broken[:_FEW], *(["others"] if len(broken) > _FEW else [])])
        yield Wrong(f"The stored chance of {names} is not the one that was fixed for it.")
    elif checked:
        one = "The chance of {n} match or tournament leads to its anchors."
        other = "The chance of {n} matches and tournaments leads to its anchors."
        yield Ok(plural(checked, one, other))
    else:
        yield Ok("No match is played, so there is no chance to check.")
