"""How orders of Genesis are read: spellings in English and Russian, the ways of being wrong, and
several lines.
"""

import pytest

from adjudicator.core.game import Refusal
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.play.submission import parse_submission, understand_all, understand_over
from tests.games.genesis.positions import legal, opening, position, refused, why

MIDDLE = "1 Aa1 Bc1 p2 | 2 Ab5 Bd5 | P c2 | I e1"
BEREFT = "1 Ab2 Bx d4 | 2 Ab5 Bd5 | P c4"
BURIED = "1 A+a1 B+e1 p2 d2 | 2 Ab5 Bd5 | tombs"
LEAPING = MIDDLE + " | die 3"

SPELLINGS = [
    # position, as written, canonical
    (MIDDLE, "anubis b2", "anubis b2"),
    (MIDDLE, "Anubis a1-b2", "anubis b2"),
    (MIDDLE, "ANUBIS A1 - B2.", "anubis b2"),
    (MIDDLE, "move the anubis from a1 to b2", "anubis b2"),
    (MIDDLE, "anubis a1→b2", "anubis b2"),
    (MIDDLE, "анубис b2", "anubis b2"),
    (MIDDLE, "Анубис a1–b2", "anubis b2"),
    (MIDDLE, "Ход: анубис на а2", "anubis a2"),
    (MIDDLE, "Анубис идёт на А2", "anubis a2"),
    (MIDDLE, "bastet e3", "bastet e3"),
    (MIDDLE, "бастет е3", "bastet e3"),
    (MIDDLE, "Бастет с1-е3", "bastet e3"),
    (MIDDLE, "pyramid d2", "pyramid d2"),
    (MIDDLE, "place a pyramid on d2", "pyramid d2"),
    (MIDDLE, "пирамида d2", "pyramid d2"),
    (MIDDLE, "поставить пирамиду на d2", "pyramid d2"),
    (MIDDLE, "throw", "throw"),
    (MIDDLE, "throw the die", "throw"),
    (MIDDLE, "бросок", "throw"),
    (MIDDLE, "бросить кость", "throw"),
    (MIDDLE, "pass", "pass"),
    (MIDDLE, "Пас.", "pass"),
    (MIDDLE, "пропустить ход", "pass"),
    (LEAPING, "leap c4", "leap c4"),
    (LEAPING, "bastet leap c4", "leap c4"),
    (LEAPING, "прыжок с4", "leap c4"),
    (LEAPING, "leap c3 idea a5", "leap c3 idea a5"),
    (LEAPING, "leap centre, destroy the idea on e1", "leap c3 destroy e1"),
    (LEAPING, "decline", "decline"),
    (LEAPING, "отказ", "decline"),
    (BEREFT, "return deeds", "return deeds"),
    (BEREFT, "return", "return deeds"),
    (BEREFT, "вернуть деяния", "return deeds"),
    (BEREFT, "return all my deeds", "return deeds"),
    (BEREFT + " | die 1", "rebirth c4", "rebirth c4"),
    (BEREFT + " | die 1", "rebirth of bastet on c4", "rebirth c4"),
    (BEREFT + " | die 1", "возрождение с4", "rebirth c4"),
    (BEREFT + " | die 1", "rebirth from the pyramid on c4", "rebirth c4"),
    (BEREFT + " | die 1", "возродить бастет из пирамиды c4!", "rebirth c4"),
    (BEREFT + " | die 1", "rebirth on the corner a1", "rebirth a1"),
    (BURIED, "deed b1", "deed b1"),
    (BURIED, "деяние b1", "deed b1"),
    (BURIED, "Деяние на b1", "deed b1"),
    ("1 Aa1 Bb3 | 2 Ab5 Bd5 | I e1", "bastet c3 idea a5", "bastet c3 idea a5"),
    (
        "1 Aa1 Bb3 | 2 Ab5 Bd5 | I e1",
        "bastet to the centre and generate an idea on a5",
        "bastet c3 idea a5",
    ),
    ("1 Aa1 Bb3 | 2 Ab5 Bd5 | I e1", "бастет c3 идея a5", "bastet c3 idea a5"),
    (
        "1 Aa1 Bb3 | 2 Ab5 Bd5 | I e1",
        "бастет в центр, уничтожить идею на e1",
        "bastet c3 destroy e1",
    ),
]


