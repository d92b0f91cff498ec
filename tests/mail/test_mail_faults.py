"""Every fault of a mail server at every step: the letter is retried or held, and never sent twice
without need.
"""

import smtplib

import pytest

from adjudicator.mail.sending import smtp
from adjudicator.mail.sending.post import Carrier
from adjudicator.mail.sending.smtp import MailServer, NotSent
from adjudicator.platform.config import read_settings
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.people import sessions
from adjudicator.service.tokens.filling import return_token
from tests import letters_out
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.mail.test_mailbox import letter as some_letter
from tests.mail_sink import BREAK, SILENCE, MailSink

LATER, NEVER = "421 4.3.2 going away", "554 5.3.0 never"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 1.5)
    monkeypatch.setattr(smtp, "LONGEST", 4.0)


def use(post_harness: MailHarness, server: MailSink, **changes: object) -> Carrier:
    post_harness.settings = read_settings(
        **{**post_harness.settings.model_dump(), "smtp_url": server.url, **changes}
    )
    return Carrier(post_harness.settings)


def ask(post_harness: MailHarness) -> Letter:
    sessions.ask_link(post_harness.database, ALICE, zone="UTC", now=post_harness.now)
    return post_harness.rows()[-1]


def post_one(post_harness: MailHarness, letter: Letter, carrier: Carrier | None = None) -> bool:
    assert letter.id is not None
    return letters_out.post_letter(
        post_harness.settings,
        post_harness.database,
        post_harness.keyring,
        letter.id,
        lambda: post_harness.now,
        carrier=carrier,
    )


REFUSED_US, AWAY = "the mail server refused us: ", "the mail server cannot be reached: "
ADDRESS, LETTER, BROKE = (
    "the mail server refused the address: ",
    "the mail server refused the letter: ",
    "the mail server broke off: ",
)
BUSY = "the mail server takes no letters now: "


@pytest.mark.parametrize(
    ("step", "answer", "state", "told"),
    [
        ("greeting", LATER, "waiting", REFUSED_US),
        ("greeting", NEVER, "waiting", REFUSED_US),
        ("greeting", SILENCE, "waiting", AWAY),
        ("greeting", BREAK, "waiting", AWAY),
        ("ehlo", SILENCE, "waiting", AWAY),
        ("ehlo", BREAK, "waiting", AWAY),
        ("mail", "451 4.7.1 slowly", "waiting", REFUSED_US),
        ("mail", NEVER, "waiting", REFUSED_US),
        ("mail", SILENCE, "waiting", BROKE),
        ("mail", BREAK, "waiting", BROKE),
        ("mail", LATER, "waiting", BUSY),
        ("rcpt", "450 4.2.1 greylisted", "waiting", ADDRESS),
        ("rcpt", "550 5.1.1 no such person", "held", ADDRESS),
        ("rcpt", SILENCE, "waiting", BROKE),
        ("rcpt", BREAK, "waiting", BROKE),
        ("data", "451 4.3.0 later", "waiting", LETTER),
        ("data", NEVER, "held", LETTER),
        ("data", SILENCE, "waiting", BROKE),
        ("data", BREAK, "waiting", BROKE),
        ("dot", "452 4.3.1 no room", "waiting", LETTER),
        ("dot", LATER, "waiting", LETTER),
        ("dot", NEVER, "held", LETTER),
        ("dot", SILENCE, "waiting", BROKE),
        ("dot", BREAK, "waiting", BROKE),
    ],
)
def test_each_fault_ends_as_the_outbox_says(
    post_harness: MailHarness, step: str, answer: str, state: str, told: str
) -> None:
    letter = ask(post_harness)
    with MailSink(**{step: [answer]}) as server:
        use(post_harness, server)
        assert not post_one(post_harness, letter)
        row = post_harness.rows()[-1]
        assert (row.state, row.tries, str(row.trouble).startswith(told)) == (
            state,
            1,
            True,
        ), row.trouble
        post_harness.later(seconds=11)
        assert post_one(post_harness, letter) == (state == "waiting"), (
            "it goes out at the next try, or never"
        )
        assert (post_harness.rows()[-1].state, post_harness.rows()[-1].context is None) == (
            ("sent", True) if state == "waiting" else ("held", False)
        )


# --- the kept connection


def send(server: MailServer, uid: str) -> None:
    letters_out.send(server, some_letter(uid).content, recipient=ALICE)


