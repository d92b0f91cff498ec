"""The words after `join` and a game: players, presets, options by name, and preferred seats."""

from dataclasses import replace

import pytest
from sqlmodel import col, select

from adjudicator.mail.commands.joining.wanted import Wanted, read_wanted
from adjudicator.mail.commands.recognition import find_command
from adjudicator.service.base import rows
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Match
from adjudicator.service.views import game_info
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import DORA, flat


def read(line: str, **changes: object) -> Wanted:
    found = find_command(line)
    assert found is not None
    game, *words = found[1].lower().split()
    return read_wanted(replace(game_info.about(game_info.named(game)), **changes), words, ())


@pytest.mark.parametrize(
    ("line", "players", "house", "options"),
    [
        ("join phoenix 4 team house", 4, True, {"team": True}),
        ("join pyramid red", None, False, {"red": True}),
        ("Join pyramid, red, take all.", None, False, {"red": True, "take": "all"}),
        ("join phoenix giveaway turn=30", None, False, {"give-away": True, "turn_limit": 30}),
        (
            "join phoenix give-away turn_limit = 30",
            None,
            False,
            {"give-away": True, "turn_limit": 30},
        ),
        ("join phoenix 2 casino off", 2, False, {"casino": False}),
        ("join diplomacy 7 victory 20", 7, False, {"victory_centres": 20}),
        (
            "join diplomacy 3 victory=20 edition 1976 anonymous",
            3,
            False,
            {"victory_centres": 20, "edition": "1976", "anonymous": True},
        ),
        ("join diplomacy press", None, False, {"press": "private"}),
        ("join diplomacy press public 5", 5, False, {"press": "public"}),
        ("join genesis short turn 100", None, False, {"ideas": 8, "turn_limit": 100}),
    ],
)
def test_options_are_written_as_people_would(
    line: str, players: int | None, house: bool, options: dict[str, object]
) -> None:
    found = read(line)
    assert (found.players, found.house, found.options) == (players, house, options)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "join pyramid blue",
            (
                "After `join pyramid` may stand a word such as `house`, `take=captured`, `red`,"
                " `calm`, `daily`"
            ),
        ),
        (
            "join pyramid blue",
            "“blue” is none of them. `help join pyramid` lists all of these words.",
        ),
        ("join phoenix 3 team", "“team” is only for 4 players; this match has 3."),
        (
            "join diplomacy victory=99",
            "“99” is not possible for “victory_centres”: choose a number from",
        ),
        ("join diplomacy victory", "“victory_centres” needs a value"),
        ("join diplomacy edition=", "“” is not possible for “edition”: choose one of"),
        ("join diplomacy victory is sweet", "needs a value"),
        ("join redeux 9", "“9” is none of them."),
    ],
)
def test_what_is_not_possible_is_refused_with_what_is(line: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        read(line)
    assert why in str(refused.value)


def test_a_seat_is_a_wish_only_where_seats_go_by_preference() -> None:
    assert read("join phoenix red", seating="preference").wishes == ("red",)
    with pytest.raises(Refused, match="“red” is none of them"):
        read("join phoenix red", seating="order")
    assert read("join pyramid red", seating="preference").options == {"red": True}


def test_a_table_is_laid_with_the_options_that_a_letter_names(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "join phoenix 4 team house")
    question = harness.newest(DORA, "confirm")
    assert "join phoenix 4 team house" in question.text
    harness.answer(question, "yes")
    assert "A match of RPS Phoenix against the house begins in a moment" in flat(
        harness.newest(DORA, "answer")
    )


def test_a_letter_makes_a_match_as_the_form_does(harness: MailHarness) -> None:
    line = "join pyramid house=1 master grace=30 name: Friday evening invite: bob@example.org"
    harness.write(DORA, SERVICE, line)
    question = harness.newest(DORA, "confirm")
    assert line in flat(question)
    harness.answer(question, "yes")
    answer = flat(harness.newest(DORA, "answer"))
    assert (
        "A letter invites the address that you named. It begins when 2 more have joined; others can"
        " write `join " in answer
    )
    assert "You run it and take no seat." in answer
    with harness.database.read_tx() as session:
        made = session.exec(select(Match)).one()
        faces = [
            (seat.player_id is not None, seat.kept_for) for seat in rows.seats_of(session, made)
        ]
    assert (made.name, made.grace_seconds) == ("Friday evening", 1800)
    assert faces == [(True, None), (False, "bob@example.org"), (False, None)]


def test_no_question_repeats_the_address_of_a_calendar(harness: MailHarness) -> None:
    line = "join pyramid timetable: 20:00 calendar: https://example.org/club.ics"
    harness.write(DORA, SERVICE, line)
    refused = harness.newest(DORA, "answer")
    assert "A web address is taken in answer to a letter of a match only" in flat(refused)
    assert "club.ics" not in refused.text + refused.html
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), line)
    with harness.database.read_tx() as session:
        assert (
            session.exec(select(Match.calendar).order_by(col(Match.id).desc())).first()
            == "https://example.org/club.ics"
        )


def test_a_name_or_an_address_that_is_none_makes_no_command() -> None:
    assert find_command("join pyramid name: cheap pills at spam.example") is None
    assert find_command("join pyramid name: one two three four five six seven") is None
    assert find_command("join pyramid invite: somebody") is None
    assert find_command("join pyramid calendar: http://example.org/club.ics") is None


def test_help_lists_what_a_match_of_a_game_can_have(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "help join diplomacy")
    told = harness.newest(ALICE, "answer").text
    assert "agree=all" in told and "quiet" in told and "invite: ann@example.org" in told
    harness.write(DORA, SERVICE, "help join diplomacy")
    short = harness.newest(DORA, "answer").text
    assert "`agree=all`" in flat(harness.newest(DORA, "answer")) and len(short) < 3_000
    harness.write(ALICE, SERVICE, "help join chess")
    assert "It needs a game: pyramid" in flat(harness.newest(ALICE, "answer"))