@pytest.mark.parametrize(("line", "text", "canonical"), SPELLINGS)
def test_every_spelling_of_an_order_is_read(line: str, text: str, canonical: str) -> None:
    read = GENESIS.parse(position(line), "1", text)
    assert ([str(order) for order in read.orders], read.refusals, read.remarks) == (
        [canonical],
        (),
        (),
    )


@pytest.mark.parametrize(
    "text",
    ["birth anubis b2 bastet d2", "Birth: Bastet d2, Anubis b2", "рождение анубис b2 бастет d2"],
)
def test_every_spelling_of_a_birth_is_read(text: str) -> None:
    assert [str(order) for order in GENESIS.parse(opening(), "1", text).orders] == [
        "birth anubis b2 bastet d2"
    ]


@pytest.mark.parametrize("text", ["", "   ", "\n\n", " , . \n\t\n"])
def test_empty_lines_say_nothing(text: str) -> None:
    read = GENESIS.parse(position(MIDDLE), "1", text)
    assert (read.orders, read.refusals, read.open) == ((), (), ("turn",))


def test_two_orders_may_stand_on_one_line() -> None:
    assert [
        str(order) for order in GENESIS.parse(position(MIDDLE), "1", "anubis b2, bastet e3").orders
    ] == ["anubis b2", "bastet e3"]


# --- not understood


INVALID = [
    ("anubs b2", "anubs", "“anubs” is no word of an order of Genesis.", "anubis"),
    ("pyramide d2", "pyramide", "“pyramide” is no word of an order of Genesis.", "pyramid"),
    ("анубус b2", "анубус", "“анубус” is no word of an order of Genesis.", "anubis"),
    (
        "bastet f2",
        "f2",
        "“f2” is no square of the World, whose files are a to e and ranks 1 to 5.",
        "bastet",
    ),
    (
        "anubis b6",
        "b6",
        "“b6” is no square of the World, whose files are a to e and ranks 1 to 5.",
        "anubis",
    ),
    (
        "bastet c12",
        "c12",
        "“c12” is no square of the World, whose files are a to e and ranks 1 to 5.",
        "bastet",
    ),
    ("rook to b2", "rook", "“rook” is no word of an order of Genesis.", ""),
    ("play the", "play the", "“play the” names no order.", ""),
    ("throw b2", "b2", "“throw” names no square.", "throw"),
    ("pass c3", "c3", "“pass” names no square.", "pass"),
    ("pyramid d2 idea a5", "pyramid d2 idea a5", "“pyramid” does nothing with an idea.", "pyramid"),
]


@pytest.mark.parametrize(("text", "piece", "reason", "like"), INVALID)
def test_a_line_that_is_no_order_is_invalid(text: str, piece: str, reason: str, like: str) -> None:
    refusal = refused(position(MIDDLE), text)
    assert (refusal.kind, refusal.piece, refusal.reason, refusal.line, refusal.understood) == (
        "invalid",
        piece,
        reason,
        text,
        "",
    )
    assert refusal.remedies[0].startswith(like)


AMBIGUOUS = [
    ("anubis", "“anubis” does not say on which square.", "anubis"),
    ("pyramid", "“pyramid” does not say on which square.", "pyramid"),
    ("pyramid d2 d3", "“pyramid d2 d3” names more than one square.", "pyramid"),
    ("bastet c1 d2 e3", "“bastet c1 d2 e3” names more than one square.", "bastet"),
    ("b2", "“b2” does not say what comes to that square.", ""),
    ("bastet c3 idea", "“idea” does not name one corner.", "bastet"),
    ("bastet c3 idea a5 e5", "“idea a5 e5” does not name one corner.", "bastet"),
    (
        "bastet c3 idea a5 destroy e1",
        "Bastet can generate one idea or destroy one, not both.",
        "bastet",
    ),
    (
        "idea a5",
        "Bastet generates and destroys as she enters the Centre, c3: name her move before it.",
        "bastet",
    ),
    ("birth anubis b2", "A birth names a cell for Anubis and one for Bastet.", ""),
]


@pytest.mark.parametrize(("text", "reason", "like"), AMBIGUOUS)
def test_what_could_mean_several_things_is_ambiguous(text: str, reason: str, like: str) -> None:
    refusal = refused(position(MIDDLE), text)
    assert (refusal.kind, refusal.reason, refusal.understood) == ("ambiguous", reason, "")
    assert refusal.remedies[0].startswith(like)


