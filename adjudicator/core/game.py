"""What every game is made of: a record of pure functions over frozen values."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import get_annotations
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, dataclass_transform

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
    """One decision point; an empty `due` means that the match is over."""

    name: str  # for people: "Round 3"
    due: tuple[Seat, ...]  # the seats that owe orders now, in seat order
    pace: Literal["main", "short"] = "main"  # which of the match's two deadlines applies


@dataclass(frozen=True)
class Standing:
    """The final place of one seat."""

    place: int  # 1 is first; equal seats share it
    score: int
    outcome: Literal["won", "shared", "drew", "lost"]


Result = Mapping[Seat, Standing]


@dataclass(frozen=True)
class Finish:
    """How a match ended for one seat: all that a scoring system of tournaments may look at, so that
    it knows no game.

    What follows `score` is known only of games with supply centres (`About.centres`).
    """

    place: int  # of the match's result
    score: int  # of the match's result
    centres: int = 0  # at the end; 0 for a seat that is out
    # it won alone, and not only by having the most when the match was stopped or the years were
    # over
    solo: bool = False
    drew: bool = False  # it shares the draw; nobody does where somebody has a solo
    out: bool = False  # eliminated or conceded
    years: int = 0  # that it played, with the one in which it went out or the match ended


@dataclass(frozen=True)
class Ownership:
    """Who owns the supply centres, by the names of what seats play (`About.plays`) and of what
    nobody plays.
    """

    now: Mapping[str, tuple[str, ...]]  # the centres of each; neutral ones are missing
    # for each year that is over: how many each had then, 0 included
    by_year: Mapping[int, Mapping[str, int]]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Tagged:
    """A frozen dataclass whose `kind` tells it from others where it is stored: `class Roll(Tagged,
    kind="roll")`.
    """

    kind: ClassVar[str]

    def __init_subclass__(cls, kind: str = "") -> None:
        """Make the class a dataclass, with its kind, if it has one, as the first field; a comparison
        leaves it out, as a class has one.
        """
        if kind:
            cls.__annotations__ = {"kind": Literal[kind], **get_annotations(cls)}
            cls.kind = field(default=kind, kw_only=True, compare=False)
        dataclass(frozen=True)(cls)


class Event(Tagged):
    """Something that happened; `readers` are the seats that may know of it: None for everybody, ()
    for nobody before the end.
    """

    readers: tuple[Seat, ...] | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Adjudication(Generic[StateT]):
    """The state after a phase and the events of the phase, in the order of the story."""

    state: StateT
    events: tuple[Event, ...]


# --- orders


@dataclass(frozen=True)
class Choice:
    """One legal way to fill a slot: `text` is the order as written in a letter, `label` its wording
    in a form.
    """

    text: str
    label: str
    group: str = ""  # a heading over the choices that belong together
    # ids of the picture's elements to click for it, in order: a piece, then a square
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """One choice a seat has to make in this phase: a unit's order, a card, a bet."""

    name: str  # a word, unique in the phase; the form field's name
    title: str  # the question to the player
    choices: tuple[Choice, ...]
    # a sentence on it; or the text of one choice, shown as an example where there are too many to
    # list
    hint: str = ""
    # it may be left empty; `Parsed.open` says whether the given orders need it
    optional: bool = False
    aside: bool = False  # not part of play itself, such as a vote: house bots never fill it


Slots = tuple[Slot, ...]


@dataclass(frozen=True)
class Refusal:
    """Why a line was refused; constructed by `invalid`, `illegal` or `ambiguous`."""

    line: str  # the line as the player wrote it
    piece: str  # the smallest part of it that is wrong
    kind: Literal["invalid", "illegal", "ambiguous"]
    reason: str  # a sentence for the player, ending in a full stop
    remedies: tuple[str, ...] = ()  # the nearest legal spellings, best first
    understood: str = ""  # illegal lines only: the order's canonical text
    # the line has a part that is never conditional (rsp R2): a plan drops this line and keeps the
    # rest
    unconditional: bool = False

    @classmethod
    def invalid(
        cls, line: str, piece: str, reason: str, remedies: tuple[str, ...] = ()
    ) -> "Refusal":
        """Return the refusal of a line that is not an order of this game."""
        return cls(line, piece, "invalid", reason, remedies)

    @classmethod
    def illegal(
        cls, line: str, piece: str, reason: str, remedies: tuple[str, ...] = (), *, understood: str
    ) -> "Refusal":
        """Return the refusal of an order that is not possible now; `understood` is its canonical
        text.
        """
        return cls(line, piece, "illegal", reason, remedies, understood)

    @classmethod
    def ambiguous(
        cls, line: str, piece: str, reason: str, remedies: tuple[str, ...] = ()
    ) -> "Refusal":
        """Return the refusal of a line that has several meanings, or is incomplete."""
        return cls(line, piece, "ambiguous", reason, remedies)


