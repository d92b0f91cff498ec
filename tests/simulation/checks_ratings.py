"""Ratings: each rated match counts once, for those who began it, and all ratings follow from the
matches in the order of their ends.
"""

from collections import defaultdict
from collections.abc import Iterator

from sqlmodel import Session, select

from adjudicator.play.scoring.rating import NEW, Rating, rate_match
from adjudicator.service.base.tables import Match, Player, PlayerRating, RatedPlace
from tests.simulation.scene import Check, Scene


def ratings_follow_from_the_matches_that_ended(session: Session, scene: Scene) -> Iterator[str]:
    """Work all ratings out again from the results of the matches, and compare every figure."""
    people = {
        player.id
        for player in session.exec(select(Player))
        if not player.house and player.address is not None
    }
    rows: dict[int, dict[int, RatedPlace]] = defaultdict(dict)
    for row in session.exec(select(RatedPlace)):
        rows[row.match_id][row.player_id] = row
    ended = [
        match
        for match in scene.matches.values()
        if match.ended_at is not None and (match.counted_at or not match.rated)
    ]
    now: dict[tuple[str, int], Rating] = {}
    for match in sorted(ended, key=lambda each: (each.ended_at, each.id)):
        wanted = _places(scene, match, people)
        found = {player: row.place for player, row in rows.pop(match.id or 0, {}).items()}
        if found != wanted:
            yield f"{match.uid} counts as {found} and not as {wanted}"
        if match.counted_at is not None and not match.rated:
            yield f"{match.uid} was counted at {match.counted_at}, and is not rated"
        if wanted:
            after = rate_match(
                [now.get((match.game, player), NEW) for player in wanted], list(wanted.values())
            )
            now |= {
                (match.game, player): rating for player, rating in zip(wanted, after, strict=True)
            }
    if rows:
        yield f"matches count that have not ended: {sorted(rows)}"
    stored = {(row.game, row.player_id): row for row in session.exec(select(PlayerRating))}
    if set(stored) != set(now):
        yield f"there are ratings of {sorted(stored)} and not of {sorted(now)}"
    for key, rating in now.items():
        row = stored.get(key)
        if row is not None and (
            abs(row.mu - rating.mu) > 1e-6
            or abs(row.sigma - rating.sigma) > 1e-6
            or row.matches != rating.matches
        ):
            yield (
                f"the rating of {key} is {row.mu:.4f}, {row.sigma:.4f} after {row.matches}, and"
                f" should be {rating}"
            )


def _places(scene: Scene, match: Match, people: set[int | None]) -> dict[int, int]:
    """Return the place of each player for whom a match counts."""
    seats = [seat for seat in scene.seats if seat.match_id == match.id]
    begun = {seat.name: scene.sitter(match.id, seat.name, 1) for seat in seats}
    if not match.rated or not set(begun.values()) <= people or match.stopped_after == 0:
        return {}
    stays = {seat.name: begun[seat.name] in (seat.player_id, seat.owner_id) for seat in seats}
    result = match.result or {}
    return {
        player: result[seat]["place"] if stays[seat] else len(seats) + 1
        for seat, player in begun.items()
        if player is not None
    }


CHECKS: tuple[Check, ...] = (ratings_follow_from_the_matches_that_ended,)
