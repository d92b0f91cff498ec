"""After a match has ended nothing is hidden any more: orders, seals, events, pictures and boards
for trials (rsp R9).
"""

import hashlib
import json
import re
from types import SimpleNamespace

import pytest

from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning
from adjudicator.service.views import match_page, trials
from tests.harness import Harness

ORDERS = {"ENGLAND": "Rock A LVP H\nPaper A PAR H\nready", "GERMANY": "Scissors A BER H\nready"}
VIEWERS = ("Ann", "Ben", "Zoe", None)


@pytest.fixture
def uid(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> str:
    """A match of Ann and Ben that ends after 1901, with three characteristics changed in Spring and
    no units in conflict.
    """
    monkeypatch.setattr(creation, "new_uid", lambda: "hidden234")
    # the same characteristics every time
    monkeypatch.setattr(beginning, "entropy", SimpleNamespace(token_bytes=bytes))
    wish = Wish("rsp-diplomacy", "Hidden hands", {"year_limit": 1901}, players=2)
    uid = harness.match("Ann", "Ben", wish=wish)
    harness.player("Zoe")
    for name in ("Ann", "Ben"):
        answer = harness.order(uid, name, ORDERS[harness.page(uid, name).seat])
        assert answer.disposition == "accepted" and not answer.refusals
    assert harness.close(uid)
    return uid


def end(harness: Harness, uid: str) -> None:
    while harness.page(uid).card.status != "ended":
        harness.later(hours=60)
        assert harness.close(uid)


def owner(harness: Harness, uid: str, name: str | None) -> str:
    return harness.page(uid, name).seat


def of_seat(story: match_page.Story, seat: str) -> match_page.Order:
    return next(order for order in story.orders if order.seat == seat)


def known(board: str) -> int:
    """Return how many units of a text board are shown with their characteristic."""
    return len(re.findall(r"[(;] ?(?:Rock|Paper|Scissors)\)", board))


def history(harness: Harness, uid: str, name: str | None) -> list[str]:
    with harness.database.read_tx() as session:
        return [
            line
            for told in match_page.history(
                session, uid, harness.people[name] if name else None, most=9
            )[1]
            for line in told.lines
        ]


def test_while_it_goes_on_a_closed_phase_shows_others_neither_orders_nor_openings_nor_characteristics(
    harness: Harness, uid: str
) -> None:
    for viewer in VIEWERS:
        story, mine = harness.story(uid, 1, viewer), owner(harness, uid, viewer)
        assert [order.lines is not None for order in story.orders] == [
            order.seat == mine for order in story.orders
        ]
        assert {order.opening for order in story.orders} == {""}
        units = {"ENGLAND": 10, "GERMANY": 9}.get(mine, 0)
        assert known(story.board) == units
        changes = [line for line in history(harness, uid, viewer) if "from now on" in line]
        assert len(changes) == {"ENGLAND": 2, "GERMANY": 1}.get(mine, 0)


def test_once_it_has_ended_everybody_reads_all_orders_of_every_phase_and_can_check_their_seals(
    harness: Harness, uid: str
) -> None:
    sealed = {order.seat: order.commitment for order in harness.story(uid, 1).orders}
    end(harness, uid)
    for viewer in VIEWERS:
        story = harness.story(uid, 1, viewer)
        assert (of_seat(story, "ENGLAND").lines or ())[::2] == ("Rock A LVP", "Paper A PAR")
        for order in story.orders:
            assert (
                hashlib.sha256(b"sealed/1/commit\n" + order.opening.encode()).hexdigest()
                == order.commitment
                == sealed[order.seat]
            )
            assert json.loads(order.opening)["orders"] == "\n".join(order.lines or ())


def test_rsp_r9_once_it_has_ended_every_phase_shows_and_tells_all_characteristics(
    harness: Harness, uid: str
) -> None:
    before = harness.story(uid, 1, "Ann")
    end(harness, uid)
    for viewer in VIEWERS:
        for number in range(len(harness.page(uid).phases)):
            assert known(harness.story(uid, number, viewer).board) == 22
        own = owner(harness, uid, viewer)
        story = harness.story(uid, 1, viewer)
        assert (
            f"{'Your English' if own == 'ENGLAND' else 'England’s'} army Liverpool is Rock from"
            " now on." in story.lines
        )
        assert (
            f"{'Your German' if own == 'GERMANY' else 'Germany’s'} army Berlin is Scissors from"
            " now on." in story.lines
        )
        assert story.picture != before.picture and "army, Berlin; Scissors<" in story.picture
        assert len([line for line in history(harness, uid, viewer) if "from now on" in line]) == 3


def test_rsp_r9_once_it_has_ended_orders_can_be_tried_with_what_was_hidden(
    harness: Harness, uid: str
) -> None:
    def tried(viewer: str | None) -> trials.Tried:
        with harness.database.read_tx() as session:
            board = trials.of_phase(session, uid, 2, harness.people[viewer] if viewer else None)
        return board.tried("A Par - Bur\nA Mun - Bur")

    assert tried(None).refusals, "it has to be written what the armies are"
    end(harness, uid)
    assert tried(None).refusals == () and known(tried(None).board) == 22


def test_the_last_report_tells_all_that_happened_in_its_phases(harness: Harness, uid: str) -> None:
    harness.order(uid, "Ann", "Paper A LVP H")
    end(harness, uid)
    told = [line for phase in harness.page(uid, "Ben").last for line in phase.lines]
    assert "England’s army Liverpool is Paper from now on." in told
