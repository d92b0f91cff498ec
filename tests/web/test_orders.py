"""Orders from a browser without scripts: the immediate receipt, refusals with reasons, and nothing
lost.
"""

import pytest
from sqlmodel import select, update

from adjudicator.platform import wakeups
from adjudicator.service.base.tables import LogEntry, Receipt, SignedIn
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, page_text


def test_a_click_is_sealed_and_answered_at_once(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    page = alice.get(f"/matches/{uid}")
    assert (
        "You owe orders for Round 1" in page_text(page)
        and 'name="slot-pick" value="B3"' in page.text
    )
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"})
    assert answer.status_code == 200
    assert (
        "Sealed: Round 1" in page_text(answer)
        and "B3 Black large" in page_text(answer)
        and "You can change them until" in page_text(answer)
    )
    assert site.recorder.sent == [(wakeups.SIGN,)]


def test_the_receipt_holds_the_seal_and_its_number(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    answer = alice.post(
        f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3", "plan": "THEN\nC2 OR C1"}
    )
    assert answer.text.count('<code class="hash">') == 4
    assert "Then C2 OR C1" in page_text(answer)


def test_the_last_ready_seat_has_the_phase_closed_at_once(site: Site) -> None:
    uid = site.begin_match()
    for name in (BOB, CHARLIE):
        site.harness.order(uid, name, "W1")
    answer = site.visitor(ALICE).post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"})
    assert "Everybody is ready" in page_text(answer) and "cannot be changed any more" in page_text(
        answer
    )
    assert site.recorder.sent == [(wakeups.SIGN,), (wakeups.CLOSE, uid)]


def test_a_seat_that_waits_holds_the_phase_open(site: Site) -> None:
    uid = site.begin_match()
    for name in (BOB, CHARLIE):
        site.harness.order(uid, name, "W1")
    answer = site.visitor(ALICE).post(
        f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3", "says": "wait"}
    )
    assert (
        "You are not ready:" in page_text(answer) and (wakeups.CLOSE, uid) not in site.recorder.sent
    )


def test_every_bad_line_is_told_with_its_reason_and_a_click_that_mends_it(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "B3\nblak small"})
    assert "“blak small” was not taken" in page_text(answer).replace(
        "blak small was", "“blak small” was"
    )
    assert "“blak” is neither a colour nor a size." in page_text(answer)
    assert 'name="text" value="B3\nB1"' in answer.text
    assert ">B3\nblak small</textarea>" in answer.text


def test_where_nothing_could_be_understood_nothing_is_changed_and_nothing_lost(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "hello\nworld"})
    assert "Not taken" in page_text(
        answer
    ) and "what you handed in before, if anything, still stands" in page_text(answer)
    assert ">hello\nworld</textarea>" in answer.text
    assert site.harness.page(uid, ALICE).owed.handed_in_at is None  # type: ignore[union-attr]


def test_a_session_from_before_it_had_a_key_shows_pages_and_asks_for_a_new_sign_in(
    site: Site,
) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    with site.harness.database.write_tx() as session:
        session.exec(update(SignedIn).values(public=None, proof=None))
    assert "You owe orders for Round 1" in page_text(alice.get(f"/matches/{uid}"))
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "B2\nTHEN\nW3"})
    assert (
        answer.status_code == 403
        and "Sign in once more" in page_text(answer)
        and "B2\nTHEN\nW3" in answer.text
    )
    with site.harness.database.read_tx() as session:
        assert not session.exec(select(Receipt)).all()
        assert not session.exec(select(LogEntry).where(LogEntry.type == "tampering")).all()


def test_what_was_typed_is_kept_when_the_phase_moved_on_meanwhile(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    alice.get(f"/matches/{uid}")
    site.harness.round(uid, [(ALICE, "B1"), (BOB, "W1"), (CHARLIE, "C1")])
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "B2\nTHEN\nW3"})
    assert "These orders were for another phase; Round 2 is open now." in page_text(answer)
    assert "You owe orders for Round 2" in page_text(
        answer
    ) and "What you had chosen for Round 1: B2 THEN W3" in page_text(answer)
    assert ">B2\nTHEN\nW3</textarea>" not in answer.text  # a second press would seal it for Round 2


def test_a_moment_before_the_last_call_counts_and_the_last_call_itself_does_not(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    owed = site.harness.page(uid, ALICE).owed
    assert owed is not None
    site.harness.now = owed.deadline
    assert "Sealed, late: Round 1" in page_text(
        alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"})
    )
    site.harness.now = owed.last_call
    late = alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B2", "plan": "W2"})
    assert "The deadline of Round 1 had passed" in page_text(late) and ">W2</textarea>" in late.text


def test_more_than_any_game_needs_is_refused_and_shown_again(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "B3\n" * 500})
    assert (
        answer.status_code == 413
        and "Orders may have 400 lines" in page_text(answer)
        and "B3\nB3\nB3" in answer.text
    )


def test_a_match_that_is_over_takes_no_orders_and_shows_what_was_typed(site: Site) -> None:
    answer = site.visitor(ALICE).post(
        f"/matches/{site.play_to_end()}/orders", {"phase": "9", "text": "C1 perhaps"}
    )
    assert (
        answer.status_code == 409
        and "This match is over" in page_text(answer)
        and "C1 perhaps" in answer.text
    )


