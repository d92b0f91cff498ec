"""What the processes of the service keep about themselves."""

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlmodel import Field, SQLModel

from adjudicator.platform.db import UtcTime
from adjudicator.service.base.tables.columns import PLAIN


class WorkerKeys(SQLModel, table=True):
    """The worker's public keys, published when it starts; the newest are used."""

    id: int | None = Field(default=None, primary_key=True)
    fingerprint: str = Field(unique=True)
    document: dict[str, object] = Field(sa_type=PLAIN)
    since: datetime = Field(sa_type=UtcTime)


class Picture(SQLModel, table=True):
    """A PNG, kept for a few days under the hash of its SVG."""

    hash: str = Field(primary_key=True)
    png: bytes = Field(sa_type=LargeBinary)
    made_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)


class ServiceStamp(SQLModel, table=True):
    """A minute in which a role of the service ran: web, inbox or worker; kept for two days."""

    role: str = Field(primary_key=True)
    minute: datetime = Field(sa_type=UtcTime, primary_key=True)
