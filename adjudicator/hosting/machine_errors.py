"""Describes errors that only the host can solve (a full disk, a database that is away or locked) in
a sentence.
"""

import errno

from sqlalchemy.exc import SQLAlchemyError

from adjudicator.hosting.messages import hide_password
from adjudicator.platform.config import current_settings
from adjudicator.platform.db import PASSING, DatabaseBusy

_DISK = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM}
)
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REFUSALS = (
    "password authentication failed",
    "no password supplied",
    "no pg_hba.conf entry",
    "does not exist",
    "invalid connection option",
    "invalid sslmode value",
    "bad value for",
)
KINDS = (OSError, *PASSING)


def describe_fault(fault: BaseException) -> str:
    """Return one sentence about an error of disk or database; "" for any other."""
    if isinstance(fault, DatabaseBusy | SQLAlchemyError):
        return describe_database_fault(current_settings().database_url, fault)
    if isinstance(fault, OSError) and fault.errno in _DISK:
        where = f"{fault.filename}" if fault.filename else f"DATA_DIR {current_settings().data_dir}"
        remedy = (
            "make room on its disk"
            if fault.errno in _FULL
            else "look whose it is and where it is mounted"
        )
        return f"{where} cannot be written to ({fault.strerror}): {remedy}."
    return ""


def describe_database_fault(url: str, fault: SQLAlchemyError | DatabaseBusy) -> str:
    """Return one sentence about a database that cannot be used, without its password."""
    if isinstance(fault, DatabaseBusy):
        return (
            f"DATABASE_URL {hide_password(url)} was held by another process for too long: try again"
            " in a moment."
        )
    lines = str(getattr(fault, "orig", None) or fault).strip().splitlines()
    return (
        f"DATABASE_URL {hide_password(url)} cannot be used:"
        f" {lines[0] if lines else type(fault).__name__}.{_remedy(lines)}"
    )


def is_refused(fault: Exception) -> bool:
    """Whether PostgreSQL answered and does not know this user, password, database or option; known
    where it answers in English.

    libpq gives no code for what happens before a connection is open.
    """
    words = str(getattr(fault, "orig", None) or fault)
    return any(each in words for each in _REFUSALS)


def _remedy(lines: list[str]) -> str:
    words = " ".join(lines).lower()
    if "disk is full" in words or "no space left" in words or "disk i/o" in words:
        return " Look whether its disk is full."
    if "readonly database" in words or "unable to open database file" in words:
        return (
            " The service's user must be able to write the file and its folder: look whose they"
            " are."
        )
    if "read-only transaction" in words:
        return " The server is a standby, or its setting default_transaction_read_only is on."
    if "permission denied for table" in words:
        return (
            " Run `sealed migrate` as the owner of the tables, which grants each role what it"
            " needs."
        )
    return " Another process holds it: try again in a moment." if "locked" in words else ""
