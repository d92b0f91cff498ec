"""What players read and see of Rock Paper Pyramid."""

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from adjudicator.core.game import may_read
from adjudicator.games.pyramid.draw import EXAMPLES, WIDTH, rule_pictures
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State
from adjudicator.games.pyramid.view import TableView
from tests.games.contract import faults_of_picture
from tests.games.pyramid.positions import DEAL, MIRRORED, after, opening, show


def story(before: State, pieces: str, you: str | None = None) -> Sequence[str]:
    """Return what `you` is told of a round."""
    done = show(before, pieces)
    return PYRAMID.story(PYRAMID.view(done.state, you), done.events)


# --- the story


def test_the_story_of_a_full_sweep_addresses_its_taker() -> None:
    assert story(opening(), "B3 B2 W2", you="1") == (
        (
            "Round 1 was a full sweep: you showed black large, seat 2 black medium and seat 3 white"
            " medium."
        ),
        "Your black large captured seat 2’s black medium by size.",
        "Your black large captured seat 3’s white medium by colour and size.",
        "Seat 2’s black medium captured seat 3’s white medium by colour.",
        "You took black medium and white medium: 4 pips.",
        "The score: you have 4 pips, seat 2 has 0 and seat 3 has 0.",
    )


def test_the_story_for_an_observer_names_every_seat() -> None:
    lines = story(opening(), "B3 B2 W2")
    assert (
        lines[0]
        == "Round 1 was a full sweep: seat 1 showed black large, seat 2 black medium and seat 3"
        " white medium."
    )
    assert lines[4] == "Seat 1 took black medium and white medium: 4 pips."
    assert not any("you" in line.lower() for line in lines)


def test_one_who_was_captured_reads_whose_piece_it_was() -> None:
    assert "Seat 1’s black large captured your white medium by colour and size." in story(
        opening(), "B3 B2 W2", you="3"
    )


def test_with_take_all_the_story_names_the_own_piece() -> None:
    state = opening(take="all", deal=DEAL)
    assert "You took white large and kept your own red small: 4 pips." in story(
        state, "R1 W3 B2", you="1"
    )
    assert "Seat 1 took white large and kept its own red small: 4 pips." in story(
        state, "R1 W3 B2", you="2"
    )


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        (
            "B2 W2 W3",
            (
                "Two pieces captured the third and neither captured the other, so nobody took"
                " anything."
            ),
        ),
        ("B3 B2 B1", "Each piece was captured by another, so nobody took anything."),
        ("B3 W1 C2", "No piece captured another, so nobody took anything."),
    ],
)
def test_where_nobody_takes_the_story_says_why(pieces: str, line: str) -> None:
    assert line in story(opening(), pieces)


WON = ("B3 B2 B3", "B2 B3 B2", *MIRRORED[2:])
SHARED = ("B3 B2 B3", "B2 B3 B2", "W2 W3 W3", "W3 W2 W2", MIRRORED[2], *MIRRORED[5:])


@pytest.mark.parametrize(
    ("rounds", "you", "line"),
    [
        (
            WON,
            "2",
            "The match is over: you won with 4 pips, ahead of seat 1 with 0 and seat 3 with 0.",
        ),
        (
            WON,
            "3",
            "The match is over: seat 2 won with 4 pips, ahead of seat 1 with 0 and you with 0.",
        ),
        (
            SHARED,
            None,
            (
                "The match is over: seat 1 and seat 2 share first place with 4 pips, ahead of seat"
                " 3 with 0."
            ),
        ),
        (MIRRORED, None, "The match is over and all three share first place with 0 pips."),
    ],
)
def test_the_story_of_the_end_has_the_standing(
    rounds: tuple[str, ...], you: str | None, line: str
) -> None:
    assert story(after(*rounds[:-1]), rounds[-1], you=you)[-1] == line


def test_R4_each_seat_learns_its_own_deal_and_everybody_all_deals_at_the_end() -> None:
    state = opening(deal=DEAL)
    events = PYRAMID.opened(state)

    def told(view: TableView, reader: str | None) -> tuple[str, ...]:
        return PYRAMID.story(
            view, [event for event in events if reader == "all" or may_read(event, reader)]
        )

    public = "Each seat was dealt one red piece, whose size it alone knows until it is shown."
    assert told(PYRAMID.view(state, None), None) == (public,)
    assert told(PYRAMID.view(state, "2"), "2") == (public, "You were dealt the red medium piece.")
    ended = told(PYRAMID.view(state, "2", reveal=True), "all")
    assert ended[1:] == (
        "Seat 1 was dealt the red small piece.",
        "You were dealt the red medium piece.",
        "Seat 3 was dealt the red large piece.",
    )


def test_R4_the_picture_shows_a_hidden_red_piece_without_its_size() -> None:
    drawn = PYRAMID.draw(PYRAMID.view(opening(deal=DEAL), "1"))
    assert (
        drawn.count("<title>one red piece</title>") == 2
        and drawn.count("<title>red small</title>") == 1
    )
    assert 'id="pyramid-1-R1"' in drawn and 'id="pyramid-2-R"' in drawn
    assert "red medium" not in drawn and "red large" not in drawn


