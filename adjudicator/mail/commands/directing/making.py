"""`make tournament genesis swiss rounds=5 name: Autumn cup`: what the form of a new tournament
offers, as words.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from adjudicator.core.game import About
from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.commands.directing.acts import LINKED, usage
from adjudicator.mail.commands.joining.join import add_texts, make_wish
from adjudicator.mail.commands.joining.texts import may_follow, part_texts
from adjudicator.mail.commands.joining.wanted import read_wanted
from adjudicator.platform.words import join_list
from adjudicator.play.tournaments.formats import FORMATS
from adjudicator.play.tournaments.standings import TIE_BREAKS, TieBreak
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.matches.creation import Wish
from adjudicator.service.tournaments import making, showing, wishing
from adjudicator.service.tournaments.directing.acts import ACTS
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.tournaments.wishing import TournamentTexts
from adjudicator.service.views import game_info

# the words of a letter that are not called as fields of a form
_WORDS = {
    "tie_breaks": "ties",
    "sitting_out": "sitting",
    "closes_at": "closes",
    "round_days": "days",
    "wait_hours": "wait",
}
# each word with its usual value
USUAL = {_WORDS.get(name, name): value for name, value in wishing.USUAL.items()} | {
    "sizes": "",
    "closes": "14",
    "top": "0",
}
PAIRS = ("pair", "pairs")  # each table plays both ways round
OF_MATCHES = "match-"  # before an option of the game that is named like one of these words
_FORMAT = re.compile(r"\b(swiss|round[ -]?robin|mixer|knock[ -]?out|league)\b", re.IGNORECASE)
_NONE = ("none", "never", "no")
_ANY = re.compile(r".{0,600}", re.DOTALL)
_USAGE = "make tournament genesis swiss name: Autumn cup"


def _make(writer: Writer, arguments: str) -> Done:
    """Make a tournament, with its writer as director."""
    head, texts = part_texts(f" {arguments}")
    words, own = _part(head)
    game = game_info.named(words[0]) if words else ""
    if not game or "name" not in texts or not may_follow(texts):
        raise Refused(f"It needs a game, and the tournament’s name at the end: `{_USAGE}`.")
    if "invite" in texts:
        raise Refused(
            "Nobody is invited to a tournament by its director; tell people to write `join"
            " tournament` and its short name."
        )
    about, format_word = game_info.about(game), _FORMAT.search(head)
    player = writer.enrolled()
    kind = re.sub("[ -]", "", format_word[1].lower()) if format_word else ""
    usual = "swiss" if 2 in about.seats else "mixer"
    format_ = next((key for key in FORMATS if re.sub("[ -]", "", key) == kind), usual)
    smallest = str(min(number for number in about.seats if number > 1))
    terms = {**USUAL, "sizes": smallest, **own, "format": format_}
    others = {label: text for label, text in texts.items() if label != "name"}
    matches = _read_matches(about, words[1:], others, zone=player.zone, now=writer.now)
    wish = _read_wish(about, terms, replace(matches, name=texts["name"]), writer.now)
    uid = making.make_tournament(writer.session, player.id, wish, now=writer.now)
    return _reply_of_made(writer, uid, player.id)


def _part(head: str) -> tuple[list[str], dict[str, str]]:
    """Return the words of a line but for its format, and the terms of the tournament among them."""
    words, own = [], {}
    for word in re.sub(r"\s*=\s*", "=", _FORMAT.sub(" ", head, count=1)).lower().split():
        name, equals, value = word.partition("=")
        if equals and name in USUAL:
            own[name] = value
        elif word in PAIRS:
            own["legs"] = "2"
        else:
            words.append(word.removeprefix(OF_MATCHES))
    return words, own


def _read_matches(
    about: About, words: list[str], texts: Mapping[str, str], *, zone: str, now: datetime
) -> Wish:
    """Return how the matches of the tournament are made; raises Refused for words that no match
    has.
    """
    wanted = read_wanted(about, words, (), command="make tournament")
    if wanted.house:
        raise Refused(
            "House bots do not enter a tournament; `stalled=bot` lets them play on for who stalls."
        )
    add_texts(wanted, texts, zone, now)
    return make_wish(wanted, "")


def _read_wish(
    about: About, terms: Mapping[str, str], matches: Wish, now: datetime
) -> TournamentWish:
    days = _whole(terms, "closes") if terms["closes"] not in _NONE else None
    closes = None if days is None else now + timedelta(days=days)
    texts = {name: terms[_WORDS.get(name, name)] for name in ("format", *wishing.USUAL)}
    if texts["round_days"] in _NONE:
        texts["round_days"] = ""
    sizes = {_whole({"sizes": each}, "sizes") for each in re.split("[,/]", terms["sizes"]) if each}
    asked = TournamentTexts(
        about, texts, tuple(sorted(sizes)), lambda name: _whole(terms, _WORDS.get(name, name))
    )
    return asked.wish(matches, _read_ties(terms["ties"]), closes)


def _whole(terms: Mapping[str, str], name: str) -> int:
    text = terms[name]
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise Refused(
            f"“{text[:40]}” is not possible for “{name}”: write a whole number, as in"
            f" `{name}={USUAL[name] or 2}`."
        )
    return int(text)


def _read_ties(text: str) -> tuple[TieBreak, ...]:
    """Return the tie breaks in the order in which they were written; raises Refused for others."""
    found = tuple(
        dict.fromkeys(
            each.replace("-", " ") for each in re.split("[,/]", text) if each and each not in _NONE
        )
    )
    if unknown := [each for each in found if each not in TIE_BREAKS]:
        possible = join_list([each.replace(" ", "-") for each in TIE_BREAKS], "or")
        raise Refused(
            f"“{unknown[0][:40]}” breaks no ties: choose {possible}, as in `ties=opponents,beaten`."
        )
    return cast("tuple[TieBreak, ...]", found)


def _reply_of_made(writer: Writer, uid: str, player_id: int) -> Done:
    page = showing.read_page(writer.session, uid, player_id, now=writer.now)
    closes = f" Entries close on {writer.when(page.card.closes_at)}." if page.card.closes_at else ""
    enter = f"People enter by `join tournament {uid}`, as soon as its chance is fixed, in a moment."
    lines = tuple((usage(act, uid), act.meaning) for act in ACTS)
    sections = (
        ReplySection("The tournament", page.terms),
        ReplySection("What its directors can write", pairs=lines),
    )
    return Done(
        f"The tournament {page.card.name} is made; its short name is {uid}. {enter}{closes}",
        sections,
    )


MAKE_TOURNAMENT = Command(
    "make tournament",
    _USAGE,
    "make a tournament that you direct; `help tournament` lists what its directors write",
    _make,
    more=_ANY,
    unasked=LINKED,
    text=True,
    seated=True,
)
WORDS = (
    "After the game and a format (swiss, round robin, mixer, knock-out or league) may stand words"
    " such as {words}; its name comes last."
)


def explain_making() -> str:
    """Return a sentence about the words of a new tournament."""
    return WORDS.format(
        words=join_list([f"`{name}={value}`" for name, value in USUAL.items() if value])
    )
