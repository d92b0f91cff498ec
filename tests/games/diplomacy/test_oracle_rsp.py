"""Rock, Scissors, Paper: the source's examples, and the game's adjudication against the brute-force
oracle.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings

from adjudicator.games.diplomacy.map.geography import STANDARD, kind_of, province_at, province_of
from adjudicator.games.diplomacy.model.orders import BEATS, Move
from adjudicator.games.diplomacy.model.outcomes import Battle
from adjudicator.games.diplomacy.resolve import contests
from tests.games.diplomacy.oracle_rsp import MAKERS, Found, differences, judge
from tests.games.diplomacy.positions import (
    Position,
    chains,
    positions,
    random_position,
    read_position,
)
from tests.games.diplomacy.ring_positions import random_ring
from tests.sampling import examples

EXAMPLES = [
    pytest.param(
        "1976; GERMANY Rock A PRU - SIL; AUSTRIA Scissors A GAL - SIL",
        {"A PRU": "SIL"},
        {},
        id="1: a beaten attacker stays and is not dislodged",
    ),
    pytest.param(
        "1976; GERMANY Rock A PRU - SIL; AUSTRIA Scissors A SIL - PRU",
        {"A PRU": "SIL"},
        {"A SIL": "A PRU"},
        id="2: head to head the beaten one is dislodged",
    ),
    pytest.param(
        "1976; GERMANY Rock A PRU - SIL; AUSTRIA Scissors A SIL - PRU; RUSSIA Paper A GAL - SIL",
        {"A PRU": "SIL"},
        {"A SIL": "A PRU"},
        id="3: the defender keeps Paper out and Rock in",
    ),
    pytest.param(
        "1976; GERMANY Rock A PRU - SIL; AUSTRIA Scissors A SIL - BOH; RUSSIA Paper A GAL - SIL",
        {"A SIL": "BOH", "A GAL": "SIL"},
        {},
        id="4: a vacated province goes to the stronger",
    ),
    pytest.param(
        "1976; GERMANY Rock A PRU - SIL; AUSTRIA Scissors A SIL - PRU; RUSSIA Rock A GAL - SIL",
        {},
        {},
        id="5: two that beat the defender stand off",
    ),
    pytest.param(
        "1976; AUSTRIA Scissors A SIL - BER; GERMANY Scissors A BER - PRU; RUSSIA Rock A PRU - SIL;"
        " ITALY Paper A GAL - SIL",
        {},
        {},
        id="a ring without a consistent result fails as a whole",
    ),
    pytest.param(
        "1976; AUSTRIA Rock A SIL - BER; GERMANY Rock A BER - PRU; RUSSIA Paper A PRU - SIL",
        {"A SIL": "BER", "A BER": "PRU", "A PRU": "SIL"},
        {},
        id="three may rotate",
    ),
    pytest.param(
        "2023; GERMANY Rock A BRE - PIC; GERMANY Rock A BUR - PAR; GERMANY Rock A GAS - BRE;"
        " ENGLAND Scissors A MAR - GAS; ENGLAND Paper A PAR - GAS; GERMANY Scissors A PIC - PAR",
        {"A BRE": "PIC", "A GAS": "BRE", "A PIC": "PAR", "A MAR": "GAS"},
        {"A PAR": "A PIC"},
        id="of the two results of a ring the one in which more of it moves is taken",
    ),
    pytest.param(
        "via; ENGLAND Scissors A BER - MUN; GERMANY Rock A HOL - KIE; AUSTRIA Paper A KIE - BER;"
        " AUSTRIA Paper A MUN - RUH; GERMANY Scissors A RUH - KIE; RUSSIA Rock A SIL - MUN; RUSSIA"
        " Rock A TYR - MUN",
        {},
        {},
        id="a ring fails if in both its results equally many of it move",
    ),
    pytest.param(
        "1976; FRANCE Rock A BRE - LON; ENGLAND Paper F ENG C A BRE - LON; GERMANY Scissors F NTH"
        " - ENG",
        {"F NTH": "ENG"},
        {"F ENG": "F NTH"},
        id="R7: a convoy whose only fleet is dislodged does not stand",
    ),
    pytest.param(
        "1976; ENGLAND Rock A HOL - BEL; FRANCE Rock A BEL - HOL; GERMANY Paper F NTH C A HOL"
        " - BEL",
        {"A HOL": "BEL", "A BEL": "HOL"},
        {},
        id="R7: two swap if anyone convoys one of them, edition 1976",
    ),
    pytest.param(
        "1976; ENGLAND Rock A EDI - NWY; ENGLAND Paper F NTH C A EDI - NWY; ENGLAND Paper F NWG C A"
        " EDI - NWY; GERMANY Scissors F SKA - NTH",
        {"F SKA": "NTH"},
        {"F NTH": "F SKA"},
        id="R7: a convoy fails if a fleet of any ordered route is lost, edition 1976",
    ),
    pytest.param(
        "2023; ENGLAND Rock A EDI - NWY; ENGLAND Paper F NTH C A EDI - NWY; ENGLAND Paper F NWG C A"
        " EDI - NWY; GERMANY Scissors F SKA - NTH",
        {"F SKA": "NTH", "A EDI": "NWY"},
        {"F NTH": "F SKA"},
        id="R7: a convoy stands while one ordered route does, edition 2023",
    ),
    pytest.param(
        "2023; ENGLAND Rock A HOL - BEL; FRANCE Rock A BEL - HOL; GERMANY Paper F NTH C A HOL"
        " - BEL",
        {},
        {},
        id="R7: nobody is taken along by another power's fleet, edition 2023",
    ),
]


@pytest.mark.parametrize(("text", "moved", "dislodged"), EXAMPLES)
def test_every_example_of_the_source_comes_out_by_the_text(
    text: str, moved: dict[str, str], dislodged: dict[str, str]
) -> None:
    found = judge(read_position(text))
    assert found.moved == moved
    assert {loser: by for loser, (by, _) in found.dislodged.items()} == dislodged


@pytest.mark.parametrize(("text", "moved", "dislodged"), EXAMPLES)
def test_the_game_agrees_about_every_example(
    text: str, moved: dict[str, str], dislodged: dict[str, str]
) -> None:
    battle = _fight(read_position(text))
    assert battle.moved == moved
    assert {loser: attack.by for loser, attack in battle.dislodged.items()} == dislodged


def _fight(position: Position) -> Battle:
    return contests.resolve(
        STANDARD, position.edition, position.owner, position.orders, position.traits
    )


@settings(max_examples=examples(60, 200))
@given(positions())
def test_the_game_agrees_with_trying_every_assignment(position: Position) -> None:
    assert differences(position, judge(position), _fight(position)) == [], str(position)


@pytest.mark.parametrize("first", range(0, examples(400, 1000), 100))
def test_the_game_agrees_about_random_positions(first: int) -> None:
    crowd = [MAKERS[number % len(MAKERS)](Random(number)) for number in range(first, first + 100)]
    wrong = {
        str(position): said
        for position in crowd
        if (said := differences(position, judge(position), _fight(position)))
    }
    assert wrong == {}


@settings(max_examples=examples(30, 60))
@given(positions())
def test_the_result_never_depends_on_the_order_in_which_orders_are_stored(
    position: Position,
) -> None:
    turned = Position(
        position.edition,
        dict(reversed(list(position.owner.items()))),
        dict(reversed(list(position.orders.items()))),
        dict(reversed(list(position.traits.items()))),
    )
    assert _fight(turned) == _fight(position)


def test_a_position_is_read_back_as_it_is_written() -> None:
    crowd = [random_position(Random(number)) for number in range(50)]
    assert [read_position(str(position)) for position in crowd] == crowd


def test_a_chain_of_seas_with_a_link_too_many_is_none() -> None:
    assert frozenset({"NTH"}) in chains(STANDARD, "LON", "NWY")
    assert frozenset({"ENG", "NTH"}) not in chains(STANDARD, "LON", "NWY")


def test_random_positions_meet_everything_that_is_hard() -> None:
    seen = Counter[str]()
    for number in range(2000):
        position = random_position(Random(number))
        seen.update(_hard_things(position, judge(position)))
    rare = {
        name: seen[name]
        for name in (*OFTEN, *SOMETIMES)
        if seen[name] < (40 if name in OFTEN else 4)
    }
    assert rare == {}


OFTEN = (
    "rotation",
    "head to head",
    "beleaguered",
    "long convoy",
    "own unit",
    "standoff",
    "void",
    "dislodged by convoy",
)
SOMETIMES = (
    "convoy broken",
    "swap by convoy",
    "no result of a ring",
    "convoy with a fleet attacked in vain",
    "several routes",
)


def test_random_rings_end_in_every_way_a_ring_can() -> None:
    ends = {
        (count, 0 < sum(unit in found.moved for unit in ring) < len(ring), ring[0] in found.moved)
        for found in (judge(random_ring(Random(number))) for number in range(examples(200, 400)))
        for ring, count in found.rings
    }
    assert {(count, partly) for count, partly, _ in ends} == {(0, False), (2, False), (2, True)}


def _hard_things(position: Position, found: Found) -> set[str]:
    return {
        *(_of_a_ring(ring, count, found) for ring, count in found.rings),
        *(name for unit in found.carried for name in _of_a_carried(position, found, unit)),
        *(name for unit in position.owner for name in _of_a_defender(position, found, unit)),
        *(("convoy broken",) if found.broken else ()),
        *(("void",) if found.void else ()),
        *(("standoff",) if found.contested else ()),
    }


def _of_a_ring(ring: tuple[str, ...], count: int, found: Found) -> str:
    if count == 0:
        return "no result of a ring"
    return (
        "swap by convoy"
        if len(ring) == 2
        else "rotation"
        if ring[0] in found.moved
        else "a ring that fails"
    )


def _of_a_carried(position: Position, found: Found, army: str) -> list[str]:
    fleets = [
        unit
        for unit, order in position.orders.items()
        if order.kind == "convoy" and order.of == army
    ]
    seas = {province_of(fleet) for fleet in fleets}
    order = position.orders[army]
    assert isinstance(order, Move)
    routes = [chain for chain in chains(STANDARD, province_of(army), order.to) if chain <= seas]
    return [
        *(["long convoy"] if any(len(chain) > 1 for chain in routes) else []),
        *(["several routes"] if len(routes) > 1 else []),
        *(["dislodged by convoy"] if any(by == army for by, _ in found.dislodged.values()) else []),
        *(["convoy with a fleet attacked in vain"] if seas & set(found.clashes) and fleets else []),
    ]


def _of_a_defender(position: Position, found: Found, unit: str) -> list[str]:
    if unit in found.moved or unit in found.dislodged:
        return []
    bound = {
        other: order
        for other, order in position.orders.items()
        if isinstance(order, Move) and other not in found.void
    }
    rivals = [other for other, order in bound.items() if province_at(order.to) == province_of(unit)]
    winners = [other for other in rivals if BEATS[position.traits[other]] == position.traits[unit]]
    alone = len(winners) == 1 and position.owner[winners[0]] == position.owner[unit]
    own = position.orders.get(unit)
    facing = isinstance(own, Move) and any(
        province_of(other) == province_at(own.to) for other in rivals
    )
    both_by_themselves = facing and not {unit, *rivals} & found.carried
    named = {"beleaguered": len(winners) > 1, "own unit": alone, "head to head": both_by_themselves}
    return [name for name, so in named.items() if so]


def test_random_orders_are_such_as_their_units_can_ever_follow() -> None:
    for number in range(300):
        position = random_position(Random(number))
        for unit, order in position.orders.items():
            if isinstance(order, Move) and order.to not in STANDARD.reach[unit]:
                assert kind_of(unit) == "A" and chains(STANDARD, province_of(unit), order.to), str(
                    order
                )
