"""The golden letters: people review their texts, which change on purpose only; and to whom each
letter of their scenes goes.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import pytest
from sqlmodel import Session, select

from adjudicator.service.base.tables import Letter, Match, Player, Seat
from adjudicator.service.letters import outbox
from tests.mail.golden import GOLDEN, letters

_TEXTS = {path.stem: path.read_text() for path in sorted(GOLDEN.glob("*.txt"))}


@dataclass(frozen=True)
class Put:
    """A letter as it was put into the outbox: to whom, and who this person is."""

    match: str
    kind: str
    address: str
    player: str | None  # the address of the player whom it is for, None for an unproved one
    seat: str  # that it is about, "" for none
    sits: bool  # whether that seat, if any, is this player's
    tells: str  # the seat whose mail address it tells, "" for none


@dataclass
class Scenes:
    """The golden letters by name, and all letters of their scenes."""

    told: dict[str, str]
    put: list[Put]

    def counted(self) -> dict[tuple[str, str], dict[str, int]]:
        """Return how many letters of a kind about a match went to each person."""
        found: dict[tuple[str, str], dict[str, int]] = {}
        for (match, kind, to), number in Counter(
            (each.match, each.kind, each.address) for each in self.put
        ).items():
            found.setdefault((match, kind), {})[to.partition("@")[0]] = number
        return found


@pytest.fixture(scope="module")
def scenes() -> Iterator[Scenes]:
    """The scenes of the golden letters, played once."""
    usual, put = outbox.make_letter, list[Put]()

    def make(session: Session, keys: Any, content: Any, *whom: Any, **told: Any) -> Letter:
        made = usual(session, keys, content, *whom, **told)
        put.append(_look_at(session, made, content))
        return made

    with mock.patch.object(outbox, "make_letter", make):
        yield Scenes(letters(), put)


def _look_at(session: Session, made: Letter, content: Any) -> Put:
    match = session.get(Match, made.match_id) if made.match_id else None
    player = session.get(Player, made.player_id) if made.player_id else None
    about = select(Seat).where(Seat.match_id == made.match_id, Seat.name == made.seat)
    seat, token = (
        session.exec(about).first() if made.seat else None,
        getattr(content, "reply_token", None),
    )
    sits = (
        seat is None or made.player_id in (seat.player_id, None) or (made.tenure or 1) < seat.tenure
    )
    tells = (
        session.get_one(Seat, int(token.row.partition("/")[2])).name
        if token is not None and token.purpose == "seat"
        else ""
    )
    named = match.name if match is not None else ""
    return Put(
        named,
        made.kind,
        made.address or "",
        player.address if player else None,
        made.seat or "",
        sits,
        tells,
    )


def test_letters_say_what_the_golden_ones_say(scenes: Scenes) -> None:
    told = scenes.told
    assert sorted(told) == sorted(_TEXTS)
    for name, text in told.items():
        assert text == _TEXTS[name], (
            f"{name} has changed: look at it, then write it anew with `python -m tests.mail.golden`"
        )


def test_each_letter_goes_to_the_address_of_whom_it_is_for(scenes: Scenes) -> None:
    for each in scenes.put:
        assert each.player in (each.address, None), each
        assert each.sits, f"{each} is about the seat of somebody else"
        assert each.tells in ("", each.seat), f"{each} tells the address of another seat"
    assert {each.kind for each in scenes.put if each.player is None} == {
        "signin",
        "invitation",
        "offer",
    }, "no others are unproved"


def test_of_each_scene_those_get_letters_whom_it_concerns(scenes: Scenes) -> None:
    """Alice is the master where she plays first; letters to Bob come back from the middle of the
    first match on.
    """
    assert scenes.counted() == {
        ("", "signin"): {"alice": 1, "bob": 1},
        ("", "data"): {"alice": 1},
        ("", "announcement"): {"alice": 2, "bob": 2, "charlie": 2},
        ("", "tournament"): {"dora": 4, "alice": 4, "charlie": 4, "eve": 4},
        ("Morning Pyramid", "invitation"): {"bob": 1},
        ("Evening Pyramid", "report"): {"alice": 9, "bob": 9, "charlie": 9},
        ("Evening Pyramid", "receipt"): {"alice": 10, "bob": 1},  # Charlie hands in nothing
        ("Evening Pyramid", "unreachable"): {"alice": 1},  # the master is told of Bob
        ("Evening Pyramid", "stuck"): {"alice": 1},
        ("Noon Pyramid", "report"): {"alice": 1, "bob": 1, "charlie": 1},
        ("Noon Pyramid", "notice"): {"alice": 3, "bob": 3, "charlie": 3},
        ("Noon Pyramid", "proposal"): {"alice": 1, "charlie": 1},  # Bob proposed it
        ("Noon Pyramid", "receipt"): {"alice": 1},
        ("Late Pyramid", "report"): {"alice": 1, "bob": 2, "charlie": 2, "dora": 1},
        ("Late Pyramid", "reminder"): {"alice": 2, "charlie": 3, "dora": 1},
        ("Late Pyramid", "running"): {"alice": 1},  # she does not play in the second one
        ("Late Pyramid", "notice"): {"bob": 1, "charlie": 1, "dora": 1},
        ("Late Pyramid", "seat"): {"alice": 1},  # and hears there that the deadline has moved
        ("Late Pyramid", "late"): {"alice": 1},
        ("Night Diplomacy", "report"): {"alice": 3, "bob": 3, "charlie": 3},
        # Bob wrote to both, to all, and to Alice
        ("Night Diplomacy", "press"): {"alice": 3, "charlie": 2},
        ("Dawn Pyramid", "seat"): {"charlie": 1},  # its master: the muster ended
        ("Dawn Pyramid", "running"): {"charlie": 1},
        ("Dawn Pyramid", "gathering"): {"alice": 4, "charlie": 3, "dora": 2},  # Bob left
        ("School Diplomacy", "running"): {"alice": 1},
        ("School Diplomacy", "report"): {"charlie": 1, "dora": 1, "eve": 1},
        # the master reads what Dora wrote to Charlie
        ("School Diplomacy", "press"): {"alice": 2, "charlie": 2},
        ("School Diplomacy", "reported"): {"alice": 1},
        ("Long Diplomacy", "report"): {"alice": 3, "bob": 1, "charlie": 2, "dora": 1, "eve": 2},
        ("Long Diplomacy", "press"): {"charlie": 1},
        ("Long Diplomacy", "receipt"): {"alice": 1, "eve": 1},
        ("Long Diplomacy", "seat"): {"alice": 2, "bob": 1, "charlie": 2, "dora": 2, "eve": 2},
        ("Long Diplomacy", "offer"): {"bob": 1, "dora": 1},
        ("Long Diplomacy", "notice"): {"alice": 1, "eve": 1},  # of Dora, who has the report
        ("Away Pyramid", "report"): {"alice": 3, "charlie": 3, "fay": 3},
        ("Away Pyramid", "receipt"): {"alice": 1, "charlie": 1, "fay": 1},
        ("Away Pyramid", "proposal"): {"alice": 2, "fay": 2},  # Charlie proposed both
        ("Away Pyramid", "notice"): {"alice": 1, "charlie": 1, "fay": 1},
        ("Away Pyramid", "press"): {"fay": 1},  # who was warned
        ("Away Pyramid", "seat"): {"charlie": 1},  # who is told of it
        ("Autumn, round 1, table 1", "report"): {"alice": 5, "eve": 5},
        ("Autumn, round 2, table 1", "report"): {"alice": 5, "charlie": 5},
        ("Autumn, round 3, table 1", "report"): {"charlie": 5, "eve": 5},
    }


@pytest.mark.parametrize("name", _TEXTS)
def test_a_letter_reads_well(name: str) -> None:
    text = _TEXTS[name]
    lines = text.splitlines()
    assert max(len(line) for line in lines[2:] if "https://" not in line) <= 72
    assert not re.search(
        r"[!\t]|  +$|\n\n\n|None|undefined", text.replace("-- \n", "--\n"), re.MULTILINE
    )
    assert text.endswith("\n")


def test_a_report_is_told_in_its_order() -> None:
    text = _TEXTS["report-silent-and-dropped"]
    parts = [
        "Your plan for Round 2",
        "Round 1 was a",
        "The table",
        "What you owe",
        "B2  Black medium",
        "Where to look",
        "/phases/1",
        "-- \n",
    ]
    places = [text.index(each) for each in parts]
    assert places == sorted(places)
