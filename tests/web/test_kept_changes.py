"""After every change that a page of a match shows, nobody gets the page from before it."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.sampling import sample
from tests.web.kept import VIEWERS, begin, keeps
from tests.web.site import Site, Visitor, without_tokens
from web.http.kept_pages import KeptPages


def change_name(site: Site, uid: str) -> None:
    _player(site, name="Robert")


def hide_name(site: Site, uid: str) -> None:
    _player(site, name_hidden=True)


def have_page(site: Site, uid: str) -> None:
    _player(site, profile="r0bert")


def _player(site: Site, **values: object) -> None:
    with site.harness.database.write_tx() as session:
        row = session.get_one(Player, site.harness.people[BOB])
        for name, value in values.items():
            setattr(row, name, value)


def bounce(site: Site, uid: str) -> None:
    _player(site, bounced_at=site.harness.now, bounce="550 no such user")


def hold_letters(site: Site, uid: str) -> None:
    with site.harness.database.write_tx() as session:
        for row in session.exec(select(Letter).where(Letter.address == address(BOB))):
            row.state = "held"


def move_zone(site: Site, uid: str) -> None:
    _player(site, zone="Asia/Tokyo")


def pause(site: Site, uid: str) -> None:
    assert site.visitor(ALICE).post(f"/matches/{uid}/pause").status_code == 303


def propose(site: Site, uid: str) -> None:
    bob = site.visitor(BOB)
    assert bob.post(f"/matches/{uid}/proposals", {"kind": "pause", "phase": "2"}).status_code == 303


def vote(site: Site, uid: str) -> None:
    propose(site, uid)
    charlie = site.visitor(CHARLIE)
    for visitor in (charlie, site.visitor()):
        visitor.get(f"/matches/{uid}")
    number = re.search(r'name="proposal" value="(\d+)"', charlie.page)
    assert number is not None
    assert (
        charlie.post(f"/matches/{uid}/votes", {"proposal": number[1], "vote": "no"}).status_code
        == 303
    )


def concede(site: Site, uid: str) -> None:
    assert (
        site.visitor(CHARLIE)
        .post(f"/matches/{uid}/concession", {"sure": "yes", "phase": "2"})
        .status_code
        == 303
    )


def leave(site: Site, uid: str) -> None:
    assert (
        site.visitor(CHARLIE).post(f"/matches/{uid}/your-seat/leave", {"sure": "yes"}).status_code
        == 303
    )


def take_over(site: Site, uid: str) -> None:
    leave(site, uid)
    site.visitor().get(f"/matches/{uid}")
    mallory = site.visitor(MALLORY)
    seat = next(seat.name for seat in site.harness.page(uid).card.seats if seat.looks)
    assert mallory.post(f"/matches/{uid}/take", {"seat": seat}).status_code == 303


def order(site: Site, uid: str) -> None:
    site.harness.order(uid, BOB, "W3")


def wait(site: Site, uid: str) -> None:
    order(site, uid)
    bob = site.visitor(BOB)
    bob.get(f"/matches/{uid}")
    bob.post(f"/matches/{uid}/say", {"says": "wait", "phase": "2"})


def order_and_let_it_be_known(site: Site, uid: str) -> None:
    order(site, uid)
    for name in VIEWERS:
        site.visitor(name).get(f"/matches/{uid}")
    site.harness.later(minutes=1)


def close(site: Site, uid: str) -> None:
    site.harness.round(uid, [(name, "B2") for name in (ALICE, BOB, CHARLIE)])


def end(site: Site, uid: str) -> None:
    for piece in ("B1", "W3", "W2", "W1", "C3", "C2"):
        site.harness.round(uid, [(name, piece) for name in (ALICE, BOB, CHARLIE)])


def write_to_all(site: Site, uid: str) -> None:
    draft = PressDraft((), "To all.")
    messages.write_as_master(
        site.harness.database, uid, site.harness.people[ALICE], draft, now=site.harness.now
    )


def be_away(site: Site, uid: str) -> None:
    site.harness.later(days=1, hours=3)


def near_deadline(site: Site, uid: str) -> None:
    deadline = site.harness.page(uid).card.deadline
    assert deadline is not None
    site.harness.now = deadline - timedelta(minutes=40)


def pass_deadline(site: Site, uid: str) -> None:
    deadline = site.harness.page(uid).card.deadline
    assert deadline is not None
    site.harness.now = deadline


def next_year(site: Site, uid: str) -> None:
    site.harness.later(days=90)


Change = Callable[[Site, str], None]
# Each chain is a match of its own, in which one change follows another. What seats have done is
# shown by its `progress` alone.
CHAINS: tuple[tuple[str, tuple[Change, ...]], ...] = (
    ("seats", (change_name, have_page, hide_name, move_zone, bounce, write_to_all)),
    ("seats", (hold_letters, propose, pause)),
    ("seats", (vote, concede)),
    ("seats", (take_over,)),
    ("seats", (leave, near_deadline)),
    ("seats", (order, order_and_let_it_be_known, close, end)),
    ("seats", (wait, be_away, pass_deadline, next_year)),
    ("none", (order, order_and_let_it_be_known, close, end)),
    ("none", (wait, concede)),
    ("none", (change_name, write_to_all, propose, leave)),
)


def _new_pages(
    site: Site, kept: KeptPages, wanted: Iterable[tuple[Visitor, str]]
) -> dict[tuple[Visitor, str], str]:
    """Return pages that are made anew; those that are kept stay so."""
    pages = {}
    for visitor, path in wanted:
        keeps(site)
        pages[visitor, path] = without_tokens(visitor.get(path).text)
    site.app.extensions["kept_pages"] = kept
    return pages


@pytest.mark.parametrize(
    ("progress", "changes"),
    sample(CHAINS, 2),
    ids=lambda each: each if isinstance(each, str) else each[0].__name__,
)
def test_every_page_is_as_a_new_one_after_each_change(
    small_site: Site, progress: str, changes: Sequence[Change]
) -> None:
    kept = keeps(small_site)
    uid = begin(small_site, progress=progress)
    visitors = [small_site.visitor(name) for name in VIEWERS]
    pages = [f"/matches/{uid}{path}" for path in ("", "/phases/1", "/phases/2")]
    before = {
        (visitor, path): without_tokens(visitor.get(path).text)
        for visitor in visitors
        for path in pages
    }
    for change in changes:
        change(small_site, uid)
        after = {
            (visitor, path): without_tokens(visitor.get(path).text) for visitor, path in before
        }
        assert after != before, f"{change.__name__} shows nowhere"
        for where, page in _new_pages(small_site, kept, before).items():
            assert after[where] == page, (change.__name__, where)
        before = after
