"""The file format of a transcript, as data."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from adjudicator.play.loop import StopReason

Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Chains(BaseModel):
    """The first elements of both chains, and their published ends where the file has them."""

    model_config = ConfigDict(extra="forbid")
    public: Hex32
    hidden: Hex32
    anchors: Mapping[str, str] | None = None


class EarlierChains(Chains):
    """Chains from before a restore from a backup; no phase from `until` on draws from them."""

    until: Annotated[int, Field(ge=0)]


class ChanceSource(BaseModel):
    """Where the draws come from: exactly one of the three."""

    model_config = ConfigDict(extra="forbid")
    seed: Annotated[str, Field(pattern=r"^([0-9a-fA-F]{2})*$")] | None = None
    script: list[Any] | None = None
    chains: Chains | None = None
    former: list[EarlierChains] = []  # the oldest first


class Entry(BaseModel):
    """The orders of one phase; forced phases need no entry. `number` is the phase's number, where
    the file has it.
    """

    orders: dict[str, str]
    clients: Hex32 | None = None  # hash of the salts that players gave before it opened
    number: int | None = None


class LotLine(BaseModel):
    """The wishes of the player in one place, and the seat assigned."""

    wishes: list[str]
    seat: str


class Stopped(BaseModel):
    """Why a match was stopped before its rules ended it, and after which phase (its number or its
    name).
    """

    model_config = ConfigDict(extra="forbid")
    after: Annotated[int, Field(ge=0)] | str
    why: StopReason
    among: list[str] | None = None  # who agreed to stop, where the file says so


class Concession(BaseModel):
    """A seat that conceded where its game's rules know no concession: from then on it plays its
    default (ruling G10).
    """

    model_config = ConfigDict(extra="forbid")
    seat: str
    after: Annotated[int, Field(ge=0)]  # number of the last phase that was closed before


class Transcript(BaseModel):
    """A whole file."""

    game: str
    rules_version: int
    match: str = ""
    options: dict[str, Any] = {}
    seats: list[str]
    # one for each place in order, where seats were assigned by wishes and lot
    lots: list[LotLine] | None = None
    chance: ChanceSource
    phases: list[Entry]
    # the same hash for phases without an entry: the start, and those that closed without waiting
    clients: dict[int, Hex32] = {}
    conceded: list[Concession] = []
    stopped: Stopped | None = None
    claims: dict[str, Any] | None = None


def unread_names(plain: Mapping[str, Any]) -> list[str]:
    """Return the members of a readable transcript that are no part of the format, so that a replay
    does not look at them.
    """
    in_file = [name for name in plain if name not in Transcript.model_fields]
    known = {*Entry.model_fields, "name"}  # the name of a phase is for people
    return [
        *in_file,
        *dict.fromkeys(
            f"phases: {name}" for entry in plain["phases"] for name in entry if name not in known
        ),
    ]
