"""A phase of a match and the same phase of the exchange have equal results, for any orders on any
board.
"""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.calendar import next_phase
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import TRAITS
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import Position, RuleSet
from adjudicator.games.diplomacy.resolve.resolve_retreats import homeless_on
from tests.games.diplomacy.both_ways import VOID, Played, Texts, by_exchange, by_match
from tests.games.diplomacy.dense_positions import dense_position
from tests.sampling import examples

POWERS = ("ENGLAND", "FRANCE", "GERMANY")
SEEDS = st.integers(0, 1 << 40)
RULE_SETS = st.sampled_from(["standard", "rsp"])
EVERY_EDITION = st.sampled_from(sorted(EDITIONS))
MANY = settings(derandomize=True, max_examples=examples(100, 400))


# --- boards and texts by chance


def units_in(codes: list[Province], chance: Random) -> list[Unit]:
    return [
        chance.choice([unit for unit in STANDARD.units if province_of(unit) == code])
        for code in codes
    ]


def board(chance: Random, phase: str, rule_set: RuleSet) -> Position:
    codes = chance.sample(sorted(STANDARD.places), 30)
    owner = {
        unit: chance.choice(POWERS) for unit in units_in(codes[: chance.randint(6, 24)], chance)
    }
    lost = (
        {unit: chance.choice(POWERS) for unit in units_in(codes[20:26], chance)}
        if phase[5] == "R"
        else {}
    )
    traits: Any = {unit: chance.choice(TRAITS) for unit in owner} if rule_set == "rsp" else {}
    gone: Any = {unit: chance.choice(TRAITS) for unit in lost} if rule_set == "rsp" else {}
    barred = {
        province_of(unit): chance.choice(sorted(STANDARD.touching[province_of(unit)]))
        for unit in lost
    }
    contested = frozenset(chance.sample(sorted(STANDARD.places), 5)) if lost else frozenset()
    homeless = homeless_on(owner, lost, contested=contested, barred=barred, traits=gone)
    centres = {code: chance.choice(POWERS) for code in STANDARD.centres if chance.random() < 0.7}
    return Position(
        phase,
        owner,
        {unit: each for unit, each in homeless.items() if each.retreats},
        centres,
        contested,
        traits,
    )


def texts(chance: Random, position: Position) -> dict[Power, list[str]]:
    """Return lines of three powers, most of them for own units, some of them illegal."""
    owner = (
        {unit: each.power for unit, each in position.homeless.items()}
        if position.stage == "R"
        else position.owner
    )
    sites = units_in(sorted(position.centres), chance) if position.stage == "A" else []
    written: dict[Power, list[str]] = {}
    for power in POWERS:
        own = [unit for unit, of in owner.items() if of == power] or list(STANDARD.units)
        pool = [
            *own * 4,
            *position.owner,
            *[unit for unit in sites if position.centres[province_of(unit)] == power] * 3,
        ]
        written[power] = [
            line(chance, chance.choice(pool), pool, position.stage)
            for _ in range(chance.randint(0, 9))
        ]
    return written


def line(chance: Random, unit: Unit, pool: list[Unit], stage: str) -> str:
    before = chance.choice([""] * 14 + ["Rock ", "Paper ", "France: ", "Germany: "])
    name, goal = spelled(chance, unit), target(chance, unit)
    other = chance.choice(pool)
    by_stage = {
        "M": [
            f"{name} H",
            f"{name} B",
            name if before else f"{name} D",
            f"{name} S {spelled(chance, other)}",
            f"{name} C {spelled(chance, other)} - {target(chance, other)}",
            *3 * [f"{name} - {goal}{chance.choice(['', '', '', ' via convoy'])}"],
            *3
            * [
                f"{name} S {spelled(chance, other)} -"
                f" {target(chance, chance.choice([unit, other]))}"
            ],
        ],
        "R": [f"{name} R {goal}", f"{name} - {goal}", f"{name} D"],
        "A": [f"{name} B", f"{name} D", f"build {name}", "waive"],
    }
    return before + chance.choice(by_stage[stage if chance.random() < 0.95 else "M"])


def spelled(chance: Random, unit: Unit) -> str:
    """Return the unit, now and then without its kind or coast, with a wrong kind, or with an
    owner.
    """
    kinds = [unit] * 9 + [
        spot_of(unit),
        unit[:5],
        f"{'F' if unit[0] == 'A' else 'A'} {province_of(unit)}",
        f"Russian {unit}",
    ]
    return chance.choice([*kinds, f"English {unit}"])


def target(chance: Random, unit: Unit) -> str:
    near = STANDARD.reach[unit] or (spot_of(unit),)
    return chance.choice([*near, *near, chance.choice(near)[:3], chance.choice(STANDARD.spots)])


# --- compared


def told(fate: Fate) -> Fate:
    """Return a fate without what a match does not know: the reason of a refusal, and the refused
    order.

    A match does not ask for removals if a power loses all its units; its lines are refused, and
    civil disorder removes them.
    """
    unknown = fate.result == "void" or fate.why in ("no order", "not allowed", "civil disorder")
    return Fate(fate.result) if unknown else fate


def same(rules: Rules, position: Position, lines: Texts) -> Played:
    """Play a phase both ways, compare, and return the result of the exchange."""
    asked, match = by_exchange(rules, position, lines), by_match(rules, position, lines)
    ours, theirs = (
        {unit: told(fate) for unit, fate in played.fates.items()} for played in (asked, match)
    )
    if position.stage == "A":  # a void build keeps the name that the line gave
        ours, theirs = (
            {unit: fate for unit, fate in fates.items() if fate != VOID} for fates in (ours, theirs)
        )
    assert ours == theirs
    free = {unit: each for unit, each in asked.after.homeless.items() if each.retreats}
    if match.after.phase == next_phase(position.phase, retreats=bool(free)):
        assert match.after.owner == asked.after.owner
        assert {unit: each for unit, each in match.after.homeless.items() if each.retreats} == free
        assert match.after.contested == (asked.after.contested if free else frozenset())
        assert {unit: match.after.traits[unit] for unit in asked.after.traits} == asked.after.traits
        if free.keys() == asked.after.homeless.keys():
            assert match.after.centres == asked.after.centres
    return asked


@MANY
@given(
    SEEDS,
    RULE_SETS,
    EVERY_EDITION,
    st.sampled_from(["S1902M", "F1902M", "S1902R", "F1902R", "W1902A"]),
    st.booleans(),
)
def test_any_orders_come_to_the_same_in_a_match_and_in_the_exchange(
    seed: int, rule_set: RuleSet, edition: str, phase: str, anywhere: bool
) -> None:
    chance = Random(seed)
    position = board(chance, phase, rule_set)
    same(Rules(rule_set, EDITIONS[edition], anywhere), position, texts(chance, position))


@MANY
@given(SEEDS, RULE_SETS, EVERY_EDITION, st.sampled_from("SF"))
def test_dense_battles_come_to_the_same_in_a_match_and_in_the_exchange(
    seed: int, rule_set: RuleSet, edition: str, season: str
) -> None:
    field, chance = dense_position(seed), Random(seed)
    traits: Any = {unit: chance.choice(TRAITS) for unit in field.owner} if rule_set == "rsp" else {}
    lines: dict[Power, list[str]] = {}
    for unit, order in field.orders.items():
        lines.setdefault(field.owner[unit], []).append(str(order))
    after = same(
        Rules(rule_set, EDITIONS[edition]),
        Position(f"{season}1902M", field.owner, traits=traits),
        lines,
    ).after
    assert len(after.owner) + len(after.homeless) == len(field.owner)
