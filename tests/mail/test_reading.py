"""Every letter of the corpus is parsed by the real child process as a person would read it."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any
from unittest.mock import Mock

import pytest

from adjudicator.mail.reading import letter
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.mail.reading.sandbox import LetterReader
from tests.mail.hostile import LETTERS as HOSTILE
from tests.mail.reading import LETTERS, MOST_MEMORY, ORDER_WORDS, expected, peak_memory, raw, reply

EXPECTED = expected()
EMPTY: dict[str, Any] = {
    "passed_over": [],
    "struck": [],
    "unseen": [],
    "automatic": "",
    "bounces": [],
    "complaint": None,
    "cut": False,
}


@pytest.fixture(scope="module")
def reader() -> Iterator[LetterReader]:
    """One reader for the whole file."""
    with LetterReader(ORDER_WORDS) as made:
        yield made


def values(said: LetterText) -> dict[str, Any]:
    return dict(json.loads(json.dumps(asdict(said))))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_letter_of_the_corpus_says_what_a_person_reads_in_it(
    reader: LetterReader, name: str
) -> None:
    wanted = EXPECTED[name]
    if "unreadable" in wanted:
        with pytest.raises(Unreadable) as refused:
            reader.read(raw(name))
        assert str(refused.value) == wanted["unreadable"]
        return
    wanted = EMPTY | wanted
    found = values(reader.read(raw(name)))
    assert {key: found[key] for key in wanted} == wanted


def test_what_a_program_wrote_is_told_by_its_header_and_not_taken_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else thousands of them, of megabytes each, would hold up the closings of the matches that
    they came to.
    """
    monkeypatch.setattr(
        letter, "parse_parts", Mock(side_effect=AssertionError("it is taken apart"))
    )
    body = b"Content-Type: text/html\r\n\r\n" + b"<p>buy</p>" * 1000
    for head in (
        b"Auto-Submitted: auto-replied",
        b"Precedence: bulk",
        b"List-Id: <a.b>",
        b"X-Autoreply: yes",
        b"X-Sealed-Orders: 1",
    ):
        said = letter.parse_letter(
            b"From: a@example.org\r\nSubject: Re: x\r\nMessage-ID: <1@x>\r\n"
            + head
            + b"\r\n"
            + body
        )
        assert said.automatic and (said.lines, said.subject, said.message_id) == (
            (),
            "x",
            "<1@x>",
        ), head
    for head in (  # reports of bounces and complaints, which their parts tell, and people's letters
        b"From: mailer-daemon@example.org\r\nAuto-Submitted: auto-replied",
        b"Return-Path: <>\r\nAuto-Submitted: auto-generated",
        b"Content-Type: multipart/report; boundary=b\r\nAuto-Submitted: auto-replied",
        b"From: staff@hotmail.com\r\nPrecedence: bulk",
        b"X-Failed-Recipients: b@example.org\r\nPrecedence: bulk",
        b"From: a@example.org",
        b"Auto-Submitted: no",
    ):
        with pytest.raises(AssertionError, match="taken apart"):
            letter.parse_letter(head + b"\r\n" + body)


