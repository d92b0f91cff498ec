"""Converts stored states, events and chance for the games, and decides what a viewer may see of
them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from adjudicator import catalogue
from adjudicator.core import chance, codec
from adjudicator.core.chains import Chain, Waypoint
from adjudicator.core.chance import STREAMS, ChainChance, Setting, StreamName, UsedUp
from adjudicator.core.game import About, AnyGame, Event, Seat, View, may_read
from adjudicator.core.options import OptionValue
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.names import SOMEBODY, shown_name
from adjudicator.service.base.tables import Match, PhaseRow, Player

if TYPE_CHECKING:
    from adjudicator.service.base.tables import Tournament

_TOKENS = "tokens"  # in the record of a match's chains: its tokens are computed
# purpose of the worker's own record of what a closed phase keeps for the audit
OPENINGS = "openings"


@dataclass(frozen=True)
class MatchChains:
    """The two hash chains of a match or tournament: all its chance follows from them and the
    players' salts; secret until it has ended.
    """

    chains: Mapping[StreamName, Chain]
    renewed: bool = False  # whether a waypoint is newer than the stored one
    # whether the match was made since tokens of letters are computed; the worker's own record says
    # so
    computes_tokens: bool = True

    @classmethod
    def fresh(cls, public: bytes, hidden: bytes) -> "MatchChains":
        """Return the chains that begin with these two random values of 32 bytes each."""
        return cls({"public": Chain.begin(public), "hidden": Chain.begin(hidden)})

    @property
    def firsts(self) -> dict[StreamName, bytes]:
        """The first elements of both chains."""
        return {name: chain.first for name, chain in self.chains.items()}

    @property
    def anchors(self) -> dict[str, str]:
        """The last elements of both chains in hex, published before the match begins."""
        return {name: chain.anchor.hex() for name, chain in self.chains.items()}

    @property
    def opened(self) -> dict[str, str]:
        """Both first elements in hex, published when the match has ended."""
        return {name: first.hex() for name, first in self.firsts.items()}

    def keep(self, keyring: Keyring, uid: str) -> bytes:
        """Return both chains as one of the worker's own records."""
        plain: dict[str, Any] = {name: _plain_chain(chain) for name, chain in self.chains.items()}
        plain |= {_TOKENS: True} if self.computes_tokens else {}
        return keyring.keep(json.dumps(plain).encode(), purpose="chains", match=uid)

    @classmethod
    def recall(cls, keyring: Keyring, match: "Match | Tournament") -> "MatchChains":
        """Open what `keep` returned; raises CannotOpen with another key file, or where there are no
        chains yet.

        Chains from before there were logs are in boxes that anybody could have sealed. Older
        records hold the first elements alone; these are held against the published anchors as their
        first waypoint is made.
        """
        if match.wrapped_chains is None:
            raise crypto.CannotOpen("this match was never founded")
        if match.sealing:
            record = keyring.recall(match.wrapped_chains, purpose="chains", match=match.uid)
        else:
            record = keyring.unwrap(match.wrapped_chains, bound_to=f"chains:{match.uid}".encode())
        if len(record) == 2 * _ELEMENT:
            return cls(
                {name: _older_chain(match, name, record) for name in STREAMS}, computes_tokens=False
            )
        plain = json.loads(record)
        return cls(
            {name: _read_chain(plain[name]) for name in STREAMS}, computes_tokens=_TOKENS in plain
        )

    def of_phase(self, uid: str, number: int, clients: str | None = None) -> ChainChance:
        """Return the chance of one phase; `clients` is the hash of the salts that players gave
        before it opened.
        """
        if not 0 <= number < chance.CHAIN_LENGTH:
            raise UsedUp(
                f"phase {number} is beyond this match's chain of {chance.CHAIN_LENGTH} elements"
            )
        elements = {name: partial(chain.element, number) for name, chain in self.chains.items()}
        return ChainChance(elements, Setting(uid, number, clients))

    def serve(self, number: int) -> "MatchChains":
        """Return the chains with the waypoints for this phase; raises BrokenChain where one that
        has to be renewed is not right.
        """
        if number >= chance.CHAIN_LENGTH or all(
            chain.serves(number) for chain in self.chains.values()
        ):
            return self
        return replace(
            self,
            chains={name: chain.renew(number) for name, chain in self.chains.items()},
            renewed=True,
        )

    def check(self) -> None:
        """Hold both chains against their anchors; raises BrokenChain."""
        for chain in self.chains.values():
            chain.check()


