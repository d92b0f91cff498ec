"""The waypoints of a match's chains: a long match renews them, older records get them, and a
damaged chain stops its match.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import chains
from adjudicator.core.chains import WAYPOINT_STEPS, Waypoint
from adjudicator.core.chance import chain_element
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import MatchChains
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import closing
from adjudicator.service.upkeep.chance_check import check_chances
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.games.dice_game import LONG, THROWN
from tests.games.sample_game import offer
from tests.harness import Harness
from tests.verifier.running import verify, write


@pytest.fixture(autouse=True)
def thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, THROWN)


def begin(harness: Harness, forced: int = 3) -> str:
    return harness.match("Alice", "Bob", wish=Wish("thrown", "Stairs", {"forced": forced}))


def take_turn(harness: Harness, uid: str, number: int) -> bool:
    harness.order(uid, "Alice" if number % 2 else "Bob", "up 2")
    return harness.close(uid)


def kept(harness: Harness, uid: str) -> MatchChains:
    with harness.database.read_tx() as session:
        return MatchChains.recall(harness.keyring, by_uid(session, uid))


def keep(harness: Harness, uid: str, changed: MatchChains) -> None:
    with harness.database.write_tx() as session:
        by_uid(session, uid).wrapped_chains = changed.keep(harness.keyring, uid)


def bundle(harness: Harness, uid: str) -> dict[str, Any]:
    with harness.database.read_tx() as session:
        return export_bundle(session, uid)


def damage(chains: MatchChains) -> MatchChains:
    """Return chains as a fault of memory or of the disk could leave them, before they were kept."""
    public = chains.chains["public"]
    return MatchChains(
        {
            **chains.chains,
            "public": replace(public, waypoint=Waypoint(public.waypoint.index, bytes(32))),
        }
    )


def test_a_match_of_more_than_256_phases_renews_its_waypoints(
    harness: Harness,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    uid = begin(harness, LONG)
    first = kept(harness, uid)
    walked: list[int] = []
    monkeypatch.setattr(
        chains,
        "walk",
        lambda element, steps, own=chains.walk: walked.append(steps) or own(element, steps),
    )
    for number in range(1, 5):
        assert take_turn(harness, uid, number)
    assert walked and max(walked) <= WAYPOINT_STEPS
    renewed = []
    while harness.page(uid).card.status == "running":
        assert harness.close(uid)
        renewed.append(kept(harness, uid).chains["public"].waypoint.index)
    assert [renewed[0], renewed[-1]] == [4095 - 256, 4095 - 512]
    assert kept(harness, uid).opened == first.opened
    told = bundle(harness, uid)
    elements = [entry["body"]["public"] for entry in told["entries"] if entry["type"] == "result"]
    assert len(elements) > LONG
    assert elements == [
        chain_element(first.firsts["public"], phase).hex() for phase in range(len(elements))
    ]
    code, lines = verify(capsys, write(tmp_path, "log.json", told))
    assert code == 0, lines


def test_a_record_from_before_there_were_waypoints_gets_them_at_the_next_closing(
    harness: Harness,
) -> None:
    uid = begin(harness)
    firsts = kept(harness, uid).firsts
    with harness.database.write_tx() as session:
        older = harness.keyring.keep(
            firsts["public"] + firsts["hidden"], purpose="chains", match=uid
        )
        by_uid(session, uid).wrapped_chains = older
    assert kept(harness, uid).chains["public"].waypoint == Waypoint(0, firsts["public"])
    assert take_turn(harness, uid, 1)
    assert kept(harness, uid) == replace(
        MatchChains.fresh(firsts["public"], firsts["hidden"]), computes_tokens=False
    )


def test_an_older_record_is_held_against_its_anchors_first(harness: Harness) -> None:
    uid = begin(harness)
    with harness.database.write_tx() as session:
        by_uid(session, uid).wrapped_chains = harness.keyring.keep(
            bytes(64), purpose="chains", match=uid
        )
    harness.order(uid, "Alice", "up 2")
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    assert "does not lead to the anchor" in harness.page(uid, "Alice").trouble


def test_a_damaged_chain_stops_the_match_where_its_end_would_publish_it(harness: Harness) -> None:
    uid = begin(harness)
    keep(harness, uid, damage(kept(harness, uid)))
    masters.end_match(harness.database, uid, None, "It is late.", now=harness.now)
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    page = harness.page(uid, "Alice")
    assert page.card.status == "stuck" and "does not lead to the anchor" in page.trouble
    assert [
        entry["body"]["kind"]
        for entry in bundle(harness, uid)["entries"]
        if entry["type"] == "tampering"
    ] == ["chance"]


def test_the_deep_check_names_the_matches_whose_chance_is_not_the_one_that_was_fixed(
    harness: Harness,
) -> None:
    well, damaged, exchanged = begin(harness), begin(harness), begin(harness)
    keep(harness, damaged, damage(kept(harness, damaged)))
    keep(harness, exchanged, MatchChains.fresh(bytes(32), bytes(32)))
    with harness.database.read_tx() as session:
        assert check_chances(session, harness.keyring) == (3, [damaged, exchanged])
    assert well not in (damaged, exchanged)
