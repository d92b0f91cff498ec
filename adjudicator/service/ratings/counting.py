"""Ended matches go into the ratings: for whom a match counts, and what follows, match by match in
the order in which they ended.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import literal_column, tuple_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, or_, select, update

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database, is_passing
from adjudicator.play.scoring.rating import NEW, Rating, rate_match
from adjudicator.service.base.rows import lock_by_uid, seats_of
from adjudicator.service.base.tables import (
    FormerTenure,
    Ladder,
    Match,
    Player,
    PlayerRating,
    RatedPlace,
    Seat,
)

MOST_AT_ONCE = 50  # matches that one task counts; the next sweep finds the others
TRY_AGAIN = timedelta(hours=1)  # after a match that could not be counted

Ending = tuple[datetime, int]  # when a match ended and its id: the order in which matches count


def uncounted_matches(session: Session, now: datetime, *, most: int = MOST_AT_ONCE) -> list[str]:
    """Return the public names of rated matches that have ended and do not count yet, in the order
    of their ends.

    One that could not be counted is left out for TRY_AGAIN.
    """
    rated = col(Match.rated).is_(literal_column("TRUE"))  # as in the index that finds them
    waiting = select(Match.uid).where(
        rated, col(Match.counted_at).is_(None), col(Match.ended_at).is_not(None)
    )
    waiting = waiting.where(or_(col(Match.rate_after).is_(None), col(Match.rate_after) <= now))
    return list(session.exec(waiting.order_by(col(Match.ended_at), col(Match.id)).limit(most)))


def count_waiting(
    database: Database, *, now: datetime, cut_short: tuple[type[Exception], ...] = ()
) -> int:
    """Let ended matches count that do not yet, each in a transaction of its own; returns how many
    this call did.

    A match whose rows are damaged ends this call with its error, and is left out for TRY_AGAIN: the
    next call counts the others, and the ratings after it are worked out anew once it counts. Faults
    of the database that pass, and the exceptions in `cut_short`, by which this process is stopped,
    leave nothing out.
    """
    with database.read_tx() as session:
        waiting = uncounted_matches(session, now)
    return sum(_count_or_put_off(database, uid, now, cut_short) for uid in waiting)


def _count_or_put_off(
    database: Database, uid: str, now: datetime, cut_short: tuple[type[Exception], ...]
) -> bool:
    try:
        return count_match(database, uid, now=now)
    except Exception as error:
        # its rows are damaged: it must not hold up all matches that ended later
        if is_passing(error) or isinstance(error, cut_short):
            raise
        with database.write_tx() as session:
            session.exec(
                update(Match).where(col(Match.uid) == uid).values(rate_after=now + TRY_AGAIN)
            )
        raise


def count_match(database: Database, uid: str, *, now: datetime) -> bool:
    """Let an ended match count for the ratings of its game; returns whether this call did.
    Idempotent, also if killed at any point.

    1. Lock the ladder of the game, then the match.
    2. Write the place of each player for whom it counts; none where it counts for nobody.
    3. Work out the ratings after it, and after matches that ended later and were counted first.
    """
    with database.write_tx() as session:
        game = session.exec(select(Match.game).where(Match.uid == uid)).one()
        ladder = _lock_ladder(session, game)
        match = lock_by_uid(session, uid)
        if not match.rated or match.ended_at is None or match.counted_at is not None:
            return False
        match.counted_at = now
        places = places_of(session, match)
        if places:
            ladder.matches += 1
            for seat, (player_id, place) in places.items():
                session.add(
                    RatedPlace(
                        match_id=match.id,
                        player_id=player_id,
                        game=game,
                        seat=seat,
                        place=place,
                        ended_at=match.ended_at,
                    )
                )
            session.flush()
            _rate_since(session, game, (match.ended_at, match.id))
        failpoints.kill_here("rate.in_transaction")
    return True


def rebuild_ratings(database: Database, game: str) -> int:
    """Work out all ratings of a game again from the places in its rated matches; returns how many
    matches there are.
    """
    with database.write_tx() as session:
        _lock_ladder(session, game)
        return _rate_since(session, game, None)


def rated_games(session: Session) -> list[str]:
    """Return the keys of the games that have a ladder."""
    return list(session.exec(select(Ladder.game).order_by(Ladder.game)))


def _lock_ladder(session: Session, game: str) -> Ladder:
    """Lock a game's ladder, which is made where there is none."""
    found = session.get(Ladder, game, with_for_update=True)
    if found is not None:
        return found
    try:
        with session.begin_nested():
            session.add(Ladder(game=game))
    except IntegrityError:  # another worker was first
        pass
    return session.get_one(Ladder, game, with_for_update=True, populate_existing=True)


