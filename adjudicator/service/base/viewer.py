"""Who reads of a match: whose view it is, whose names may be known, and whether everything is open by now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core.game import AnyGame, Event, Seat, View, may_read
from adjudicator.service.base.tables import Match

ANONYMOUS = "anonymous"  # the option by which a game hides who plays until the match has ended


@dataclass(frozen=True)
class Viewer:
    """A seat, or an observer, as the reader of one match at one moment."""

    seat: Seat | None  # None: an observer
    names: Mapping[Seat, str]  # the players that this reader may know of
    all_open: bool  # the match has ended: nothing of any of its phases is hidden any more (rsp R9)

    def view(self, game: AnyGame, state: object) -> View:
        """Return what this reader may know of a state."""
        view: View = game.view(state, self.seat, reveal=self.all_open)
        return view

    def story(self, game: AnyGame, state: object, events: Sequence[Event]) -> tuple[str, ...]:
        """Return the story of `events` as this reader may read it, told from the state they led to."""
        return game.story(self.view(game, state), self._readable(events))

    def results(self, game: AnyGame, state: object, events: Sequence[Event]) -> tuple[str, ...]:
        """Return what came of every order in the notation of orders, as far as this reader may read it; () where the game tells none."""
        if game.results is None:
            return ()
        return game.results(self.view(game, state), self._readable(events))

    def _readable(self, events: Sequence[Event]) -> tuple[Event, ...]:
        return tuple(event for event in events if self.all_open or may_read(event, self.seat))

    def sees_orders(self, game: AnyGame, seat: Seat) -> bool:
        """Whether this reader may know what `seat` ordered in a phase that is closed."""
        return game.about.opens_orders or self.all_open or seat == self.seat


def reader(match: Match, seat: Seat | None, names: Mapping[Seat, str]) -> Viewer:
    """Return `seat` (None: an observer) as a reader of a match, `names` being the names of all who play in it."""
    hidden = hides_players(match)
    return Viewer(seat, {name: player for name, player in names.items() if not hidden or name == seat}, match.status == "ended")


def hides_players(match: Match) -> bool:
    """Whether who plays is still hidden, from everybody, the match's master as well."""
    return bool(match.options.get(ANONYMOUS)) and match.status != "ended"
