"""Standard movement: invariants of every battle, the rules of the editions, and the reason of each
result.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.games.diplomacy.map.convoys import is_on_chain
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Unit,
    province_at,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from adjudicator.games.diplomacy.resolve import movement
from tests.games.diplomacy.battlefields import POWERS, Battlefield, fight, made_by
from tests.games.diplomacy.dense_positions import dense_position
from tests.games.diplomacy.oracle_standard import Oracle
from tests.sampling import examples

EVERY_EDITION = pytest.mark.parametrize("edition", sorted(EDITIONS))
BATTLEFIELDS = st.builds(made_by, st.integers(0, 1 << 40), at_sea=st.booleans())
MANY = settings(derandomize=True, max_examples=examples(100, 300))


def fought(field: Battlefield, edition: str = "2023") -> Battle:
    return movement.resolve(STANDARD, EDITIONS[edition], field.owner, field.orders)


def stands_now(field: Battlefield, battle: Battle) -> list[str]:
    return [
        province_at(battle.moved.get(unit, spot_of(unit)))
        for unit in field.owner
        if unit not in battle.dislodged
    ]


# --- invariants


@MANY
@given(BATTLEFIELDS | st.builds(dense_position, st.integers(0, 1 << 40)))
def test_every_fate_follows_from_the_equations_of_strength(field):
    assert not list(Oracle(field.owner, field.orders, fought(field)).objections()), str(field)


@MANY
@given(BATTLEFIELDS, st.sampled_from(sorted(EDITIONS)), st.integers(0, 1 << 20))
def test_the_order_in_which_units_and_orders_are_stored_decides_nothing(field, edition, number):
    chance = Random(number)
    units, orders = list(field.owner), list(field.orders)
    chance.shuffle(units)
    chance.shuffle(orders)
    shuffled = Battlefield(
        {unit: field.owner[unit] for unit in units}, {unit: field.orders[unit] for unit in orders}
    )
    assert fought(shuffled, edition) == fought(field, edition)


@MANY
@given(BATTLEFIELDS, st.sampled_from(sorted(EDITIONS)), st.permutations(POWERS))
def test_the_powers_are_treated_alike(field, edition, permuted):
    named = dict(zip(POWERS, permuted, strict=True))
    renamed = Battlefield({unit: named[power] for unit, power in field.owner.items()}, field.orders)
    assert fought(renamed, edition) == fought(field, edition)


@MANY
@given(BATTLEFIELDS, st.sampled_from(sorted(EDITIONS)))
def test_no_two_units_end_in_one_province(field, edition):
    now = stands_now(field, fought(field, edition))
    assert len(now) == len(set(now))


@MANY
@given(BATTLEFIELDS, st.sampled_from(sorted(EDITIONS)))
def test_who_is_dislodged_was_driven_out_by_another_power_that_moved_in(field, edition):
    battle = fought(field, edition)
    for unit, attack in battle.dislodged.items():
        assert province_at(battle.moved[attack.by]) == province_of(unit)
        assert field.owner[attack.by] != field.owner[unit]
        assert battle.fates[unit] == Fate("dislodged", "attacked", (attack.by,))


@MANY
@given(BATTLEFIELDS, st.sampled_from(sorted(EDITIONS)))
def test_an_unsupported_lone_move_into_an_empty_province_succeeds(field, edition):
    battle = fought(field, edition)
    held = {province_of(unit) for unit in field.owner}
    goals = [province_at(order.to) for order in field.orders.values() if isinstance(order, Move)]
    for unit, order in field.orders.items():
        if isinstance(order, Move) and order.to in STANDARD.reach[unit] and not order.via:
            offered = any(
                isinstance(other, Convoy) and other.of == unit and other.to == order.to
                for other in field.orders.values()
            )
            if (
                not offered
                and province_at(order.to) not in held
                and goals.count(province_at(order.to)) == 1
            ):
                assert battle.moved[unit] == order.to


@MANY
@given(BATTLEFIELDS, st.sampled_from(sorted(EDITIONS)))
def test_contested_provinces_are_empty_and_two_bounced_there(field, edition):
    battle = fought(field, edition)
    for code in battle.contested:
        assert code not in stands_now(field, battle)
        tried = [
            u
            for u, o in field.orders.items()
            if isinstance(o, Move) and province_at(o.to) == code and u not in battle.moved
        ]
        assert len(tried) > 1


@EVERY_EDITION
def test_a_board_full_of_convoys_under_attack_is_resolved(edition):
    seas = [code for code, place in STANDARD.places.items() if place.kind == "sea"]
    ports = [
        code
        for code, place in STANDARD.places.items()
        if place.kind == "coast" and not place.coasts and code not in ("YOR", "TUS")
    ]
    owner = {
        "A YOR": "ENGLAND",
        **{f"F {sea}": "ENGLAND" for sea in seas},
        **{f"F {port}": "FRANCE" for port in ports},
    }
    orders: dict[Unit, MovementOrder] = {"A YOR": Move("A YOR", "TUS")}
    orders |= {
        f"F {sea}": Convoy(f"F {sea}", "A YOR", "TUS")
        for sea in seas
        if is_on_chain(STANDARD, sea, "YOR", "TUS")
    }
    for port in ports:
        near = [spot for spot in STANDARD.reach[f"F {port}"] if spot in seas]
        orders[f"F {port}"] = Move(f"F {port}", near[0])
    battle = movement.resolve(STANDARD, EDITIONS[edition], owner, orders)
    assert len(owner) > 34
    assert battle.fates["A YOR"].result == "moved"


@EVERY_EDITION
def test_a_long_ring_rotates_and_one_stronger_outsider_stops_it(edition):
    ring = ["PAR", "GAS", "MAR", "PIE", "TYR", "BOH", "MUN", "BUR"]
    owner = {f"A {code}": POWERS[at % 3] for at, code in enumerate(ring)}
    orders: dict[Unit, MovementOrder] = {
        f"A {a}": Move(f"A {a}", b) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)
    }
    assert len(movement.resolve(STANDARD, EDITIONS[edition], owner, orders).moved) == len(ring)
    owner["A PIC"], orders["A PIC"] = "TURKEY", Move("A PIC", "PAR")
    stopped = movement.resolve(STANDARD, EDITIONS[edition], owner, orders)
    assert not stopped.moved
    assert stopped.fates["A PIC"] == Fate("bounced", "standoff", ("A BUR",))


# --- the reason for each result


@pytest.mark.parametrize(
    ("lines", "unit", "fate"),
    [
        (["FRANCE A PAR"], "A PAR", Fate("held", "no order")),
        (["FRANCE A PAR H"], "A PAR", Fate("held")),
        (
            ["FRANCE A PAR - BUR", "GERMANY A MUN - BUR"],
            "A PAR",
            Fate("bounced", "standoff", ("A MUN",)),
        ),
        (
            ["FRANCE A PAR - BUR", "GERMANY A MUN - BUR; A RUH S A MUN - BUR"],
            "A PAR",
            Fate("bounced", "beaten", ("A MUN",)),
        ),
        (
            ["FRANCE A PAR - BUR", "GERMANY A BUR H"],
            "A PAR",
            Fate("bounced", "defended", ("A BUR",)),
        ),
        (
            ["FRANCE A PAR - BUR", "GERMANY A BUR - PAR"],
            "A PAR",
            Fate("bounced", "head to head", ("A BUR",)),
        ),
        (["FRANCE A PAR - BUR; A BUR H"], "A PAR", Fate("bounced", "own unit", ("A BUR",))),
        (
            ["FRANCE A PAR - BUR; A GAS S A PAR - BUR; A BUR - MUN", "GERMANY A MUN H"],
            "A PAR",
            Fate("bounced", "own unit", ("A BUR",)),
        ),
        (
            [
                "FRANCE A PAR - BUR; A GAS S A PAR - BUR",
                "GERMANY A BUR",
                "ITALY A MUN - BUR; A MAR S A MUN - BUR",
            ],
            "A PAR",
            Fate("bounced", "standoff", ("A MUN",)),
        ),
        (
            ["FRANCE A PAR S A GAS - BUR; A GAS - BUR", "GERMANY A PIC - PAR"],
            "A PAR",
            Fate("cut", "attacked", ("A PIC",)),
        ),
        (
            ["FRANCE A PAR S A GAS - BUR; A GAS - BUR", "GERMANY A BUR - PAR"],
            "A PAR",
            Fate("supported"),
        ),
        (
            ["FRANCE A PAR S A GAS - BUR; A GAS H"],
            "A PAR",
            Fate("void", "no such order", ("A GAS",)),
        ),
        (["FRANCE A PAR S A GAS; A GAS - BUR"], "A PAR", Fate("void", "no such order", ("A GAS",))),
        (
            ["ENGLAND F ENG C A LON - BEL; A LON H"],
            "F ENG",
            Fate("void", "no such order", ("A LON",)),
        ),
        (["ENGLAND F ENG C A LON - BEL; A LON - BEL"], "F ENG", Fate("convoyed")),
        (["ENGLAND F ENG; A LON - BEL"], "A LON", Fate("void", "no convoy")),
        (
            ["ENGLAND F ENG; F NTH S A LON - BEL; A LON - BEL"],
            "F NTH",
            Fate("support failed", "no convoy", ("A LON",)),
        ),
        (
            ["ENGLAND F NTH S A LON - BEL; A LON - BEL"],
            "F NTH",
            Fate("void", "no convoy", ("A LON",)),
        ),
        # no fleet could carry it: it holds (DATC 6.D.32)
        (["ENGLAND A YOR - HOL; F LON S A YOR"], "F LON", Fate("supported")),
        (
            ["ENGLAND A YOR - HOL; F LON S A YOR; F NTH"],
            "F LON",
            Fate("void", "no such order", ("A YOR",)),
        ),
    ],
)
def test_each_result_has_its_reason(lines, unit, fate):
    assert fight(*lines).fates[unit] == fate


def test_a_ring_that_an_outsider_stops_is_explained_by_the_standoff_and_not_by_itself():
    battle = fight("TURKEY F ANK - CON; A CON - SMY; A SMY - ANK; A BUL - CON")
    assert battle.fates["F ANK"] == Fate("bounced", "standoff", ("A BUL",))
    assert battle.fates["A SMY"] == Fate("bounced", "own unit", ("F ANK",))


def test_a_standoff_leaves_a_province_contested_that_its_unit_left():
    battle = fight("FRANCE A PAR - BUR; A PIC - PAR", "GERMANY A GAS - PAR")
    assert battle.contested == {"PAR"}
    assert not fight("FRANCE A PAR H; A PIC - PAR", "GERMANY A GAS - PAR").contested


# --- convoys that influence each other (DATC 4.A.2 f)

PANDIN = ("FRANCE A BRE - LON; F ENG C A BRE - LON", "ENGLAND F LON S F WAL - ENG; F WAL - ENG")


def test_a_convoy_that_would_decide_over_itself_fails_and_does_not_cut():
    battle = fight(*PANDIN)
    assert battle.fates["A BRE"] == Fate("convoy disrupted", "paradox", ("F LON",))
    assert battle.fates["F ENG"] == Fate("dislodged", "attacked", ("F WAL",))


def test_a_convoy_that_is_lost_in_any_case_is_broken_and_no_paradox():
    battle = fight(*PANDIN, "ENGLAND F IRI S F WAL - ENG")
    assert battle.fates["A BRE"] == Fate("convoy disrupted", "convoy broken", ("F ENG",))


def test_a_convoy_that_stands_in_any_case_cuts_the_support_against_it():
    battle = fight(*PANDIN, "FRANCE F MAO S F ENG")
    assert battle.fates["F LON"] == Fate("cut", "attacked", ("A BRE",))


def test_an_army_whose_convoy_broke_is_not_defended_by_who_supported_its_move():
    lines = (
        "ENGLAND A LON - HOL; F NTH C A LON - HOL; F HEL S A LON - HOL",
        "GERMANY F SKA - NTH; F DEN S F SKA - NTH",
    )
    battle = fight(*lines, "FRANCE F ENG - LON; F WAL S F ENG - LON")
    assert battle.fates["F HEL"] == Fate("supported")
    assert battle.fates["A LON"] == Fate("dislodged", "attacked", ("F ENG",))
