"""States, events and chance between their stored form and the rules; nothing here ever leaves the service room."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator import catalogue
from adjudicator.core import chance, codec
from adjudicator.core.chance import ChainChance, Setting, StreamName
from adjudicator.core.game import AnyGame, Event, View
from adjudicator.seal import sealed_box
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base.tables import Match, PhaseRow


@dataclass(frozen=True)
class MatchChains:
    """The first elements of a match's two chains: its whole chance, secret until the match has ended."""

    firsts: Mapping[StreamName, bytes]

    @classmethod
    def fresh(cls, public: bytes, hidden: bytes) -> "MatchChains":
        """Return the chains that begin with these 32 random bytes each."""
        return cls({"public": public, "hidden": hidden})

    @property
    def anchors(self) -> dict[str, str]:
        """The published ends of both chains, in hex."""
        return {name: chance.chain_anchor(first).hex() for name, first in self.firsts.items()}

    @property
    def opened(self) -> dict[str, str]:
        """Both first elements in hex, to be told when the match has ended."""
        return {name: first.hex() for name, first in self.firsts.items()}

    def wrap(self, keyring: Keyring, uid: str) -> bytes:
        """Seal both first elements to the worker."""
        return keyring.wrap(self.firsts["public"] + self.firsts["hidden"], bound_to=f"chains:{uid}".encode())

    @classmethod
    def unwrap(cls, keyring: Keyring, match: Match) -> "MatchChains":
        """Open what `wrap` sealed; raises CannotOpen with another key file."""
        if match.wrapped_chains is None:
            raise sealed_box.CannotOpen("this match was never founded")
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
    """Return what happened in a closed phase."""
    return tuple(codec.load(game.kinds.event, plain) for plain in phase.events or [])


def dump_events(game: AnyGame, events: tuple[Event, ...]) -> list[object]:
    """Return events in their stored form."""
    return [codec.dump(game.kinds.event, event) for event in events]


def dump_view(game: AnyGame, view: View) -> str:
    """Return a view as JSON text, for a letter that is rendered later."""
    return json.dumps(codec.dump(game.kinds.view, view))


def load_view(game: AnyGame, text: str) -> View:
    """Return what `dump_view` wrote."""
    view: View = codec.load(game.kinds.view, json.loads(text))
    return view
