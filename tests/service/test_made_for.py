"""Forms of a seat that were made for another phase or tenure, or whose page did not know what was
handed in since.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import pytest
from sqlmodel import col, select

from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import Receipt
from adjudicator.service.handover import leaving
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.matches import votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask
from adjudicator.service.orders import readiness
from adjudicator.service.orders.form_orders import SealedBefore, SealedMeanwhile
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.phases import concessions
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.requests.made_for import BEHIND, OTHER_TENURE, MadeFor
from adjudicator.service.requests.sent_forms import FORM, Form
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.service.changing_hands import DAVE, lend

Word = Literal["ready", "wait"]
Act = Callable[[], object]
# what closes a first phase
SAID = {"pyramid": ("B3", "B1", "W2"), "diplomacy": ("ready", "ready", "ready")}


def begin(harness: Harness, game: str = "pyramid", **options: object) -> str:
    return harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish(
            game, "Table", options, players=3, seating=None if game == "pyramid" else "order"
        ),
    )


def load(harness: Harness, uid: str, who: str = ALICE) -> MadeFor:
    """Return what the forms of a page say that somebody loads now."""
    found = harness.page(uid, who).made_for
    assert found is not None
    return found


def seal(
    harness: Harness, uid: str, text: str, made_for: MadeFor, who: str = ALICE, *, form: str = ""
) -> Acknowledgement:
    database = (
        harness.database.knowing(**{FORM: lambda: Form(form, harness.now)})
        if form
        else harness.database
    )
    told = Submission(
        uid,
        harness.player(who),
        f"clear\n{text}",
        "form",
        harness.now,
        made_for.phase,
        made_for=made_for,
    )
    return submit_orders(database, told)


def say(harness: Harness, uid: str, word: Word, made_for: MadeFor, who: str = ALICE) -> bool:
    return readiness.say_readiness(
        harness.database, uid, harness.player(who), word, now=harness.now, made_for=made_for
    )


def receipts(harness: Harness, uid: str, seat: str) -> list[tuple[int, str | None, bool]]:
    """Return number, word and whether there were orders of everything that a seat handed in."""
    with harness.database.read_tx() as session:
        mine = select(Receipt).where(
            Receipt.match_id == by_uid(session, uid).id, Receipt.seat == seat
        )
        return [
            (row.seq, row.says, bool(row.commitments))
            for row in session.exec(mine.order_by(col(Receipt.id)))
        ]


def counted(harness: Harness, uid: str, number: int, seat: str) -> tuple[str, ...] | None:
    return next(order.lines for order in harness.story(uid, number).orders if order.seat == seat)


@pytest.mark.parametrize("game", ["pyramid", "diplomacy"])
def test_no_word_of_an_older_tab_is_said_of_the_next_phase(harness: Harness, game: str) -> None:
    uid = begin(harness, game)
    older, seat = load(harness, uid), harness.page(uid, ALICE).seat
    harness.round(uid, list(zip((ALICE, BOB, CHARLIE), SAID[game], strict=True)))
    before = receipts(harness, uid, seat)
    words: tuple[Word, ...] = ("ready", "wait")
    for word in words:
        with pytest.raises(NotNow, match="is closed by now, and nothing was changed"):
            say(harness, uid, word, older)
    owed = harness.page(uid, ALICE).owed
    assert (
        owed is not None
        and not owed.ready
        and owed.says == ""
        and receipts(harness, uid, seat) == before
    )


# what the seat did after an older tab was loaded
SINCE: dict[str, Callable[[Harness, str], object]] = {
    "nothing": lambda harness, uid: None,
    "orders in another tab": lambda harness, uid: seal(
        harness, uid, "B3\nwait", load(harness, uid)
    ),
    "complete orders in another tab": lambda harness, uid: seal(
        harness, uid, "B3", load(harness, uid)
    ),
    "orders by letter": lambda harness, uid: harness.order(
        uid, ALICE, "B3\nwait", channel="letter"
    ),
    "a line that was refused": lambda harness, uid: seal(harness, uid, "hello", load(harness, uid)),
    "ready": lambda harness, uid: say(harness, uid, "ready", load(harness, uid)),
    "wait": lambda harness, uid: say(harness, uid, "wait", load(harness, uid)),
}
ASKED, TAKEN, REFUSED, NOTHING = "asked about", "taken", "refused", "nothing to do"
OUTCOMES = {  # of orders and of `ready` from the older tab
    "nothing": (TAKEN, TAKEN),
    "orders in another tab": (ASKED, REFUSED),
    "complete orders in another tab": (ASKED, NOTHING),
    "orders by letter": (ASKED, REFUSED),
    "a line that was refused": (TAKEN, TAKEN),
    "ready": (TAKEN, NOTHING),
    "wait": (TAKEN, REFUSED),
}


def seal_older(harness: Harness, uid: str, older: MadeFor) -> None:
    seal(harness, uid, "B1\nwait", older)


def say_older(harness: Harness, uid: str, older: MadeFor) -> None:
    say(harness, uid, "ready", older)


def outcome(harness: Harness, uid: str, act: Act) -> str:
    """Return what became of an act: `NOTHING` where it was answered and changed nothing."""
    before = receipts(harness, uid, "1")
    try:
        act()
    except SealedMeanwhile:
        told = ASKED
    except NotNow as refused:
        assert str(refused) == BEHIND
        told = REFUSED
    else:
        return TAKEN if receipts(harness, uid, "1") != before else NOTHING
    assert receipts(harness, uid, "1") == before, "it leaves no trace"
    return told


def test_an_older_tab_replaces_no_newer_orders_and_its_ready_is_refused(harness: Harness) -> None:
    for since, wanted in OUTCOMES.items():
        found = []
        for act in (seal_older, say_older):
            uid = begin(harness)
            older = load(harness, uid)
            SINCE[since](harness, uid)
            found.append(outcome(harness, uid, partial(act, harness, uid, older)))
        assert tuple(found) == wanted, since


def test_until_the_question_is_answered_what_was_sealed_counts_and_the_answer_may_replace_it(
    harness: Harness,
) -> None:
    for answered in (False, True):
        uid = begin(harness)
        older = load(harness, uid)
        seal(harness, uid, "B3\nwait", load(harness, uid))
        with pytest.raises(
            SealedMeanwhile,
            match=(
                "You sealed other orders for Round 1 after this page was made, so nothing was"
                " changed"
            ),
        ):
            seal(harness, uid, "B1\nwait", older)
        if answered:
            assert seal(harness, uid, "B1\nwait", load(harness, uid)).disposition == "accepted"
        harness.later(hours=49)
        assert harness.close(uid) and counted(harness, uid, 1, "1") == ("B1" if answered else "B3",)


def test_a_wait_of_an_older_tab_keeps_the_phase_open(harness: Harness) -> None:
    uid = begin(harness)
    older = load(harness, uid)
    seal(harness, uid, "B3", load(harness, uid))
    assert not say(harness, uid, "wait", older)
    owed = harness.page(uid, ALICE).owed
    assert owed is not None and not owed.ready


def test_the_same_form_sent_again_changes_nothing_and_is_asked_about_once_others_are_sealed(
    harness: Harness,
) -> None:
    uid = begin(harness)
    made_for = load(harness, uid)
    seal(harness, uid, "B3\nwait", made_for, form="one")
    with pytest.raises(SealedBefore):
        seal(harness, uid, "B3\nwait", made_for, form="one")
    with pytest.raises(SealedMeanwhile):
        seal(harness, uid, "B1\nwait", made_for, form="two")
    assert len(receipts(harness, uid, "1")) == 1
    seal(harness, uid, "B2\nwait", load(harness, uid), form="three")
    with pytest.raises(SealedMeanwhile):
        seal(harness, uid, "B3\nwait", made_for, form="one")


def test_a_letter_is_merged_whatever_was_sealed_since(harness: Harness) -> None:
    uid = begin(harness)
    seal(harness, uid, "B3\nwait", load(harness, uid))
    assert harness.order(uid, ALICE, "B1\nwait", channel="letter").disposition == "accepted"


def test_a_button_says_ready_only_of_orders_that_were_all_taken(harness: Harness) -> None:
    cases = {  # by the game's rule; whether the seat is ready
        ("pyramid", "B3\nready"): True,
        ("pyramid", "B3\nhello\nready"): False,
        ("pyramid", "ready"): False,
        ("diplomacy", "A LVP H\nready"): True,
        ("diplomacy", "A LVP H\nhello\nready"): False,
        ("diplomacy", "A LVP H"): False,
        ("diplomacy", "A LVP H\nwait"): False,
    }
    for (game, text), ready in cases.items():
        uid = begin(harness, game)
        answer = seal(harness, uid, text, load(harness, uid))
        owed = harness.page(uid, ALICE).owed
        assert owed is not None and (answer.disposition, answer.ready, owed.ready) == (
            "accepted",
            ready,
            ready,
        ), (game, text)


def acts_of(harness: Harness, uid: str, made_for: MadeFor) -> dict[str, Act]:
    """Return everything that Charlie's forms of a page can do."""
    database, who, now = harness.database, harness.player(CHARLIE), harness.now
    told: dict[str, Any] = {"now": now, "made_for": made_for}
    return {
        "ready": lambda: say(harness, uid, "ready", made_for, CHARLIE),
        "wait": lambda: say(harness, uid, "wait", made_for, CHARLIE),
        "a proposal": lambda: votes.propose(database, uid, who, Ask("pause"), **told),
        "a vote": lambda: votes.vote(database, uid, who, 1, yes=True, **told),
        "a concession": lambda: concessions.concede(database, uid, who, **told),
        "press": lambda: messages.write_press(
            database, uid, who, PressDraft(("FRANCE",), "Hello"), **told
        ),
    }


