"""What a letter lists of very many choices: each kind of order on a line, where there are many by their number and one of them."""

from adjudicator.mail.rendering import LONGEST_KIND, in_short
from tests.mail.office import Office
from tests.mail.table import ALICE, BOB


def choices(heading: str, texts: list[str]) -> list[dict[str, str]]:
    return [{"group": heading, "text": text, "label": f"what {text} means"} for text in texts]


def test_few_orders_of_a_kind_are_spelled_and_many_are_told_by_one_of_them() -> None:
    many = [f"F NTH C A LON - {place}" for place in range(LONGEST_KIND // len("F NTH C A LON - 0"))]
    lines = in_short([*choices("Move", ["F NTH - BEL", "F NTH - DEN"]), *choices("Convoy", many)])
    assert lines == ["Move: F NTH - BEL; F NTH - DEN", "Convoy: 7 in all, such as F NTH C A LON - 0"]


def test_a_seat_with_many_pieces_is_told_its_choices_in_short(office: Office) -> None:
    office.begin(ALICE, BOB, game="diplomacy", name="By post")
    owed = office.newest(ALICE, "report").text.partition("What you owe")[2].partition("Answer this letter")[0]
    assert "\n  Move: A" in owed and "holds" not in owed


def test_status_tells_the_same_choices_in_short(office: Office) -> None:
    office.begin(ALICE, BOB, game="diplomacy", name="By post")
    office.answer(office.newest(ALICE, "report"), f"status {office.uid}")
    assert "\n  Move: A" in office.newest(ALICE, "answer").text


def test_a_question_that_may_stay_open_says_what_that_means(office: Office) -> None:
    office.begin(ALICE, BOB, game="rsp-diplomacy", name="By post")
    owed = " ".join(office.newest(ALICE, "report").text.split())
    assert "left empty, it stays so.)" in owed and "write CONCEDE on a line of its own.)" in owed