@pytest.mark.parametrize("name", [MALLORY, None])
def test_a_stranger_hands_in_nothing_and_keeps_the_text(site: Site, name: str | None) -> None:
    uid = site.begin_match()
    answer = site.visitor(name).post(
        f"/matches/{uid}/orders", {"phase": "1", "text": "B3 and my reasons"}
    )
    assert answer.status_code == 403 and "B3 and my reasons" in answer.text
    assert not site.recorder.sent


def test_a_match_that_is_not_there_is_not_found(site: Site) -> None:
    assert site.visitor(ALICE).post("/matches/nothing/orders", {"text": "B3"}).status_code == 404


def test_a_script_gets_the_whole_page_so_that_board_and_form_are_of_one_moment(
    small_site: Site,
) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"}, htmx=True)
    assert (
        answer.text.count("<main") == 1
        and 'class="board ' in answer.text
        and "Sealed: Round 1" in page_text(answer)
    )


def test_ready_and_wait_are_said_without_touching_the_orders(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    for name in (BOB, CHARLIE):
        site.harness.order(uid, name, "W1")
    alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3", "says": "wait"})
    page = alice.post(f"/matches/{uid}/say", {"word": "ready"}, follow=True)
    assert "You are ready." in page_text(page) and (wakeups.CLOSE, uid) in site.recorder.sent
    assert "You are not ready:" in page_text(
        alice.post(f"/matches/{uid}/say", {"word": "wait"}, follow=True)
    )
    assert alice.post(f"/matches/{uid}/say", {"word": "perhaps"}).status_code == 400


def test_a_seat_is_shown_its_own_sealed_orders_in_the_form(site: Site) -> None:
    uid, alice = site.begin_match(), site.visitor(ALICE)
    site.harness.order(uid, ALICE, "B3 THEN C2 OR C1")
    assert "Sealed Mon 2 Nov" in page_text(alice.get(f"/matches/{uid}"))
    shown = alice.post(f"/matches/{uid}/sealed")
    assert ">B3\nTHEN\nC2 OR C1</textarea>" in shown.text and ">C2 OR C1</textarea>" in shown.text
    assert 'value="B3" data-marks="pyramid-1-B3" required checked>' in shown.text
    assert "When your sealed orders were shown" in page_text(alice.get(f"/matches/{uid}/receipts"))


def test_sealed_orders_that_cannot_be_shown_now_are_safe(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.matches.orders.READING_SECONDS", 0.1)
    site.recorder.answers = False
    uid, alice = site.begin_match(), site.visitor(ALICE)
    site.harness.order(uid, ALICE, "B3")
    shown = alice.post(f"/matches/{uid}/sealed", htmx=True)
    assert page_text(shown) == "Your orders are safe; they cannot be shown just now."


@pytest.mark.parametrize("name", [MALLORY, None])
def test_a_stranger_is_shown_nothing_sealed(site: Site, name: str | None) -> None:
    uid = site.begin_match()
    site.harness.order(uid, ALICE, "B3")
    assert site.visitor(name).post(f"/matches/{uid}/sealed").status_code == 403


def test_a_receipt_shows_its_signature_once_it_is_there(site: Site) -> None:
    from adjudicator.service.orders import receipts

    uid, alice = site.begin_match(), site.visitor(ALICE)
    site.harness.order(uid, ALICE, "B3")
    assert "signs this within a moment" in page_text(alice.get(f"/matches/{uid}/receipts/1/1"))
    receipts.sign_receipts(site.harness.database, site.harness.keyring)
    assert "Signed by the service" in page_text(alice.get(f"/matches/{uid}/receipts/1/1"))
    assert "Signed by the service" not in page_text(
        site.visitor(BOB).get(f"/matches/{uid}/receipts/1/1")
    )


def test_a_long_text_of_bad_lines_is_not_repeated_for_every_click(site: Site) -> None:
    alice, uid = site.visitor(ALICE), site.begin_match()
    answer = alice.post(
        f"/matches/{uid}/orders", {"phase": "1", "text": "\n".join(["q" * 48] * 399)}
    )
    assert page_text(answer).count("was not taken") == 399
    assert len(answer.data) < 1_000_000


def test_a_form_that_arrives_in_pieces_wipes_out_nothing(site: Site) -> None:
    alice, uid = site.visitor(ALICE), site.begin_match()
    alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3", "says": "wait"})
    answer = alice.client.post(f"/matches/{uid}/orders", data={"csrf_token": alice.token()})
    assert answer.status_code == 400 and "nothing was changed" in page_text(answer)
    alice.post(f"/matches/{uid}/sealed")
    assert "B3" in page_text(alice.post(f"/matches/{uid}/sealed"))


def test_the_last_receipt_offers_no_change_and_the_head_owes_nothing_more(site: Site) -> None:
    uid = site.begin_match()
    for name in (BOB, CHARLIE):
        site.harness.order(uid, name, "B1")
    answer = site.visitor(ALICE).post(
        f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"}, htmx=True
    )
    assert "cannot be changed any more" in page_text(
        answer
    ) and "Change these orders" not in page_text(answer)
    assert '<span id="owes"></span>' in answer.text
