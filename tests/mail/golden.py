"""The golden letters in golden/: a small match as Alice sees it. `python -m tests.mail.golden` writes them again."""

import re
import tempfile
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from sqlmodel import select

from adjudicator.mail.composing.compose import compose_letter
from adjudicator.platform.db import migrate
from adjudicator.service.base import public_keys, rows
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import bounces
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.phases import reports
from adjudicator.service.press import messages
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, fixed_match, part

GOLDEN = Path(__file__).with_suffix("")
_SECRET = re.compile(r"\b[0-9a-f]{64}\b")
_TOKEN = re.compile(r"(?<=/sign-in/)[\w-]+|(?<=/invitations/)[\w-]+|(?<=/never/)[0-9a-f]+|(?<=\+n-)[0-9a-f]+")


def letters() -> dict[str, str]:
    """Return every golden letter by name: subject, empty line, text, with random parts masked."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/match.sqlite3"
        migrate(url)
        with MailHarness(url, Path(folder), inbox_url="lmtp://127.0.0.1:24") as harness, fixed_match():
            return _signing_in(harness) | _inviting(harness) | _playing(harness) | _noticing(harness) | _pressing(harness)


def _signing_in(harness: MailHarness) -> dict[str, str]:
    sessions.ask_link(harness.database, ALICE, zone="Europe/Paris", now=harness.now, next_page="/account")
    return {"signin": _told(harness, "signin")}


def _inviting(harness: MailHarness) -> dict[str, str]:
    with fixed_match("morning22"):
        harness.uid = harness.prepare_match(Wish("pyramid", "Morning Pyramid", {}, invited=(BOB,)), ALICE)
    return {"invitation": _told(harness, "invitation")}


def _playing(harness: MailHarness) -> dict[str, str]:
    harness.begin(ALICE, BOB, CHARLIE)
    told = {"report-first": _told(harness, "report")}
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
    return told | {"report-last": _told(harness, "report")} | _standing_still(harness)


def _standing_still(harness: MailHarness) -> dict[str, str]:
    with harness.database.write_tx() as session:
        match = rows.by_uid(session, harness.uid)
        reports.tell_master(session, public_keys.current_keys(session), match, "ValueError: the round could not be opened", now=harness.now)
    return {"stuck": _told(harness, "stuck")}


def _coming_back(harness: MailHarness) -> dict[str, str]:
    with harness.database.write_tx() as session:
        row = session.exec(select(Letter).where(Letter.address == BOB, Letter.kind == "report").limit(1)).one()
        bounces.bounced(session, Returned(True, "550 no such person"), now=harness.now, letter_uid=row.uid)
    return {"unreachable": _told(harness, "unreachable")}


def _noticing(harness: MailHarness) -> dict[str, str]:
    with fixed_match("noon22222"):
        uid = harness.begin(ALICE, BOB, CHARLIE, name="Noon Pyramid")
    master = harness.player(ALICE)
    masters.move_deadline(harness.database, uid, master, timedelta(hours=24), now=harness.now)
    told = {"notice-deadline": _told(harness, "notice")}
    masters.pause_match(harness.database, uid, master, now=harness.now)
    told["notice-paused"] = _told(harness, "notice")
    harness.later(hours=30)
    harness.order(harness.uid, ALICE, "B3")
    told["receipt-paused"] = _told(harness, "receipt")
    masters.resume_match(harness.database, uid, None, now=harness.now)
    return told | {"notice-resumed": _told(harness, "notice")}


def _pressing(harness: MailHarness) -> dict[str, str]:
    """Have Bob write to both others, to everybody, and to both again anonymously."""
    told = {}
    text = "Shall Burgundy stay empty? I would not look at Munich then.\n\nAnd what does Russia think?"
    for name, kind, to in (
        ("press", "private", (ALICE, CHARLIE)),
        ("press-public", "public", ()),
        ("press-anonymous", "anonymous-private", (ALICE,)),
    ):
        with fixed_match(f"night{len(told)}222"):
            uid = harness.begin(ALICE, BOB, CHARLIE, game="diplomacy", name="Night Diplomacy", press=kind)
        seats = {seat.player_id: seat.name for seat in harness.seats(uid)}
        readers = tuple(seats[harness.player(each)] for each in to)
        messages.write_press(harness.database, uid, harness.player(BOB), messages.PressDraft(readers, text), now=harness.now)
        told[name] = _told(harness, "press")
    return told


def _told(harness: MailHarness, kind: str) -> str:
    return masked(compose_letter(harness.settings, harness.claim(kind, BOB if kind == "invitation" else ALICE), lambda svg: b"\x89PNG"))


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
