"""Headers: a match is one thread, no text of a player begins a header, and no letter asks for an
automatic answer.
"""

from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from adjudicator.platform.config import Settings, read_settings
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from tests.mail.composed import compose_bytes, compose_letter
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, part

HOSTILE = {
    "lines": "Evening\r\nBcc: everybody@example.org\r\n\r\nInjected",
    "other line ends": "Evening\x0b\x0c\x1c\x85\u2028\u2029Bcc: a@example.org",
    "huge": "Long " * 4000,
    "huge word": "Supercalifragilistic" * 1000,
    "turned around": "\u202eevil\u2066 name\u200f",
    "hebrew": "משחק הערב",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "template": "{{ settings }} {% raw %}",
    "encoded word": "=?utf-8?q?Bcc:=20x?=",
    "half a pair": "\ud83d evening",
    "emoji": "🏔️ Évening ✉️",
    "address": 'Evening" <evil@example.org>, "x',
    "nothing": "",
}


@pytest.fixture
def claimed(post_harness: MailHarness) -> LetterToSend:
    """A claimed report of a match that has begun."""
    post_harness.begin(ALICE, BOB, CHARLIE)
    return post_harness.claim("report", ALICE)


def no_picture(svg: str) -> bytes:
    """Replace the drawing of pictures, which these tests do not need."""
    return b"\x89PNG"


def sent(
    post_harness: MailHarness, claimed: LetterToSend, **changes: object
) -> tuple[bytes, EmailMessage]:
    """Return a letter's bytes and the parsed message."""
    letter = compose_bytes(
        post_harness.settings, replace(claimed, context=claimed.context | changes), no_picture
    )
    return letter, message_from_bytes(letter, policy=default)


