"""What every game is made of: a record of pure functions over frozen values."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from adjudicator.core.chance import Chance
from adjudicator.core.options import Option, Options, Preset

Seat = str
"""A position in a match, by its name: `1`, `Red`, `FRANCE`."""

Seating = Literal["order", "preference"]

T = TypeVar("T")
StateT = TypeVar("StateT")
OrderT = TypeVar("OrderT")
ViewT = TypeVar("ViewT", bound="View")
StateIn = TypeVar("StateIn", contravariant=True)
ViewOut = TypeVar("ViewOut", bound="View", covariant=True)

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


@dataclass(frozen=True)
class Refusal:
    """Why a line was not taken; `invalid`, `illegal` and `ambiguous` make one."""

    line: str  # the line as the player wrote it
    piece: str  # the smallest part of it that is wrong
    kind: Literal["invalid", "illegal", "ambiguous"]
    reason: str  # a sentence for the player, ending in a full stop
    remedies: tuple[str, ...] = ()  # the nearest legal spellings, best first
    understood: str = ""  # illegal lines only: the order's canonical text
    unconditional: bool = False  # the line has a part that stands in no alternative; alone, it is left out of a plan and the rest stays

    @classmethod
    def invalid(cls, line: str, piece: str, reason: str, remedies: tuple[str, ...] = ()) -> "Refusal":
        """Return the refusal of a line that was not understood."""
        return cls(line, piece, "invalid", reason, remedies)

    @classmethod
    def illegal(cls, line: str, piece: str, reason: str, remedies: tuple[str, ...] = (), *, understood: str) -> "Refusal":
        """Return the refusal of an order that is not possible now; `understood` is its canonical text."""
        return cls(line, piece, "illegal", reason, remedies, understood)

    @classmethod
    def ambiguous(cls, line: str, piece: str, reason: str, remedies: tuple[str, ...] = ()) -> "Refusal":
        """Return the refusal of a line that means several things, or leaves something open."""
        return cls(line, piece, "ambiguous", reason, remedies)


@dataclass(frozen=True)
class Parsed(Generic[OrderT]):
    """What a text says: the good orders, every bad line with its reason, and remarks on good lines (G8: an order that was replaced)."""

    orders: tuple[OrderT, ...]
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()
    open: tuple[str, ...] = ()  # the names of the slots that these orders leave unanswered; () for a seat that owes nothing


# --- what a game says of itself


def _play_themselves(seats: tuple[Seat, ...], options: Options) -> Mapping[Seat, tuple[str, ...]]:
    return {seat: (seat,) for seat in seats}


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
    seating: Seating = "order"  # seats are given as players come, or as the match begins: by wishes, ties by lot
    short_phases: str = ""  # what the phases of the pace `short` are, in the plural: "retreats and builds"; "" where there are none
    plays: Callable[[tuple[Seat, ...], Options], Mapping[Seat, tuple[str, ...]]] = _play_themselves  # what each seat plays, by its names


@dataclass(frozen=True)
class OrderWords:
    """What a line of a letter looks like that may be an order; such a line is never taken for a greeting, a name or a footer.

    All are regular expressions; case does not matter, and a bullet or a number may stand before each.
    """

    first: tuple[str, ...] = ()  # words that begin an order, and no sentence of a disclaimer
    alone: tuple[str, ...] = ()  # words that are an order with two more words at most
    forms: tuple[str, ...] = ()  # whole lines
    parts: tuple[str, ...] = ()  # whole lines that name a part of an order, as one letter does that may also be somebody's initial


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


# --- a game


class Look(Protocol[StateIn, ViewOut]):
    """Makes the view of one seat."""

    def __call__(self, state: StateIn, seat: Seat | None, /, *, reveal: bool = False) -> ViewOut: ...


Start = Callable[[tuple[Seat, ...], Options, Chance], StateT]
"""Returns the opening state, deals included. The options hold every option of `about`, each with a legal value."""

Export = Callable[[str, Sequence[tuple[StateT, Sequence[Event]]], StateT], dict[str, Any]]
"""Writes a match as other programs save it: its name, the state before and the events of each closed phase, the state now."""


def _no_events(state: object) -> tuple[Event, ...]:
    return ()


def _nobody_leaves(before: object, after: object) -> tuple[Seat, ...] | None:
    return None


def _no_vote(view: object) -> str:
    return ""


def _as_chosen(options: Options, house: Collection[Seat]) -> Options:
    return options


def _any_line(line: str) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Game(Generic[StateT, OrderT, ViewT]):
    """The rules of one game and all that pages, letters and house bots need of it.

    Every function is pure: it never asks for the time, draws only from the chance it is given, and keeps nothing between calls.
    """

    about: About
    kinds: Kinds

    # flow
    start: Start[StateT]
    opened: Callable[[StateT], tuple[Event, ...]] = _no_events
    """What happened in `start`, from the state it returned: who begins, what was dealt."""

    phase: Callable[[StateT], Phase]
    """Who may order now; `due` is empty exactly when the match is over."""

    adjudicate: Callable[[StateT, Mapping[Seat, tuple[OrderT, ...]], Chance], Adjudication[StateT]]
    """What the orders of all due seats lead to.

    Total: never raises for what a player wrote. The orders are what `parse` or `default` returned for each due seat. Phases
    in which nobody is due are stepped over. What is missing or no longer possible in an order is done as in `default`.
    """

    standing: Callable[[StateT], Result]
    """Places and scores of every seat if the match stops here; defined in every state, and the result where the match is over.

    A game with a limit of its own judges as at that limit; the others rank by score (`games.kit.ranking.ranking`).
    """

    remaining: Callable[[StateT, StateT], tuple[Seat, ...] | None] = _nobody_leaves
    """The seats still in the match where the phase between two states ended a year, else None.

    After such a phase the service stops a match that no person is in any more (diplomacy R11). A seat that is out stays out.
    """

    earlier_starts: Mapping[int, Start[StateT]] = field(default_factory=dict)
    """`start` as it was under older versions of the rules, by version, where matches began otherwise."""

    settle: Callable[[Options, Collection[Seat]], Options] = _as_chosen
    """The options as the match begins, from the chosen ones and the seats of house bots."""

    # orders
    slots: Callable[[StateT, Seat], Slots]
    """The choices a seat has to make now; () when it owes nothing.

    Each choice alone is a legal text. Where exactly one order makes sense there is exactly one choice (ruling G7), and where
    two spellings lead to different results there are two.
    """

    parse: Callable[[StateT, Seat, str], Parsed[OrderT]]
    """Read a text, the orders of one part (no THEN, no OR, no clear, wait or ready in it).

    `str(order)` reads back as the same order. An order of the game that is not possible now is *illegal*, never
    *invalid*, so that a plan for a later phase can be told from rubbish. `open` of "" holds every slot that is not
    optional. Never raises.
    """

    default: Callable[[StateT, Seat, Chance], tuple[OrderT, ...]]
    """The orders of a due seat that handed in none (ruling G3); always legal."""

    order_words: OrderWords = OrderWords()
    may_order: Callable[[str], bool] = _any_line
    """Whether a line of press may be meant as an order; True in doubt."""

    # faces
    view: Look[StateT, ViewT]
    """What a seat may know, None being an observer; with `reveal` as at the end of a match, when nothing is hidden any more."""

    draw: Callable[[ViewT], str]
    """The picture as SVG, the last phase drawn on it (a view carries it); no scripts, no style attributes, no links.

    Presentation attributes carry the light colours, classes let a page's stylesheet recolour it. Every id in it is
    one of the marks of `slots` or begins with the game's key.
    """

    text_board: Callable[[ViewT], str]
    """The position as lines of plain text that read well in a fixed font and aloud."""

    story: Callable[[ViewT, Sequence[Event]], tuple[str, ...]]
    """The story of events that the view's seat may read, a sentence each."""

    results: Callable[[ViewT, Sequence[Event]], tuple[str, ...]] | None = None
    """What came of every order, in the notation of orders, a line for each power; letters show it above the story."""

    trial: Callable[[ViewT, str], Trial] | None = None
    """What would come of the orders in a text, of any seats, on the board that the view knows; None: nothing can be tried.

    It is made from a view, so it cannot tell a secret; what the view does not know has to be written in the text, or is
    asked for in a refusal. Who is given no order does nothing. Never raises.
    """

    pictures: Callable[[], dict[str, str]]
    """The pictures of the rules page, SVG text by name."""

    export: Export[StateT] | None = None

    # house bots
    bot: Callable[[ViewT, Slots, Pick], str]
    """What a sensible house bot orders: from its seat's view, the slots it has to answer, and a way to break ties."""

    vote: Callable[[ViewT], str] = _no_vote
    """What any house bot says beside its orders, sensible or not; "" for nothing."""

    def result(self, state: StateT) -> Result | None:
        """Return places and scores of every seat when the match is over, else None."""
        return None if self.phase(state).due else self.standing(state)

    def start_under(self, rules_version: int) -> Start[StateT]:
        """Return what opens a match begun under this version of the rules.

        Later versions change a running match from its next phase on, but not what it began with (genesis R16, pyramid R4).
        """
        return self.earlier_starts.get(rules_version, self.start)


AnyGame = Game[Any, Any, Any]
"""A game of unknown types: what is not part of a game hands its values on and never looks into them."""


def may_read(event: Event, seat: Seat | None) -> bool:
    """Whether `seat` (None: an observer) may know of `event`."""
    return event.readers is None or (seat is not None and seat in event.readers)