@pytest.mark.parametrize("pipelining", [False, True], ids=["one by one", "together"])
def test_letters_share_a_connection_however_commands_are_sent(
    pipelining: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, send_words = list[str](), smtplib.SMTP.send
    monkeypatch.setattr(
        smtplib.SMTP,
        "send",
        lambda server, words: (sent.append(str(words)), send_words(server, words))[1],
    )
    with MailSink(pipelining=pipelining) as sink:
        server = MailServer(sink.url)
        for number in range(5):
            send(server, f"letter{number}")
        server.close()
        assert (sink.connections, len(sink.arrived)) == (1, 5)
        assert [word.split()[0].lower() for word in sink.heard] == [
            "ehlo",
            *["mail", "rcpt", "data"] * 5,
            "quit",
        ]
    together = [
        words
        for words in sent
        if all(word in words for word in ("MAIL FROM", "RCPT TO", "DATA\r\n"))
    ]
    assert len(together) == (5 if pipelining else 0), (
        "several commands at once go only where the server offers it"
    )


@pytest.mark.parametrize(
    ("rcpt", "data", "for_good"),
    [("550 5.1.1 nobody", "554 no valid recipients", True), (LATER, "354 go on", False)],
)
def test_a_refusal_among_commands_that_went_together_is_the_letters_own(
    rcpt: str, data: str, for_good: bool
) -> None:
    with MailSink(pipelining=True, rcpt=[rcpt.replace("421", "451")], data=[data]) as sink:
        server = MailServer(sink.url)
        with pytest.raises(NotSent, match="the address") as refused:
            send(server, "one")
        assert refused.value.for_good == for_good and sink.arrived == []
        send(server, "two")
        server.close()
        assert [letter.recipients for letter in sink.taken] == [[ALICE]], (
            "nothing of the first is in the second"
        )


def test_a_null_sender_that_is_refused_among_commands_that_went_together_is_replaced() -> None:
    with MailSink(
        pipelining=True, mail=["550 no null sender", "550 no null sender"], data=["503 no"]
    ) as sink:
        server = MailServer(sink.url)
        letters_out.send(
            server,
            some_letter("one").content,
            sender="",
            recipient=ALICE,
            instead="orders@example.org",
        )
        server.close()
        assert [(letter.sender, letter.recipients) for letter in sink.taken] == [
            ("orders@example.org", [ALICE])
        ]


def test_a_refused_letter_leaves_nothing_of_itself_to_the_next() -> None:
    with MailSink(rcpt=["550 5.1.1 nobody"]) as sink:
        server = MailServer(sink.url)
        with pytest.raises(NotSent):
            send(server, "one")
        send(server, "two")
        server.close()
        assert sink.connections == 1
        assert [word.split()[0] for word in sink.heard][1:4] == ["MAIL", "RCPT", "RSET"]


def test_a_connection_that_the_server_closed_is_made_anew_and_the_letter_goes_out_once() -> None:
    with MailSink() as sink:
        server = MailServer(sink.url)
        send(server, "one")
        sink.hang_up()
        send(server, "two")
        server.close()
        assert (sink.connections, len(sink.arrived)) == (2, 2)


@pytest.mark.parametrize("step", ["mail", "rcpt", "data"])
def test_a_kept_connection_that_says_421_is_made_anew_at_once(step: str) -> None:
    with MailSink() as sink:
        server = MailServer(sink.url)
        send(server, "one")
        sink.script[step.upper()] = [LATER]
        send(server, "two")
        server.close()
        assert (sink.connections, len(sink.arrived)) == (2, 2)


@pytest.mark.parametrize("end", [BREAK, SILENCE, LATER])
def test_a_letter_whose_answer_was_lost_is_not_sent_again_at_once(end: str) -> None:
    with MailSink() as sink:
        server = MailServer(sink.url)
        send(server, "one")
        sink.script["dot"] = [end]
        with pytest.raises(NotSent) as lost:
            send(server, "two")
        assert (len(sink.arrived), lost.value.for_good) == (2, False)
        send(server, "three")
        server.close()
        assert (sink.connections, len(sink.arrived)) == (2, 3)


def test_an_idle_connection_is_ended_in_good_order(monkeypatch: pytest.MonkeyPatch) -> None:
    with MailSink() as sink:
        server = MailServer(sink.url)
        send(server, "one")
        server.rest()
        assert sink.heard[-1] == "DATA"
        monkeypatch.setattr(smtp, "IDLE", -1.0)
        server.rest()
        assert sink.heard[-1] == "quit"
        send(server, "two")
        server.close()
        assert sink.connections == 2


def test_one_connection_carries_a_bounded_number_of_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(smtp, "MOST_LETTERS", 2)
    with MailSink() as sink:
        server = MailServer(sink.url)
        for number in range(5):
            send(server, f"letter{number}")
        server.close()
        assert (sink.connections, len(sink.arrived)) == (3, 5)


def test_dots_and_line_ends_arrive_as_they_were() -> None:
    content = b"Subject: dots\r\n\r\n.\r\n..two\r\n.one more\r\nend"
    with MailSink() as sink:
        server = MailServer(sink.url)
        letters_out.send(server, content, recipient=ALICE)
        server.close()
        assert sink.arrived[0].content == content + b"\r\n"


# --- the address is what is wrong


def marked(post_harness: MailHarness) -> tuple[bool, str | None]:
    with post_harness.database.read_tx() as session:
        player = session.get_one(Player, post_harness.player(ALICE))
        return player.bounced_at is not None, player.bounce


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [
        ("550 5.1.1 <alice@example.org>: no such person", True),
        ("550 mailbox unavailable", True),
        ("552 5.2.2 mailbox full", True),
        ("550 5.7.1 your machine is on a list", False),
        ("554 Relay access denied", False),
        ("450 4.1.1 not now", False),
    ],
)
def test_an_address_refused_for_good_counts_as_one_that_letters_come_back_from(
    post_harness: MailHarness, answer: str, unknown: bool
) -> None:
    post_harness.begin(BOB, ALICE, CHARLIE)
    letter = next(row for row in post_harness.rows() if row.address == ALICE)
    with MailSink(rcpt=[answer]) as server:
        use(post_harness, server)
        assert not post_one(post_harness, letter)
    assert marked(post_harness)[0] == unknown
    assert ALICE not in str(marked(post_harness)[1])
    assert [
        row.kind for row in post_harness.rows() if row.address == BOB and row.kind == "unreachable"
    ] == ["unreachable"] * unknown


@pytest.mark.parametrize("answerable", [True, False])
def test_what_comes_back_comes_to_the_letters_own_address_where_it_is_read(
    post_harness: MailHarness, answerable: bool
) -> None:
    letter = ask(post_harness)
    with MailSink() as server:
        use(post_harness, server, **({"inbox_url": "lmtp://127.0.0.1:24"} if answerable else {}))
        assert post_one(post_harness, letter)
        (letter_taken,) = server.taken
    assert letter_taken.sender == (
        f"orders+b-{return_token(post_harness.keyring, letter)}@example.org"
        if answerable
        else "orders@example.org"
    )