def test_all_letters_of_a_match_are_one_thread_and_ask_for_no_automatic_answer(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    _, letter = sent(post_harness, claimed)
    token = claimed.context["reply_token"]
    assert str(letter["From"]) == "Sealed Orders <orders@example.org>"
    assert letter["To"] == ALICE
    assert letter["Reply-To"].addresses[0].addr_spec == f"orders+{token}@example.org"
    assert letter["Message-ID"] == f"<{claimed.uid}@example.org>"
    assert (
        letter["References"] == letter["In-Reply-To"] == f"<match-{post_harness.uid}@example.org>"
    )
    assert letter["Date"].datetime == claimed.made_at
    assert letter["Auto-Submitted"] == "auto-generated"
    assert "OOF" in letter["X-Auto-Response-Suppress"]
    assert letter["X-Sealed-Orders"] == "orders.example.org"


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_no_name_can_begin_a_header_or_an_element(
    post_harness: MailHarness, claimed: LetterToSend, name: str
) -> None:
    raw, letter = sent(
        post_harness, claimed, match=name, player=name, names={"1": name, "2": name, "3": name}
    )
    _, plain = sent(post_harness, claimed)
    assert letter.keys() == plain.keys()
    assert [part.get_content_type() for part in letter.walk()] == [
        part.get_content_type() for part in plain.walk()
    ]
    assert letter.defects == []
    head = raw.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert max(map(len, head.split(b"\r\n"))) < 998
    assert "<script" not in part(letter, "html")
    assert "<img src=x" not in part(letter, "html")
    assert not set("\u202e\u2066\u2028\x0b\r") & set(part(letter, "plain") + letter["Subject"])


def test_a_long_unicode_subject_is_folded_and_reads_back(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    name = "Le très long soir des pyramides d’été à Besançon, deuxième table"
    raw, letter = sent(post_harness, claimed, match=name)
    assert letter["Subject"] == f"[{name}] Round 1: you owe orders by Tue 24 Nov 20:00 (Paris)"
    assert max(map(len, raw.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 90
    assert b"Subject:\r\n" not in raw


def test_long_addresses_of_the_site_are_not_broken(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    post_harness.settings = read_settings(
        data_dir=post_harness.settings.data_dir,
        site_url=f"https://{'orders.' * 20}example.org",
        mail_address=f"orders@{'post.' * 20}example.org",
    )
    raw, letter = sent(post_harness, claimed)
    assert (
        f"<{post_harness.settings.site_url}/letters/stop/{claimed.context['stop_token']}>".encode()
        in raw
    )
    assert letter["Message-ID"] == f"<{claimed.uid}@{'post.' * 20}example.org>"
    assert b"=?" not in raw.partition(b"\r\n\r\n")[0]


def test_an_address_in_another_script_is_written_in_ascii(post_harness: MailHarness) -> None:
    sessions.ask_link(
        post_harness.database, "dora@bücher.example", zone="UTC", now=post_harness.now
    )
    assert (
        compose_letter(post_harness.settings, post_harness.claim("signin"))["To"]
        == "dora@xn--bcher-kva.example"
    )


def test_composing_again_gives_the_same_bytes(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    assert sent(post_harness, claimed)[0] == sent(post_harness, claimed)[0]


def answerable(post_harness: MailHarness) -> Settings:
    """Return the harness's settings with an inbox."""
    return post_harness.settings.model_copy(update={"inbox_url": "lmtp://127.0.0.1:24"})


@pytest.mark.parametrize("kind", ["report", "receipt", "invitation"])
def test_letters_promise_an_answer_only_where_they_can_be_answered(
    post_harness: MailHarness, kind: str
) -> None:
    claimed = claim_one(post_harness, kind)
    for form in ("plain", "html"):
        told = part(compose_letter(answerable(post_harness), claimed, no_picture), form)
        silent = part(compose_letter(post_harness.settings, claimed, no_picture), form)
        assert told.index("-- Answer above this line --") < told.index("nswer this letter")
        assert "nswer this letter" not in silent
        assert "above this line" not in silent


def claim_one(post_harness: MailHarness, kind: str) -> LetterToSend:
    """Return a waiting letter of a kind."""
    if kind == "invitation":
        post_harness.uid = post_harness.prepare_match(
            Wish("pyramid", "Morning", {}, invited=(BOB,)), ALICE
        )
    else:
        post_harness.begin(ALICE, BOB, CHARLIE)
    if kind == "receipt":
        post_harness.order(post_harness.uid, ALICE, "B3")
    return post_harness.claim(kind)


@pytest.mark.parametrize("kind", ["report", "receipt", "invitation"])
def test_an_address_that_stands_for_a_seat_is_in_reply_to_only(
    post_harness: MailHarness, kind: str
) -> None:
    claimed = claim_one(post_harness, kind)
    letter = compose_letter(answerable(post_harness), claimed, no_picture)
    secret = claimed.context["token" if kind == "invitation" else "reply_token"]
    assert letter["Reply-To"].addresses[0].addr_spec == f"orders+{secret}@example.org"
    del letter["Reply-To"]
    assert f"+{secret}" not in letter.as_string()
    assert kind == "invitation" or all(
        secret not in str(each)
        for each in (letter.items(), part(letter, "plain"), part(letter, "html"))
    )


def test_an_invitation_from_before_letters_could_be_answered_asks_for_no_answer(
    post_harness: MailHarness,
) -> None:
    """Its token has capitals, which mail servers may fold."""
    claimed = claim_one(post_harness, "invitation")
    letter = compose_letter(
        answerable(post_harness),
        replace(claimed, context=claimed.context | {"token": "aB_-" * 8}),
        no_picture,
    )
    assert letter["Reply-To"] is None
    assert "above this line" not in part(letter, "plain") + part(letter, "html")


def test_an_answer_to_a_letter_stays_with_it_and_in_the_thread(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    _, letter = sent(post_harness, claimed, in_reply_to="<from-alice@mail.example.net>")
    assert letter["In-Reply-To"] == "<from-alice@mail.example.net>"
    assert (
        letter["References"]
        == f"<match-{post_harness.uid}@example.org> <from-alice@mail.example.net>"
    )
    assert letter["Auto-Submitted"] == "auto-replied"
    _, letter = sent(post_harness, claimed, in_reply_to="")
    assert (
        letter["In-Reply-To"] == letter["References"] == f"<match-{post_harness.uid}@example.org>"
    )
    assert letter["Auto-Submitted"] == "auto-replied"


def test_letters_to_players_are_stopped_by_one_click_or_by_a_letter(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    token = claimed.context["stop_token"]
    page = f"<https://orders.example.org/letters/stop/{token}>"
    letter = compose_letter(answerable(post_harness), claimed, no_picture)
    assert letter["List-Unsubscribe"] == f"{page}, <mailto:orders+s-{token}@example.org>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert page.strip("<>") in part(letter, "plain") and page.strip("<>") in part(letter, "html")
    assert sent(post_harness, claimed)[1]["List-Unsubscribe"] == page, (
        "no letter where none is read"
    )


def test_one_click_is_offered_wherever_letters_can_be_stopped(
    post_harness: MailHarness, claimed: LetterToSend
) -> None:
    post_harness.settings = post_harness.settings.model_copy(
        update={"site_url": "http://orders.example.org"}
    )
    _, letter = sent(post_harness, claimed)
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "/letters/stop/" in letter["List-Unsubscribe"]


def test_a_sign_in_link_leads_on_to_the_page_it_was_asked_for(post_harness: MailHarness) -> None:
    sessions.ask_link(
        post_harness.database,
        ALICE,
        zone="UTC",
        now=post_harness.now,
        next_page="/matches/abc?tab=log&x=1",
    )
    claimed = post_harness.claim("signin")
    letter = compose_letter(post_harness.settings, claimed)
    expected = f"https://orders.example.org/sign-in/{claimed.context['token']}?next=/matches/abc%3Ftab%3Dlog%26x%3D1"
    assert expected in part(letter, "plain")
    assert letter["List-Unsubscribe"] is None
    assert letter["References"] is None
