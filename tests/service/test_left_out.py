"""When one line of a plan is left out (rsp R2), the rest is followed and only the plan's owner is
told.
"""

import json

from sqlmodel import col, select

from adjudicator.service.base.tables import Letter, PhaseRow
from adjudicator.service.matches.creation import Wish
from tests.harness import Harness


def test_rsp_R2_a_change_for_a_unit_that_is_not_there_is_left_out_and_the_rest_of_the_plan_stands(
    harness: Harness,
) -> None:
    uid = harness.match(
        "Alice", "Bob", wish=Wish("rsp-diplomacy", "Table", {}, players=2, seating="order")
    )
    harness.order(uid, "Alice", "A Lvp - Yor\nready\nTHEN Rock A Pic\nA Yor - Edi")
    harness.order(uid, "Bob", "A Mun H\nready")
    harness.close(uid)
    with harness.database.read_tx() as session:
        opened = session.exec(select(PhaseRow).where(PhaseRow.number == 2)).one()
        letters = session.exec(
            select(Letter).where(Letter.kind == "report").order_by(col(Letter.id).desc())
        ).all()  # type: ignore[union-attr]
    notes = {
        letter.seat: (
            json.loads(
                harness.keyring.unwrap(
                    letter.context or b"", bound_to=f"letter:{letter.uid}".encode()
                )
            ).get("notes", [])
        )
        for letter in reversed(letters)
    }
    owed = harness.page(uid, "Alice").owed
    assert (opened.dropped, owed is not None and owed.notes) == ([], ())
    assert (
        notes["ENGLAND"][0]
        == "Of your plan for Fall 1901, Rock A PIC was left out; the rest of it stands. There is no"
        " unit in Picardy."
    )
    assert not any("PIC" in note for note in notes["GERMANY"])
