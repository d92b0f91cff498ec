"""The golden letters in golden/: a small match as Alice sees it. `python -m tests.mail.golden`
writes them again.
"""

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from sqlmodel import select

from adjudicator.mail.sending import probing
from adjudicator.service.base import public_keys, rows
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import announcing, bounces
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.matches import masters, seats, votes, waiting_list
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask
from adjudicator.service.people import data_letter, sessions
from adjudicator.service.phases import reminders, reports, stamps
from adjudicator.service.press import complaints, messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.starting import expiry, muster
from tests.databases import new_sqlite
from tests.mail import golden_seats
from tests.mail.composed import compose_letter
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, fixed_match, part

DORA, EVE = "dora@example.org", "eve@example.org"
GOLDEN = Path(__file__).with_suffix("")
_SECRET = re.compile(r"\b[0-9a-f]{64}\b")
_TOKEN = re.compile(
    r"(?<=/sign-in/)[\w-]+|(?<=/invitations/)[\w-]+|(?<=/never/)[\w-]+|(?<=\+n-)[\w-]+"
)


def letters() -> dict[str, str]:
    """Return every golden letter by name: subject, empty line, text, with random parts masked."""
    first = _told_in_one(
        _signing_in, _inviting, _playing, _noticing, _lateness, _pressing, _gathering, _mastering
    )
    second = _told_in_one(
        partial(golden_seats.handing_over, tell=_told),
        partial(golden_seats.absence_and_votes, tell=_told),
    )
    return first | second | _told_in_one(partial(golden_seats.playing_a_tournament, tell=_told))


def _told_in_one(*scenes: Callable[[MailHarness], dict[str, str]]) -> dict[str, str]:
    """Return the letters of scenes that share a database and a clock."""
    with tempfile.TemporaryDirectory() as folder:
        url = new_sqlite(Path(folder) / "match.sqlite3")
        with (
            MailHarness(url, Path(folder), inbox_url="lmtp://127.0.0.1:24") as harness,
            fixed_match(),
        ):
            return {name: text for scene in scenes for name, text in scene(harness).items()}


def _signing_in(harness: MailHarness) -> dict[str, str]:
    sessions.ask_link(
        harness.database, ALICE, zone="Europe/Paris", now=harness.now, next_page="/account"
    )
    told = {"signin": _told(harness, "signin")}
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now).person.id
    sessions.ask_link(harness.database, BOB, zone="UTC", now=harness.now, guest_id=guest)
    return told | {"signin-guest": _told(harness, "signin", BOB)}


def _inviting(harness: MailHarness) -> dict[str, str]:
    with fixed_match("morning22"):
        harness.uid = harness.prepare_match(
            Wish("pyramid", "Morning Pyramid", {}, invited=(BOB,)), ALICE
        )
    return {"invitation": _told(harness, "invitation")}