# --- for whom a match counts


def places_of(session: Session, match: Match) -> dict[str, tuple[int, int]]:
    """Return for each seat that counts its player and place in an ended match, {} where it counts
    for nobody.

    1. A seat counts for the player who had it as the match began, also while a substitute sits
       there.
    2. Who left it for good, or lost it, comes last, with all others who did; who took it over is
       not rated.
    3. It counts only where people with an address, not house bots or guests, had all seats, and at
       least one phase was played.
    """
    seats = seats_of(session, match)
    first = _first_players(session, match, seats)
    known = select(Player).where(
        col(Player.id).in_(set(first.values())), col(Player.house).is_(False)
    )
    known = known.where(or_(col(Player.address).is_not(None), col(Player.erased_at).is_not(None)))
    people = {player.id for player in session.exec(known)}
    if match.stopped_after == 0 or len(people) < max(2, len(seats)):
        return {}
    left = {seat.name for seat in seats if first[seat.name] not in (seat.player_id, seat.owner_id)}
    result = match.result or {}
    return {
        name: (player, len(seats) + 1 if name in left else int(result[name]["place"]))
        for name, player in first.items()
    }


def _first_players(session: Session, match: Match, seats: Iterable[Seat]) -> dict[str, int]:
    """Return who had each seat as the match began."""
    tenures = (
        select(FormerTenure)
        .where(FormerTenure.match_id == match.id)
        .order_by(col(FormerTenure.number).desc())
    )
    first = {tenure.seat: tenure.player_id for tenure in session.exec(tenures)}
    return {seat.name: first.get(seat.name) or seat.player_id or 0 for seat in seats}


# --- ratings


def _rate_since(session: Session, game: str, since: Ending | None) -> int:
    """Write the ratings after this match of a game and all later ones (None: all); returns how
    many. The caller has locked the ladder.
    """
    wanted = select(RatedPlace).where(RatedPlace.game == game)
    if since is not None:
        wanted = wanted.where(tuple_(col(RatedPlace.ended_at), col(RatedPlace.match_id)) >= since)
    matches: dict[int, list[RatedPlace]] = defaultdict(list)
    for row in session.exec(
        wanted.order_by(col(RatedPlace.ended_at), col(RatedPlace.match_id), col(RatedPlace.id))
    ):
        matches[row.match_id].append(row)
    players = {row.player_id for rows in matches.values() for row in rows}
    now = _ratings_before(session, game, since, players) if since is not None else {}
    for rows in matches.values():
        after = rate_match(
            [now.get(row.player_id, NEW) for row in rows], [row.place for row in rows]
        )
        for row, rating in zip(rows, after, strict=True):
            row.mu, row.sigma, row.matches = rating.mu, rating.sigma, rating.matches
            now[row.player_id] = rating
    _write_present(session, game, now)
    return len(matches)


def _ratings_before(
    session: Session, game: str, since: Ending, players: set[int]
) -> dict[int, Rating]:
    """Return the ratings of players before a match; those without one are missing."""
    order = (col(RatedPlace.ended_at).desc(), col(RatedPlace.match_id).desc())
    earlier = select(
        RatedPlace.id,
        func.row_number().over(partition_by=col(RatedPlace.player_id), order_by=order).label("age"),
    )
    earlier = earlier.where(RatedPlace.game == game, col(RatedPlace.player_id).in_(players))
    earlier = earlier.where(tuple_(col(RatedPlace.ended_at), col(RatedPlace.match_id)) < since)
    newest = earlier.subquery()
    rows = session.exec(
        select(RatedPlace).join(newest, newest.c.id == col(RatedPlace.id)).where(newest.c.age == 1)
    )
    return {row.player_id: Rating(row.mu, row.sigma, row.matches) for row in rows}


def _write_present(session: Session, game: str, ratings: dict[int, Rating]) -> None:
    """Write the present ratings of players."""
    present = select(PlayerRating).where(
        PlayerRating.game == game, col(PlayerRating.player_id).in_(ratings)
    )
    known = {row.player_id: row for row in session.exec(present)}
    for player_id, rating in ratings.items():
        row = known.get(player_id) or PlayerRating(
            player_id=player_id, game=game, mu=0, sigma=0, matches=0, points=0
        )
        row.mu = rating.mu
        row.sigma = rating.sigma
        row.matches = rating.matches
        row.points = rating.points
        session.add(row)
    session.flush()
