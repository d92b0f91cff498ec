"""What the contents of all kinds of letters share, and parts that several of them have.

A field that rows of older versions lack has a default, so that those rows can still be sent after
an upgrade.
"""

from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, TypeVar

from adjudicator.core.game import Slot
from adjudicator.service.tokens.references import Reference

# as the letter is claimed the token takes the place of the reference; rows of older versions hold
# the token
Token = str | Reference


def plain_token(token: Token) -> str:
    """Return a token of a claimed letter; raises TypeError for a reference."""
    if isinstance(token, Reference):
        raise TypeError("the content of this letter was not claimed: its token is not computed")
    return token


C = TypeVar("C", bound="LetterContent")


@dataclass(frozen=True, kw_only=True)
class LetterContent:
    """The fields that all kinds share; those about a match are empty in a letter about none."""

    KIND: ClassVar[str]  # folder in templates/mail

    match: str = ""  # the match's name
    uid: str = ""
    game_key: str = ""
    seat: str = ""  # the reader's
    # secret part of the address for answers; None: the service's own address
    reply_token: Token | None = None
    # Message-ID of the letter it answers, "" if that has none; None: it is no answer
    in_reply_to: str | None = None
    zone: str = "UTC"  # the reader's
    view: str = ""  # the view in its picture, as JSON
    log_index: int | None = None  # of the newest entry in the match's log; None where it has no log
    log_hash: str = ""
    fingerprint: str = ""  # fingerprint of the service's keys
    stop_token: Token | None = None  # the secret that stops letters to a player
    never_token: Token | None = None  # the secret that stops all letters to an unproved address


def with_values(content: C, **values: object) -> C:
    """Return content with other values; `replace` takes ten times as long, as it makes anew all of
    forty fields.
    """
    made = copy(content)
    vars(made).update(values)
    return made


@dataclass(frozen=True)
class OwedOrders:
    """The orders that a seat owes in an open phase; `slots` is empty in letters that do not list
    them.
    """

    phase: str
    number: int
    deadline: datetime
    last_call: datetime | None = None  # deadline plus grace
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True)
class PhaseSection:
    """What happened in one closed phase, for one reader."""

    number: int
    phase: str
    lines: tuple[str, ...]
    results: tuple[str, ...] = ()  # the result of every order, in order notation


@dataclass(frozen=True)
class SealLine:
    """The seal of a seat's orders for a closed phase; `how` is the source of the orders, "" if the
    seat was not due.
    """

    phase: int
    name: str
    how: str
    commitment: str


@dataclass(frozen=True)
class StandingRow:
    """One seat in a final standing."""

    seat: str
    player: str
    place: int
    score: int
    outcome: str
