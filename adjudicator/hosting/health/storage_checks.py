"""The checks of `sealed check` of what the service writes to: its folders, its database, and who
may do what there.
"""

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from adjudicator.hosting import machine_errors
from adjudicator.hosting.database_roles.comparing import read_rights
from adjudicator.hosting.databases import opened
from adjudicator.hosting.health.findings import Finding, Note, Ok, Wrong
from adjudicator.hosting.messages import hide_password
from adjudicator.platform import db, disk
from adjudicator.platform.config import Settings, SettingsError
from adjudicator.platform.words import format_number, join_list, plural
from adjudicator.service.phases import stamps

_FEW = 5  # rights that a finding names


def check_storage(settings: Settings) -> Iterator[Finding]:
    """Yield what is found of the folders and the database; what is written to them is taken
    back.
    """
    yield _data_dir(settings.data_dir)
    yield from (_room(folder) for folder in settings.folders if folder.is_dir())
    yield from _secret(settings)
    yield _database(settings)
    if not settings.on_sqlite:
        yield from _database_roles(settings.database_url)


def _data_dir(folder: Path) -> Finding:
    if not folder.is_dir():
        return Wrong(f"DATA_DIR {folder} is not there yet: `sealed serve` makes it.")
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return Note(
            f"DATA_DIR {folder} can be entered by other users of this machine: chmod 700 it."
        )
    return Ok(f"DATA_DIR {folder} is open to its owner only.")


def _room(folder: Path) -> Finding:
    try:
        disk.try_folder(folder)
        free = disk.free_bytes(folder)
    except OSError as fault:
        return Wrong(
            machine_errors.describe_fault(fault)
            or f"{folder} cannot be written to: {fault.strerror}."
        )
    if free is None:
        return Ok(f"{folder} takes files.")
    megabytes = format_number(free / 1_000_000)
    if disk.is_scarce(free):
        return Wrong(f"The disk of {folder} is nearly full: {megabytes} MB are free. Make room.")
    return Ok(f"{folder} takes files; {megabytes} MB of its disk are free.")


def _secret(settings: Settings) -> Iterator[Finding]:
    """Report a kept secret of the site that cannot serve; one that is not made yet is in order."""
    try:
        if (settings.data_dir / "secret_key").exists():
            settings.session_secret()
    except (SettingsError, OSError) as fault:
        yield Wrong(machine_errors.describe_fault(fault) or str(fault))


def _database(settings: Settings) -> Finding:
    url = settings.database_url
    if settings.lacks_database:
        return Wrong(f"The database {hide_password(url)} is not there yet: run `sealed migrate`.")
    try:
        found, newest = db.revisions(url)
    except SQLAlchemyError as fault:
        return Wrong(machine_errors.describe_database_fault(url, fault))
    if wrong := db.explain_revisions(found, newest):
        return Wrong(f"DATABASE_URL {hide_password(url)}: {wrong}")
    return _writes(url) or Ok(
        f"The database {hide_password(url)} answers, takes writes and is at the newest revision,"
        f" {newest}."
    )


def _writes(url: str) -> Finding | None:
    """Return what is wrong with writing to the database, None if a write was tried and rolled
    back.
    """
    try:
        with opened(url) as database:
            stamps.try_stamp(database)
    except db.FAULTS as fault:
        if db.is_not_permitted(fault):
            return Ok(
                f"The database {hide_password(url)} is at the newest revision; this login only"
                " reads it."
            )
        return Wrong(machine_errors.describe_database_fault(url, fault))
    return None


def _database_roles(url: str) -> Iterator[Finding]:
    """Report what the logins of the roles may do beyond their need; nothing if the database cannot
    be asked.
    """
    try:
        rights = read_rights(url)
    except db.FAULTS:
        return
    for each in rights.roles:
        name = f"The login {each.login} of the role {each.role}"
        if each.beyond:
            yield Wrong(
                f"{name} may do more than it needs: {_begun(each.beyond)}. `sealed migrate` as the"
                " owner puts it right."
            )
        if each.missing:
            yield Wrong(
                f"{name} lacks what it needs: {_begun(each.missing)}. `sealed migrate` as the owner"
                " puts it right."
            )
    if rights.roles and not any(each.beyond or each.missing for each in rights.roles):
        yield Ok(
            "Each of these logins may do what its role needs and no more:"
            f" {join_list([e.login for e in rights.roles])}."
        )
    if rights.owns:
        yield Note(
            f"DATABASE_URL connects as {rights.user}, who owns the tables, so whoever takes over"
            " this process can change everything there; DATABASE_ROLES makes a login for each role"
            " that may do only what it needs."
        )


def _begun(rights: Sequence[str]) -> str:
    """Return the first few rights of many."""
    rest = len(rights) - _FEW
    return join_list(
        [*rights[:_FEW], plural(rest, "{n} more", "{n} more")] if rest > 1 else list(rights)
    )
