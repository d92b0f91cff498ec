"""What the processes of the service keep about themselves."""

from datetime import datetime

from sqlmodel import Field

from adjudicator.platform.db import UtcTime
from adjudicator.service.base.tables.columns import (
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    TableRow,
)


class WorkerKeys(NumberedRow, table=True):
    """The worker's public keys, published when it starts; the newest are used."""

    fingerprint: str = Field(unique=True)
    document: dict[str, object] = Field(sa_type=PLAIN)
    since: Moment
    # public key of web push, 65 bytes; None: no worker started since
    push_key: bytes | None = None
    # Of keys that a rotation made; None in the first ones:
    former: str | None = None  # fingerprint of the keys before
    # over H("keys-change", {former, keys})
    signed_by_former: bytes | None = None
    signed: bytes | None = None  # the same by these keys
    # when every running match had them; None: the rotation goes on
    done_at: MomentOrNone = None


class Picture(TableRow, table=True):
    """Empty: workers of the release before kept PNGs here. The release after this one drops the
    table.
    """

    hash: str = Field(primary_key=True)
    png: bytes
    made_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)


class ServiceStamp(TableRow, table=True):
    """A minute in which a role of the service ran: web, inbox or worker; kept for two days."""

    role: str = Field(primary_key=True)
    minute: datetime = Field(sa_type=UtcTime, primary_key=True)


class SiteMark(TableRow, table=True):
    """A running site's word that every request to a match that was whole before `answered_until`
    has been answered.
    """

    site: str = Field(primary_key=True)  # by chance, for each process
    answered_until: Moment
    told_at: Moment