def test_one_pip_is_one_pip() -> None:
    assert "You took white small: 1 pip." in story(
        opening(deal=("R2", "R3", "R1")), "C2 W1 R1", you="3"
    )


# --- the board


BOARD = """\
Round 2 of 10
Round 1 was a full sweep: seat 1 took black medium and white medium.

Seat 1 (you): 4 pips
  showed  B3, black large
  kept    B2 W2
  black   B2 medium, B1 small
  white   W3 large, W2 medium, W1 small
  crystal C3 large, C2 medium, C1 small
  red     R1 small

Seat 2: 0 pips
  showed  B2, black medium
  kept    nothing yet
  black   B3 large, B1 small
  white   W3 large, W2 medium, W1 small
  crystal C3 large, C2 medium, C1 small
  red     one red piece, its size hidden

Seat 3: 0 pips
  showed  W2, white medium
  kept    nothing yet
  black   B3 large, B2 medium, B1 small
  white   W3 large, W1 small
  crystal C3 large, C2 medium, C1 small
  red     one red piece, its size hidden"""


def test_the_board_shows_each_seat_in_a_block() -> None:
    assert PYRAMID.text_board(PYRAMID.view(after("B3 B2 W2", deal=DEAL), "1")) == BOARD


def test_the_board_of_an_ended_match_has_nothing_left_to_hold() -> None:
    text = PYRAMID.text_board(PYRAMID.view(after(*MIRRORED), None))
    assert text.startswith("The end\n")
    assert text.count("holds   nothing more") == 3


# --- the choices


def test_the_slot_groups_the_pieces_held_by_colour_and_points_into_the_own_pool() -> None:
    (slot,) = PYRAMID.slots(after("B3 B2 W2", deal=DEAL), "1")
    assert (slot.name, slot.title) == ("pick", "Which piece do you show in round 2?")
    first, last = slot.choices[0], slot.choices[-1]
    assert (first.text, first.label, first.group, first.marks) == (
        "B2",
        "Black medium",
        "Black",
        ("pyramid-1-B2",),
    )
    assert (last.text, last.label, last.group, last.marks) == (
        "R1",
        "Red small",
        "Red",
        ("pyramid-1-R1",),
    )


# --- the picture


def texts(svg: str) -> list[str]:
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_the_picture_alone_tells_the_round() -> None:
    words = texts(PYRAMID.draw(PYRAMID.view(after("B3 B2 W2"), "1")))
    for word in (
        "Full sweep",
        "Seat 1 takes black medium and white medium.",
        "Round 1 of 9",
        "takes both",
        "taken",
        "Seat 1 (you)",
    ):
        assert word in words


def test_the_picture_distinguishes_captured_pieces_that_nobody_took_from_discarded_ones() -> None:
    words = texts(PYRAMID.draw(PYRAMID.view(after("B2 W2 W3"), None)))
    assert words.count("captured, not taken") == 1
    assert words.count("discarded") == 2
    assert "neutral" in words


def test_the_picture_before_the_first_round_shows_no_piece_face_up() -> None:
    words = texts(PYRAMID.draw(PYRAMID.view(opening(), None)))
    assert words.count("?") == 3
    assert "Round 1 of 9" in words


def test_played_pieces_are_not_marked_as_choices() -> None:
    svg = PYRAMID.draw(PYRAMID.view(after("B3 B2 W2"), "1"))
    assert 'id="pyramid-1-B3"' not in svg
    assert 'id="pyramid-1-B2"' in svg


def test_the_last_picture_names_the_winner() -> None:
    words = " ".join(texts(PYRAMID.draw(PYRAMID.view(after(*WON), None))))
    assert "Seat 2 wins the match." in words
    assert "4, first" in words


def test_the_winners_score_is_not_cut_off_at_the_edge_of_the_picture() -> None:
    view = PYRAMID.view(after(*WON), None)
    hands = tuple(
        replace(hand, kept=("B3", "W3", "C3", "B3", "W3") if hand.seat == "2" else ())
        for hand in view.hands
    )
    svg = PYRAMID.draw(replace(view, hands=hands, scores={hand.seat: hand.score for hand in hands}))
    told = next(each for each in ElementTree.fromstring(svg).iter() if each.text == "15, first")
    # of a bold letter, on average, in the widest of common faces
    widest = 0.62 * float(told.attrib["font-size"])
    assert float(told.attrib["x"]) + widest * len("15, first") <= WIDTH


def test_the_rules_page_has_a_picture_of_each_pattern() -> None:
    pictures = rule_pictures()
    assert (
        sorted(pictures)
        == sorted(EXAMPLES)
        == ["full_sweep", "line_sweep", "solo", "standoff", "washout", "wishbone"]
    )
    for name, svg in pictures.items():
        assert list(faults_of_picture(PYRAMID, svg, set())) == []
        assert " id=" not in svg
        drawn = ElementTree.fromstring(svg)
        lowest = max(float(each.attrib["y"]) for each in drawn.iter() if each.tag.endswith("text"))
        assert lowest + 16 <= float(drawn.attrib["viewBox"].split()[3])  # room below the last line
        assert name.replace("_", " ").capitalize() in svg
