"""R10: results do not depend on the order in which powers, units and orders are stored or
written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pprint import pformat
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.games.diplomacy.exchange import exchange
from adjudicator.games.diplomacy.exchange.lines import write_position
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit, province_of, unit_at
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import TRAITS, Retreat, Support
from adjudicator.games.diplomacy.model.state import Position, RuleSet, State
from adjudicator.games.diplomacy.phases import flow
from tests.games.diplomacy.battlefields import POWERS, Battlefield
from tests.games.diplomacy.dense_positions import dense_position
from tests.games.diplomacy.table import play, position
from tests.sampling import examples

Value = TypeVar("Value")
Texts = Mapping[Power, list[str]]

TYRRHENIAN = (
    {
        "ENGLAND": ["F WES"],
        "FRANCE": ["F TUN"],
        "ITALY": ["F NAP", "F TYS"],
        "TURKEY": ["F EAS", "F ION"],
    },
    {
        "ENGLAND": ["F WES - TYS"],
        "FRANCE": ["F TUN S F WES - TYS"],
        "ITALY": ["F NAP - TYS", "F TYS - TUN"],
        "TURKEY": ["F EAS - ION", "F ION S F TYS - TUN"],
    },
    {"ENGLAND": ["F WES"], "ITALY": ["F NAP", "F TUN"], "TURKEY": ["F EAS", "F ION"]},
)
BUDAPEST = (
    {"ENGLAND": ["A GAL", "A TRI"], "GERMANY": ["A BUD", "A RUM", "A SEV", "A VIE"]},
    {
        "ENGLAND": ["A GAL S A TRI - BUD", "A TRI - BUD"],
        "GERMANY": ["A BUD S A VIE - TRI", "A RUM S A BUD", "A VIE - TRI", "A SEV - RUM"],
    },
    {"ENGLAND": ["A GAL"], "GERMANY": ["A BUD", "A RUM", "A SEV", "A TRI"]},
)
"""Units, orders, and the units afterwards; supports depend on supports that only an own unit
attacks.
"""

HANGING = pytest.mark.parametrize(
    ("units", "orders", "after"), [TYRRHENIAN, BUDAPEST], ids=["tyrrhenian", "budapest"]
)
EVERY_EDITION = pytest.mark.parametrize("edition", sorted(EDITIONS))
SEEDS = st.integers(0, 1 << 40)
MANY = settings(derandomize=True, max_examples=examples(80, 300))
SOME = settings(derandomize=True, max_examples=examples(40, 100))


def shuffled(stored: Mapping[str, Value], chance: Random) -> dict[str, Value]:
    keys = list(stored)
    chance.shuffle(keys)
    return {key: stored[key] for key in keys}


def mixed(values: Iterable[Value], chance: Random) -> list[Value]:
    listed = list(values)
    chance.shuffle(listed)
    return listed


def turned(units: Mapping[Power, list[Value]]) -> dict[Power, list[Value]]:
    return {power: own[::-1] for power, own in reversed(units.items())}


# --- the two positions


@HANGING
@EVERY_EDITION
def test_R10_a_support_that_hangs_on_another_is_settled_after_it_in_the_exchange(
    units: Any, orders: Any, after: Any, edition: str
) -> None:
    rules = Rules("standard", EDITIONS[edition])
    for board, texts in ((units, orders), (turned(units), turned(orders))):
        owner = {unit: power for power, own in board.items() for unit in own}
        assert (
            write_position(exchange.play_phase(rules, Position("S1901M", owner), texts).after)[
                "units"
            ]
            == after
        )


@HANGING
@EVERY_EDITION
def test_R10_a_support_that_hangs_on_another_is_settled_after_it_in_a_match(
    units: Any, orders: Any, after: Any, edition: str
) -> None:
    state = position(
        "S1902M",
        " / ".join(f"{power} {', '.join(own)}" for power, own in units.items()),
        edition=edition,
    )
    for there, texts in (
        (state, orders),
        (replace(state, units=shuffled(state.units, Random(1))), turned(orders)),
    ):
        done = play(there, **{power: "; ".join(lines) for power, lines in texts.items()})
        assert {power: list(own) for power, own in done.state.units.items()} == after


# --- the exchange


def armed(field: Battlefield, chance: Random) -> dict[Unit, str]:
    return {unit: chance.choice(TRAITS) for unit in field.owner}


def texts_of(field: Battlefield, rule_set: RuleSet) -> dict[Power, list[str]]:
    texts: dict[Power, list[str]] = {}
    for unit, order in field.orders.items():
        if rule_set == "standard" or not isinstance(order, Support):
            texts.setdefault(field.owner[unit], []).append(str(order))
    return texts


def told(played: exchange.Played) -> tuple[object, ...]:
    return (
        write_position(played.after),
        dict(played.fates),
        dict(played.unread),
        dict(played.revealed),
    )


def shuffled_position(position: Position, chance: Random) -> Position:
    mappings = ("owner", "homeless", "centres", "traits")
    return replace(
        position, **{name: shuffled(getattr(position, name), chance) for name in mappings}
    )


def compare(rules: Rules, position: Position, texts: Texts, chance: Random) -> Position:
    """Adjudicate a phase as stored and in another order, compare, and return the next position."""
    played = exchange.play_phase(rules, position, texts)
    other = {power: mixed(texts[power], chance) for power in mixed(texts, chance)}
    if position.stage == "A":  # builds and removals are a list (R3)
        other = {power: texts[power] for power in other}
    assert told(exchange.play_phase(rules, shuffled_position(position, chance), other)) == told(
        played
    )
    return played.after


@MANY
@given(SEEDS, st.sampled_from(["standard", "rsp"]), st.sampled_from(sorted(EDITIONS)))
def test_R10_shuffled_movements_and_retreats_of_the_exchange_come_out_alike(
    seed: int, rule_set: RuleSet, edition: str
) -> None:
    field, chance, rules = dense_position(seed), Random(seed), Rules(rule_set, EDITIONS[edition])
    traits: Any = armed(field, chance) if rule_set == "rsp" else {}
    after = compare(
        rules, Position("S1901M", field.owner, traits=traits), texts_of(field, rule_set), chance
    )
    compare(rules, replace(after, phase="S1901R"), retreats_of(after, chance), chance)


def retreats_of(position: Position, chance: Random) -> Texts:
    texts: dict[Power, list[str]] = {}
    for unit, homeless in position.homeless.items():
        if homeless.retreats:
            texts.setdefault(homeless.power, []).append(
                str(Retreat(unit, chance.choice(homeless.retreats)))
            )
    return texts


@SOME
@given(
    SEEDS, st.sampled_from(["standard", "rsp"]), st.sampled_from(sorted(EDITIONS)), st.booleans()
)
def test_R10_shuffled_winters_of_the_exchange_come_out_alike(
    seed: int, rule_set: RuleSet, edition: str, anywhere: bool
) -> None:
    chance, rules = Random(seed), Rules(rule_set, EDITIONS[edition], anywhere)
    before, texts = winter(chance)
    traits: Any = (
        {unit: chance.choice(TRAITS) for unit in before.owner} if rule_set == "rsp" else {}
    )
    compare(rules, replace(before, traits=traits), texts, chance)


def winter(chance: Random) -> tuple[Position, Texts]:
    """Return a Winter with builds, removals and waives, some of them for other powers or too
    many.
    """
    codes = chance.sample(sorted(STANDARD.places), 24)
    spots = [
        chance.choice([unit for unit in STANDARD.units if province_of(unit) == code])
        for code in codes
    ]
    owner = {unit: chance.choice(POWERS) for unit in spots if chance.random() < 0.5}
    centres = {code: chance.choice(POWERS) for code in STANDARD.centres if chance.random() < 0.5}
    pieces = [unit_at(f"{kind} {code}", code) for kind in "AF" for code in centres] + list(owner)
    texts = {
        power: [
            f"{chance.choice(pieces)} {chance.choice('BD')}" if chance.random() < 0.9 else "WAIVE"
            for _ in range(chance.randint(0, 8))
        ]
        for power in POWERS
    }
    return Position("W1901A", owner, centres=centres), texts


# --- matches


@MANY
@given(SEEDS, st.sampled_from(["standard", "rsp"]), st.sampled_from(sorted(EDITIONS)))
def test_R10_shuffled_movements_of_a_match_come_out_alike(
    seed: int, rule_set: RuleSet, edition: str
) -> None:
    field, chance = dense_position(seed), Random(seed)
    units = {
        power: tuple(sorted(unit for unit in field.owner if field.owner[unit] == power))
        for power in STANDARD.powers
    }
    held = {power: own for power, own in units.items() if own}
    state = replace(
        position("S1902M", "", rule_set=rule_set, edition=edition), units=held, centres={}
    )
    if rule_set == "rsp":
        traits: Any = armed(field, chance)
        state = replace(state, traits=traits)
    texts = texts_of(field, rule_set)
    other = {power: mixed(texts[power], chance) for power in mixed(texts, chance)}
    assert adjudicated(shuffled_state(state, chance), other) == adjudicated(state, texts)


def shuffled_state(state: State, chance: Random) -> State:
    """Return the same state with every mapping, and the units of every power, stored in another
    order.
    """
    units = {
        power: tuple(mixed(state.units[power], chance)) for power in mixed(state.units, chance)
    }
    return replace(
        state,
        units=units,
        traits=shuffled(state.traits, chance),
        realms=tuple(mixed(state.realms, chance)),
    )


def adjudicated(state: State, texts: Texts) -> tuple[object, ...]:
    """Return the position after a phase, and its events in sorted order."""
    done = play(state, **{power: "; ".join(lines) for power, lines in texts.items()})
    after = done.state
    homeless, contested = {each.unit: each for each in after.homeless}, set(after.contested)
    places = {power: set(own) for power, own in after.units.items()}
    events = sorted(pformat(event) for event in done.events)  # which sorts mappings
    return (
        flow.phase(after).name,
        places,
        homeless,
        contested,
        dict(after.traits),
        dict(after.seen),
        events,
    )
