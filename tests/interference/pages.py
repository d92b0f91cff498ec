"""What everybody gets of a match over the wire: the bytes and headers of pages, pictures, JSON and
letters, and the live stream.
"""

import random
from collections.abc import Mapping, Sequence
from email import message_from_bytes

import time_machine

from adjudicator.core.game import Seat
from tests.cast import MALLORY, address
from tests.harness import BEGIN
from tests.interference.looks import OBSERVER, STRANGER, THE_MASTER, Look, without_hashes
from tests.interference.world import MASTER, PEOPLE, Course, World
from tests.mail.mail_harness import MailHarness
from tests.web.kept import tag_of
from tests.web.seen import FAR, pages_of, told_by_stream
from tests.web.site import Site, Visitor
from tests.web.test_secrecy import whole

# pages that are looked at in one match, chosen by its seed, beside the match's own and its newest
# phase
SOME = 6
_NAMES: Mapping[str, str | None] = {OBSERVER: None, THE_MASTER: MASTER, STRANGER: MALLORY}


class SiteWorld(World):
    """A world with a site and a mailbox; its people stay signed in."""

    harness: MailHarness

    def make_harness(self, url: str) -> MailHarness:
        """Return a harness that renders letters."""
        return MailHarness(url, self.folder)

    def settle_in(self) -> None:
        """Sign everybody in, before the template is made."""
        self._site: Site | None = None
        self.harness.now = BEGIN
        with time_machine.travel(BEGIN, tick=False):
            site = self.open_site()
            self.visitors: dict[str | None, Visitor] = {
                name: site.visitor(name) for name in (*PEOPLE, MASTER, MALLORY, None)
            }
            for visitor in self.visitors.values():
                visitor.get("/", environ_overrides=FAR)
        self._cookies = {
            name: dict(visitor.client._cookies or {}) for name, visitor in self.visitors.items()
        }
        self._close_site()

    def begin(self, course: Course) -> None:
        """Begin a match with a site that knows nothing yet, and browsers that have not been used
        since they signed in.
        """
        self._close_site()
        for name, visitor in self.visitors.items():
            visitor.client._cookies = dict(self._cookies[name])
        super().begin(course)

    def open_site(self) -> Site:
        """Return the site of this match."""
        self._site = self._site or Site.create(self.harness, self.folder / "site")
        return self._site

    def _close_site(self) -> None:
        if self._site is not None:
            self._site.app.extensions["database"].engine.dispose()
        self._site = None

    def __exit__(self, *raised: object) -> None:
        self._close_site()
        super().__exit__(*raised)

    def take_letters(self) -> None:
        """Post the letters that wait to the mailbox."""
        self.harness.post_all()

    def rendered(self, name: str) -> str:
        """Return the letters to a person as they were posted, without the random names that they
        got.
        """
        sent = [
            row.uid
            for row in self.harness.rows()
            if row.address == address(name) and row.state == "sent"
        ]
        folder = self.harness.mailbox.folder
        return "\n".join(
            _decoded((folder / f"{uid}.eml").read_bytes().replace(uid.encode(), b""))
            for uid in sent
        )


def _decoded(raw: bytes) -> str:
    """Return every header and part of a letter, the parts without their transfer encoding, which
    breaks hashes over lines.
    """
    found = []
    for part in message_from_bytes(raw).walk():
        content = part.get_payload(decode=True)
        found += [
            repr(part.items()),
            content.decode("latin-1") if isinstance(content, bytes) else "",
        ]
    return "\n".join(found)


def pages_as(world: World, course: Course, seats: Sequence[Seat], outside: str) -> Look:
    """Return what other seats and somebody outside get: the letters of all, and pages of the first
    seat and of the one `outside`.

    Every match has a site of its own, so nothing that it keeps in memory hides a difference between
    two.
    """
    assert isinstance(world, SiteWorld)
    found = {
        ("everybody", "the stream"): told_by_stream(
            world.harness.database, world.uid, world.harness.now
        )
    }
    with time_machine.travel(world.harness.now, tick=False):
        site = world.open_site()
        for who, name in (
            (f"seat {seats[0]}", world.person(course, seats[0])),
            (outside, _NAMES[outside]),
        ):
            visitor = world.visitors[name]
            visitor.client.application = site.app
            visitor.get("/", environ_overrides=FAR)  # renews the forms' cookie, once an hour
            found |= {(who, path): _page(visitor, path) for path in _paths(world, course)}
    found |= {
        (f"seat {seat}", "letters"): world.rendered(world.person(course, seat)) for seat in seats
    }
    return without_hashes(found | {(THE_MASTER, "letters"): world.rendered(MASTER)})


def _page(visitor: Visitor, path: str) -> str:
    """Return a whole response as text, without a tag that is a hash of the page itself: commitments
    on the page differ.
    """
    answer = visitor.get(path, environ_overrides=FAR)
    return repr(whole(answer)).replace(tag_of(visitor, answer), "of this page")


def _paths(world: SiteWorld, course: Course) -> list[str]:
    here, newest = f"/matches/{world.uid}", len(course.orders)
    always = [here, f"{here}/phases/{newest}", f"{here}/boards/{newest}.svg", f"{here}/press"]
    others = sorted(set(pages_of(world.uid, {})) - set(always))
    return always + random.Random(course.seed).sample(others, SOME)
