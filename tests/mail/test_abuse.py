"""A hostile stranger's letters: forged ones neither cause letters to others nor stop letters to
others.
"""

import pytest
from sqlmodel import select

from adjudicator.mail import addresses
from adjudicator.service.base import rows
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.phases import beginning
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness, part

MALLORY, VICTIM = "mallory@example.com", "victim@example.net"
REPORT = """\
From: MAILER-DAEMON@example.net
To: {to}
Subject: Undelivered Mail
MIME-Version: 1.0
Content-Type: multipart/report; report-type={kind}; boundary="=x"

--=x
Content-Type: text/plain

It failed.

--=x
Content-Type: {report}

{fields}

--=x
Content-Type: text/rfc822-headers

From: orders@example.org
To: {victim}
Message-ID: {message_id}

--=x--
"""
BOUNCE = (
    "delivery-status",
    "message/delivery-status",
    "Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; {}\nAction: failed\nStatus: 5.1.1",
)
COMPLAINT = (
    "feedback-report",
    "message/feedback-report",
    "Feedback-Type: abuse\nUser-Agent: x\nVersion: 1\nOriginal-Rcpt-To: {}",
)


def written_to(harness: MailHarness) -> set[str]:
    return {row.address for row in harness.rows()}


def player(harness: MailHarness, address: str) -> Player:
    with harness.database.read_tx() as session:
        return session.exec(select(Player).where(Player.address == address)).one()


@pytest.mark.parametrize(
    "headers",
    [
        {"Reply_To": VICTIM},
        {"Sender": VICTIM},
        {"Cc": VICTIM},
        {"Return_Path": f"<{VICTIM}>"},
        {"Resent_From": VICTIM},
        {"Errors_To": VICTIM},
        {"Disposition_Notification_To": VICTIM},
    ],
)
def test_no_header_leads_an_answer_to_somebody_else(
    harness: MailHarness, headers: dict[str, str]
) -> None:
    harness.write(MALLORY, SERVICE, "join pyramid", "help", **headers)
    assert written_to(harness) == {MALLORY}


@pytest.mark.parametrize(
    "lines",
    [
        ("press all: hello",),
        ("new address",),
        ("prefer france",),
        ("accept",),
        (f"name Bcc: {VICTIM}",),
    ],
)
def test_no_line_of_a_strangers_letter_reaches_a_player(
    harness: MailHarness, lines: tuple[str, ...]
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.newest(ALICE)
    before = len(harness.rows())
    harness.write(MALLORY, SERVICE, *lines)
    assert {row.address for row in harness.rows()[before:]} <= {MALLORY}


def test_a_question_says_little_of_what_a_stranger_chose(harness: MailHarness) -> None:
    harness.write(
        VICTIM,
        SERVICE,
        "join pyramid",
        *(f"name Buy-{number} gold" for number in range(15)),
        "Visit evil.com now",
    )
    letter = harness.newest(VICTIM, "confirm")
    assert letter.subject == "Answer “yes”: join, name"
    assert letter.text.count("gold") <= 5 and "evil" not in letter.text
    assert letter.text.count("may hold 5 commands") == 1


def test_whoever_writes_in_many_names_gets_a_hundred_letters_an_hour_out_of_it(
    harness: MailHarness,
) -> None:
    for number in range(103):
        harness.write(f"victim{number}@example.net", SERVICE, "join pyramid")
    assert len(written_to(harness)) == 100


@pytest.mark.parametrize("shape", [BOUNCE, COMPLAINT])
@pytest.mark.parametrize("guess", ["<{0:024x}@example.org>", "<match-{uid}@example.org>", "<>"])
def test_a_made_up_report_stops_nobodys_letters(
    harness: MailHarness, shape: tuple[str, str, str], guess: str
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.newest(BOB, "report")
    kind, body, fields = shape
    named = guess.format(0, uid=uid)
    text = REPORT.format(
        to=SERVICE, kind=kind, report=body, fields=fields.format(BOB), victim=BOB, message_id=named
    )
    for null_sender in (True, False):
        harness.deliver(SERVICE, text.encode(), null_sender=null_sender)
    harness.read_all()
    assert (player(harness, BOB).letters, player(harness, BOB).bounced_at) == (True, None)


def test_a_report_of_ones_own_letter_names_nobody_else(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    own = harness.newest(ALICE, "report")
    kind, body, fields = COMPLAINT
    named = str(harness.message(own.name)["Message-ID"])
    text = REPORT.format(
        to=SERVICE, kind=kind, report=body, fields=fields.format(BOB), victim=BOB, message_id=named
    )
    harness.deliver(SERVICE, text.encode())
    harness.read_all()
    assert (player(harness, ALICE).letters, player(harness, BOB).letters) == (False, True)


@pytest.mark.parametrize("prefix", ["", "b-", "s-", "n-", "m-"])
def test_an_address_that_is_guessed_leads_nowhere(harness: MailHarness, prefix: str) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    for guess in ("a" * 26, "0" * 24, "0" * 32, "1", "none", "x" * 64):
        assert not harness.deliver(
            addresses.token_address(harness.settings, prefix + guess).addr_spec, b"stop"
        )


@pytest.mark.parametrize(
    "name",
    [
        "Table\r\nBcc: victim@example.net",
        "Table\u2028Bcc: victim",
        "T\x00able",
        "=?utf-8?q?=0D=0ABcc:_v?=",
    ],
)
def test_a_name_is_never_more_than_a_part_of_a_subject(harness: MailHarness, name: str) -> None:
    uid = creation.make_match(
        harness.database,
        harness.player(ALICE),
        Wish("pyramid", "Table", {}, invited=(BOB,)),
        now=harness.now,
    )
    with harness.database.write_tx() as session:
        rows.by_uid(session, uid).name = name
    beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    message = harness.message(harness.newest(BOB, "invitation").name)
    assert message["Bcc"] is None and message["To"] == BOB and "\n" not in str(message["Subject"])
    assert "keeps a seat for you" in part(message, "plain")


@pytest.mark.parametrize(
    "address",
    [
        "victim@example.net\r\nBcc: x@example.net",
        "a@example.net, b@example.net",
        "<a@example.net>",
        '"a\\r\\nb"@example.net',
    ],
)
def test_no_address_is_two(harness: MailHarness, address: str) -> None:
    with pytest.raises(Refused):
        sessions.ask_link(harness.database, address, zone="UTC", now=harness.now)
    with pytest.raises(Refused):
        creation.make_match(
            harness.database,
            harness.player(ALICE),
            Wish("pyramid", "", {}, invited=(address,)),
            now=harness.now,
        )


def test_stop_in_somebody_elses_name_stops_nothing(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    for words in ("stop", "name Mallory", "leave", "zone Asia/Tokyo"):
        harness.write(BOB, SERVICE, words)
    assert (player(harness, BOB).letters, player(harness, BOB).name, player(harness, BOB).zone) == (
        True,
        "Bob",
        "America/New_York",
    )


def test_an_answer_yes_from_elsewhere_needs_the_letter(harness: MailHarness) -> None:
    harness.write(VICTIM, SERVICE, "join pyramid")
    harness.newest(VICTIM, "confirm")
    harness.write(VICTIM, SERVICE, "yes")
    with harness.database.read_tx() as session:
        assert accounts.of_address(session, VICTIM) is None
        assert not session.exec(select(Letter).where(Letter.kind == "report")).all()
