"""People, how they sign in, and who gets no letters."""

from datetime import date, datetime

from sqlmodel import Field, SQLModel

from adjudicator.platform.db import UtcTime
from adjudicator.service.base.tables.columns import PLAIN


class Player(SQLModel, table=True):
    """A person, a guest without an address yet, or a house bot."""

    id: int | None = Field(default=None, primary_key=True)
    address: str | None = Field(default=None, unique=True)  # lower-case; proved by a letter sent there, except for appointed masters
    name: str = Field(index=True)
    zone: str = "UTC"  # an IANA name
    house: bool = False
    skill: str | None = None  # how a house bot plays: one of `play.bots.SKILLS`
    reminders: bool = True  # whether reminders come before a deadline
    receipts: bool = True  # whether orders handed in on the site get a receipt letter
    letters: bool = True  # False after "stop these letters"; sign-in links are still sent
    master: bool = False  # whether this player may run every match, like its own master
    profile: str | None = Field(default=None, unique=True, index=True)  # last part of the address of this player's page; None: it has none
    stop_token: str | None = Field(default=None, unique=True, index=True)  # the secret part of the addresses that stop letters
    bounced_at: datetime | None = Field(default=None, sa_type=UtcTime)  # since when letters come back; None: no known bounce
    bounce: str | None = None  # the mail server's reason
    erased_at: datetime | None = Field(default=None, sa_type=UtcTime)  # when the player wished to be forgotten; the row says nothing else
    made_at: datetime = Field(sa_type=UtcTime)


class Absence(SQLModel, table=True):
    """Days on which a player is away, for all matches; their days are those of the player's zone."""

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    first: date
    last: date  # the last day, which counts
    made_at: datetime = Field(sa_type=UtcTime)


class SignedIn(SQLModel, table=True):
    """A browser that is signed in; the cookie holds the token, this row the hash of it."""

    token_hash: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)


class Link(SQLModel, table=True):
    """A sign-in link: single use, valid for ten minutes. Using it proves that its bearer reads mail to the address."""

    token_hash: str = Field(primary_key=True)
    address: str = Field(index=True)
    guest_id: int | None = Field(default=None, foreign_key="player.id")  # the signed-in player who asked, to add or replace an address
    zone: str = "UTC"
    requester_hash: str | None = None  # hash of the requesting network and the address; None: requested by the service itself
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Confirmation(SQLModel, table=True):
    """Commands from an address that is not proved yet; the answer to the confirmation letter sent there carries them out."""

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True)
    address: str = Field(index=True)
    wanted: list[str] = Field(sa_type=PLAIN)  # lines of the commands
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Stranger(SQLModel, table=True):
    """An unproved address that a letter went to: its hash, and the secret by which its reader stops all such letters for good."""

    address_hash: str = Field(primary_key=True)
    token: str = Field(unique=True)
    made_at: datetime = Field(sa_type=UtcTime)
    never_at: datetime | None = Field(default=None, sa_type=UtcTime)  # since when only sign-in links go there


class Blocked(SQLModel, table=True):
    """An address or domain that the host blocks: it gets no letters, has no accounts, and its letters are not read."""

    what: str = Field(primary_key=True)  # `ann@example.org`, or `example.org` with its subdomains
    at: datetime = Field(sa_type=UtcTime)