def _playing(harness: MailHarness) -> dict[str, str]:
    harness.begin(ALICE, BOB, CHARLIE)
    told = {"report-first": _told(harness, "report")} | _announcing(harness)
    harness.later(hours=3)
    harness.order(harness.uid, ALICE, "B3\nplay the orange one\nTHEN\nB3\nTHEN\nC1")
    told["receipt-partly"] = _told(harness, "receipt")
    harness.order(harness.uid, ALICE, "nonsense")
    told["receipt-refused"] = _told(harness, "receipt")
    harness.order(harness.uid, BOB, "W3")
    harness.later(hours=45, minutes=5)
    harness.order(harness.uid, ALICE, "B3\nTHEN\nB3")
    told["receipt-late"] = _told(harness, "receipt")
    harness.later(minutes=5)
    assert harness.close(harness.uid)
    told["report-silent-and-dropped"] = _told(harness, "report")
    told |= _coming_back(harness)
    for piece in ("B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        harness.order(harness.uid, ALICE, piece)
        harness.later(hours=48, minutes=10)
        assert harness.close(harness.uid)
    return (
        told
        | {"report-last": _told(harness, "report")}
        | _standing_still(harness)
        | _sending_data(harness)
    )


def _sending_data(harness: MailHarness) -> dict[str, str]:
    with harness.database.write_tx() as session:
        data_letter.send_own_data(session, harness.people[ALICE], now=harness.now)
    return {"data": _told(harness, "data")}


def _announcing(harness: MailHarness) -> dict[str, str]:
    text = (
        "On Saturday the service moves to another machine.\nIt is away from 10:00 to 11:00"
        " UTC.\n\nNo deadline is within that hour."
    )
    told = {}
    for name, running in (("announcement", False), ("announcement-running", True)):
        wanted = announcing.write_announcement(
            f"The service moves {'soon' if running else 'on Saturday'}", text, running=running
        )
        announcing.announce(harness.database, wanted, now=harness.now)
        told[name] = _told(harness, "announcement")
    return told | _probing(harness)


def _probing(harness: MailHarness) -> dict[str, str]:
    told = {}
    for name, inbox in (("probe", "lmtp://127.0.0.1:24"), ("probe-unanswerable", "")):
        settings = harness.settings.model_copy(update={"inbox_url": inbox})
        sent = probing.send_probe(
            settings,
            "host@example.org",
            fingerprint=harness.keyring.public.fingerprint,
            now=harness.now,
        )
        told[name] = masked(harness.message(sent.strip("<>").partition("@")[0]))
    return told


def _standing_still(harness: MailHarness) -> dict[str, str]:
    with harness.database.write_tx() as session:
        match = rows.by_uid(session, harness.uid)
        reports.tell_master(
            session,
            public_keys.current_keys(session),
            match,
            "ValueError: the round could not be opened",
            now=harness.now,
        )
    return {"stuck": _told(harness, "stuck")}


def _coming_back(harness: MailHarness) -> dict[str, str]:
    with harness.database.write_tx() as session:
        row = session.exec(
            select(Letter).where(Letter.address == BOB, Letter.kind == "report").limit(1)
        ).one()
        bounces.bounced(
            session, Returned(True, "550 no such person"), now=harness.now, letter_uid=row.uid
        )
    return {"unreachable": _told(harness, "unreachable")}


def _noticing(harness: MailHarness) -> dict[str, str]:
    with fixed_match("noon22222"):
        uid = harness.begin(ALICE, BOB, CHARLIE, name="Noon Pyramid")
    master = harness.player(ALICE)
    masters.move_deadline(harness.database, uid, master, timedelta(hours=24), now=harness.now)
    told = {"notice-deadline": _told(harness, "notice")}
    phase = harness.page(uid).card.deadline
    votes.propose(
        harness.database,
        uid,
        harness.player(BOB),
        Ask("extend", phase and phase + timedelta(hours=12)),
        now=harness.now,
    )
    told["proposal"] = _told(harness, "proposal")
    masters.pause_match(harness.database, uid, master, now=harness.now)
    told["notice-paused"] = _told(harness, "notice")
    harness.later(hours=30)
    harness.order(harness.uid, ALICE, "B3")
    told["receipt-paused"] = _told(harness, "receipt")
    masters.resume_match(harness.database, uid, None, now=harness.now)
    return told | {"notice-resumed": _told(harness, "notice")}


def _lateness(harness: MailHarness) -> dict[str, str]:
    """Have Alice reminded, then be late in overtime; then run a match in which others are late
    after an outage.
    """
    wish = Wish("pyramid", "Late Pyramid", {}, overtime_minutes=360)
    with fixed_match("late22222"):
        uid = harness.match(ALICE, BOB, CHARLIE, wish=wish)
    harness.later(hours=24)
    # letters to Bob come back
    assert reminders.send_reminders(harness.database, uid, now=harness.now) == 2
    told = {"reminder": _told(harness, "reminder")}
    harness.later(hours=24, minutes=10)
    assert not harness.close(uid)
    told["reminder-overtime"] = _told(harness, "reminder")
    with fixed_match("down22222"):
        uid = harness.prepare_match(
            replace(wish, play=False), ALICE, BOB, CHARLIE, "dora@example.org"
        )
        assert harness.start_match(uid)
    harness.later(hours=47, minutes=30)
    with harness.database.write_tx() as session:
        for minute in (*range(-60, 0), 25):
            for role in (stamps.WEB, stamps.WORKER):
                stamps.write_stamp(session, role, harness.now + timedelta(minutes=minute))
    harness.later(minutes=40)
    assert not harness.close(uid)
    told["notice-outage"] = _told(harness, "notice", CHARLIE)
    harness.later(minutes=25)
    assert not harness.close(uid)
    return told | {"late": _told(harness, "late")}


def _pressing(harness: MailHarness) -> dict[str, str]:
    """Have Bob write to both others, to everybody, and to both again anonymously."""
    told = {}
    text = (
        "Shall Burgundy stay empty? I would not look at Munich then.\n\nAnd what does Russia think?"
    )
    for name, kind, to in (
        ("press", "private", (ALICE, CHARLIE)),
        ("press-public", "public", ()),
        ("press-anonymous", "anonymous-private", (ALICE,)),
    ):
        with fixed_match(f"night{len(told)}222"):
            uid = harness.begin(
                ALICE, BOB, CHARLIE, game="diplomacy", name="Night Diplomacy", press=kind
            )
        seats = {seat.player_id: seat.name for seat in harness.seats(uid)}
        readers = tuple(seats[harness.player(each)] for each in to)
        messages.write_press(
            harness.database,
            uid,
            harness.player(BOB),
            messages.PressDraft(readers, text),
            now=harness.now,
        )
        told[name] = _told(harness, "press")
    return told


def _gathering(harness: MailHarness) -> dict[str, str]:
    """Have Alice wait for a seat, get one, be asked to confirm, and lose it; then let the match
    expire.
    """
    database, alice = harness.database, harness.player(ALICE)
    wish = Wish("pyramid", "Dawn Pyramid", {}, play=False, muster_minutes=2880, expire_days=7)
    with fixed_match("dawn22222"):
        uid = harness.prepare_match(wish, CHARLIE, BOB, CHARLIE, "dora@example.org")
        waiting_list.wait_for_seat(database, uid, alice, now=harness.now)
        seats.leave_seat(database, uid, harness.player(BOB), now=harness.now)
        told = {"gathering-seated": _told(harness, "gathering")}
        muster.advance_muster(database, uid, now=harness.now)
        told["gathering-muster"] = _told(harness, "gathering")
        harness.later(hours=48)
        muster.advance_muster(database, uid, now=harness.now)
        told["gathering-lapsed"] = _told(harness, "gathering")
        seats.take_seat(database, uid, alice, now=harness.now)
        harness.later(days=6)
        expiry.expire_match(database, uid, now=harness.now)
    return told | {"gathering-expired": _told(harness, "gathering")}


def _mastering(harness: MailHarness) -> dict[str, str]:
    """Have Alice run a match in which she does not play: its first letter, press to her and from
    her, and a report.
    """
    rules = PressWish(rulebook=True, overseen=True)
    with fixed_match("school222"):
        wish = Wish(
            "diplomacy",
            "School Diplomacy",
            {"press": "private"},
            players=3,
            play=False,
            seating="order",
            press=rules,
        )
        uid = harness.prepare_match(wish, ALICE, CHARLIE, DORA, EVE)
    told = {"running": _told(harness, "running")}
    assert harness.start_match(uid)
    told["report-overseen"] = _told(harness, "report", CHARLIE)
    england, france, _ = harness.seats(uid)
    messages.write_press(
        harness.database,
        uid,
        harness.player(CHARLIE),
        PressDraft(("master",), "May I ask you something?"),
        now=harness.now,
    )
    told["press-to-master"] = _told(harness, "press")
    draft = PressDraft((england.name,), "Of course.")
    messages.write_as_master(harness.database, uid, harness.player(ALICE), draft, now=harness.now)
    told["press-from-master"] = _told(harness, "press", CHARLIE)
    harness.later(minutes=1)
    draft = PressDraft((england.name,), "You are a fool.")
    messages.write_press(harness.database, uid, harness.player(DORA), draft, now=harness.now)
    told["press-copied"] = _told(harness, "press")
    with harness.database.read_tx() as session:
        note = messages.press_page(session, uid, harness.player(CHARLIE)).notes[0]
    complaints.report_text(
        harness.database, uid, harness.player(CHARLIE), note.ref, "It is rude", now=harness.now
    )
    assert france.name == note.seat
    return told | {"reported": _told(harness, "reported")}


def _told(harness: MailHarness, kind: str, to: str = "") -> str:
    return masked(
        compose_letter(
            harness.settings,
            harness.claim(kind, to or (BOB if kind == "invitation" else ALICE)),
            lambda svg: b"\x89PNG",
        )
    )


def masked(letter: EmailMessage) -> str:
    """Return a letter's subject, an empty line and its text, with random parts masked."""
    text = f"{letter['Subject']}\n\n{part(letter, 'plain')}"
    return _TOKEN.sub("TOKEN", _SECRET.sub("<64 hex digits>", text))


def write() -> None:
    """Write every golden letter again."""
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.txt"):
        old.unlink()
    for name, text in letters().items():
        (GOLDEN / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    write()
