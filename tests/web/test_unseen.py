"""What a seat does is unseen by others: every header and byte of every page is compared, before and
after.

A seat seals, changes, waits, readies, has its orders shown and writes press to a third seat, by
form and by letter. Another player, the master, a signed-in stranger and an observer without an
account get every page of the site (GETS of test_security, so a new page is taken up by itself). The
clock stands still, or passes as it would have without the acts.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import ndiff
from pathlib import Path

import pytest
import time_machine

from adjudicator import catalogue
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import game_info
from tests import clocks
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.mail.mail_harness import MailHarness
from tests.sampling import EVERY_CASE, sample
from tests.service import tournament_play
from tests.web.seen import FAR, pages_of, told_by_stream
from tests.web.site import Site, Visitor
from tests.web.test_secrecy import whole
from tests.web.test_security import one_of_everything

GAMES = {game.about.key: game for game in catalogue.every_game()}
MASTER = "Morgana"  # makes the match and does not play

_STEPS = (
    r"Content-Length|ETag|data-at=|data-mark=|\"mark\":|\{\"\w+\":\"5(\.1)?\"\}|the stream|handed"
    r" in orders|(is|are) missing"
)
# what `progress` changes, line by line
TOLD = {"count": re.compile(_STEPS), "seats": re.compile(f"{_STEPS}|has handed in|owes orders")}

Look = Mapping[tuple[str, str], tuple[int, list[tuple[str, str]], str]]
Act = Callable[["World"], object]


@dataclass
class World:
    """A site with one of everything, and a match in which `actor` acts. Bob is another player, and
    Charlie a third one.
    """

    site: Site
    harness: MailHarness
    uid: str
    paths: Sequence[str]  # the pages that others get
    actor: str
    reader: str  # whom the actor writes to
    acting: Visitor
    report: Posted  # the actor's newest one
    viewers: dict[str, Visitor] = field(default_factory=dict)

    def look(self) -> Look:
        """Return what every viewer gets, from a site that has just begun: nothing that it keeps in
        memory hides a change.
        """
        site = Site.create(self.harness, self.site.app.extensions["settings"].data_dir)
        seen = {}
        for name, visitor in self.viewers.items():
            visitor.client.application = site.app
            for path in self.paths:
                seen[name, path] = whole(visitor.get(path, environ_overrides=FAR))
        site.app.extensions["database"].engine.dispose()
        seen["anybody", "the stream"] = (
            200,
            [],
            told_by_stream(self.harness.database, self.uid, self.harness.now),
        )
        for name in self.viewers:
            letters = [row for row in self.harness.rows() if row.address == address(name)]
            seen[name, "letters"] = (
                200,
                [],
                repr([row.model_dump(exclude={"state", "sent_at"}) for row in letters]),
            )
        assert not [key for key, answer in seen.items() if answer[0] in (429, 500, 503)]
        return seen

    def look_later(self, **span: float) -> Look:
        """Return what every viewer gets when this much time has passed; the clock is set back."""
        now = self.harness.now
        self.harness.later(**span)
        seen = self.look()
        self.harness.now = now
        return seen

    def own(self) -> str:
        """Return the receipts that the actor is shown."""
        return self.acting.get(f"/matches/{self.uid}/receipts", environ_overrides=FAR).text

    def choices(self, number: int) -> dict[str, str]:
        """Return the actor's order form with a choice of each slot made: the first ones with 0, the
        last ones with -1.
        """
        page = self.harness.page(self.uid, self.actor)
        owed = page.owed
        assert owed is not None
        return {
            f"slot-{slot.name}": slot.choices[number].text for slot in owed.slots if slot.choices
        }

    def post(self, action: str, form: Mapping[str, object]) -> None:
        """Have the actor send a form of the match, from a page of now."""
        self.acting.get(f"/matches/{self.uid}", environ_overrides=FAR)
        answer = self.acting.post(f"/matches/{self.uid}/{action}", {"phase": "1", **form})
        assert answer.status_code in (200, 204, 303), (action, answer.text)

    def write(self, *lines: str) -> None:
        """Have the actor answer the report by letter, which is read and answered."""
        assert self.harness.answer(self.report, *lines).disposition not in (
            "strange",
            "refused",
        ), lines
        self.harness.post_all()


def seal(world: World) -> None:
    world.post("orders", {**world.choices(0), "says": "wait"})


def change(world: World) -> None:
    world.post(
        "orders",
        {**world.choices(-1), "plan": next(iter(world.choices(0).values())), "says": "wait"},
    )


def seal_nonsense(world: World) -> None:
    world.post("orders", {"text": "xyzzy", "says": "wait"})


def disclose(world: World) -> None:
    world.post("sealed", {})


def say(word: str) -> Act:
    return lambda world: world.post("say", {"word": word})


def give_salt(world: World) -> None:
    world.post("salt", {"salt": "the colour of the third car"})


def salt_by_letter(world: World) -> None:
    world.write("salt 31 41 59 26")


def order_by_letter(world: World) -> None:
    world.write("clear", *world.choices(0).values(), "wait")


def ask_by_letter(world: World) -> None:
    world.write("status")
    world.write("help")


def deliver(world: World) -> None:
    """Have a letter arrive that nobody has read yet."""
    to = world.harness.reply_to(world.report)
    text = world.harness.letter(
        address(world.actor), to, *world.choices(0).values(), "wait", answers=world.report
    )
    assert world.harness.deliver(to, text.as_bytes())


def read(world: World) -> None:
    world.harness.read_all()
    world.harness.post_all()


def look_around(world: World) -> None:
    for path in world.paths:
        world.acting.get(path, environ_overrides=FAR)


ORDERS: dict[str, Act] = {
    "seal": seal,
    "look": look_around,
    "change": change,
    "wait": say("wait"),
    "disclose": disclose,
    "letter": order_by_letter,
    "salt": give_salt,
    "salt by letter": salt_by_letter,
    "question": ask_by_letter,
    "deliver": deliver,
    "ready": say("ready"),
    "read": read,
    "nonsense": seal_nonsense,
    "again": seal,
}


def both(one: Act, other: Act) -> Act:
    def act_twice(world: World) -> None:
        one(world)
        other(world)

    return act_twice


def do_all(world: World) -> None:
    for each in ORDERS.values():
        each(world)
    say("wait")(world)


def write_press(world: World) -> None:
    world.post(
        "press", {"to": world.harness.page(world.uid, world.reader).seat, "text": "Shall we?"}
    )


def write_and_do_all(world: World) -> None:
    write_press(world)
    write_press_by_letter(world)
    do_all(world)


def write_press_by_letter(world: World) -> None:
    world.write(f"press {world.harness.page(world.uid, world.reader).seat.lower()}:", "We shall.")


@pytest.fixture(scope="module")
def reader() -> Iterator[LetterReader]:
    """The process that parses letters."""
    with LetterReader(game_info.order_words()) as started:
        yield started


Begin = Callable[..., World]


@pytest.fixture
def begin(
    sqlite_url: str, tmp_path: Path, reader: LetterReader, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Begin]:
    """Begins a match of a game in a world of its own, with the clock stopped."""
    with MailHarness(sqlite_url, tmp_path / "mail", reader) as harness:
        clocks.set_clocks(monkeypatch, lambda: harness.now)
        with time_machine.travel(harness.now, tick=False):
            site = Site.create(harness, tmp_path / "data")

            def made(
                key: str, options: Mapping[str, object] | None = None, **changes: object
            ) -> World:
                there = one_of_everything(site) if changes.pop("everything", False) else {}
                if changes.pop("tournament", False):
                    return _tournament(site, harness)
                wish = Wish(key, "The Long Table", options or {}, play=False, **changes)  # type: ignore[arg-type]  # plain keywords
                return _begin(site, harness, wish, there)

            yield made
            site.app.extensions["database"].engine.dispose()


def _begin(site: Site, harness: MailHarness, wish: Wish, there: dict[str, str]) -> World:
    """Have the master begin a match of three players, or of two where the game has no more."""
    people = (ALICE, BOB, CHARLIE)[: 3 if 3 in GAMES[wish.game].about.seats else 2]
    uid = harness.prepare_match(replace(wish, players=len(people)), MASTER, *people)
    assert harness.start_match(uid)
    world = _enter(site, harness, uid, people, pages_of(uid, there), everything=bool(there))
    if there:
        world.look()  # some pages set cookies; from now on the browsers have them
    return world


def _tournament(site: Site, harness: MailHarness) -> World:
    """Begin a tournament of two players, and be in its only match."""
    tournament = tournament_play.begun(harness, ALICE, BOB)
    (played,) = tournament_play.matches(harness, tournament).values()
    pages = [f"/tournaments/{tournament}", f"/tournaments/{tournament}.json", "/tournaments"]
    return _enter(site, harness, played.uid, (ALICE, BOB), [*pages_of(played.uid, {}), *pages])


def _enter(
    site: Site,
    harness: MailHarness,
    uid: str,
    people: Sequence[str],
    paths: Sequence[str],
    *,
    everything: bool = False,
) -> World:
    """Return the world of a match, with its first due player as the actor."""
    actor = next(name for name in people if harness.page(uid, name).owed is not None)
    others = [name for name in people if name != actor]
    world = World(
        site,
        harness,
        uid,
        paths,
        actor,
        others[-1],
        site.visitor(actor),
        harness.newest(address(actor), "report"),
    )
    # who see of one match what nobody sees
    strangers = (MALLORY,) if everything or EVERY_CASE else ()
    world.viewers = {
        name or "nobody": site.visitor(name) for name in (others[0], MASTER, *strangers, None)
    }
    for visitor in (*world.viewers.values(), world.acting):
        visitor.get("/", environ_overrides=FAR)
    return world


def told_apart(before: Look, after: Look) -> str:
    """Return what differs between two looks, one line a difference; "" if nothing does."""
    assert before.keys() == after.keys()
    lines = []
    for key, old in before.items():
        if (new := after[key]) != old:
            texts = [
                [str(answer[0]), *map(str, answer[1]), *answer[2].splitlines()]
                for answer in (old, new)
            ]
            lines += [f"{key[0]} {key[1]} {line}" for line in ndiff(*texts) if line[0] in "+-"]
    return "\n".join(lines)


def act(world: World, acts: Mapping[str, Act]) -> None:
    """Do these acts one after another; after each, nobody else may be told anything new."""
    before, own = world.look(), world.own()
    for name, each in acts.items():
        each(world)
        assert told_apart(before, world.look()) == "", name
    assert world.own() != own, "the seat itself is told"


# --- while the clock stands still


@pytest.mark.nightly
def test_no_page_changes_for_others_after_any_two_acts(begin: Begin) -> None:
    names = list(ORDERS)
    pairs = {
        f"{one}, {other}": both(ORDERS[one], ORDERS[other])
        for one, other in zip(names[::2], names[1::2], strict=True)
    }
    act(begin("pyramid", progress="none"), pairs)


@pytest.mark.nightly
def test_no_page_of_the_site_changes_with_orders_and_press_to_a_third_seat(begin: Begin) -> None:
    world = begin(
        "diplomacy", {"press": "private"}, seating="order", progress="none", everything=True
    )
    act(world, {"all": write_and_do_all})


@pytest.mark.parametrize(
    "key", sample([key for key in GAMES if key not in ("pyramid", "diplomacy")], 1)
)
def test_no_page_changes_for_others_in_any_game(begin: Begin, key: str) -> None:
    act(begin(key, progress="none"), {"all and ready": both(do_all, say("ready"))})


@pytest.mark.nightly
def test_no_page_of_a_tournament_changes_with_the_orders_in_its_matches(begin: Begin) -> None:
    act(begin("genesis", progress="count", tournament=True), {"all": do_all})


# --- as time goes by


@pytest.mark.parametrize(
    ("key", "progress", "anonymous"),
    sample([("diplomacy", "seats", {"anonymous": True}), ("pyramid", "none", {})], 1),
)
def test_without_progress_nothing_is_told_until_the_phase_closes(
    begin: Begin, key: str, progress: str, anonymous: dict[str, object]
) -> None:
    world = begin(key, anonymous, progress=progress)
    # what is told by the minute does not ask who is anonymous
    spans = ({"hours": 5}, {"seconds": 50})[: 1 if anonymous else 2]
    begun, before = world.harness.now, [world.look_later(**span) for span in spans]
    do_all(world)
    assert world.harness.now == begun
    for span, seen in zip(spans, before, strict=True):
        assert told_apart(seen, world.look_later(**span)) == "", span


@pytest.mark.parametrize(("key", "progress"), [("pyramid", "count"), ("diplomacy", "seats")])
@pytest.mark.nightly
def test_by_the_full_minute_progress_is_told_and_nothing_else(
    begin: Begin, key: str, progress: str
) -> None:
    world = begin(key, {"press": "private"} if key == "diplomacy" else {}, progress=progress)
    before = [world.look_later(seconds=59), world.look_later(seconds=61)]
    seal(world)
    assert told_apart(before[0], world.look_later(seconds=59)) == ""
    known = world.look_later(seconds=61)
    changed = told_apart(before[1], known).splitlines()
    assert changed and [line for line in changed if not TOLD[progress].search(line)] == []
    do_all(world)
    assert told_apart(known, world.look_later(seconds=61)) == "", "later changes show nothing"
