"""The letters of a whole match, played by the real service on both databases."""

import html
import json
import re
from typing import Any

from adjudicator.mail.sending.mailbox import Posted
from adjudicator.seal import crypto
from adjudicator.seal.commitments import Place, commitment, receipt_hash
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness


def words(text: str) -> str:
    """Return what a reader reads, without line breaks, tags and the difference between one space
    and many.
    """
    plain = re.sub(r"<(style|title)>.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    return re.sub(r" (?=[.,:;”])", "", " ".join(html.unescape(plain).replace("\xa0", " ").split()))


def test_a_match_is_told_from_its_first_letter_to_its_last(
    post_harness_on_both: MailHarness,
) -> None:
    post_harness_on_both.begin(ALICE, house=2)
    for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        post_harness_on_both.order(post_harness_on_both.uid, ALICE, piece)
        post_harness_on_both.later(hours=48, minutes=10)
        assert post_harness_on_both.close(post_harness_on_both.uid)
    post_harness_on_both.post_all()
    letters = post_harness_on_both.letters("report", ALICE)
    phases = [
        found[0] for letter in letters if (found := re.search(r"Round \d|over", letter.subject))
    ]
    assert phases == [*(f"Round {number}" for number in range(1, 9)), "over"]
    assert "Round 9 left nobody a choice, so it was played at once." in words(letters[-1].text)
    assert "Alice, seat 1 (you)" in words(letters[-1].html)
    assert all(row.state == "sent" and row.context is None for row in post_harness_on_both.rows())
    assert {row.address for row in post_harness_on_both.rows()} == {ALICE}


def test_text_and_html_tell_the_same_story(post_harness_on_both: MailHarness) -> None:
    post_harness_on_both.begin(ALICE, BOB, CHARLIE)
    post_harness_on_both.order(post_harness_on_both.uid, ALICE, "B3\nTHEN\nB3\nTHEN\nW1")
    post_harness_on_both.play_round("", "W3", "")
    claimed = post_harness_on_both.claim("report", ALICE)
    context = claimed.context
    post_harness_on_both.later(minutes=3)
    post_harness_on_both.post_all()
    letter = post_harness_on_both.letters("report", ALICE)[-1]
    told = [
        *context["notes"],
        *(line for section in context["sections"] for line in section["lines"]),
    ]
    assert len(told) > 5
    for line in (
        *told,
        context["owed"]["slots"][0]["title"],
        *(choice["label"] for choice in context["owed"]["slots"][0]["choices"]),
    ):
        assert words(line) in words(letter.text)
        assert words(line) in words(letter.html)
    assert context["board"].splitlines()[-1].strip() in letter.text


def test_a_report_shows_its_picture_inline(post_harness_on_both: MailHarness) -> None:
    post_harness_on_both.begin(ALICE, BOB, CHARLIE)
    post_harness_on_both.post_all()
    letter = post_harness_on_both.letters("report", BOB)[0]
    assert letter.picture is not None
    assert letter.picture.startswith(b"\x89PNG")
    assert len(letter.picture) < 200_000
    assert "cid:" not in letter.html
    assert letter.html.count("data:image/png;base64,") == 1
    assert 'alt="Rock Paper Pyramid before round 1 of 9."' in letter.html


def test_each_reader_is_told_the_deadline_in_their_own_zone(
    post_harness_on_both: MailHarness,
) -> None:
    post_harness_on_both.begin(ALICE, BOB, CHARLIE)
    post_harness_on_both.post_all()
    told = {letter.to: letter.subject for letter in post_harness_on_both.letters("report")}
    assert told == {
        ALICE: "[Evening Pyramid] Round 1: you owe orders by Tue 24 Nov 20:00 (Paris)",
        BOB: "[Evening Pyramid] Round 1: you owe orders by Tue 24 Nov 14:00 (New York)",
        CHARLIE: "[Evening Pyramid] Round 1: you owe orders by Wed 25 Nov 00:45 (Kathmandu)",
    }
    assert "in 2 days" in words(post_harness_on_both.letters("report", ALICE)[0].text)


def test_a_receipt_is_a_witness_that_a_program_can_ask(post_harness_on_both: MailHarness) -> None:
    post_harness_on_both.begin(ALICE, BOB, CHARLIE)
    post_harness_on_both.order(post_harness_on_both.uid, ALICE, "B3\nTHEN\nW2\nchartreuse moose")
    post_harness_on_both.order(post_harness_on_both.uid, ALICE, "nonsense")
    post_harness_on_both.post_all()
    accepted, refused = post_harness_on_both.letters("receipt", ALICE)
    for letter in (accepted, refused):
        receipt = attached(post_harness_on_both, letter)
        body = receipt["receipt"]
        crypto.verify_signature(
            post_harness_on_both.keyring.public.signing,
            receipt_hash(body),
            bytes.fromhex(receipt["signature"]),
        )
        assert receipt["keys"] == post_harness_on_both.keyring.public.fingerprint
        place = Place(body["match"], body["phase"], body["seat"], body["seq"])
        assert [part["commitment"] for part in receipt["parts"]] == [
            part["commitment"] for part in body["parts"]
        ]
        for part in receipt["parts"]:
            assert part["commitment"] == commitment(
                place,
                part=part["part"],
                orders=part["orders"],
                ready=part["ready"],
                nonce=part["nonce"],
            )
            assert (
                (part["commitment"] in letter.text)
                is (part["nonce"] in letter.text)
                is (letter is accepted)
            ), "what was refused has no seal"
    assert attached(post_harness_on_both, accepted)["parts"][1]["orders"] == "W2"
    assert "“chartreuse moose”: “chartreuse” is neither a colour nor a size." in words(
        accepted.text
    )
    assert "Nearest to it: B3" in words(accepted.html)
    assert refused.subject.endswith("your orders were not taken")


def attached(post_harness_on_both: MailHarness, letter: Posted) -> Any:
    """Return the receipt.json of a letter."""
    files = {
        part.get_filename(): part.get_content()
        for part in post_harness_on_both.message(letter.name).iter_attachments()
    }
    return json.loads(files["receipt.json"])