def test_cyrillic_letters_that_look_like_no_file_are_not_guessed() -> None:
    refusal = refused(position(MIDDLE), "анубис в2")
    assert refusal.kind == "invalid"
    assert (
        refusal.reason
        == "“в2” is no square of the World, whose files are the Latin letters a to e and ranks 1"
        " to 5."
    )
    assert refusal.remedies[0] == "anubis b2", "it is offered, not taken"


def test_control_characters_are_quoted_visibly() -> None:
    assert refused(position(MIDDLE), "\x00\x1b[31m").piece == "\ufffd\ufffd"


# --- out of turn, and plans


@pytest.mark.parametrize(
    "text",
    [
        "anubis b2",
        "throw",
        "rebirth b4",
        "leap c3 idea a5",
        "decline",
        "return deeds",
        "deed b1",
        "pass",
    ],
)
def test_orders_out_of_turn_are_illegal_and_kept_as_a_plan(text: str) -> None:
    state = position(MIDDLE + " | turn 2")
    refusal = refused(state, text, "1")
    assert (refusal.kind, refusal.reason) == ("illegal", "It is seat 2’s turn, not yours.")
    assert (refusal.understood, refusal.remedies) == (text, ())
    assert GENESIS.parse(state, "1", text).open == ()


def test_after_the_end_nothing_can_be_ordered() -> None:
    over = GENESIS.adjudicate(position("1 Ab2 Bd1 t9 | 2 Ab5 Bd5 t9 | limit 9"), {}, None).state  # type: ignore[arg-type]
    assert why(over, "pass", "1") == why(over, "pass", "2") == "The match is over."


def test_G5_a_letter_may_plan_what_is_done_with_the_throw() -> None:
    read = understand_all(
        GENESIS, position(MIDDLE), "1", parse_submission("throw THEN leap c4 OR decline")
    )
    assert (read.texts, read.refusals) == (("throw", "leap c4 OR decline"), ())


def test_G5_a_plan_keeps_where_the_piece_was_said_to_be() -> None:
    read = understand_all(
        GENESIS, position(MIDDLE), "1", parse_submission("pass THEN anubis b2-b3")
    )
    assert read.texts == ("pass", "anubis b2-b3")


def test_G5_of_alternatives_the_first_legal_one_is_taken() -> None:
    read = understand_all(
        GENESIS,
        position(MIDDLE),
        "1",
        parse_submission("anubis e5 OR anubis b1\nbastet c5 OR bastet e3"),
    )
    assert read.texts == ("anubis b1\nbastet e3",)


# --- several lines


def test_G2_a_bad_line_keeps_the_good_one() -> None:
    read = GENESIS.parse(position(MIDDLE), "1", "anubis b2\nrubbish\nbastet c5")
    assert [str(order) for order in read.orders] == ["anubis b2"]
    assert [(refusal.line, refusal.kind) for refusal in read.refusals] == [
        ("rubbish", "invalid"),
        ("bastet c5", "illegal"),
    ]


def test_G8_of_two_good_orders_the_later_one_counts_and_a_remark_says_so() -> None:
    read = GENESIS.parse(position(MIDDLE), "1", "anubis b2\npyramid d2")
    assert [str(order) for order in read.orders] == ["pyramid d2"]
    assert read.remarks == (
        "“anubis b2” and “pyramid d2” cannot both count: the later one, “pyramid d2”, does.",
    )


def test_G8_a_later_bad_order_replaces_nothing() -> None:
    read = GENESIS.parse(position(MIDDLE), "1", "anubis b2\nanubis e5")
    assert ([str(order) for order in read.orders], read.remarks) == (["anubis b2"], ())


def test_G8_the_same_order_twice_needs_no_remark() -> None:
    assert GENESIS.parse(position(MIDDLE), "1", "anubis b2\nanubis a1-b2").remarks == ()


MADE_WAY = "1 Ab2 Bb1 | 2 Ad5 Bd4"


def test_G8_where_a_later_order_takes_back_the_way_that_was_made_the_move_through_it_is_refused() -> (
    None
):
    read = GENESIS.parse(position(MADE_WAY), "1", "anubis a2\nbastet b4\nanubis b3")
    assert [str(order) for order in read.orders] == ["anubis b3"]
    assert [refusal.line for refusal in read.refusals] == ["bastet b4"]


