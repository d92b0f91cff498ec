"""What every game is made of: sixteen verbs over plain frozen values, in three groups: flow, orders, faces."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from adjudicator.chance import Chance
from adjudicator.options import Option, Options, Preset

Seat = str
"""A position in a match, by its name: `1`, `Red`, `FRANCE`."""

Seating = Literal["order", "preference"]

StateT = TypeVar("StateT")
OrderT = TypeVar("OrderT")
T = TypeVar("T")

# --- flow


@dataclass(frozen=True)
class Phase:
    """One decision point: who owes orders now. Nobody due means that the match is over."""

    name: str  # for people: "Round 3"
    due: tuple[Seat, ...]  # in seat order
    pace: Literal["main", "short"] = "main"  # which of the match's deadlines it takes


@dataclass(frozen=True)
class Standing:
    """How one seat ended."""

    place: int  # 1 is first; equal seats share it
    score: int
    outcome: Literal["won", "shared", "drew", "lost"]


Result = Mapping[Seat, Standing]


@dataclass(frozen=True)
class Event:
    """Something that happened; `readers` names the seats that may know it, None is everybody (an empty tuple: nobody before the end)."""

    readers: tuple[Seat, ...] | None = None


@dataclass(frozen=True)
class Adjudication(Generic[StateT]):
    """The state after a phase and what happened in it, in the order it is told."""

    state: StateT
    events: tuple[Event, ...]


# --- orders


@dataclass(frozen=True)
class Choice:
    """One legal way to fill a slot: `text` is the order as a letter writes it, `label` says it to a person."""

    text: str
    label: str
    group: str = ""  # a heading over the choices that belong together
    marks: tuple[str, ...] = ()  # ids of the picture's elements that are clicked for it, one after the other: a piece, then a square


@dataclass(frozen=True)
class Slot:
    """One choice a seat has to make in this phase: a unit's order, a card, a bet."""

    name: str  # a word, unique in the phase; the form field's name
    title: str  # the question to the player
    choices: tuple[Choice, ...]
    hint: str = ""  # a sentence on it; or one of the choices' texts, told as an example where there are too many to list
    optional: bool = False  # it may be left empty (whether it was owed after all, `Parsed.open` tells)
    aside: bool = False  # it stands beside the game, as a vote does: house bots leave it alone


Slots = tuple[Slot, ...]

RefusalKind = Literal["invalid", "illegal", "ambiguous"]


@dataclass(frozen=True)
class Refusal:
    """Why a line was not taken: not understood (invalid), understood but not possible now (illegal), or two things at once (ambiguous)."""

    line: str  # the line as the player wrote it
    piece: str  # the smallest part of it that is wrong
    kind: RefusalKind
    reason: str  # a sentence for the player, ending in a full stop
    remedies: tuple[str, ...] = ()  # the nearest legal spellings, best first
    understood: str = ""  # illegal lines only: the order's canonical text
    unconditional: bool = False  # the line has a part that stands in no alternative; alone, it is left out of a plan and the rest stays


@dataclass(frozen=True)
class Parsed(Generic[OrderT]):
    """What a text says: the good orders, every bad line with its reason, and remarks on good lines (G8: an order that was replaced)."""

    orders: tuple[OrderT, ...]
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()
    open: tuple[str, ...] = ()  # the names of the slots that these orders leave unanswered; () for a seat that owes nothing


# --- what a game says of itself


def _as_chosen(options: Options, house: Collection[Seat]) -> Options:
    return options


def _only_itself(seats: tuple[Seat, ...], options: Options) -> Mapping[Seat, tuple[str, ...]]:
    return {seat: (seat,) for seat in seats}


def _whatever_it_says(line: str) -> bool:
    return True


@dataclass(frozen=True)
class About:
    """What a game says of itself before any match is made."""

    key: str  # as in `pyramid`; in addresses and transcripts
    title: str
    summary: str  # two sentences for somebody who never heard of it
    rules_version: int  # raised by every change that alters a golden playthrough
    seats: Mapping[int, tuple[Seat, ...]]  # for each possible number of players, the seats in order
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    ready: Literal["complete", "said"] = "complete"  # what makes a seat ready by default
    waits_for_forced: bool = False  # True: ruling G7 does not hold, it would tell a secret
    languages: tuple[str, ...] = ("en",)  # in which its rules are told, the first by default
    opens_orders: bool = True  # whether the whole text of all orders is public once a phase has closed
    trials: bool = False  # whether orders can be tried on a board (the verb `trial`)
    seating: Seating = "order"  # seats are given as players come, or as the match begins: by wishes, ties by lot
    short_phases: str = ""  # what the phases of the pace `short` are, in the plural: "retreats and builds"; "" where there are none
    plays: Callable[[tuple[Seat, ...], Options], Mapping[Seat, tuple[str, ...]]] = _only_itself  # what each seat plays, by its names
    settle: Callable[[Options, Collection[Seat]], Options] = _as_chosen  # the options as the match begins, by the seats of house bots
    results: Callable[[Any, Sequence[Event]], tuple[str, ...]] | None = None  # of a view and the events its seat may read: what came of
    # every order, in the notation of orders, a line for each power; letters show it above the story
    may_order: Callable[[str], bool] = _whatever_it_says  # whether a line of talk may be meant as an order; in doubt it may


