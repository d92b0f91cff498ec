"""What players read and see of RPS Redeux."""

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from adjudicator.core.game import may_read
from adjudicator.games.redeux.cards import BACK
from adjudicator.games.redeux.draw import rule_pictures
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import State
from tests.games.contract import faults_of_picture
from tests.games.redeux.positions import UNSHUFFLED, after, opening, play, risk

END = after(opening(risk="never"), "R/S R/P S/P")
QUESTION = after(opening(), "R/S R/S R/S")


def story(
    before: State, pick: str, you: str | None = None, script: Sequence[object] = ()
) -> tuple[str, ...]:
    """Return what `you` is told of a pick."""
    done = play(before, pick, script)
    return REDEUX.story(
        REDEUX.view(done.state, you), [event for event in done.events if may_read(event, you)]
    )


# --- the story


STORIES = [
    # state, pick, reader, script, what is told
    (
        opening(),
        "R/S",
        "1",
        [],
        ("Your rock beat seat 2’s scissors: you have 5 points and seat 2 has 0.",),
    ),
    (
        opening(),
        "R/S",
        "2",
        [],
        ("Seat 1’s rock beat your scissors: seat 1 has 5 points and you have 0.",),
    ),
    (
        opening(),
        "S/R",
        None,
        [],
        ("Seat 2’s rock beat seat 1’s scissors: seat 2 has 5 points and seat 1 has 0.",),
    ),
    (
        opening(),
        "P/P",
        "2",
        [],
        ("You and seat 1 both played paper, so round 1 is tied and done again.",),
    ),
    (
        opening(),
        "P/P",
        None,
        [],
        ("Seat 1 and seat 2 both played paper, so round 1 is tied and done again.",),
    ),
    (
        after(opening(), "P/P"),
        "P/P",
        None,
        [],
        (
            (
                "Seat 1 and seat 2 both played paper, so round 1 is tied for the second time in a"
                " row and done again."
            ),
        ),
    ),
    (
        opening(tie_limit=1),
        "P/P",
        "1",
        ["2"],
        (
            (
                "You and seat 2 both played paper; round 1 was tied once, so chance named its"
                " winner: seat 2."
            ),
            "Seat 2 has 5 points and you have 0.",
        ),
    ),
    (
        risk("10-5"),
        "R10/S5",
        "1",
        [],
        (
            "Your rock beat seat 2’s scissors: you bet 10 and won 20, seat 2 bet 5 and lost 5.",
            "You have 30 points and seat 2 has 0.",
            "You drew rock from the deck.",
        ),
    ),
    (
        risk("10-5"),
        "R/S5",
        None,
        [],
        (
            (
                "Seat 1’s rock beat seat 2’s scissors: seat 1 won 5 without a bet, seat 2 bet 5 and"
                " lost 5."
            ),
            "Seat 1 has 15 points and seat 2 has 0.",
        ),
    ),
    (
        risk("10-5"),
        "R5/R",
        None,
        [],
        (
            (
                "Seat 1 and seat 2 both played rock, so Risk Round 1 is tied and done again; the"
                " bets lapse."
            ),
        ),
    ),
    (
        risk("10-5", tie_limit=1),
        "R5/R5",
        None,
        ["1"],
        (
            (
                "Seat 1 and seat 2 both played rock; Risk Round 1 was tied once, so chance named"
                " its winner: seat 1."
            ),
            "Seat 1 bet 5 and won 10, seat 2 bet 5 and lost 5.",
            "Seat 1 has 20 points and seat 2 has 0.",
        ),
    ),
    (
        risk("10-5", deck=""),
        "R/S",
        "2",
        [["scissors", "rock"]],
        (
            "Seat 1’s rock beat your scissors: seat 1 has 15 points and you have 5.",
            "The deck was empty: the 2 cards of the discard were shuffled and are the deck now.",
            "You drew rock from the deck.",
        ),
    ),
    (
        QUESTION,
        "yes/no",
        "1",
        [],
        (
            "You said yes to the Risk Rounds and seat 2 said no, so the match ends here.",
            "The Primary game decides: you won the match, 15 to 0.",
        ),
    ),
    (
        QUESTION,
        "yes/yes",
        "1",
        [UNSHUFFLED],
        (
            "You and seat 2 both said yes to the Risk Rounds, so the match goes on.",
            (
                "The Risk Rounds begin: each hand is 3 rock, 3 paper and 3 scissors again, the deck"
                " has 54 cards, and 100 points win."
            ),
        ),
    ),
]