def test_G8_a_later_move_takes_the_place_of_the_earlier_one_where_the_other_piece_needs_it_so() -> (
    None
):
    read = GENESIS.parse(position(MADE_WAY), "1", "anubis a2\nbastet b4\nanubis c2")
    assert [str(order) for order in read.orders] == ["anubis c2", "bastet b4"]
    assert read.remarks == (
        "“anubis a2” and “anubis c2” cannot both count: the later one, “anubis c2”, does.",
    )


SECOND_LETTERS = [
    # position, sealed before, the second letter, sealed afterwards, the older line that is lost
    (MIDDLE, "anubis b2\nbastet e3", "anubis b1", "bastet e3\nanubis b1", ""),
    (MADE_WAY, "anubis a2\nbastet b4", "anubis a3", "anubis a3\nbastet b4", ""),
    (MADE_WAY, "anubis a2\nbastet b4", "bastet b3", "anubis a2\nbastet b3", ""),
    (MADE_WAY, "anubis a2", "bastet b4", "anubis a2\nbastet b4", ""),
    (MADE_WAY, "bastet c1\nanubis b1", "bastet c2", "bastet c2\nanubis b1", ""),
    (MADE_WAY, "anubis a2\nbastet b4", "anubis b3", "anubis b3", "bastet b4"),
    (MADE_WAY, "bastet c2\nanubis c1", "bastet c1, anubis a2", "bastet c1\nanubis a2", ""),
    ("1 Ab2 Bc3 leave | 2 Ab5 Bd5", "bastet c1", "anubis b3", "bastet c1\nanubis b3", ""),
]


@pytest.mark.parametrize(("line", "sealed", "letter", "then", "lost"), SECOND_LETTERS)
def test_G8_a_second_letter_changes_one_of_two_moves_and_keeps_the_other(
    line: str, sealed: str, letter: str, then: str, lost: str
) -> None:
    read = understand_over(GENESIS, position(line), "1", (sealed,), parse_submission(letter))
    assert read.texts == (then,)
    assert [refusal.line for refusal in read.refusals] == ([lost] if lost else [])
    assert read.complete == (not lost)


def test_G2_a_second_letter_that_makes_the_duty_deed_impossible_says_so() -> None:
    line = "1 A+a1 B+e1 complete | 2 Ad5 Bb5 p1 d2 | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs | turn 2"
    read = understand_over(
        GENESIS, position(line), "2", ("pass\ndeed c1",), parse_submission("pyramid c1")
    )
    assert (read.texts, read.complete) == (("pyramid c1",), False)
    assert [(refusal.line, refusal.reason) for refusal in read.refusals] == [
        ("deed c1", "A pyramid lies on c1.")
    ]


def test_G2_a_second_letter_of_which_nothing_is_possible_changes_nothing() -> None:
    read = understand_over(
        GENESIS, position(MADE_WAY), "1", ("anubis a2",), parse_submission("bastet e5")
    )
    assert read.empty
    assert [refusal.line for refusal in read.refusals] == ["bastet e5"]


# --- remedies


def remedies(text: str, line: str = MIDDLE) -> tuple[str, ...]:
    refusal: Refusal = refused(position(line), text)
    return refusal.remedies


def test_remedies_are_the_nearest_orders_first() -> None:
    assert remedies("anubis c3")[:3] == ("anubis b1", "anubis a2", "anubis b2")
    assert remedies("pyramid c2")[0].startswith("pyramid")
    assert remedies("leap b4", LEAPING)[0].startswith("leap")


def test_remedies_beside_a_move_that_counts_go_with_it() -> None:
    for remedy in remedies("anubis b2\nbastet b2")[:3]:
        assert legal(position(MIDDLE), f"anubis b2\n{remedy}")


def test_remedies_of_a_duty_deed_are_duty_deeds() -> None:
    line = "1 A+a1 B+e1 complete | 2 Ad5 Bb5 p1 d2 | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs | turn 2"
    refusal = refused(position(line), "pass\ndeed b1")
    assert refusal.remedies == ("deed c1", "deed c2", "deed a3", "deed b3", "deed d3", "deed e3")