@dataclass(frozen=True)
class Parsed(Generic[OrderT]):
    """A parsed text: its valid orders, a refusal for each other line, and remarks on valid lines
    (G8: an order was replaced).
    """

    orders: tuple[OrderT, ...]
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()
    # the names of the slots that these orders leave unanswered; () for a seat that is not due
    open: tuple[str, ...] = ()


# --- a game's description


def _play_themselves(seats: tuple[Seat, ...], options: Options) -> Mapping[Seat, tuple[str, ...]]:
    return {seat: (seat,) for seat in seats}


@dataclass(frozen=True)
class OrderWords:
    """Patterns of letter lines that may be orders; a matching line is never taken for a greeting, a
    signature or a footer.

    All are regular expressions; case is ignored, and a bullet or a number may precede each.
    """

    first: tuple[str, ...] = ()  # words that begin an order, but no sentence of a disclaimer
    alone: tuple[str, ...] = ()  # words that are an order with at most two more words
    forms: tuple[str, ...] = ()  # whole lines
    # whole lines that name a part of an order, such as one letter, which may also be an initial
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class About:
    """The properties of a game that hold for all its matches."""

    key: str  # as in `pyramid`; in addresses and transcripts
    title: str
    summary: str  # two sentences for somebody who never heard of it
    rules_version: int  # raised by every change that alters a golden playthrough
    seats: Mapping[int, tuple[Seat, ...]]  # for each possible number of players, the seats in order
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    ready: Literal["complete", "said"] = "complete"  # what makes a seat ready by default
    # True: forced orders are waited for (no G7), as skipping them would disclose a secret
    waits_for_forced: bool = False
    languages: tuple[str, ...] = ("en",)  # of its rules page, the default first
    other_titles: tuple[str, ...] = ()  # in the other languages of its rules page
    # whether the whole text of all orders is public once a phase has closed
    opens_orders: bool = True
    # seats are assigned as players join, or at the start by their wishes, ties by lot
    seating: Seating = "order"
    # plural name of the phases of the pace `short`: "retreats and builds"; "" where there are none
    short_phases: str = ""
    # the order by which a seat concedes; "": the rules know none, so the service plays its defaults
    # (ruling G10)
    concede: str = ""
    # whether seats may agree to a draw: by their orders, or all by a vote
    draws: Literal["none", "orders", "vote"] = "none"
    # names of what each seat plays
    plays: Callable[[tuple[Seat, ...], Options], Mapping[Seat, tuple[str, ...]]] = _play_themselves
    # options with which seats play for each other, so that no rating follows from their places
    shared_options: tuple[str, ...] = ()
    # whether `finishes` knows supply centres, so that the scoring systems of Diplomacy fit
    centres: bool = False
    order_words: OrderWords = OrderWords()  # what its orders look like in a letter
    # a sentence for who chooses how its house bots play, where the usual words need one
    bots: str = ""
    aim: str = ""  # one sentence on what a player tries to reach, for the first letter of a match
    # roughly what a whole match against house bots takes one player; 0: nobody has said
    minutes: int = 0
    # names that may be wished for, in seat order, whatever the number of players; () for those of
    # `seats`
    palette: tuple[Seat, ...] = ()
    palette_since: int = 1  # the version of the rules that brought the palette

    def offered(self, players: int) -> tuple[Seat, ...]:
        """Return the names that players can wish for in a match of so many, in seat order; there
        may be more than players.
        """
        return self.palette or self.seats[players]

    def in_seat_order(self, names: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the seats of a match in order, from the names that its players have."""
        return tuple(name for name in self.offered(len(names)) if name in names)

    def has_seats(self, names: Sequence[Seat], rules_version: int) -> bool:
        """Whether a match begun under this version of the rules can have these seats in this
        order.
        """
        if len(names) not in self.seats or rules_version < self.palette_since:
            return tuple(names) in self.seats.values()
        return tuple(names) == self.in_seat_order(names)


@dataclass(frozen=True)
class Kinds:
    """The types of a game's values, for the codec; unions name each event and order by their `kind`
    field.
    """

    state: Any
    event: Any
    order: Any
    view: Any


class Pick(Protocol):
    """A function that returns one of its options at random."""

    def __call__(self, options: Sequence[T], /) -> T: ...


class View(Protocol):
    """What one seat may know; every view has the running scores, empty in a game without scores."""

    @property
    def scores(self) -> Mapping[Seat, int]: ...


@dataclass(frozen=True)
class Trial:
    """The expected result of some orders on the board of one view; nothing is submitted, and no
    secret is used.
    """

    view: View  # the board afterwards, unchanged where nothing could be tried
    # the expected events that this view's reader may know; () where nothing could be tried
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Laid(Generic[T]):
    """A board to try orders on: that of a view, or one that a text describes."""

    view: T
    # the choices of every seat; each alone is a line that `trial` accepts, and none is aside
    slots: Slots
    # the board as lines that `lay` reads back; it holds nothing but what the view shows
    position: str
    orders: str  # the lines of the text that describe no board
    # the understood orders: the line as written, and an order of it as a choice spells it
    given: tuple[tuple[str, str], ...] = ()
    refusals: tuple[Refusal, ...] = ()  # of what describes the board


# --- a game


class Look(Protocol[StateIn, ViewOut]):
    """Makes the view of one seat."""

    def __call__(
        self, state: StateIn, seat: Seat | None, /, *, reveal: bool = False
    ) -> ViewOut: ...


Start = Callable[[tuple[Seat, ...], Options, Chance], StateT]
"""Returns the opening state, deals included. The options hold every option of `about`, each with a
legal value.
"""

Export = Callable[[str, Sequence[tuple[StateT, Sequence[Event]]], StateT], dict[str, Any]]
"""Returns a match in the format of other programs, from its name, the state before and events of
each closed phase, and its state.
"""


def _no_events(state: object) -> tuple[Event, ...]:
    return ()


def _places_and_scores(states: object, result: Result) -> Mapping[Seat, Finish]:
    return {seat: Finish(each.place, each.score) for seat, each in result.items()}


def _nobody_leaves(before: object, after: object) -> tuple[Seat, ...] | None:
    return None


def _nobody_out(state: object) -> tuple[Seat, ...]:
    return ()


def _all_open(options: Options) -> bool:
    return True


def _may_hide(options: Options) -> bool:
    return True


def hides_nothing(options: Options) -> bool:
    """Say that no state holds a secret, for `Game.hides`."""
    return False


def _may_be(state: object) -> bool:
    return True


def _no_vote(view: object) -> str:
    return ""


def _as_chosen(options: Options, house: Collection[Seat]) -> Options:
    return options


def _any_line(line: str) -> bool:
    return True


def _as_seen(view: ViewT) -> ViewT:
    return view


@dataclass(frozen=True, kw_only=True)
class Game(Generic[StateT, OrderT, ViewT]):
    """The rules of one game and all that pages, letters and house bots need of it.

    Every function is pure: it never asks for the time, draws only from the chance it is given, and
    what it keeps between calls changes no result.
    """

    about: About
    kinds: Kinds

    # flow
    start: Start[StateT]
    opened: Callable[[StateT], tuple[Event, ...]] = _no_events
    """The events of `start`, from the state it returned: who begins, what was dealt."""

    phase: Callable[[StateT], Phase]
    """Who may order now; `due` is empty exactly when the match is over."""

    adjudicate: Callable[[StateT, Mapping[Seat, tuple[OrderT, ...]], Chance], Adjudication[StateT]]
    """Carry out the orders of all due seats, up to the next phase in which a seat is due.

    The orders are those that `parse` or `default` returned for each due seat. What is missing or no
    longer possible is done as in `default`. Never raises for anything that a player wrote.
    """

    standing: Callable[[StateT], Result]
    """Places and scores of every seat if the match stops in this state; the result where the match
    is over.

    A game with a limit of its own applies the judgement of that limit; the others rank by score
    (`games.kit.ranking.ranking`).
    """

    finishes: Callable[[Sequence[StateT], Result], Mapping[Seat, Finish]] = _places_and_scores
    """How a match ended for every seat, from the state before each of its phases and the last
    state, in order, and its result.

    The result is that of `play.endings.final_result`. The states are needed as none tells when a
    seat went out.
    """

    remaining: Callable[[StateT, StateT], tuple[Seat, ...] | None] = _nobody_leaves
    """The seats not eliminated where the phase between two states ended a year, else None.

    After such a phase the service stops a match in which no person remains (diplomacy R11). An
    eliminated seat never returns.
    """

    out: Callable[[StateT], tuple[Seat, ...]] = _nobody_out
    """The seats that can never act again, because they were eliminated or conceded; they vote on
    nothing.
    """

    opens_orders: Callable[[Options], bool] = _all_open
    """Whether the orders of a closed phase are public in a match with these options; never where
    `about.opens_orders` is False.
    """

    hides: Callable[[Options], bool] = _may_hide
    """Whether a state may hold what some seat or observer may not know, in a match with these
    options; in doubt it does.
    """

    earlier_starts: Mapping[int, Start[StateT]] = field(default_factory=dict)
    """`start` of older versions of the rules, by version, where the opening differed."""

    settle: Callable[[Options, Collection[Seat]], Options] = _as_chosen
    """The final options at the start of a match, from the chosen options and the seats of house
    bots.
    """

    # orders
    slots: Callable[[StateT, Seat], Slots]
    """The choices that a seat has to make now; () for a seat that is not due.

    Each choice alone is a legal text. Where exactly one order makes sense there is exactly one
    choice (ruling G7), and where two spellings lead to different results there are two.
    """

    may_force: Callable[[StateT], bool] = _may_be
    """Whether slots may leave a due seat no choice in this phase (ruling G7); in doubt they may."""

    parse: Callable[[StateT, Seat, str], Parsed[OrderT]]
    """Read a text, the orders of one part (no THEN, no OR, no clear, wait or ready in it).

    `str(order)` reads back as the same order. An order of the game that is not possible now is
    *illegal*, never *invalid*, so that a plan for a later phase differs from rubbish. For an empty
    text `open` holds every slot that is not optional. Never raises.
    """

    default: Callable[[StateT, Seat, Chance], tuple[OrderT, ...]]
    """The orders of a due seat that submitted none (ruling G3); always legal."""

    may_order: Callable[[str], bool] = _any_line
    """Whether a line of press may be meant as an order; True in doubt."""

    # faces
    view: Look[StateT, ViewT]
    """What a seat may know (None: an observer); with `reveal` nothing is hidden, as after the end
    of a match.
    """

    draw: Callable[[ViewT], str]
    """The picture as SVG, with the last phase drawn on it; no scripts, no style attributes, no
    links.

    Presentation attributes have the colours of the light theme; a page's stylesheet can recolour it
    by its classes. Every id is one of the marks of `slots` or begins with the game's key.
    """

    letter_view: Callable[[ViewT], ViewT] = _as_seen
    """The view whose picture a letter shows: where nothing is hidden, one without the reader's
    seat, so that seats share a picture.

    It receives only a seat's view, so it cannot disclose a secret.
    """

    text_board: Callable[[ViewT], str]
    """The position as lines of plain text that read well in a fixed font and aloud."""

    story: Callable[[ViewT, Sequence[Event]], tuple[str, ...]]
    """Sentences that tell the events, all of which the view's seat may read."""

    results: Callable[[ViewT, Sequence[Event]], tuple[str, ...]] | None = None
    """The result of every order in order notation, a line for each power; letters show it above the
    story.
    """

    trial: Callable[[ViewT, str], Trial] | None = None
    """The expected result of the orders in a text, of any seats, on the board of a view; None: the
    game has no trials.

    It receives only a view, so it cannot disclose a secret. A refusal asks for what neither view
    nor text contains. What has no order does nothing. Never raises.
    """

    lay: Callable[[ViewT, str], Laid[ViewT]] | None = None
    """The board that a text describes, or else that of the view, with the choices of every seat, to
    click orders for `trial`.

    Like `trial` it receives only a view and never raises. Needed for trials by clicking and for
    addresses that hold a position.
    """

    pictures: Callable[[], dict[str, str]]
    """The pictures of the rules page, SVG text by name."""

    export: Export[StateT] | None = None

    ownership: Callable[[Sequence[ViewT]], Ownership] | None = None
    """Who owns and owned the supply centres, from an observer's views: of the opening, then after
    each closed phase.

    None: the game has none (`About.centres`).
    """

    # house bots
    bot: Callable[[ViewT, Slots, Pick], str]
    """The order text of the strongest house bot, from its seat's view, its slots, and a source of
    random choices.
    """

    greedy: Callable[[ViewT, Slots, Pick], str] | None = None
    """The same of a simpler bot, which takes the most it can get at once; None: it plays as `bot`.
    """

    vote: Callable[[ViewT], str] = _no_vote
    """The text that every house bot adds to its orders; "" for none."""

    def result(self, state: StateT) -> Result | None:
        """Return places and scores of every seat when the match is over, else None."""
        return None if self.phase(state).due else self.standing(state)

    def start_under(self, rules_version: int) -> Start[StateT]:
        """Return the `start` of a match begun under this version of the rules.

        A later version applies to a running match from its next phase on, but not to its opening
        (genesis R16, pyramid R4).
        """
        return self.earlier_starts.get(rules_version, self.start)


AnyGame = Game[Any, Any, Any]
"""A game whose types are unknown to the caller, which passes its values on and never looks into
them.
"""


def may_read(event: Event, seat: Seat | None) -> bool:
    """Whether `seat` (None: an observer) may know of `event`."""
    return event.readers is None or (seat is not None and seat in event.readers)
