"""The page that a player shows of their matches: what everybody may know of each, and how reliably
the player plays.

A match is on it as its own page shows it to a stranger: private matches never are, anonymous ones
only once they have ended.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.play.reliability import Reliability
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.state import about_of, hides_players
from adjudicator.service.base.tables import Match, Player
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.people import reliability
from adjudicator.service.ratings import ladders
from adjudicator.service.ratings.ladders import OwnRating, RatedMatch

MOST_LISTED = 100  # newest matches of each kind
MOST_OPPONENTS = 12


@dataclass(frozen=True)
class SeatResult:
    """A match that a player sits in."""

    uid: str
    name: str
    game: str  # its title
    seat: str
    place: int | None = None  # the result, None while the match goes on
    score: int | None = None
    outcome: str = ""

    @property
    def words(self) -> str:
        """The result in words, "" while the match goes on."""
        how = {"won": "won", "shared": "won with others", "drew": "drew"}.get(
            self.outcome, f"place {self.place}"
        )
        return f"{how}, score {self.score}" if self.outcome else ""


@dataclass(frozen=True)
class SeatTally:
    """The results of a player in one seat of a game, such as a power of Diplomacy."""

    game: str
    seat: str
    ended: int
    won: int  # alone
    shared: int  # won with others, or drew


@dataclass(frozen=True)
class Opponent:
    """Another player of matches that have ended, who shows a page, too."""

    name: str
    profile: str  # last part of the address of that page
    matches: int  # played together
    before: int  # in which the player of this page came before that one
    after: int


@dataclass(frozen=True)
class RatedGame:
    """The rating of a player in a game, and how it became what it is."""

    rating: OwnRating
    matches: tuple[RatedMatch, ...]  # the oldest first


@dataclass(frozen=True)
class PlayerRecord:
    """What everybody may know of a player who shows it."""

    name: str
    reliability: Reliability
    running: tuple[SeatResult, ...]  # the newest first, at most MOST_LISTED, as `ended`
    ended: tuple[SeatResult, ...]
    tallies: tuple[SeatTally, ...]  # of all matches that have ended, by game and seat
    ratings: tuple[RatedGame, ...]
    opponents: tuple[Opponent, ...]  # who were met most often, at most MOST_OPPONENTS


def read_player(session: Session, profile: str) -> PlayerRecord:
    """Return the page of the player whose page has this address; raises NotFound where nobody shows
    one there.
    """
    player = (
        session.exec(select(Player).where(Player.profile == profile)).first()
        if "\0" not in profile
        else None
    )
    if player is None or player.id is None:
        raise NotFound("Nobody shows a page of their matches here.")
    sits = select(Match, SeatRow.name).join(
        SeatRow, onclause=col(SeatRow.match_id) == col(Match.id)
    )
    sits = sits.where(
        SeatRow.player_id == player.id,
        col(Match.private).is_(False),
        col(Match.status).in_(("running", "ended")),
    )
    found = [
        (match, seat)
        for match, seat in session.exec(sits.order_by(col(Match.id).desc()))
        if not hides_players(match)
    ]
    ended = [_played(match, seat) for match, seat in found if match.status == "ended"]
    running = (_played(match, seat) for match, seat in found if match.status == "running")
    return PlayerRecord(
        player.name,
        reliability.of_player(session, player.id),
        tuple(islice(running, MOST_LISTED)),
        tuple(ended[:MOST_LISTED]),
        _count(ended),
        tuple(
            RatedGame(each, ladders.rated_matches(session, player.id, each.game))
            for each in ladders.ratings_of(session, player.id)
        ),
        _opponents(
            session,
            {match.id: seat for match, seat in found if match.status == "ended"},
            [match for match, _ in found],
        ),
    )


def _played(match: Match, seat: str) -> SeatResult:
    result: Mapping[str, Any] = (match.result or {}).get(seat, {})
    return SeatResult(match.uid, match.name, about_of(match).title, seat, **result)


def _count(ended: Iterable[SeatResult]) -> tuple[SeatTally, ...]:
    groups: dict[tuple[str, str], list[str]] = {}
    for each in ended:
        groups.setdefault((each.game, each.seat), []).append(each.outcome)
    return tuple(
        SeatTally(
            game,
            seat,
            len(outcomes),
            outcomes.count("won"),
            outcomes.count("shared") + outcomes.count("drew"),
        )
        for (game, seat), outcomes in sorted(groups.items())
    )


def _opponents(
    session: Session, seats: Mapping[int | None, str], matches: Iterable[Match]
) -> tuple[Opponent, ...]:
    """Return the others of these matches who show a page, those met most often first; `seats` has
    the player's own by match.
    """
    results = {match.id: match.result or {} for match in matches if match.id in seats}
    sat = select(SeatRow.match_id, SeatRow.name, Player).join(
        Player, onclause=col(Player.id) == col(SeatRow.player_id)
    )
    sat = sat.where(col(SeatRow.match_id).in_(seats), col(Player.profile).is_not(None)).order_by(
        col(SeatRow.match_id)
    )
    met: dict[str, Opponent] = {}
    for match_id, seat, other in session.exec(sat):
        own = seats[match_id]
        if seat != own and {own, seat} <= set(results[match_id]):
            here, there = (results[match_id][each]["place"] for each in (own, seat))
            known = met.get(other.profile or "", Opponent(other.name, other.profile or "", 0, 0, 0))
            more = {
                "matches": known.matches + 1,
                "before": known.before + (here < there),
                "after": known.after + (here > there),
            }
            met[known.profile] = replace(known, **more)
    return tuple(
        sorted(met.values(), key=lambda each: (-each.matches, each.name, each.profile))[
            :MOST_OPPONENTS
        ]
    )