@pytest.mark.parametrize(("state", "pick", "you", "script", "lines"), STORIES)
def test_the_story_tells_each_event_to_its_reader(
    state: State, pick: str, you: str | None, script: list[object], lines: tuple[str, ...]
) -> None:
    assert story(state, pick, you, script) == lines


def test_the_end_of_the_primary_game_is_told_with_the_question() -> None:
    assert story(after(opening(), "R/S R/P"), "S/P", you="2")[1:] == (
        "Seat 1 won the Primary game, 10 to 5.",
        "Now you are both asked whether to go on to the Risk Rounds; one no ends the match here.",
    )


@pytest.mark.parametrize(
    ("before", "pick", "line"),
    [
        (
            after(opening(risk="never"), "R/S R/P"),
            "S/P",
            "There are no Risk Rounds in this match: you won the match, 10 to 5.",
        ),
        (risk("95-40"), "R/S", "Your score reached 100: you won the match, 100 to 40."),
        (risk("95-40"), "R20/P30", "Seat 2’s score reached 100: seat 2 won the match, 100 to 75."),
        (
            risk("20-10", picks=59),
            "R/S",
            (
                "60 picks of the Risk Rounds are over, and the scores differ: you won the match, 25"
                " to 10."
            ),
        ),
    ],
)
def test_the_end_is_told_with_its_reason(before: State, pick: str, line: str) -> None:
    assert story(before, pick, you="1")[-1] == line


# --- the board


BOARD = """\
Risk Round 2: 100 points win
Risk Round 1: your rock beat seat 2’s scissors.

Seat 1 (you): 30 points
  hand    3 rock, 3 paper and 3 scissors
  played  1 rock

Seat 2: 0 points
  hand    9 cards, hidden
  played  1 scissors

Deck: 6 cards
Discard: 1 rock and 1 scissors"""


def test_the_board_shows_the_own_hand_and_hides_the_other() -> None:
    assert REDEUX.text_board(REDEUX.view(play(risk("10-5"), "R10/S5").state, "1")) == BOARD


def test_the_board_of_the_primary_game_has_match_piles_and_no_deck() -> None:
    text = REDEUX.text_board(REDEUX.view(after(opening(), "R/S"), None))
    assert text.startswith(
        "Round 2 of 3 in the Primary game\nRound 1: seat 1’s rock beat seat 2’s scissors.\n"
    )
    assert "  won     2 cards in the match pile" in text
    assert "Deck" not in text
    assert text.count("8 cards, hidden") == 2


@pytest.mark.parametrize(
    ("you", "title"),
    [("1", "The end: you won"), ("2", "The end: seat 1 won"), (None, "The end: seat 1 won")],
)
def test_the_board_of_an_ended_match_names_the_winner(you: str | None, title: str) -> None:
    assert REDEUX.text_board(REDEUX.view(END, you)).splitlines()[0] == title


def test_the_boards_of_an_ended_match_show_both_hands() -> None:
    state = play(risk("10-5"), "R10/S5").state
    assert BOARD.replace("9 cards, hidden", "4 rock, 3 paper and 2 scissors") == REDEUX.text_board(
        REDEUX.view(state, "1", reveal=True)
    )
    assert "hidden" not in REDEUX.text_board(REDEUX.view(END, None))


# --- the choices


def test_in_the_primary_game_a_choice_is_a_card_and_points_to_it() -> None:
    (slot,) = REDEUX.slots(opening(), "1")
    assert slot.title == "Which card do you play in round 1?"
    assert [(choice.label, choice.group, choice.marks) for choice in slot.choices][:2] == [
        ("Rock", "", ("redeux-hand-rock",)),
        ("Paper", "", ("redeux-hand-paper",)),
    ]


