"""Positions of Genesis for tests, on one line: `position("1 Ab2 Bd4 p3 d2 | 2 Ad5 Bx | P c2 | I a5
| D b1:2 | out 6 | turn 2")`.

A side is its seat, then `Ab2` (Anubis on b2), `A+a1` (buried there), `Bx` (Bastet dead), `p3`
(pyramids in hand), `d2` (deeds in hand), `t4` (turns taken), and the words `leave` and `complete`.
Then `P` pyramids, `I` ideas, `D` deeds with who placed them, `out` ideas outside, `turn` whose turn
it is (1), `sits 2:3`, `die 3`, `limit 20`, and `tombs` where they have begun. Corners without an
idea sleep but for those after `awake`.
"""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Adjudication, Refusal
from adjudicator.core.options import complete_options
from adjudicator.games.genesis.model.state import Deed, Piece, Side, Sitting, State
from adjudicator.games.genesis.model.world import CORNERS, in_order
from adjudicator.games.genesis.rules import GENESIS

SEATS = ("1", "2")


def opening(*script: object, **options: Any) -> State:
    """Return a new match; the script names the first seat and the faces thrown for the hands:
    `opening("1", 4, 5)`.
    """
    return GENESIS.start(
        SEATS, complete_options(GENESIS.about, options), ScriptedChance(script or ("1", 4, 4))
    )


def position(text: str) -> State:
    """Return the position that a line describes, part `ideas` unless it says `tombs`."""
    words = {part.split()[0]: part.split()[1:] for part in text.split("|")}
    sits = words.get("sits", [""])[0].partition(":")
    awake = {*words.get("awake", []), *words.get("I", [])}
    deeds = dict(each.split(":") for each in words.get("D", []))
    return State(
        turn_limit=int(words.get("limit", ["75"])[0]),
        first="1",
        sides=(_side("1", words["1"]), _side("2", words["2"])),
        turn=words.get("turn", ["1"])[0],
        outside=0 if "tombs" in words else int(words.get("out", ["6"])[0]),
        ideas=in_order(set(words.get("I", []))),
        pyramids=in_order(set(words.get("P", []))),
        deeds=tuple(Deed(square, deeds[square]) for square in in_order(set(deeds))),
        part="tombs" if "tombs" in words else "ideas",
        sitting=Sitting(sits[0], int(sits[2])) if sits[0] else None,
        die=int(words["die"][0]) if "die" in words else None,
        asleep=tuple(corner for corner in CORNERS if corner not in awake),
    )


def _side(seat: str, words: list[str]) -> Side:
    numbers = {word[0]: int(word[1:]) for word in words if word[0] in "pdt" and word[1:].isdigit()}
    anubis, bastet = (next(word[1:] for word in words if word[0] == letter) for letter in "AB")
    return Side(
        seat=seat,
        anubis=_piece(Piece(seat, "anubis"), anubis),
        bastet=_piece(Piece(seat, "bastet"), bastet),
        pyramids=numbers.get("p", 0),
        deeds=numbers.get("d", 0),
        turns=numbers.get("t", 0),
        must_leave="leave" in words,
        completed="complete" in words,
    )


def _piece(piece: Piece, where: str) -> Piece:
    if where == "x":
        return Piece(piece.seat, piece.name, "dead")
    return Piece(piece.seat, piece.name, "buried" if where[0] == "+" else "alive", where[-2:])


def play(state: State, text: str, *script: object) -> Adjudication[State]:
    """Return the adjudication of legal orders of the seat whose turn it is."""
    read = GENESIS.parse(state, state.turn, text)
    assert (read.refusals, read.open) == ((), ())
    return GENESIS.adjudicate(state, {state.turn: read.orders}, ScriptedChance(script))


def after(state: State, *texts: str) -> State:
    """Return the state after several turns, one after the other."""
    for text in texts:
        state = play(state, text).state
    return state


def silent(state: State) -> Adjudication[State]:
    """Return the adjudication of the phase if its seat hands in nothing."""
    chance = ScriptedChance([])
    return GENESIS.adjudicate(
        state, {state.turn: GENESIS.default(state, state.turn, chance)}, chance
    )


def refused(state: State, text: str, seat: str = "") -> Refusal:
    """Return the only refusal of `text`, and check that each of its remedies is a legal order."""
    seat = seat or state.turn
    refusals = GENESIS.parse(state, seat, text).refusals
    assert len(refusals) == 1, refusals
    for remedy in refusals[0].remedies:
        assert not GENESIS.parse(state, seat, remedy).refusals
    return refusals[0]


def why(state: State, text: str, seat: str = "") -> str:
    """Return the reason why an order of the game is illegal now."""
    refusal = refused(state, text, seat)
    assert refusal.kind == "illegal"
    return refusal.reason


def legal(state: State, text: str) -> bool:
    """Whether the seat whose turn it is can give these orders."""
    return not GENESIS.parse(state, state.turn, text).refusals


def choices(state: State, slot: str = "") -> list[str]:
    """Return the texts that a slot offers to the seat whose turn it is; without a name, those of
    its first slot.
    """
    found = [each for each in GENESIS.slots(state, state.turn) if not slot or each.name == slot]
    return [choice.text for choice in found[0].choices] if found else []


def kinds(events: Sequence[Any]) -> list[str]:
    """Return the kinds of the events in order: `moved`, `took idea`."""
    return [event.kind for event in events]


def where(state: State) -> str:
    """Return where the four pieces are: `b2 d4 d5 x`."""
    return " ".join((piece.square or "x") for side in state.sides for piece in side.pieces)
