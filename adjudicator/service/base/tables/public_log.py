"""The tree over the entries of all matches, its checkpoints, and what this installation witnesses
for others.
"""

from sqlalchemy import BigInteger, UniqueConstraint
from sqlmodel import Field

from adjudicator.service.base.tables.columns import (
    Moment,
    MomentOrNone,
    NumberedRow,
    TableRow,
    added,
)

ENTRY_DATA = -1  # in the place of a tile's level: the leaves' data


class PublicLog(TableRow, table=True):
    """A tree over the entries of all matches. The newest one grows; a restore from a backup begins
    another.
    """

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})  # from 1
    origin: str = Field(unique=True)
    log_key: str  # verifier key of its checkpoints
    witness_key: str  # verifier key of the cosignatures that this installation makes meanwhile
    # of the worker's signing key over the origin and both keys
    signature: bytes
    size: int = 0  # entries in the tree, which is that of the newest checkpoint
    # entries made before all have a place
    looked_from: MomentOrNone = None
    begun_at: Moment
    # note of the newest checkpoint of the log before, which this one's first leaf is the SHA-256 of
    cites: str | None = None
    # time of the backup from which the restore was made
    lost_since: MomentOrNone = None
    # when every match told of the restore
    done_at: MomentOrNone = None


class LogPlace(TableRow, table=True):
    """The place of an entry in a tree. It stays when the entry is erased with its match."""

    __table_args__ = (UniqueConstraint("log", "hash"),)

    log: int = Field(foreign_key="publiclog.number", primary_key=True)
    position: int = Field(primary_key=True)
    hash: str


class LogTile(TableRow, table=True):
    """A tile of a tree, filled from the left; partial ones are its beginnings."""

    log: int = Field(foreign_key="publiclog.number", primary_key=True)
    level: int = Field(primary_key=True)  # or ENTRY_DATA
    index: int = Field(primary_key=True)
    hashes: bytes  # 32 bytes each, at most 256


class LogCheckpoint(TableRow, table=True):
    """A checkpoint that this installation signed."""

    log: int = Field(foreign_key="publiclog.number", primary_key=True)
    size: int = Field(primary_key=True)
    root: bytes
    note: str  # with the log's own signature alone
    at: Moment


class LogCosignature(TableRow, table=True):
    """The cosignature of a witness that the host named, on one of this installation's
    checkpoints.
    """

    log: int = Field(foreign_key="publiclog.number", primary_key=True)
    size: int = Field(primary_key=True)
    witness: str = Field(primary_key=True)  # its verifier key
    line: str
    at: Moment


class LogWitness(NumberedRow, table=True):
    """What is known of a witness that the host named, and when it is asked next."""

    log: int = Field(foreign_key="publiclog.number")
    witness: str  # its verifier key
    size: int = 0  # of the newest checkpoint that it cosigned
    next_try: Moment
    tries: int = 0  # since it last answered as it should
    trouble: str = ""  # why it did not
    # of HTTP, of its last answer; 0 without one
    status: int = added(0)

    __table_args__ = (UniqueConstraint("log", "witness"),)


class WitnessedLog(TableRow, table=True):
    """The newest checkpoint of another log that this installation cosigned."""

    origin: str = Field(primary_key=True)
    size: int = Field(sa_type=BigInteger)
    root: bytes
    note: str
    at: Moment


class WitnessDispute(TableRow, table=True):
    """A signed checkpoint that was not cosigned here because it was not shown to continue the one
    cosigned before.

    Of each log the first one that proves a fork is kept, and the newest one that proves nothing:
    whoever has a log's checkpoint can send it with a wrong proof.
    """

    origin: str = Field(primary_key=True)
    proven: bool = Field(primary_key=True)
    known: str  # note of the checkpoint cosigned before; "" where there was none
    request: str  # with the proof and the other note
    at: Moment


class WitnessRequest(TableRow, table=True):
    """A request for a cosignature, which the site stores and the worker answers; erased once the
    answer is read.
    """

    uid: str = Field(primary_key=True)
    body: bytes
    made_at: Moment
    answered: bool = Field(default=False, index=True)
    status: int = 0  # of HTTP
    answer: str = ""