def test_no_form_of_another_tenure_or_phase_is_taken(harness: Harness) -> None:
    uid = begin(harness, "diplomacy", press="private")
    before = load(harness, uid, CHARLIE)
    lend(harness, uid, CHARLIE, DAVE, days=3)
    leaving.come_back(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    votes.propose(harness.database, uid, harness.player(BOB), Ask("end"), now=harness.now)
    assert load(harness, uid, CHARLIE) == MadeFor(before.phase, 3)
    other_phase = MadeFor(before.phase + 7, 3)
    for made_for, why in (
        (before, OTHER_TENURE),
        (other_phase, r"is closed by now|has begun since"),
    ):
        for name, act in acts_of(harness, uid, made_for).items():
            with pytest.raises(NotNow, match=why) as refused:
                act()
            assert "nothing was" in str(refused.value), name
        answer = seal(harness, uid, "F SEV H", made_for, CHARLIE)
        assert answer.disposition == "refused" and (
            answer.reason == OTHER_TENURE or "for another phase" in answer.reason
        )
    acts = acts_of(harness, uid, load(harness, uid, CHARLIE))
    for name in ("ready", "wait", "a proposal", "a vote", "press"):
        acts[name]()


def test_a_concession_does_not_replace_orders_that_its_page_did_not_know(harness: Harness) -> None:
    uid = begin(harness, "diplomacy")
    older = load(harness, uid)
    seal(harness, uid, "A LVP H", load(harness, uid))
    with pytest.raises(NotNow, match=r"^You sealed something or said"):
        concessions.concede(
            harness.database, uid, harness.player(ALICE), now=harness.now, made_for=older
        )
    assert (
        "concede"
        in concessions.concede(
            harness.database,
            uid,
            harness.player(ALICE),
            now=harness.now,
            made_for=load(harness, uid),
        ).sentence
    )


def test_a_text_for_the_master_may_come_in_a_later_phase(harness: Harness) -> None:
    uid = begin(harness, "diplomacy", press="private")
    older = load(harness, uid, BOB)
    harness.round(uid, [(name, "ready") for name in (ALICE, BOB, CHARLIE)])
    to_seat, to_master = PressDraft(("ENGLAND",), "Hello"), PressDraft(("master",), "Hello")
    with pytest.raises(NotNow, match="has begun since this page was made, so nothing was sent"):
        messages.write_press(
            harness.database, uid, harness.player(BOB), to_seat, now=harness.now, made_for=older
        )
    messages.write_press(
        harness.database, uid, harness.player(BOB), to_master, now=harness.now, made_for=older
    )
