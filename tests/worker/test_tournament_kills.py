"""Workers killed while a round of a tournament closes: the next round, its matches and all letters
come once.
"""

from collections import Counter

import pytest
from sqlmodel import select

from adjudicator.platform import clock
from adjudicator.play.tournaments.formats import Swiss
from adjudicator.service.base.tables import Letter, Match
from adjudicator.service.tournaments.results.deciding import decide_table
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.service.tournament_play import DIRECTOR, begun, row, tables
from tests.worker.crew import Crew

pytestmark = pytest.mark.nightly

FOUR = (ALICE, BOB, CHARLIE, MALLORY)
POINTS = tuple(
    f"{what}.{when}_commit" for what in ("round", "tables", "told") for when in ("before", "after")
)


def decide_round(crew: Crew, uid: str, number: int) -> None:
    """Decide both tables of a round, so that it is over."""
    crew.now = clock.now()
    for table in (1, 2):
        decide_table(
            crew.database,
            uid,
            crew.player(DIRECTOR),
            (number, table),
            ("1", "0"),
            reason="away",
            now=crew.now,
        )


def is_paired(crew: Crew, uid: str, number: int) -> bool:
    """Whether a round has its tables and their matches, and everybody has been told."""
    there = [table.id for table in tables(crew, uid) if table.round_number == number]
    with crew.database.read_tx() as session:
        made = [match.table_id for match in session.exec(select(Match))]
    return bool(there) and set(there) <= set(made) and row(crew, uid).tell_round is None


def finish(crew: Crew, uid: str) -> None:
    """Have the second round played, and expect everything once."""
    crew.until("the second round", lambda: is_paired(crew, uid, 2))
    decide_round(crew, uid, 2)
    crew.until("the end", lambda: row(crew, uid).status == "ended")
    assert [(table.round_number, table.number) for table in tables(crew, uid)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    ]
    with crew.database.read_tx() as session:
        made = Counter(match.table_id for match in session.exec(select(Match)))
    assert len(made) == 4 and set(made.values()) == {1}
    # as it began, after the first round, at its end, and of the result of each of its tables
    told = Counter({address(who): 5 for who in FOUR} | {address(DIRECTOR): 3})
    crew.until("the letters", lambda: _letters(crew) >= told)
    crew.until("the last letter", lambda: _all_sent(crew))
    assert _letters(crew) == told
    sent = [posted.message_id for posted in crew.letters()]
    assert len(set(sent)) == len(sent) and all(
        any(letter in each for each in sent) for letter in crew.uids("tournament")
    )


def _letters(crew: Crew) -> Counter[str | None]:
    """Count the letters about tournaments by address."""
    with crew.database.read_tx() as session:
        return Counter(session.exec(select(Letter.address).where(Letter.kind == "tournament")))


def _all_sent(crew: Crew) -> bool:
    crew.leases_over()
    return crew.unsent() == 0


def test_a_worker_killed_at_each_commit_of_a_round_doubles_and_loses_nothing(crew: Crew) -> None:
    uid = begun(crew, *FOUR, format_=Swiss(2))
    decide_round(crew, uid, 1)
    for point in POINTS:
        crew.arm(point)
    crew.start(points=POINTS)
    finish(crew, uid)
    assert [point for point in POINTS if not crew.has_crashed(point)] == []


def test_a_worker_that_is_started_again_goes_on_with_the_round(postgres_crew: Crew) -> None:
    crew = postgres_crew
    uid = begun(crew, *FOUR, format_=Swiss(2))
    decide_round(crew, uid, 1)
    worker = crew.start(processes=1)
    crew.until("the second round", lambda: len(tables(crew, uid)) > 2)
    crew.kill(worker)
    crew.start(processes=1)
    finish(crew, uid)
