"""Forms that make something: sent again, one returns what it made first, and makes nothing more."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import func, select

from adjudicator.platform.db import Database
from adjudicator.play.tournaments.formats import RoundRobin
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import (
    Letter,
    Match,
    Offer,
    PressNote,
    Proposal,
    SentForm,
    Tournament,
)
from adjudicator.service.handover import substitutes
from adjudicator.service.matches import creation, seats, votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.requests import sent_forms
from adjudicator.service.requests.sent_forms import FORM, Form
from adjudicator.service.starting import links
from adjudicator.service.tournaments import making
from adjudicator.service.tournaments.making import TournamentWish
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness

DORA, QUICK = "Dora", Wish("pyramid", "", {}, house=2)


@dataclass(frozen=True)
class Case:
    """What a form does, and the table whose rows it adds; `again`: another form of the same person
    adds another one.
    """

    act: Callable[[Database], object]
    table: Any
    again: bool = True


def sending(harness: Harness, name: str) -> Database:
    """Return the database as the site knows it while it answers a form."""
    return harness.database.knowing(**{FORM: lambda: Form(name, harness.now)})


def count(harness: Harness, table: Any) -> int:
    with harness.database.read_tx() as session:
        return session.exec(select(func.count()).select_from(table)).one()


def cases(harness: Harness) -> dict[str, Case]:
    people, now = {name: harness.player(name) for name in (ALICE, BOB, DORA)}, harness.now
    wish = Wish("diplomacy", "Table", {"press": "private"}, players=3, seating="order", play=False)
    running = harness.prepare_match(wish, DORA, ALICE, BOB, CHARLIE)
    assert harness.start_match(running)
    open_one = harness.prepare_match(Wish("pyramid", "Open", {}), ALICE)
    cup, hello = (
        TournamentWish("Cup", RoundRobin(), Wish("genesis", "", {})),
        PressDraft(("FRANCE",), "Hello"),
    )
    until = now + timedelta(days=3)
    return {
        "a match": Case(lambda to: creation.make_match(to, people[ALICE], QUICK, now=now), Match),
        "a tournament": Case(
            lambda to: making.make_tournament(to, people[ALICE], cup, now=now), Tournament
        ),
        "press": Case(
            lambda to: messages.write_press(to, running, people[ALICE], hello, now=now), PressNote
        ),
        "press of the master": Case(
            lambda to: messages.write_as_master(to, running, people[DORA], hello, now=now),
            PressNote,
        ),
        "a warning": Case(
            lambda to: messages.warn_seat(to, running, people[DORA], "FRANCE", "Slow", now=now),
            PressNote,
        ),
        "an invitation": Case(
            lambda to: seats.invite_another(to, open_one, people[ALICE], "x@example.org", now=now),
            Letter,
            again=False,
        ),
        "a substitute": Case(
            lambda to: substitutes.ask_substitute(
                to, running, people[BOB], "y@example.org", until, now=now
            ),
            Offer,
        ),
        "a proposal": Case(
            lambda to: votes.propose(to, running, people[BOB], Ask("end"), now=now).sentence,
            Proposal,
            again=False,
        ),
    }


def test_a_form_that_is_sent_again_makes_nothing_more(harness: Harness) -> None:
    for name, case in cases(harness).items():
        before = count(harness, case.table)
        first = case.act(sending(harness, name))
        made = count(harness, case.table)
        assert made > before, name
        assert case.act(sending(harness, name)) == first and count(harness, case.table) == made, (
            name
        )
        if case.again:
            case.act(sending(harness, f"{name}, another form"))
            assert count(harness, case.table) > made, name


def test_a_link_that_is_made_by_a_form_stays_as_the_form_is_sent_again(harness: Harness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Open", {}), ALICE)
    tokens = []
    for form in ("one", "one", "two"):
        links.change_link(
            sending(harness, form), uid, harness.player(ALICE), "join", off=False, now=harness.now
        )
        with harness.database.read_tx() as session:
            tokens.append(session.exec(select(Match.join_token).where(Match.uid == uid)).one())
    assert tokens[0] == tokens[1] != tokens[2]


def test_a_form_that_was_refused_may_be_sent_again(harness: Harness) -> None:
    with pytest.raises(Refused):
        creation.make_match(
            sending(harness, "one"),
            harness.player(ALICE),
            Wish("pyramid", "", {}, every_hours=0),
            now=harness.now,
        )
    uid = creation.make_match(
        sending(harness, "one"), harness.player(ALICE), QUICK, now=harness.now
    )
    assert uid == creation.make_match(
        sending(harness, "one"), harness.player(ALICE), QUICK, now=harness.now
    )


@pytest.mark.both_databases
def test_a_form_that_is_sent_twice_at_once_makes_one_match(harness: Harness) -> None:
    player = harness.player(ALICE)

    def send(_: int) -> str:
        return creation.make_match(sending(harness, "one"), player, QUICK, now=harness.now)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(send, range(4)))) == count(harness, Match) == 1


def test_what_forms_made_is_kept_for_a_day(harness: Harness) -> None:
    creation.make_match(sending(harness, "one"), harness.player(ALICE), QUICK, now=harness.now)
    for hours, left in ((24, 1), (1, 0)):
        sent_forms.erase_old(harness.database, harness.later(hours=hours))
        assert count(harness, SentForm) == left