_ELEMENT = 32  # bytes


def _plain_chain(chain: Chain) -> dict[str, Any]:
    waypoint = {"index": chain.waypoint.index, "element": chain.waypoint.element.hex()}
    return {"first": chain.first.hex(), "anchor": chain.anchor.hex(), "waypoint": waypoint}


def _read_chain(plain: Mapping[str, Any]) -> Chain:
    waypoint = Waypoint(plain["waypoint"]["index"], bytes.fromhex(plain["waypoint"]["element"]))
    return Chain(bytes.fromhex(plain["first"]), bytes.fromhex(plain["anchor"]), waypoint)


def _older_chain(match: "Match | Tournament", name: StreamName, record: bytes) -> Chain:
    first = record[:_ELEMENT] if name == "public" else record[_ELEMENT:]
    return Chain(first, bytes.fromhex((match.anchors or {}).get(name, "")), Waypoint(0, first))


@dataclass(frozen=True)
class FormerChains:
    """The chains of a match before a restore from a backup, which no phase from `until` on draws
    from.
    """

    until: int
    anchors: Mapping[str, str]
    record: str  # the worker's own record in hex, as `Match.wrapped_chains` had it
    opened: Mapping[str, str] | None = None  # both s0 in hex, once the match has ended

    @property
    def plain(self) -> dict[str, Any]:
        """The chains as the match's row has them."""
        return dict(vars(self))

    @property
    def told(self) -> dict[str, Any]:
        """The opened chains as the transcript has them."""
        return {**(self.opened or {}), "anchors": dict(self.anchors), "until": self.until}


def former_chains(match: Match) -> tuple[FormerChains, ...]:
    """Return the chains that a match had before restores, the oldest first."""
    return tuple(FormerChains(**plain) for plain in match.former_chains or ())


def replace_chains(keyring: Keyring, match: Match, fresh: MatchChains, *, until: int) -> None:
    """Have the phases of a match from `until` on draw from fresh chains; the former ones are kept
    for its end.

    The record goes on saying whether the match's addresses are computed.
    """
    fresh = replace(fresh, computes_tokens=computes_tokens(keyring, match))
    former = FormerChains(until, match.anchors or {}, (match.wrapped_chains or b"").hex())
    match.former_chains = [*(match.former_chains or ()), former.plain]
    match.anchors, match.wrapped_chains = fresh.anchors, fresh.keep(keyring, match.uid)


def open_former_chains(keyring: Keyring, match: Match) -> None:
    """Open the former chains of a match that has ended; raises CannotOpen."""
    opened = [
        replace(each, opened=_recall_former(keyring, match, each).opened)
        for each in former_chains(match)
    ]
    match.former_chains = [each.plain for each in opened] or None


def _recall_former(keyring: Keyring, match: Match, former: FormerChains) -> MatchChains:
    as_it_was = SimpleNamespace(
        uid=match.uid,
        sealing=match.sealing,
        anchors=dict(former.anchors),
        wrapped_chains=bytes.fromhex(former.record),
    )
    return MatchChains.recall(keyring, cast("Match", as_it_was))


def renew_former_chains(keyring: Keyring, match: Match) -> None:
    """Store the former chains of a match under the newest keys; raises CannotOpen."""
    anew = (
        replace(
            each,
            record=keyring.renew(
                bytes.fromhex(each.record), purpose="chains", match=match.uid
            ).hex(),
        )
        for each in former_chains(match)
    )
    match.former_chains = [each.plain for each in anew] or None


