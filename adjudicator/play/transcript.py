"""The file of a transcript: what it may hold, as data."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from adjudicator.play.stopping import StopReason

Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Chains(BaseModel):
    """The first elements of both chains, and their published ends where the file has them."""

    model_config = ConfigDict(extra="forbid")
    public: Hex32
    hidden: Hex32
    anchors: Mapping[str, str] | None = None


class ChanceSource(BaseModel):
    """Where the draws come from: exactly one of the three."""

    model_config = ConfigDict(extra="forbid")
    seed: Annotated[str, Field(pattern=r"^([0-9a-fA-F]{2})*$")] | None = None
    script: list[Any] | None = None
    chains: Chains | None = None


class Entry(BaseModel):
    """What was ordered in one phase; forced phases need no entry. `number` says which phase it is where the file tells."""

    orders: dict[str, str]
    clients: str | None = None
    number: int | None = None


class LotLine(BaseModel):
    """What the player of one place wished, and the seat that came of it."""

    wishes: list[str]
    seat: str


class Stopped(BaseModel):
    """That a match was stopped before its rules ended it, after which phase (its number, or its name), and why."""

    model_config = ConfigDict(extra="forbid")
    after: Annotated[int, Field(ge=1)] | str
    why: StopReason
    among: list[str] | None = None  # who agreed to stop, where that is told


class Transcript(BaseModel):
    """The file."""

    game: str
    rules_version: int
    match: str = ""
    options: dict[str, Any] = {}
    seats: list[str]
    lots: list[LotLine] | None = None  # where the seats were given by wishes and lot: in the order of places
    chance: ChanceSource
    phases: list[Entry]
    stopped: Stopped | None = None
    claims: dict[str, Any] | None = None
