"""Everything that the form for a new match offers can be written after `join` in a letter too, and
is in docs/letters.md.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from werkzeug.datastructures import MultiDict

from adjudicator.core.game import About
from adjudicator.mail.commands.joining import join
from adjudicator.mail.commands.joining.texts import TEXTS, part_texts
from adjudicator.mail.commands.joining.wanted import explain_words, read_wanted
from adjudicator.mail.commands.recognition import find_command
from adjudicator.play.rule_sheets import SHEETS
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.terms import reading
from adjudicator.service.views import game_info
from tests.cast import ALICE
from tests.web.site import Site
from web.matches import new_match

LETTERS = (Path(__file__).parents[2] / "docs" / "letters.md").read_text(encoding="utf-8")
# the last four only fill in and show what others say
NO_OPTIONS = {"csrf_token", "game", "set", "calendar_file", "fill", "preview"}
TABLE = "Mon Thu 20:00"
# what the form says and the letter, by a field; None: not sent
CHANGES: dict[str, tuple[dict[str, str | None], str]] = {
    "name": ({"name": "Friday evening"}, "name: Friday evening"),
    "every_hours": ({"every_hours": "24"}, "hours=24"),
    "short_hours": ({"short_hours": "12"}, "hours=48/12"),
    "grace_minutes": ({"grace_minutes": "30"}, "grace=30"),
    "timetable": ({"timetable": TABLE}, f"timetable: {TABLE}"),
    "calendar": (
        {"timetable": TABLE, "calendar": "https://example.org/club.ics"},
        f"timetable: {TABLE} calendar: https://example.org/club.ics",
    ),
    "overtime": ({"overtime": "6 h"}, "overtime=6h"),
    "reminders": ({"reminders": "2 days, 5 h"}, "reminders=2d,5h"),
    "press_rulebook": ({"press_rulebook": "1"}, "rulebook"),
    "press_opened": ({"press_opened": "1"}, "opened"),
    "press_overseen": ({"press_overseen": "1", "play": None}, "overseen"),
    "play": ({"play": None}, "master"),
    "seating": ({"seating": "order"}, "seating=order"),
    "invited": (
        {"invited": "ann@example.org, bob@example.org"},
        "invite: ann@example.org, bob@example.org",
    ),
    "open": ({"open": None}, "closed"),
    "bots": ({"bots": None}, "people"),
    "house": ({"house": "1"}, "house=1"),
    "skill": ({"skill": "greedy"}, "skill=greedy"),
    "progress": ({"progress": "seats"}, "progress=seats"),
    "vote_rule": ({"vote_rule": "all"}, "agree=all"),
    "extension_hours": ({"extension_hours": "12"}, "extend=12"),
    "absence_days": ({"absence_days": "7"}, "absence=7"),
    "misses": ({"misses": "3"}, "misses=3"),
    "first_miss": ({"first_miss": "1"}, "firstmiss"),
    "private": ({"private": "1"}, "private"),
    "unrated": ({"unrated": "1"}, "unrated"),
    "muster": ({"muster": "720"}, "muster=12h"),
    "expire_days": ({"expire_days": "7"}, "expire=7"),
    "least_reliability": ({"least_reliability": "90"}, "reliability=90"),
    "no_beginners": ({"no_beginners": "1"}, "beginners=no"),
}


def by_form(game: About, changes: dict[str, str | None]) -> Wish:
    fields = {"game": game.key, **new_match.usual_fields(), **changes}
    wish, errors = new_match.read_wish(
        MultiDict({name: value for name, value in fields.items() if value is not None})
    )
    assert not errors
    return wish


def by_letter(game: About, words: str) -> Wish:
    found = find_command(f"join {game.key} {words}")
    assert found is not None and found[0] is join.JOIN, words
    line, texts = part_texts(found[1])
    said, wishes = join.split_preferences(line)
    asked = read_wanted(game, said[1:], wishes)
    join.add_texts(asked, texts, "Europe/Paris", datetime(2026, 11, 23, tzinfo=UTC))
    return join.make_wish(asked, "")


def plain(game: About, wish: Wish) -> Wish:
    """Return a wish with what both ways to write it mean alike."""
    return replace(
        wish,
        timetable=wish.timetable.replace(" Europe/Paris", ""),
        wishes=tuple(name.upper() for name in wish.wishes),
        short_hours=wish.short_hours if game.short_phases and not wish.timetable else None,
    )


def words_of(game: About, name: str) -> tuple[dict[str, str | None], str]:
    """Return another value of a field than the usual one, in the form and in a letter."""
    if name == "players":
        fewest = min(game.seats)
        return {"players": str(fewest)}, str(fewest)
    if name == "wish":
        first = game.seats[max(game.seats)][0]
        return {"wish": first.upper()}, f"prefer {first.lower()}"
    if name.startswith("option-"):
        option = next(each for each in game.options if f"option-{each.name}" == name)
        value = str(next(value for value in option.values if value != option.default))
        players = str(max(option.only_for or game.seats))
        return {name: value, "players": players}, f"{players} {option.name}={value.lower()}"
    return CHANGES[name]


@pytest.mark.parametrize("key", [about.key for about in game_info.games()])
def test_each_field_of_the_form_has_a_word_that_means_the_same(small_site: Site, key: str) -> None:
    about = game_info.about(key)
    page = small_site.visitor(ALICE).get(f"/matches/new?game={key}").text
    offered = (
        {*re.findall(r'<(?:input|select|textarea|button)[^>]* name="([^"]+)"', page)}
        - NO_OPTIONS
        - {"sheet", "preset"}
    )
    assert {
        "name",
        "every_hours",
        *(f"option-{option.name}" for option in about.options),
    } <= offered
    usual = plain(about, by_form(about, {}))
    assert plain(about, by_letter(about, "")) == usual
    for name in offered:
        changes, words = words_of(about, name)
        by_both = plain(about, by_form(about, changes)), plain(about, by_letter(about, words))
        assert by_both[0] == by_both[1] != usual, name


@pytest.mark.parametrize("key", [about.key for about in game_info.games()])
def test_each_button_of_the_form_has_a_word(key: str) -> None:
    about = game_info.about(key)
    for sheet in SHEETS:
        wish, errors = new_match.read_wish(
            new_match.with_preset(MultiDict({"game": key, "preset": sheet.key}))
        )
        assert not errors
        if sheet.bots:  # by letter nobody is there to write press to
            wish = replace(wish, options={**game_info.alone(about), **wish.options})
        assert plain(
            about, by_letter(about, f"{sheet.key} house closed" if sheet.bots else sheet.key)
        ) == plain(about, wish)
    for preset in about.presets:
        fields = new_match.with_set(
            MultiDict({"game": key, "set": preset.name, **new_match.usual_fields()})
        )
        assert by_letter(about, preset.name).options == new_match.read_wish(fields)[0].options


@pytest.mark.parametrize("key", [about.key for about in game_info.games()])
def test_each_word_is_explained_by_letter_and_in_the_docs(key: str) -> None:
    about = game_info.about(key)
    explained = dict(explain_words(about))
    examples = dict(reading.examples_of(about))
    assert examples.items() <= explained.items()
    assert all(
        f"`{example}`" in LETTERS
        for example, _ in reading.examples_of(game_info.about("diplomacy"))
    )
    assert all(f"`{label}`" in LETTERS for label in TEXTS)
    names, words = {option.name for option in about.options}, reading.words_of(about).keys()
    assert not names & words, "a word that would hide an option"
    assert not {preset.name for preset in about.presets} & words
