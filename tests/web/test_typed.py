"""Submitted forms become the text that a letter would contain, and sealed orders become forms
again.
"""

from werkzeug.datastructures import MultiDict

from adjudicator.core.game import Choice, Slot
from web.http.order_form import Typed

MOVES = tuple(Choice(text, text) for text in ("ant b1", "cat d1", "stay"))
SLOTS = (Slot("turn", "First?", MOVES), Slot("other", "Then?", MOVES[:2], optional=True))


def test_orders_are_written_in_the_order_of_the_form() -> None:
    form = MultiDict([("slot-turn", "cat d1"), ("slot-other", "ant b1"), ("plan", "THEN\nstay")])
    assert Typed.read(form).submission == "clear\ncat d1\nant b1\nTHEN\nstay"


def test_nothing_chosen_in_an_optional_slot_adds_nothing() -> None:
    assert (
        Typed.read(MultiDict([("slot-turn", "stay"), ("slot-other", "")])).submission
        == "clear\nstay"
    )


def test_each_slot_keeps_what_was_clicked_in_it() -> None:
    sent = Typed.read(MultiDict([("slot-turn", ""), ("slot-other", "ant b1")]))
    assert sent.orders_by_slot(SLOTS) == {"other": "ant b1"}


def test_sealed_orders_fill_each_slot_once_in_the_order_written() -> None:
    assert Typed.of_parts(("cat d1\nant b1",), for_later=False).orders_by_slot(SLOTS) == {
        "turn": "cat d1",
        "other": "ant b1",
    }
    assert Typed.of_parts(("stay\ncat d1",), for_later=False).orders_by_slot(SLOTS) == {
        "turn": "stay",
        "other": "cat d1",
    }


def test_what_no_slot_offers_stays_in_the_text() -> None:
    sealed = Typed.of_parts(("cat e5", "stay"), for_later=False)
    assert sealed.orders_by_slot(SLOTS) == {} and sealed.text == "cat e5\nTHEN\nstay"


def test_a_plan_alone_keeps_its_then_where_orders_are_due_and_needs_none_where_not() -> None:
    assert Typed.of_parts(("", "stay"), for_later=False).text == "THEN\nstay"
    assert Typed.of_parts(("stay", "cat d1"), for_later=True).text == "stay\nTHEN\ncat d1"