def test_every_letter_of_the_corpus_has_its_reading() -> None:
    assert {path.stem for path in LETTERS.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 130


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_letter_made_to_hurt_is_read_or_refused_within_the_limits(
    reader: LetterReader, name: str
) -> None:
    letter = HOSTILE[name]()
    try:
        said = reader.read(letter)
        assert len(said.lines) <= 400
        assert all(len(line) <= 1000 and line.isprintable() for line in said.lines)
        assert len(said.passed_over) <= 20
        assert len(said.refers_to) <= 20
    except Unreadable as reason:
        assert str(reason).endswith(".")
    assert peak_memory(reader) < MOST_MEMORY
    assert reader.read(reply("B3\n")).lines == ("B3",)


def test_what_breaks_the_standard_parser_is_read(reader: LetterReader) -> None:
    for name in (
        "a To of 412 bytes that breaks the standard parser",
        "a subject of 224 KB of encoded words",
        "a content type of 151 KB",
    ):
        assert reader.read(HOSTILE[name]()).lines == ("B3",)


def test_what_is_nested_too_deep_is_refused_with_a_sentence(reader: LetterReader) -> None:
    with pytest.raises(Unreadable, match="more parts within parts than this service opens"):
        reader.read(HOSTILE["nested a thousand deep"]())
    with pytest.raises(Unreadable, match="HTML is nested deeper than this service reads"):
        reader.read(HOSTILE["html nested thirty thousand deep"]())


def test_more_lines_than_are_kept_are_said_to_be_cut(reader: LetterReader) -> None:
    assert not reader.read(reply("B3\n" * 400)).cut
    said = reader.read(reply("B3\n" * 401))
    assert said.cut
    assert len(said.lines) == 400


def test_a_line_that_is_too_long_is_said_to_be_cut(reader: LetterReader) -> None:
    said = reader.read(reply("A PAR - BUR OR " * 100))
    assert said.cut
    assert len(said.lines[0]) <= 1000


def test_html_that_is_too_long_is_said_to_be_cut(reader: LetterReader) -> None:
    said = reader.read(HOSTILE["html of three hundred long paragraphs"]())
    assert said.cut
    assert len([line for line in said.lines if line]) < 300


def test_a_text_that_is_too_long_is_said_to_be_cut_unless_only_its_quote_is(
    reader: LetterReader,
) -> None:
    assert reader.read(reply("W3\n" + ("x" * 900 + "\n") * 700)).cut
    head = "On Fri, 20 Nov 2026 at 20:00, S <o@example.org> wrote:\n\n"
    said = reader.read(reply("B3\n" + head + ("x" * 900 + "\n") * 700))
    assert said.lines == ("B3",)
    assert not said.cut


def test_only_twenty_references_are_kept_the_nearest(reader: LetterReader) -> None:
    references = " ".join(f"<r{number}@example.org>" for number in range(50))
    said = reader.read(
        reply(
            "B3\n",
            head=(
                f"From: bob@example.com\nReferences: {references}\nIn-Reply-To:"
                " <near@example.org>\n"
            ),
        )
    )
    assert said.refers_to[:2] == ("<near@example.org>", "<r49@example.org>")
    assert len(said.refers_to) == 20


# --- the digest

SENT = (
    "From: bob@example.com\nDate: Sun, 22 Nov 2026 18:12:05 +0100\nSubject: x\nMessage-ID:"
    " <m1@example.com>\n"
)


def test_the_digest_is_the_same_whatever_servers_add_on_the_way(reader: LetterReader) -> None:
    added = (
        "Return-Path: <bob@example.com>\nReceived: from a by b\nDelivered-To: x\nDKIM-Signature:"
        " v=1\n" + SENT + "X-Spam: no\n"
    )
    first, again = (
        reader.read(reply("B3\n", head=SENT)),
        reader.read(reply("B3 \r\n\r\n", head=added)),
    )
    assert first.digest == again.digest
    assert len(first.digest) == 64


@pytest.mark.parametrize(
    "change", [("<m1@", "<m2@"), ("bob@", "rob@"), ("18:12", "18:13"), ("Subject: x", "Subject: y")]
)
def test_the_digest_differs_where_a_letter_does(
    reader: LetterReader, change: tuple[str, str]
) -> None:
    assert (
        reader.read(reply("B3\n", head=SENT)).digest
        != reader.read(reply("B3\n", head=SENT.replace(*change))).digest
    )


def test_the_digest_differs_where_the_text_does(reader: LetterReader) -> None:
    assert (
        reader.read(reply("B3\n", head=SENT)).digest != reader.read(reply("W3\n", head=SENT)).digest
    )


def test_a_letter_without_a_message_id_has_a_digest(reader: LetterReader) -> None:
    assert len(reader.read(b"B3\n").digest) == 64


# --- orders and commands are never passed over

ORDERS = """B3|b l|black large|large black|play white small|red|R|rock|play scissors|rock bet 10|R 10|paper|risk yes|risk no|A PAR - BUR
A Par-Bur|army paris to burgundy|F Nth C A Lon-Nwy|F NTH CONVOY A LON - NWY|A Mun S A Bur|A Vie H|F Stp(sc)-Bot
A Lon-Nwy via convoy|A Ser R Alb|A Ser D|Build A Par|A Bud B|B F Stp/nc|Remove A Mun|Waive|Rock A Pru-Sil|R: A Pru-Sil
anubis b2|anubis a1-b2|bastet c3 idea a5|bastet c3 destroy e1|pyramid d2|throw|rebirth b4|leap c4|decline|return deeds
deed b1|pass|birth anubis b2 bastet d2|анубис b2|бросок|place rock|roll|paper NE|paper 3,4|rock SW 3 chain|move rock
phoenix paper and rock 3,5|stay|roll THEN phoenix paper OR move rock|THEN|clear|ready|wait|join pyramid|accept|leave|status
history|rules pyramid|zone Europe/Paris|help|stop|new address|1. B3|* B3|- B3|move rock OR roll|B3 OR W2|B3 THEN W2
B3!!!|*B3*|`B3`|B3 # note|👍 B3 👍|**A Par - Bur**|(B3)|“B3”"""
PLACES = {
    "alone": "{}",
    "between greeting and name": "Hi,\n{}\nthanks\nBob",
    "above the name": "{}\nBob",
    "below the name": "Bob\n{}",
    "above a signature": "{}\n-- \nBob",
    "below two dashes": "x\n--\n{}",
    "below two dashes and a name": "x\n--\nBob\n{}",
    "below a line of underscores": "x\n________________\n{}",
    "below a notice": "CONFIDENTIALITY NOTICE: keep this\n{}",
    "after thanks": "Thanks\n{}",
    "after cheers": "x\nCheers\n{}",
    "above a mobile footer": "{}\nSent from my iPhone",
    "above a quote": "thanks\n{}\n\nOn Fri, 20 Nov 2026 at 20:00, S <o@example.org> wrote:\n> z",
    "between quotes": "On Fri, 20 Nov 2026 at 20:00, S <o@example.org> wrote:\n> z\n{}\n> y",
}


@pytest.mark.parametrize("place", sorted(PLACES))
def test_no_order_and_no_command_is_ever_passed_over(reader: LetterReader, place: str) -> None:
    lost = []
    for order in ORDERS.replace("\n", "|").split("|"):
        said = reader.read(
            reply(PLACES[place].format(order), head="From: Bob Rock <bob@example.com>\n")
        )
        lost += [order] if said.lines.count(order) != 1 else []
    assert lost == []
