"""The letters one can read in golden/: a small match told to Alice. Written anew by `python -m tests.mail.golden`."""

import re
import tempfile
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from sqlmodel import select

from adjudicator.mail.composing.compose import compose
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
    """Return every golden letter by its name: its subject, an empty line, its text; what is random is masked."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/match.sqlite3"
        migrate(url)
        with MailHarness(url, Path(folder), inbox_url="lmtp://127.0.0.1:24") as table, fixed_match():
            return _signing_in(table) | _inviting(table) | _playing(table) | _noticing(table) | _pressing(table)


def _signing_in(table: MailHarness) -> dict[str, str]:
    sessions.ask_link(table.database, ALICE, zone="Europe/Paris", now=table.now, next_page="/account")
    return {"signin": _told(table, "signin")}


def _inviting(table: MailHarness) -> dict[str, str]:
    with fixed_match("morning22"):
        table.uid = table.prepare_match(Wish("pyramid", "Morning Pyramid", {}, invited=(BOB,)), ALICE)
    return {"invitation": _told(table, "invitation")}


def _playing(table: MailHarness) -> dict[str, str]:
    table.begin(ALICE, BOB, CHARLIE)
    told = {"report-first": _told(table, "report")}
    table.later(hours=3)
    table.order(table.uid, ALICE, "B3\nplay the orange one\nTHEN\nB3\nTHEN\nC1")
    told["receipt-partly"] = _told(table, "receipt")
    table.order(table.uid, ALICE, "nonsense")
    told["receipt-refused"] = _told(table, "receipt")
    table.order(table.uid, BOB, "W3")
    table.later(hours=45, minutes=5)
    table.order(table.uid, ALICE, "B3\nTHEN\nB3")
    told["receipt-late"] = _told(table, "receipt")
    table.later(minutes=5)
    assert table.close(table.uid)
    told["report-silent-and-dropped"] = _told(table, "report")
    told |= _coming_back(table)
    for piece in ("B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        table.order(table.uid, ALICE, piece)
        table.later(hours=48, minutes=10)
        assert table.close(table.uid)
    return told | {"report-last": _told(table, "report")} | _standing_still(table)


def _standing_still(table: MailHarness) -> dict[str, str]:
    with table.database.write_tx() as session:
        match = rows.by_uid(session, table.uid)
        reports.tell_master(session, public_keys.current(session), match, "ValueError: the round could not be opened", now=table.now)
    return {"stuck": _told(table, "stuck")}


def _coming_back(table: MailHarness) -> dict[str, str]:
    with table.database.write_tx() as session:
        row = session.exec(select(Letter).where(Letter.address == BOB, Letter.kind == "report").limit(1)).one()
        bounces.bounced(session, Returned(True, "550 no such person"), now=table.now, letter_uid=row.uid)
    return {"unreachable": _told(table, "unreachable")}


def _noticing(table: MailHarness) -> dict[str, str]:
    with fixed_match("noon22222"):
        uid = table.begin(ALICE, BOB, CHARLIE, name="Noon Pyramid")
    master = table.player(ALICE)
    masters.move_deadline(table.database, uid, master, timedelta(hours=24), now=table.now)
    told = {"notice-deadline": _told(table, "notice")}
    masters.pause_match(table.database, uid, master, now=table.now)
    told["notice-paused"] = _told(table, "notice")
    table.later(hours=30)
    table.order(table.uid, ALICE, "B3")
    told["receipt-paused"] = _told(table, "receipt")
    masters.resume_match(table.database, uid, None, now=table.now)
    return told | {"notice-resumed": _told(table, "notice")}


def _pressing(table: MailHarness) -> dict[str, str]:
    """Have Bob write to both others, to everybody, and to both again without his name."""
    told = {}
    text = "Shall Burgundy stay empty? I would not look at Munich then.\n\nAnd what does Russia think?"
    for name, kind, to in (
        ("press", "private", (ALICE, CHARLIE)),
        ("press-public", "public", ()),
        ("press-anonymous", "anonymous-private", (ALICE,)),
    ):
        with fixed_match(f"night{len(told)}222"):
            uid = table.begin(ALICE, BOB, CHARLIE, game="diplomacy", name="Night Diplomacy", press=kind)
        seats = {seat.player_id: seat.name for seat in table.seats(uid)}
        readers = tuple(seats[table.player(each)] for each in to)
        messages.write_press(table.database, uid, table.player(BOB), messages.PressDraft(readers, text), now=table.now)
        told[name] = _told(table, "press")
    return told


def _told(table: MailHarness, kind: str) -> str:
    return masked(compose(table.settings, table.claim(kind, BOB if kind == "invitation" else ALICE), lambda svg: b"\x89PNG"))


def masked(letter: EmailMessage) -> str:
    """Return a letter's subject, an empty line and its text, what is random masked."""
    text = f"{letter['Subject']}\n\n{part(letter, 'plain')}"
    return _TOKEN.sub("TOKEN", _SECRET.sub("<64 hex digits>", text))


def write() -> None:
    """Write every golden letter anew."""
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.txt"):
        old.unlink()
    for name, text in letters().items():
        (GOLDEN / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    write()
