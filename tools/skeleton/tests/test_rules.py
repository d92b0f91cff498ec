"""The rules of Skeleton, a round at a time."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Refusal
from adjudicator.core.options import complete_options
from adjudicator.games.skeleton.model import Play, State
from adjudicator.games.skeleton.rules import SKELETON

SEATS = ("1", "2")
TEMPLATES = Path(__file__).parents[3] / "templates"


def after(*rounds: str, cards: int = 3) -> State:
    """Return the table after rounds written as `3/1`, seat 1's card first."""
    state = SKELETON.start(
        SEATS, complete_options(SKELETON.about, {"cards": cards}), ScriptedChance([])
    )
    for each in rounds:
        orders = {
            seat: (Play(int(card)),) for seat, card in zip(SEATS, each.split("/"), strict=True)
        }
        state = SKELETON.adjudicate(state, orders, ScriptedChance([])).state
    return state


def refusal(text: str, state: State) -> Refusal:
    read = SKELETON.parse(state, "1", text)
    assert read.orders == ()
    return read.refusals[0]


@pytest.mark.parametrize(
    ("rounds", "scores"),
    [("3/1", (1, 0)), ("1/3", (0, 1)), ("2/2", (0, 0)), ("3/1 2/2 1/3", (1, 1))],
)
def test_the_higher_card_takes_the_point(rounds: str, scores: tuple[int, int]) -> None:
    assert tuple(after(*rounds.split()).scores.values()) == scores


def test_the_higher_score_wins_when_the_hands_are_empty() -> None:
    assert SKELETON.result(after("3/1", "2/3")) is None
    result = SKELETON.result(after("3/1", "1/3", "2/2"))
    assert result is not None and [standing.outcome for standing in result.values()] == [
        "drew",
        "drew",
    ]


def test_a_silent_seat_plays_a_card_by_chance() -> None:
    done = SKELETON.adjudicate(after(), {"1": (Play(3),)}, ScriptedChance([2]))
    assert done.state.hand("2") == (1, 3)


@pytest.mark.parametrize("text", ["2", "play 2", "Card 2.", "PLAY  card 2"])
def test_every_way_to_write_an_order_is_read(text: str) -> None:
    assert SKELETON.parse(after(), "1", text).orders == (Play(2),)


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("tow", "invalid", "“tow” is no card; write its number."),
        ("play", "invalid", "“play” names no card."),
        ("9", "invalid", "The cards are numbered from 1 to 3."),
        ("1 2", "ambiguous", "“1 2” names more than one card; play only one."),
        ("3", "illegal", "You have played your 3 already."),
    ],
)
def test_a_bad_line_is_refused_with_its_reason(text: str, kind: str, reason: str) -> None:
    found = refusal(text, after("3/1"))
    assert (found.kind, found.reason, found.remedies) == (kind, reason, ("play 1", "play 2"))


def test_the_story_addresses_its_reader() -> None:
    before = after("3/1", "2/2")
    done = SKELETON.adjudicate(before, {"1": (Play(1),), "2": (Play(3),)}, ScriptedChance([]))
    assert SKELETON.story(SKELETON.view(done.state, "1"), done.events) == (
        "In round 3 you played 1 and seat 2 played 3; seat 2 took the point.",
        "The match is over: a draw; you have 1 point and seat 2 has 1.",
    )


def test_the_house_bot_beats_the_middle_of_the_other_hand_if_it_can() -> None:
    state = after(cards=5)
    assert (
        SKELETON.bot(
            SKELETON.view(state, "1"), SKELETON.slots(state, "1"), lambda options: options[0]
        )
        == "play 4"
    )


def test_the_page_shows_every_picture_and_every_option() -> None:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    page = ElementTree.fromstring(
        environment.get_template("web/rules/skeleton.html")
        .render(pictures=SKELETON.pictures())
        .strip()
    )
    assert len(page.findall(".//figure")) == len(SKELETON.pictures())
    assert [title.text for title in page.iter("dt")] == [
        option.title for option in SKELETON.about.options
    ]
