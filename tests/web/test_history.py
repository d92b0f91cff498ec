"""The history of a match, phase by phase, and its transcript."""

import json

from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.letters import incoming, receiving
from adjudicator.service.phases import closing
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.site import Site, page_text


def test_every_phase_has_an_address_for_good(site: Site) -> None:
    uid = site.begin_match()
    site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    site.harness.round(uid, [(ALICE, "W3"), (BOB, "B1"), (CHARLIE, "W1")])
    first = site.visitor().get(f"/matches/{uid}/phases/1")
    assert "Round 1 was a full sweep" in page_text(
        first
    ) and "Alice: sealed, opened unchanged" in page_text(first)
    assert (
        f'rel="prev" href="/matches/{uid}/phases/0"' in first.text
        and f'rel="next" href="/matches/{uid}/phases/2"' in first.text
    )
    assert 'class="board pyramid"' in first.text and "The position as text" in first.text


def test_the_orders_as_opened_carry_the_seal_of_the_receipt(site: Site) -> None:
    uid = site.begin_match()
    sealed = site.harness.order(uid, ALICE, "B3").parts[0].commitment
    site.harness.round(uid, [(BOB, "B2"), (CHARLIE, "W2")])
    assert sealed in site.visitor().get(f"/matches/{uid}/phases/1").text


def test_the_open_phase_says_until_when_and_one_that_is_not_there_is_not_found(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    assert "Round 1 is open" in page_text(alice.get(f"/matches/{uid}/phases/1"))
    assert alice.get(f"/matches/{uid}/phases/2").status_code == 404
    assert alice.get("/matches/nothing/phases/1").status_code == 404


def test_the_list_names_every_phase_and_leads_to_each(site: Site) -> None:
    uid = site.begin_match()
    site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    page = site.visitor().get(f"/matches/{uid}/history")
    assert (
        "Round 1" in page_text(page)
        and "everybody was ready" in page_text(page)
        and f"/matches/{uid}/phases/2" in page.text
    )


def test_the_list_tells_who_took_what(site: Site) -> None:
    uid = site.begin_match()
    site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    (gist,) = [line for line in site.harness.story(uid, 1).lines if " took " in line]
    assert gist in page_text(site.visitor().get(f"/matches/{uid}/history"))


def test_the_slider_works_without_a_script(small_site: Site) -> None:
    uid = small_site.begin_match()
    visitor = small_site.visitor()
    assert (
        visitor.get(f"/matches/{uid}/phases?number=1").headers["Location"]
        == f"/matches/{uid}/phases/1"
    )
    assert visitor.get(f"/matches/{uid}/phases").headers["Location"] == f"/matches/{uid}/history"


def test_a_transcript_is_there_once_the_match_has_ended_and_replays(site: Site) -> None:
    assert site.visitor().get(f"/matches/{site.begin_match()}/transcript.json").status_code == 409
    uid = site.play_to_end()
    answer = site.visitor().get(f"/matches/{uid}/transcript.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{uid}.json"'
    transcript = json.loads(answer.data)
    assert (
        transcript["match"] == uid
        and replay_transcript(read_transcript(transcript)).differences == ()
    )


def test_the_last_round_was_forced_and_says_so(site: Site) -> None:
    page = page_text(site.visitor().get(f"/matches/{site.play_to_end()}/phases/9"))
    assert "left nobody a choice" in page and "the only order there was" in page


def test_a_seat_sees_its_letters_and_what_became_of_them_and_nobody_elses(site: Site) -> None:
    uid = site.harness.match(ALICE, BOB, CHARLIE)
    with site.harness.database.read_tx() as session:
        seat = seats_of(session, by_uid(session, uid))[0]
    letter = receiving.Arrival(
        receiving.Target("seat", seat.id, seat.match_id),
        b"From: a@example.org\r\n\r\nB3\r\n",
        site.harness.now,
        "smtp",
    )
    receiving.store_letters(site.harness.database, [letter])
    assert "waits to be read" in page_text(site.visitor(ALICE).get(f"/matches/{uid}/receipts"))
    (number,) = _waiting(site)
    claimed = incoming.claim_letter(
        site.harness.database, site.harness.keyring, number, site.harness.now
    )
    assert claimed is not None
    with incoming.finishing(site.harness.database, claimed) as session:
        incoming.dispose_letter(
            session,
            claimed,
            "automatic",
            now=site.harness.now,
            reason="No person wrote it: it is a list.",
        )
    told = page_text(site.visitor(ALICE).get(f"/matches/{uid}/receipts"))
    assert "no person wrote it, so it was left alone" in told and "it is a list" in told
    assert "Your letters" not in page_text(site.visitor(BOB).get(f"/matches/{uid}/receipts"))


def _waiting(site: Site) -> list[int]:
    with site.harness.database.read_tx() as session:
        return incoming.waiting_letters(session, site.harness.now)


def test_a_match_that_stands_still_keeps_its_history(site: Site) -> None:
    uid = site.begin_match()
    site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    closing.mark_stuck(site.harness.database, uid, "a fault", now=site.harness.now)
    listed, still = (
        site.visitor().get(f"/matches/{uid}/history"),
        site.visitor().get(f"/matches/{uid}/phases/2"),
    )
    assert listed.status_code == 200 and "standing still" in page_text(listed)
    assert still.status_code == 200 and "A fault stopped this match." in page_text(still)
    assert site.visitor().get(f"/matches/{uid}/phases/1").status_code == 200
