"""Converts stored states, events and chance for the games, and decides what a viewer may see of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from adjudicator import catalogue
from adjudicator.core import chance, codec
from adjudicator.core.chance import ChainChance, Setting, StreamName
from adjudicator.core.game import AnyGame, Event, Seat, View, may_read
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.tables import Match, PhaseRow, Tournament


@dataclass(frozen=True)
class MatchChains:
    """The first elements of the two hash chains of a match or tournament: all its chance follows from them; secret until it has ended."""

    firsts: Mapping[StreamName, bytes]

    @classmethod
    def fresh(cls, public: bytes, hidden: bytes) -> "MatchChains":
        """Return the chains that begin with these two random values of 32 bytes each."""
        return cls({"public": public, "hidden": hidden})

    @property
    def anchors(self) -> dict[str, str]:
        """The last elements of both chains in hex, published before the match begins."""
        return {name: chance.chain_anchor(first).hex() for name, first in self.firsts.items()}

    @property
    def opened(self) -> dict[str, str]:
        """Both first elements in hex, published when the match has ended."""
        return {name: first.hex() for name, first in self.firsts.items()}

    def wrap(self, keyring: Keyring, uid: str) -> bytes:
        """Seal both first elements to the worker."""
        return keyring.wrap(self.firsts["public"] + self.firsts["hidden"], bound_to=f"chains:{uid}".encode())

    @classmethod
    def unwrap(cls, keyring: Keyring, match: Match | Tournament) -> "MatchChains":
        """Open what `wrap` sealed; raises CannotOpen with another key file, or where there are no chains yet."""
        if match.wrapped_chains is None:
            raise crypto.CannotOpen("this match was never founded")
        both = keyring.unwrap(match.wrapped_chains, bound_to=f"chains:{match.uid}".encode())
        return cls.fresh(both[:32], both[32:])

    def of_phase(self, uid: str, number: int) -> ChainChance:
        """Return the chance of one phase."""
        return chance.of_phase(self.firsts, Setting(uid, number))


def game_of(match: Match) -> AnyGame:
    """Return the rules a match is played by."""
    return catalogue.game(match.game)


def load_state(game: AnyGame, plain: object) -> Any:
    """Return a stored state."""
    return codec.load(game.kinds.state, plain)


def dump_state(game: AnyGame, state: object) -> object:
    """Return a state in its stored form."""
    return codec.dump(game.kinds.state, state)


def load_events(game: AnyGame, phase: PhaseRow) -> tuple[Event, ...]:
    """Return the events of a closed phase."""
    return tuple(codec.load(game.kinds.event, plain) for plain in phase.events or [])


def dump_events(game: AnyGame, events: tuple[Event, ...]) -> list[object]:
    """Return events in their stored form."""
    return [codec.dump(game.kinds.event, event) for event in events]


def dump_view(game: AnyGame, view: View) -> str:
    """Return a view as JSON, for a letter that is rendered later."""
    return json.dumps(codec.dump(game.kinds.view, view))


def load_view(game: AnyGame, text: str) -> View:
    """Return what `dump_view` wrote."""
    view: View = codec.load(game.kinds.view, json.loads(text))
    return view


ANONYMOUS = "anonymous"  # the game option that hides who plays until the match has ended


@dataclass(frozen=True)
class Viewer:
    """A seat or an observer as reader of one match, with what this reader may know at the time."""

    seat: Seat | None  # None: an observer
    names: Mapping[Seat, str]  # the names of the players that this reader may know
    orders_open: bool  # whether the orders of closed phases are public
    all_open: bool  # whether the match has ended, so nothing in any phase is hidden (rsp R9)
    seated_at: datetime | None = None  # when this reader got the seat from another player; None: it had no other

    def view(self, game: AnyGame, state: object) -> View:
        """Return what this reader may know of a state."""
        view: View = game.view(state, self.seat, reveal=self.all_open)
        return view

    def story(self, game: AnyGame, state: object, events: Sequence[Event]) -> tuple[str, ...]:
        """Return the story of the events that this reader may read; `state` is the one after the events."""
        return game.story(self.view(game, state), self._readable(events))

    def results(self, game: AnyGame, state: object, events: Sequence[Event]) -> tuple[str, ...]:
        """Return the result of every order that this reader may read, in order notation; () for a game without order results."""
        if game.results is None:
            return ()
        return game.results(self.view(game, state), self._readable(events))

    def _readable(self, events: Sequence[Event]) -> tuple[Event, ...]:
        return tuple(event for event in events if self.all_open or may_read(event, self.seat))

    def sees_orders(self, game: AnyGame, seat: Seat) -> bool:
        """Whether this reader may know the orders of `seat` in a closed phase."""
        return self.orders_open or self.all_open or seat == self.seat


def viewer_of(match: Match, seat: Seat | None, names: Mapping[Seat, str]) -> Viewer:
    """Return the viewer for `seat` (None: an observer) of a match; `names` has the names of all its players."""
    hidden, game = hides_players(match), game_of(match)
    shown = {name: player for name, player in names.items() if not hidden or name == seat}
    orders_open = game.about.opens_orders and game.opens_orders(match.options)
    return Viewer(seat, shown, orders_open, match.status == "ended")


def conceded_in(match: Match) -> dict[Seat, int]:
    """Return the seats that conceded outside of the game's rules, each with the last phase that was closed before (ruling G10)."""
    return dict(match.conceded or ())


def hides_players(match: Match) -> bool:
    """Whether the players' names are still hidden, from the match's master too."""
    return bool(match.options.get(ANONYMOUS)) and match.status != "ended"


ProgressKind = Literal["none", "count", "seats"]
PROGRESS_KINDS: tuple[ProgressKind, ...] = get_args(ProgressKind)


def progress_of(match: Match) -> ProgressKind:
    """Return what a match shows of who has handed in: nothing, how many seats, or which ones.

    An anonymous match shows nothing, because even a count would tell bots, which hand in at once, from people.
    """
    if match.options.get(ANONYMOUS):
        return "none"
    return next((kind for kind in PROGRESS_KINDS if kind == match.progress), "none")
