"""Measures a round of a tournament of 500 from its last result to its letters, on both
databases.
"""

import time
from collections.abc import Callable

from sqlmodel import func, select

from adjudicator.platform import db
from adjudicator.play.tournaments.formats import Swiss
from adjudicator.service.base.tables import Letter, Player, TournamentEntry
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning
from adjudicator.service.tournaments import advancing, entering, making, records
from adjudicator.service.tournaments.making import TournamentWish
from tests.harness import Harness
from tools.both_databases import measure_both

ENTRANTS = 500


def bench_rounds(say: Callable[[str], None]) -> None:
    """Play a round of 250 tables on a database of each kind, and time what follows its last
    result.
    """
    measure_both(_measure, say)


def _measure(title: str, url: str, say: Callable[[str], None]) -> None:
    db.migrate(url)
    with Harness(url) as harness:
        uid = _fill(harness)
        entering.close_entries(harness.database, uid, harness.player("Dora"), now=harness.now)
        for match in _timed(harness, uid, f"{title}: {ENTRANTS} entrants, the first round", say):
            beginning.prepare_match(harness.database, harness.keyring, match, now=harness.now)
            harness.start_match(match)
            masters.end_match(harness.database, match, None, "the bench is over", now=harness.now)
            harness.close(match)
        _timed(
            harness,
            uid,
            f"{title}: a round of {ENTRANTS // 2} tables closed, the next one paired",
            say,
        )


def _fill(harness: Harness) -> str:
    """Make a tournament that all have entered; return its public name."""
    wish = TournamentWish(
        "Bench",
        Swiss(9),
        Wish("genesis", "", {"turn_limit": 1}),
        tie_breaks=("opponents", "beaten"),
    )
    uid = making.make_tournament(harness.database, harness.player("Dora"), wish, now=harness.now)
    for _ in advancing.advance_steps(harness.database, harness.keyring, uid, now=harness.now):
        pass
    with harness.database.write_tx() as session:
        tournament = records.lock_tournament(session, uid)
        for number in range(1, ENTRANTS + 1):
            player = Player(
                name=f"Player {number}", address=f"p{number}@example.org", made_at=harness.now
            )
            session.add(player)
            session.flush()
            session.add(
                TournamentEntry(
                    tournament_id=tournament.id or 0,
                    player_id=player.id or 0,
                    number=number,
                    entered_at=harness.now,
                )
            )
    return uid


def _timed(harness: Harness, uid: str, title: str, say: Callable[[str], None]) -> list[str]:
    """Take all steps that are due and print how long they took; return the matches that were
    made.
    """
    before, begin, longest, made = _count_letters(harness), time.perf_counter(), 0.0, list[str]()
    last, worked = begin, time.process_time()
    for found in advancing.advance_steps(harness.database, harness.keyring, uid, now=harness.now):
        longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
        made += found
    worked, letters = time.process_time() - worked, _count_letters(harness) - before
    say(
        f"{title}: {time.perf_counter() - begin:.1f} s, the longest step {longest:.1f} s,"
        f" {worked:.1f} s of CPU here; {len(made)} matches made, {letters} letters with standings"
        " written"
    )
    return made


def _count_letters(harness: Harness) -> int:
    with harness.database.read_tx() as session:
        return session.exec(
            select(func.count()).select_from(Letter).where(Letter.kind == "tournament")
        ).one()
