"""Twins: the same match with other secrets of one seat, for each secret that the rules keep (ruling
G4).

Each function gets a course and the phases as they were played, and returns a twin, or None where
the course leaves no room for one. What everybody else saw decides that, by the rulings, and never a
view: a view that tells too much may not hide itself.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import Unit, province_at, province_of, unit_at
from adjudicator.games.diplomacy.model.orders import TRAITS, Change, Move
from adjudicator.games.diplomacy.model.state import State as Board
from adjudicator.games.diplomacy.model.state import owners_of
from adjudicator.games.redeux.state import FRESH_HAND
from adjudicator.service.base.state import load_state
from adjudicator.service.base.tables import PhaseRow
from tests.interference.world import Course, Drawn

Twin = Callable[[Course, Sequence[PhaseRow], random.Random], Course | None]
TRIES = 20  # deals that are tried until one fits what was shown


# --- what the hidden stream drew


def deal_other_hand(
    course: Course, phases: Sequence[PhaseRow], dice: random.Random
) -> Course | None:
    """Deal the actor other cards in the Risk Rounds of RPS Redeux (R4, R7).

    Seat 1 draws first after every pick, so the places of the deck that each seat has drawn are
    known. The cards at the actor's places and at all that nobody has drawn yet are shuffled; every
    card that the actor has shown must have been in its hand.
    """
    deck = _drawn(phases, "hidden", "deck")
    if deck is None:
        return None
    began, cards = deck
    state = load_state(course.rules, phases[-1].before)
    shown, own, picks = (
        state.side(course.actor).spent,
        course.seats.index(course.actor),
        state.picks,
    )
    free = [place for place in range(len(cards)) if place % 2 == own or place >= 2 * picks]
    for _ in range(TRIES):
        values = [cards[place] for place in free]
        dice.shuffle(values)
        other = dict(enumerate(cards)) | dict(zip(free, values, strict=True))
        held = _hand_after(shown, [other[2 * pick + own] for pick in range(picks)])
        if held is not None and held != Counter(state.side(course.actor).hand):
            # R6: shown at once
            silent = {
                key: value
                for key, value in _hidden_draws(phases).items()
                if key[1].startswith("nmr:")
            }
            return replace(
                course,
                secrets={
                    **silent,
                    (began, "deck"): tuple(other[place] for place in range(len(cards))),
                },
            )
    return None


def _hand_after(shown: Sequence[str], drawn: Sequence[str]) -> Counter[str] | None:
    """Return the hand after these picks, a card drawn after each; None where a card was shown that
    was not in it.
    """
    hand = Counter[str](FRESH_HAND)
    for card, new in zip(shown, drawn, strict=True):
        if not hand[card]:
            return None
        hand[card] -= 1
        hand[new] += 1
    return +hand


def swap_red_pieces(
    course: Course, phases: Sequence[PhaseRow], dice: random.Random
) -> Course | None:
    """Exchange the red pieces of the actor and of another seat of Rock Paper Pyramid while both are
    hidden (R4).

    Three pieces are dealt to three seats, so a single one cannot be another: the third seat and
    observers know of neither.
    """
    deal = _drawn(phases, "hidden", "deal")
    state = load_state(course.rules, phases[-1].before)
    hiding = [
        seat for seat in course.others if any(piece[0] == "R" for piece in state.hand(seat).pool)
    ]
    # it could not seal that piece
    hiding = [
        seat for seat in hiding if not any("R" in text for text in course.sealed.get(seat, ()))
    ]
    if (
        deal is None
        or not hiding
        or not any(piece[0] == "R" for piece in state.hand(course.actor).pool)
    ):
        return None
    insider = dice.choice(hiding)
    pieces, one, other = (
        list(deal[1]),
        course.seats.index(course.actor),
        course.seats.index(insider),
    )
    pieces[one], pieces[other] = pieces[other], pieces[one]
    return replace(course, secrets={(deal[0], "deal"): tuple(pieces)}, insiders=(insider,))


def draw_other_traits(
    course: Course, phases: Sequence[PhaseRow], dice: random.Random
) -> Course | None:
    """Draw other characteristics for units of the actor, at the start or as they are built (rsp R1,
    R3), that nothing revealed (R5).
    """
    secrets: dict[tuple[int, str], Drawn] = {}
    for row in phases:
        if row.after is None:
            continue
        hidden = _quiet_units(course, phases, row.number)
        for (number, label), value in _hidden_draws([row]).items():
            province = label.removeprefix("trait:")
            if (
                label.startswith("trait:")
                and any(province_of(unit) == province for unit in hidden)
                and dice.random() < 0.7
            ):
                secrets[number, label] = dice.choice([trait for trait in TRAITS if trait != value])
    return replace(course, secrets=secrets) if secrets else None


def change_trait(course: Course, phases: Sequence[PhaseRow], dice: random.Random) -> Course | None:
    """Have the actor change a unit's characteristic with its orders, where nothing has revealed it
    since (rsp R2, R5).
    """
    for number in dice.sample(range(1, len(course.orders) + 1), len(course.orders)):
        row = phases[number]
        before = load_state(course.rules, row.before)
        texts = _texts_of(course, number)
        quiet = (
            sorted(_quiet_units(course, phases, number - 1))
            if before.stage == "M" and texts
            else []
        )
        if quiet:
            unit = dice.choice(quiet)
            said = [
                each.trait
                for each in _parsed(course, row, course.actor)
                if isinstance(each, Change) and each.unit == unit
            ]
            trait = dice.choice(
                [trait for trait in TRAITS if trait != [before.traits[unit], *said][-1]]
            )
            return _with_text(course, number, f"{texts[-1]}\n{trait} {unit}")
    return None


def _quiet_units(course: Course, phases: Sequence[PhaseRow], since: int) -> set[Unit]:
    """Return the actor's units after a phase whose characteristics were revealed and decided
    nothing from then on (rsp R5).
    """
    after: Board = load_state(course.rules, phases[since].after)
    mine = {unit for power in after.powers_of(course.actor) for unit in after.units.get(power, ())}
    now = {unit: unit for unit in mine}
    for row in phases[since + 1 :]:
        if row.after is not None:
            following = _follow(course, row, set(now.values()))
            now = {unit: following[place] for unit, place in now.items() if place in following}
    return set(now)


def _follow(course: Course, row: PhaseRow, units: set[Unit]) -> dict[Unit, Unit]:
    """Return where those units are after a phase that had no part in any conflict of it.

    Stricter than R5, so that no rule of conflicts is needed: nobody else is ordered to where the
    unit is or goes, and nobody is there.
    """
    before, after = load_state(course.rules, row.before), load_state(course.rules, row.after)
    moves: dict[Unit, Move] = {}
    for seat in row.taken or {}:
        moves |= {
            order.unit: order for order in _parsed(course, row, seat) if isinstance(order, Move)
        }
    aims = Counter(province_at(move.to) for move in moves.values())
    taken_up = {province_of(unit) for unit in owners_of(before)}
    found = {}
    for unit in units:
        move = moves.get(unit)
        aim = province_at(move.to) if move else None
        if aims[province_of(unit)] or (aim and (aims[aim] > 1 or aim in taken_up)):
            continue
        there = unit_at(unit, move.to) if move else unit
        place = there if there in owners_of(after) else unit
        if place in owners_of(after):
            found[unit] = place
    return found


def _parsed(course: Course, row: PhaseRow, seat: Seat) -> Sequence[Any]:
    """Return the orders of a seat that counted in a phase."""
    return course.rules.parse(
        load_state(course.rules, row.before), seat, (row.taken or {})[seat]["orders"]
    ).orders


# --- what the actor wrote and nobody else is told


def vote_in_secret(
    course: Course, phases: Sequence[PhaseRow], dice: random.Random
) -> Course | None:
    """Have the actor join a draw that somebody proposes, where votes are secret and somebody's is
    missing (diplomacy R12).
    """
    last = len(course.orders)
    texts = _texts_of(course, last)
    proposed = [
        seat
        for seat in course.others
        if any("DRAW" in text for text in _texts_of(course, last, seat))
    ]
    missing = [seat for seat in course.others if seat not in proposed and seat in phases[last].due]
    if not texts or not proposed or not missing or course.options.get("votes") != "secret":
        return None
    return _with_text(course, last, f"{texts[-1]}\nDRAW")


def refused_line(course: Course, phases: Sequence[PhaseRow], dice: random.Random) -> Course | None:
    """Have the actor write a line beside the orders that is refused."""
    return _added(course, "The quick brown fox")


def refused_letter(
    course: Course, phases: Sequence[PhaseRow], dice: random.Random
) -> Course | None:
    """Have the actor hand in something later of which nothing is accepted."""
    texts = _texts_of(course, len(course.orders))
    return (
        _with_texts(course, len(course.orders), (*texts, "jumps over the lazy dog"))
        if texts
        else None
    )


def plan_ahead(course: Course, phases: Sequence[PhaseRow], dice: random.Random) -> Course | None:
    """Have the actor plan for later phases (ruling G5); whether the plan could be followed is told
    to nobody else.

    A plan that closes a phase at once is no secret.
    """
    if course.progress != "none":
        return None
    state = load_state(course.rules, phases[-1].before)
    slots = course.rules.slots(state, course.actor)
    planned = [
        slot.choices[dice.randrange(len(slot.choices))].text
        for slot in slots[: dice.randint(1, 3)]
        if slot.choices
    ]
    asked = course.rules.phase(state).due
    return (
        _added(course, "THEN\n" + "\n".join(planned or ["nothing"]))
        if set(asked) != {course.actor}
        else None
    )


def press_before(course: Course, phases: Sequence[PhaseRow], dice: random.Random) -> Course | None:
    """Have the actor write to another seat in private (diplomacy R6)."""
    if course.options.get("press") != "private":
        return None
    reader = dice.choice(course.others)
    return replace(
        course,
        press=((dice.randint(1, len(course.orders) + 1), reader, "Shall we?"),),
        insiders=(reader,),
    )


def hand_in_before_the_reminder(
    course: Course, phases: Sequence[PhaseRow], dice: random.Random
) -> Course | None:
    """Have the actor hand in orders for the open phase before those who owe are reminded; only the
    actor's own reminder is missing.
    """
    state = load_state(course.rules, phases[-1].before)
    choices = [
        slot.choices[0].text
        for slot in course.rules.slots(state, course.actor)
        if slot.choices and not slot.aside
    ]
    if course.progress != "none" or not choices:
        return None
    return replace(course, sealed={**course.sealed, course.actor: ("\n".join([*choices, "wait"]),)})


def _added(course: Course, line: str) -> Course | None:
    """Return the course with a line more at the end of what the actor handed in last."""
    texts = _texts_of(course, len(course.orders))
    return _with_text(course, len(course.orders), f"{texts[-1]}\n{line}") if texts else None


def _texts_of(course: Course, number: int, seat: Seat | None = None) -> tuple[str, ...]:
    """Return what a seat, by default the actor, handed in for a closed phase."""
    return (course.orders[number - 1] or {}).get(seat or course.actor, ()) if number else ()


def _with_text(course: Course, number: int, text: str) -> Course:
    return _with_texts(course, number, (*_texts_of(course, number)[:-1], text))


def _with_texts(course: Course, number: int, texts: tuple[str, ...]) -> Course:
    orders = list(course.orders)
    orders[number - 1] = {**(orders[number - 1] or {}), course.actor: texts}
    return replace(course, orders=tuple(orders))


# --- what was drawn


def _hidden_draws(phases: Sequence[PhaseRow]) -> dict[tuple[int, str], Drawn]:
    """Return what the hidden stream drew, by phase and label."""
    return {
        (row.number, label): value if isinstance(value, str) else tuple(value)
        for row in phases
        for stream, label, value in row.draws or []
        if stream == "hidden"
    }


def _drawn(
    phases: Sequence[PhaseRow], stream: str, label: str
) -> tuple[int, tuple[str, ...]] | None:
    """Return the phase and the result of the shuffle with this label, None where there was none."""
    rows = [
        (row.number, value)
        for row in phases
        for of, name, value in row.draws or []
        if (of, name) == (stream, label)
    ]
    return (rows[0][0], tuple(rows[0][1])) if rows else None


HIDDEN: Mapping[str, tuple[tuple[str, Twin], ...]] = {
    "pyramid": (("red piece", swap_red_pieces),),
    "redeux": (("hand", deal_other_hand),),
    "rsp-diplomacy": (
        ("traits", draw_other_traits),
        ("change of a trait", change_trait),
        ("vote", vote_in_secret),
    ),
    "diplomacy": (("vote", vote_in_secret),),
    "phoenix": (),
    "genesis": (),
}
"""The secrets that each game's own rules keep."""

WRITTEN: tuple[tuple[str, Twin], ...] = (
    ("refused line", refused_line),
    ("refused orders", refused_letter),
    ("plan", plan_ahead),
    ("press", press_before),
    ("reminder", hand_in_before_the_reminder),
)
"""The secrets of any game: what one seat wrote to the service, or to another seat."""