@dataclass(frozen=True)
class Kinds:
    """The types of a game's values, for the codec; unions name each event and order by their `kind` field."""

    state: Any
    event: Any
    order: Any
    view: Any


class Pick(Protocol):
    """Something that returns one of several things at random."""

    def __call__(self, options: Sequence[T], /) -> T: ...


class View(Protocol):
    """What one seat may know, built up from nothing; every game's view has the running score (empty where there is none)."""

    @property
    def scores(self) -> Mapping[Seat, int]: ...


@dataclass(frozen=True)
class Trial:
    """What would come of some orders on the board that one view knows; nothing is handed in, and nothing secret is asked."""

    view: View  # the board afterwards; where nothing could be tried, the board as it is
    events: tuple[Event, ...] = ()  # what would happen, as this view's reader would be told it; () where nothing could be tried
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()


class Game(Protocol):
    """The rules of one game. Everything is pure: time is never asked, chance is an argument, nothing is kept between calls."""

    @property
    def about(self) -> About: ...
    @property
    def kinds(self) -> Kinds: ...

    # flow
    def start(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Any:
        """Return the opening state, deals included. `options` holds every option of `about`, each with a legal value."""

    def opened(self, state: Any) -> tuple[Event, ...]:
        """Return what happened in `start`, from the state it gave: who begins, what was dealt; () where there is nothing to tell."""

    def phase(self, state: Any) -> Phase:
        """Return who may order now; `due` is empty exactly when the match is over."""

    def adjudicate(self, state: Any, orders: Mapping[Seat, tuple[Any, ...]], chance: Chance) -> Adjudication[Any]:
        """Return what the orders of all due seats lead to.

        Total: never raises for what a player wrote. `orders` holds what `parse` or `default` gave for each due seat.
        Phases in which nobody is due are stepped over. What is missing or no longer possible in an order is done as in `default`.
        """

    def result(self, state: Any) -> Result | None:
        """Return places and scores of every seat when the match is over, else None."""

    def standing(self, state: Any) -> Result:
        """Return places and scores of every seat if the match stops here: defined in every state, and `result` where it is over.

        A game with a limit of its own judges as at that limit; the others rank by score (`games.kit.ending.ranking`).
        """

    def remaining(self, before: Any, after: Any) -> tuple[Seat, ...] | None:
        """Return the seats that are still in the match where the phase from `before` to `after` ended a year, else None.

        After such a phase the service stops a match that no person is in any more (diplomacy R11). A seat that is out stays
        out. None from every phase in a game that no seat leaves early (`games.kit.ending.nobody_leaves`).
        """

    # orders
    def slots(self, state: Any, seat: Seat) -> Slots:
        """Return the choices `seat` has to make now; () when it owes nothing.

        Each choice alone is a legal text. Where exactly one order makes sense there is exactly one choice (ruling G7), and where
        two spellings lead to different results there are two.
        """

    def parse(self, state: Any, seat: Seat, text: str) -> Parsed[Any]:
        """Read `text`, the orders of one part (no THEN, no OR, no clear, wait or ready in it).

        `str(order)` reads back as the same order. An order of the game that is not possible now is *illegal*, never
        *invalid*, so that a plan for a later phase can be told from rubbish. `open` of "" holds every slot that is not
        optional. Never raises.
        """

    def default(self, state: Any, seat: Seat, chance: Chance) -> tuple[Any, ...]:
        """Return the orders of a due seat that handed in none (ruling G3); always legal."""

    # faces
    def view(self, state: Any, seat: Seat | None) -> View:
        """Return what `seat` may know, None being an observer."""

    def unveil(self, state: Any, seat: Seat | None) -> View:
        """Return what `seat` may know of this state of a match that has ended meanwhile: nothing is hidden in it.

        The same as `view` at the end of a match, and in a game without secrets.
        """

    def draw(self, view: Any) -> str:
        """Return the picture as SVG, the last phase drawn on it (a view carries it); no scripts, no style attributes, no links.

        Presentation attributes carry the light colours, classes let a page's stylesheet recolour it. Every id in it is
        one of the marks of `slots` or begins with the game's key.
        """

    def board(self, view: Any) -> str:
        """Return the position as lines of plain text that read well in a fixed font and aloud."""

    def tell(self, view: Any, events: Sequence[Event]) -> tuple[str, ...]:
        """Return the story of `events`, a sentence each; the events are those this view's seat may read."""

    def trial(self, view: Any, text: str) -> Trial | None:
        """Return what would come of the orders in `text`, of any seats, on the board that `view` knows; None in a game without trials.

        It is made from a view, so it cannot tell a secret; what the view does not know has to be written in the text, or is
        asked for in a refusal. Who is given no order does nothing. Never raises.
        """


def may_read(event: Event, seat: Seat | None) -> bool:
    """Whether `seat` (None: an observer) may know of `event`."""
    return event.readers is None or (seat is not None and seat in event.readers)
