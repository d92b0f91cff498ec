"""Anonymous play: no page and no letter names the players before the match has ended; then all
do.
"""

import re
from collections.abc import Iterator
from html import unescape

from sqlmodel import select

from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import bounces, outbox
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.cast import address
from tests.mail.composed import compose_letter
from tests.web.site import Site

PLAYERS = ("Quillon", "Xanthippe")
MASTER, STRANGER, BOT = "Morgana", "Zebedee", "House A"
HIDDEN = (*PLAYERS, BOT, "(bot)", MASTER)  # a master who is named is known not to play
VIEWERS = (*PLAYERS, MASTER, STRANGER, None)
FILLED = {
    "phase": ("1",),
    "seq": ("1",),
    "number": ("0", "1", "2"),
    "known": ("nothing",),
    "ref": ("1.0",),
}


def gathering(site: Site) -> str:
    """Have Morgana make and prepare an anonymous match for three without her; no seat is taken."""
    wish = Wish(
        "diplomacy",
        "The Masked Ball",
        {"anonymous": True, "press": "private", "year_limit": 1901},
        players=3,
        play=False,
    )
    return site.harness.prepare_match(wish, MASTER)


def begin(site: Site, uid: str) -> None:
    """Seat both players and a house bot."""
    harness = site.harness
    for name in PLAYERS:
        seats.take_seat(harness.database, uid, harness.player(name), now=harness.now)
    harness.player(STRANGER)
    seats.fill_with_bots(harness.database, uid, harness.people[MASTER], now=harness.now)
    assert harness.start_match(uid)
    for name in PLAYERS:
        messages.write_press(
            harness.database,
            uid,
            harness.people[name],
            PressDraft((), "Guess who."),
            now=harness.now,
        )


def play_on(site: Site, uid: str) -> None:
    """Let every deadline pass until the match ends."""
    while site.harness.page(uid).card.status != "ended":
        site.harness.later(hours=60)
        assert site.harness.close(uid)


def paths(site: Site, uid: str) -> Iterator[str]:
    """Yield the address of every page of a match."""
    yield "/"
    for rule in site.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or "uid" not in rule.arguments:
            continue
        assert rule.arguments <= {"uid", *FILLED}, f"say here what fills {rule.rule}"
        place = next(iter(rule.arguments - {"uid"}), "")
        for value in FILLED.get(place, ("",)):
            filled = rule.rule.replace("<uid>", uid)
            for name in rule.arguments - {"uid"}:
                filled = re.sub(
                    rf"<(\w+:)?{name}>", value if name == place else FILLED[name][0], filled
                )
            yield filled


def named_on(site: Site, uid: str, viewer: str | None) -> set[str]:
    """Return the hidden names on any page of this viewer, without their own."""
    visitor = site.visitor(viewer)
    pages = [unescape(visitor.get(path, follow_redirects=True).text) for path in paths(site, uid)]
    assert sum("The Masked Ball" in page for page in pages) > 5
    return {name for name in HIDDEN if name != viewer and any(name in page for page in pages)}


def letters(site: Site) -> list[tuple[str, str]]:
    """Send the waiting letters; returns the address of each, and its context, headers and texts."""
    harness, found = site.harness, []
    for claimed in harness.claim_waiting():
        message = compose_letter(site.app.extensions["settings"], claimed, lambda _: b"")
        texts = [
            part.get_content() for part in message.walk() if part.get_content_maintype() == "text"
        ]
        found.append(
            (claimed.address, "\n".join(map(str, [claimed.context, *message.values(), *texts])))
        )
        outbox.mark_sent(harness.database, [claimed], harness.now)
    return found


def named_in(written: list[tuple[str, str]]) -> set[str]:
    """Return the hidden names in any letter, without its reader's own."""
    return {name for to, text in written for name in HIDDEN if to != address(name) and name in text}


def test_no_page_and_no_letter_names_a_player_before_the_match_has_ended(small_site: Site) -> None:
    uid = gathering(small_site)
    begin(small_site, uid)
    begun = letters(small_site)
    assert (
        "Who else plays is told when the match has ended." in begun[-1][1]
        and named_in(begun) == set()
    )
    assert [named_on(small_site, uid, viewer) for viewer in VIEWERS] == [set()] * len(VIEWERS)
    harness = small_site.harness
    harness.later(hours=60)
    assert harness.close(uid)
    masters.pause_match(harness.database, uid, harness.people[MASTER], now=harness.now)
    told = letters(small_site)
    assert any("handed in no orders" in text for _, text in told) and named_in(told) == set()
    assert [named_on(small_site, uid, viewer) for viewer in VIEWERS] == [set()] * len(VIEWERS)


def test_before_it_begins_a_page_shows_that_seats_are_taken_and_the_own_name_alone(
    small_site: Site,
) -> None:
    uid, harness = gathering(small_site), small_site.harness
    for name in PLAYERS:
        seats.take_seat(harness.database, uid, harness.player(name), now=harness.now)
    seats.invite_another(
        harness.database, uid, harness.people[MASTER], "imogen@example.org", now=harness.now
    )
    assert [named_on(small_site, uid, viewer) for viewer in VIEWERS[2:]] == [set()] * 3
    assert "imogen" not in small_site.visitor(MASTER).get(f"/matches/{uid}").text
    assert [seat.player for seat in harness.page(uid, PLAYERS[0]).card.seats] == [
        PLAYERS[0],
        "a player",
        "",
    ]


def test_once_the_match_has_ended_everybody_is_named(small_site: Site) -> None:
    uid = gathering(small_site)
    begin(small_site, uid)
    play_on(small_site, uid)
    assert [named_on(small_site, uid, viewer) for viewer in VIEWERS[2:]] == [
        set(HIDDEN) - {viewer} for viewer in VIEWERS[2:]
    ]
    assert named_in(letters(small_site)) == {*PLAYERS, BOT}
    assert [row.player for row in small_site.harness.page(uid).standing if row.player in HIDDEN]


def test_a_master_who_plays_sees_no_more_than_the_others_and_is_seen_by_nobody(
    small_site: Site,
) -> None:
    harness = small_site.harness
    wish = Wish("diplomacy", "The Masked Ball", {"anonymous": True}, players=2)
    uid = harness.prepare_match(wish, MASTER, PLAYERS[0])
    assert harness.start_match(uid)
    for viewer in (MASTER, PLAYERS[0], None):
        shown = [seat.player for seat in harness.page(uid, viewer).card.seats]
        assert sorted(shown) == sorted(["a player", viewer or "a player"])
        assert harness.page(uid, viewer).lots == (), (
            "a place in the order of joining tells who sits there"
        )


def test_the_master_is_told_whose_letters_come_back_by_the_seat_alone(small_site: Site) -> None:
    uid, harness = gathering(small_site), small_site.harness
    begin(small_site, uid)
    letters(small_site)
    with harness.database.write_tx() as session:
        row = session.exec(
            select(Letter).where(Letter.kind == "report", Letter.address == address(PLAYERS[0]))
        ).one()
        assert bounces.bounced(
            session, Returned(True, "no such person", "5.1.1"), now=harness.now, letter_uid=row.uid
        )
    ((to, text),) = letters(small_site)
    seat = harness.page(uid, PLAYERS[0]).seat.capitalize()
    assert (
        to == address(MASTER)
        and f"Letters to the player of {seat} come back" in text
        and PLAYERS[0] not in text
    )
    assert "Who plays in The Masked Ball is hidden until it has ended. Since" in text
