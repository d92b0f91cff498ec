"""Sets up the database: players with sessions, matches of Pyramid waiting to be started, and their
seats.
"""

from dataclasses import dataclass
from pathlib import Path

from sqlmodel import col, select

from adjudicator.mail import addresses
from adjudicator.platform import clock
from adjudicator.platform.config import read_settings
from adjudicator.platform.db import migrate
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning
from tests.chaos.players import Habit, PlayerSeat
from tests.harness import Harness

MAIL = "orders@play.example.org"


@dataclass(frozen=True)
class MatchKind:
    """A kind of match: how each of its people submits; the other seats are house bots."""

    people: tuple[tuple[str, Habit], ...]
    by_deadline: bool = False  # somebody always waits, so the deadline closes
    grace: int = 0  # seconds

    @property
    def submissions(self) -> int:
        """Submissions in a round."""
        return sum(2 if habit in ("changes", "late") else 1 for _, habit in self.people)


KINDS = (
    MatchKind((("form", "plain"), ("letter", "plain"), ("form", "changes"))),
    MatchKind((("form", "waits"), ("letter", "plain"), ("form", "late")), by_deadline=True),
    MatchKind((("letter", "plain"),), grace=2),
    MatchKind((("form", "plain"), ("form", "plain"), ("letter", "plain")), grace=2),
    MatchKind((("form", "waits"), ("form", "late")), by_deadline=True, grace=2),
)


def match_kinds(count: int) -> list[MatchKind]:
    """Return the kinds of `count` matches, evenly distributed."""
    return [KINDS[number % len(KINDS)] for number in range(count)]


def matches_needed(rate: float, pace: float) -> int:
    """Return how many matches make `rate` submissions a second."""
    average = sum(kind.submissions for kind in KINDS) / len(KINDS)
    return max(round(rate * pace / average), 2)


def set_up_matches(url: str, folder: Path, count: int, pace: float) -> list[PlayerSeat]:
    """Migrate the database, create players and matches; return the players' seats, with turns
    spread evenly over the pace.
    """
    migrate(url)
    harness = Harness(url, crypto.ensure_key_file(folder / "keys" / "worker.key"))
    try:
        return [
            player_seat
            for number, kind in enumerate(match_kinds(count))
            for player_seat in _match(harness, folder, number, kind, count, pace)
        ]
    finally:
        harness.dispose()


def _match(
    harness: Harness, folder: Path, number: int, kind: MatchKind, count: int, pace: float
) -> list[PlayerSeat]:
    harness.now = clock.now()
    names = [f"Player-{number}-{place}" for place in range(1, len(kind.people) + 1)]
    people = [harness.player(name) for name in names]
    every = round(pace if kind.by_deadline else pace * 2)
    wish = Wish(
        "pyramid",
        f"Table {number}",
        {},
        house=3 - len(people),
        every_seconds=max(every, 2),
        grace_minutes=0,
    )
    uid = creation.make_match(harness.database, people[0], wish, now=harness.now)
    with harness.database.write_tx() as session:
        session.exec(select(Match).where(Match.uid == uid)).one().grace_seconds = kind.grace
    beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    for player in people[1:]:
        seats.take_seat(harness.database, uid, player, now=harness.now)
    return [
        PlayerSeat(
            uid,
            seat,
            harness.sign_in(people[place]).token,
            f"{names[place].lower()}@example.org",
            address,
            "letter" if kind.people[place][0] == "letter" else "form",
            kind.people[place][1],
            first=pace * number / count + 0.4 * place,
            pace=pace,
        )
        for place, (seat, address) in enumerate(_seats(harness, folder, uid, people))
    ]


def _seats(harness: Harness, folder: Path, uid: str, people: list[int]) -> list[tuple[str, str]]:
    """Return each player's seat and its address for letters."""
    told = read_settings(mail_address=MAIL, data_dir=folder)
    with harness.database.read_tx() as session:
        rows = session.exec(
            select(Seat)
            .join(Match, onclause=col(Seat.match_id) == col(Match.id))
            .where(Match.uid == uid)
        ).all()
    of = {row.player_id: row for row in rows}
    return [
        (
            of[player].name,
            addresses.token_address(
                told, harness.address_token(uid, of[player].position)
            ).addr_spec,
        )
        for player in people
    ]
