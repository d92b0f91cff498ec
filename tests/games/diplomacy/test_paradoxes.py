"""A convoy fails by paradox if and only if the rules alone have no unique result; every possibility
is tried (DATC 4.A.2 f).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.games.diplomacy.map.geography import STANDARD, Unit, province_of
from adjudicator.games.diplomacy.model.editions import EDITIONS, Edition
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from adjudicator.games.diplomacy.resolve import convoy_resolution, movement
from adjudicator.games.diplomacy.resolve.convoy_resolution import Routes
from adjudicator.games.diplomacy.resolve.movement_orders import Field
from tests.games.diplomacy.battlefields import Battlefield, made_by, written
from tests.sampling import examples

AT_RISK = dict[Unit, Routes]
POLICIES = [EDITIONS["2023"], replace(EDITIONS["1976"], neighbour="written")]

ENGLISH_CHANNEL = (
    "FRANCE A BRE - LON; F ENG C A BRE - LON",
    "ENGLAND F LON S F WAL - ENG; F WAL - ENG",
)
BETRAYAL = (
    "ENGLAND A LON - BEL; F NTH C A LON - BEL",
    "FRANCE F BEL S F NTH",
    "GERMANY F SKA - NTH; F HEL S F SKA - NTH",
)
SECOND_ORDER = (
    "ENGLAND F EDI - NTH; F LON S F EDI - NTH; F IRI - ENG; F MAO S F IRI - ENG",
    "FRANCE A BRE - LON; F ENG C A BRE - LON; F BEL S F ENG",
    "RUSSIA A NWY - BEL; F NTH C A NWY - BEL",
)


def battle_with(
    field: Battlefield, edition: Edition, settling: Callable[[Field, AT_RISK], None]
) -> Battle:
    """Return the battle in which `settling` decides the convoys at risk."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(movement, "settle_convoys", settling)
        return movement.resolve(STANDARD, edition, field.owner, field.orders)


def convoys_at_risk(field: Battlefield, edition: Edition) -> tuple[Battle, AT_RISK]:
    found: AT_RISK = {}

    def settling(phase: Field, at_risk: AT_RISK) -> None:
        found.update(at_risk)
        convoy_resolution.settle_convoys(phase, at_risk)

    return battle_with(field, edition, settling), found


def consistent(field: Battlefield, edition: Edition, routes: AT_RISK) -> Iterator[Battle]:
    """Yield the consistent battles, in which the result of every convoy follows from the fleets
    left in that battle.
    """
    for choice in product((False, True), repeat=len(routes)):
        chosen = dict(zip(routes, choice, strict=True))

        def settling(phase: Field, at_risk: AT_RISK, chosen: dict[Unit, bool] = chosen) -> None:
            for unit in at_risk:
                if chosen[unit]:
                    convoy_resolution.enter_move(phase, unit, phase.aims[unit])
                else:
                    strand(phase, unit)

        battle = battle_with(field, edition, settling)
        if all(stands(edition, routes[unit], battle) == chosen[unit] for unit in routes):
            yield battle


def strand(phase: Field, unit: Unit) -> None:
    del phase.sailing[unit]
    phase.stranded[unit] = Fate("convoy disrupted", "convoy broken")


def stands(edition: Edition, routes: Routes, battle: Battle) -> bool:
    lost = {province_of(unit) for unit in battle.dislodged}
    whole = [not chain & lost for chain in routes]
    return all(whole) if edition.convoy == "all" else any(whole)


@settings(derandomize=True, max_examples=examples(60, 200))
@given(st.integers(0, 1 << 40), st.sampled_from(POLICIES))
def test_a_convoy_is_settled_if_just_one_result_is_consistent_and_a_paradox_if_not(number, edition):
    check(made_by(number, at_sea=True), edition)


@pytest.mark.parametrize(
    ("lines", "results"), [(ENGLISH_CHANNEL, 2), (BETRAYAL, 0), (SECOND_ORDER, 0)]
)
def test_a_paradox_has_no_or_several_consistent_results(lines, results):
    assert check(written(*lines), EDITIONS["2023"]) == results


def check(field: Battlefield, edition: Edition) -> int:
    """Check one battlefield; return how many consistent results it has."""
    battle, routes = convoys_at_risk(field, edition)
    found = list(consistent(field, edition, routes))
    in_vain = [unit for unit in routes if battle.fates[unit].why == "paradox"]
    if len(found) == 1:
        assert not in_vain, str(field)
        assert (battle.moved, battle.dislodged, battle.contested) == (
            found[0].moved,
            found[0].dislodged,
            found[0].contested,
        ), str(field)
    else:
        assert in_vain or any(unit in battle.dislodged for unit in routes), str(field)
    return len(found)