def renew_chains(keyring: Keyring, match: "Match | Tournament") -> bytes:
    """Return the stored chains of a match or tournament under the newest keys; raises
    CannotOpen.
    """
    record = match.wrapped_chains or b""
    if match.sealing:
        return keyring.renew(record, purpose="chains", match=match.uid)
    bound_to = f"chains:{match.uid}".encode()
    return keyring.wrap(keyring.unwrap(record, bound_to=bound_to), bound_to=bound_to)


def computes_tokens(keyring: Keyring, match: Match) -> bool:
    """Whether only addresses that the worker computes are believed in a match, which was made since
    they are.

    A writer of the database cannot make a match with a log look older: no record of the worker's
    says that of it.
    """
    try:
        return match.wrapped_chains is None or MatchChains.recall(keyring, match).computes_tokens
    except crypto.CannotOpen:
        return True


def game_of(match: Match) -> AnyGame:
    """Return the rules a match is played by."""
    return catalogue.game(match.game)


def about_of(match: Match) -> About:
    """Return what the game of a match is, without its rules."""
    return catalogue.about(match.game)


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
    return codec.dump_all(game.kinds.event, events)


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
    # when this reader got the seat from another player; None: it had no other
    seated_at: datetime | None = None

    def view(self, game: AnyGame, state: object) -> View:
        """Return what this reader may know of a state."""
        view: View = game.view(state, self.seat, reveal=self.all_open)
        return view

    def story(self, game: AnyGame, state: object, events: Sequence[Event]) -> tuple[str, ...]:
        """Return the story of the events that this reader may read; `state` is the one after the
        events.
        """
        return game.story(self.view(game, state), self._readable(events))

    def results(self, game: AnyGame, state: object, events: Sequence[Event]) -> tuple[str, ...]:
        """Return the result of every order that this reader may read, in order notation; () for a
        game without order results.
        """
        if game.results is None:
            return ()
        return game.results(self.view(game, state), self._readable(events))

    def _readable(self, events: Sequence[Event]) -> tuple[Event, ...]:
        return tuple(event for event in events if self.all_open or may_read(event, self.seat))

    def sees_orders(self, seat: Seat) -> bool:
        """Whether this reader may know the orders of `seat` in a closed phase."""
        return self.orders_open or self.all_open or seat == self.seat


def viewer_of(match: Match, seat: Seat | None, names: Mapping[Seat, str]) -> Viewer:
    """Return the viewer for `seat` (None: an observer) of a match; `names` has the names of all its
    players.
    """
    hidden = hides_players(match)
    shown = {name: player for name, player in names.items() if not hidden or name == seat}
    return Viewer(seat, shown, opens_orders(match), match.status == "ended")


def opens_orders(match: Match) -> bool:
    """Whether the orders of closed phases are public while a match runs."""
    game = game_of(match)
    return game.about.opens_orders and game.opens_orders(match.options)


def conceded_in(match: Match) -> dict[Seat, int]:
    """Return the seats that conceded outside of the game's rules, each with the last phase that was
    closed before (ruling G10).
    """
    return dict(match.conceded or ())


def hides_players(match: Match) -> bool:
    """Whether the players' names are still hidden, from the match's master too."""
    return bool(match.options.get(ANONYMOUS)) and match.status != "ended"


def person_in(match: Match, player: Player, *, inside: bool) -> str:
    """Return what a player is called whom a match tells of without a seat, such as its master: not
    by name while it hides its players.

    That a name is told would itself say that this player has no seat. `inside`: to one who is no
    onlooker.
    """
    return SOMEBODY if hides_players(match) else shown_name(player, inside=inside)


ProgressKind = Literal["none", "count", "seats"]
PROGRESS_KINDS: tuple[ProgressKind, ...] = get_args(ProgressKind)


def progress_of(match: Match) -> ProgressKind:
    """Return what a match shows of who has handed in: nothing, how many seats, or which ones."""
    return told_progress(match.progress, match.options)


def told_progress(kind: str, options: Mapping[str, OptionValue]) -> ProgressKind:
    """Return what a match of these options shows, whose `progress` is `kind`.

    An anonymous match shows nothing, because even a count would tell bots, which hand in at once,
    from people.
    """
    if options.get(ANONYMOUS):
        return "none"
    return next((each for each in PROGRESS_KINDS if each == kind), "none")
