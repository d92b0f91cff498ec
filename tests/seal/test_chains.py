"""A chain as the worker keeps it: the same elements as from its first one, few hashes for each
phase, and no damage unnoticed.
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core import chains
from adjudicator.core.chains import WAYPOINT_STEPS, BrokenChain, Chain, Waypoint, waypoint_index
from adjudicator.core.chance import UsedUp, chain_anchor, chain_element

lengths = st.integers(1, 900)
firsts = st.binary(min_size=32, max_size=32)


@given(firsts, lengths, st.data())
@settings(max_examples=80)
def test_any_element_is_the_one_that_the_first_leads_to(
    first: bytes, length: int, data: st.DataObject
) -> None:
    """Whatever waypoint the chain has: of an earlier phase, of this one, of a later one."""
    chain = Chain.begin(first, length).renew(data.draw(st.integers(0, length - 1)))
    phase = data.draw(st.integers(0, length - 1))
    assert chain.element(phase) == chain_element(first, phase, length)
    assert chain.anchor == chain_anchor(first, length)


@given(firsts, lengths, st.data())
@settings(max_examples=80)
def test_a_phase_takes_at_most_256_hashes_and_a_waypoint_serves_as_many_phases(
    first: bytes, length: int, data: st.DataObject
) -> None:
    phase = data.draw(st.integers(0, length - 1))
    chain = Chain.begin(first, length).renew(phase)
    assert 0 <= length - 1 - phase - chain.waypoint.index <= WAYPOINT_STEPS
    assert (
        chain.serves(phase) == chain.serves(min(phase - phase % WAYPOINT_STEPS, length - 1)) is True
    )
    assert chain.element(phase) == chains.walk(
        chain.waypoint.element, length - 1 - phase - chain.waypoint.index
    )


def test_the_waypoints_of_a_whole_match() -> None:
    assert [waypoint_index(phase) for phase in (0, 255, 256, 511, 3839, 3840, 4095)] == [
        3839,
        3839,
        3583,
        3583,
        255,
        0,
        0,
    ]


def broken(chain: Chain) -> dict[str, Chain]:
    other = bytes(byte ^ 1 for byte in chain.first)
    return {
        "first element": replace(chain, first=other),
        "anchor": replace(chain, anchor=other),
        "waypoint": replace(chain, waypoint=Waypoint(chain.waypoint.index, other)),
        "place of the waypoint": replace(
            chain, waypoint=Waypoint(chain.waypoint.index + 1, chain.waypoint.element)
        ),
    }


@given(
    firsts,
    st.integers(300, 900),
    st.sampled_from(["first element", "anchor", "waypoint", "place of the waypoint"]),
)
@settings(max_examples=40)
def test_no_damage_passes_a_check_or_a_renewal(first: bytes, length: int, what: str) -> None:
    chain = Chain.begin(first, length)
    chain.check()
    damaged = broken(chain)[what]
    with pytest.raises(BrokenChain, match="does not lead to the anchor"):
        damaged.check()
    with pytest.raises(BrokenChain, match="does not lead to the anchor"):
        damaged.renew(WAYPOINT_STEPS)


@pytest.mark.parametrize("phase", [-1, 4096])
def test_a_phase_beyond_the_chain_has_no_element(phase: int) -> None:
    with pytest.raises(UsedUp, match="beyond"):
        Chain.begin(bytes(32)).element(phase)