def test_in_the_risk_rounds_a_choice_is_a_card_then_a_bet() -> None:
    (slot,) = REDEUX.slots(risk("10-5"), "1")
    assert slot.title == "Which card do you play in Risk Round 1, and what do you bet on it?"
    assert [(choice.label, choice.group, choice.marks) for choice in slot.choices][2:4] == [
        ("bet 10", "Rock", ("redeux-hand-rock", "redeux-bet-10")),
        ("no bet", "Paper", ("redeux-hand-paper", "redeux-bet-0")),
    ]
    assert len(slot.choices) == 9


def test_who_has_no_points_chooses_a_card_alone() -> None:
    (slot,) = REDEUX.slots(risk("10-0"), "2")
    assert [(choice.text, choice.marks) for choice in slot.choices] == [
        (kind, (f"redeux-hand-{kind}",)) for kind in ("rock", "paper", "scissors")
    ]


# --- the picture


def texts(svg: str) -> list[str]:
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


def picture(state: State, you: str | None) -> str:
    return REDEUX.draw(REDEUX.view(state, you))


def test_the_picture_alone_tells_the_pick() -> None:
    words = texts(picture(play(risk("10-5"), "R10/S5").state, "1"))
    for word in (
        "Risk Round 2",
        "Your rock beat seat 2’s scissors.",
        "beats",
        "bet 10, won 20",
        "bet 5, lost 5",
        "30",
        "3 rock",
    ):
        assert word in words


def test_the_pictures_of_an_ended_match_show_every_card() -> None:
    state = play(risk("10-5"), "R10/S5").state
    assert BACK in REDEUX.draw(REDEUX.view(state, None))
    assert BACK not in REDEUX.draw(REDEUX.view(state, None, reveal=True))


def test_the_picture_of_a_tie_says_that_it_is_done_again() -> None:
    words = texts(picture(after(opening(), "P/P P/P"), None))
    assert [word for word in words if word in ("tie", "done again", "(2 in a row)")] == [
        "tie",
        "done again",
        "(2 in a row)",
    ]
    named = texts(picture(play(opening(tie_limit=1), "P/P", ["2"]).state, None))
    assert [word for word in named if word.startswith(("tied", "chance", "seat 2"))] == [
        "tied 1 time:",
        "chance names",
        "seat 2",
    ]


def test_nobody_but_its_owner_sees_a_hand_or_what_can_be_bet() -> None:
    state = risk("10-5")
    assert 'id="redeux-hand-rock"' in picture(state, "1")
    assert 'id="redeux-bet-10"' in picture(state, "1")
    assert 'id="redeux-bet-10"' not in picture(state, "2")
    assert " id=" not in picture(state, None)
    assert "Your hand" not in texts(picture(state, None))


def test_a_hundred_bets_have_a_chip_each_large_enough_to_be_hit() -> None:
    root = ElementTree.fromstring(picture(risk("495-0", target=500), "1"))
    chips = [element for element in root.iter() if str(element.get("id")).startswith("redeux-bet-")]
    assert len(chips) == 100
    boxes = [chip.find("{http://www.w3.org/2000/svg}rect") for chip in chips]
    assert all(
        box is not None and float(box.get("width", 0)) >= 40 and float(box.get("height", 0)) >= 40
        for box in boxes
    )
    places = {(box.get("x"), box.get("y")) for box in boxes if box is not None}
    assert len(places) == 100


def test_the_question_is_put_in_the_picture_of_a_seat() -> None:
    for word in ("yes", "no"):
        assert f'id="redeux-risk-{word}"' in picture(QUESTION, "2")
        assert f'id="redeux-risk-{word}"' not in picture(QUESTION, None)


def test_the_last_picture_names_the_winner_and_offers_nothing() -> None:
    assert texts(picture(END, "2"))[0] == "Seat 1 won"
    assert " id=" not in picture(END, "1")


def test_the_pictures_of_the_rules_page_are_clean() -> None:
    pictures = rule_pictures()
    assert sorted(pictures) == ["cards", "tie", "won", "won_bet"]
    for svg in pictures.values():
        assert list(faults_of_picture(REDEUX, svg, set())) == []
        assert " id=" not in svg
