"""Tournaments: every round is drawn again alike, nobody meets twice, points and standings follow
from the matches, letters come once.

A league's next season has everybody who stays, in the divisions that the last one gave them.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from itertools import combinations

from sqlmodel import Session, col, select

from adjudicator.play.tournaments.replay import read_tournament, replay_tournament
from adjudicator.service.base.tables import (
    Match,
    Player,
    Tournament,
    TournamentDecision,
    TournamentTable,
)
from adjudicator.service.tournaments.records import entries_of, rounds_of, staying, tables_of
from adjudicator.service.tournaments.standing import list_standings
from adjudicator.service.views.records import tournament_record
from tests.simulation.scene import Check, Scene

_SLACK = timedelta(seconds=90)


def every_round_is_drawn_again_alike(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        plain = tournament_record.read_tournament(session, tournament.uid)
        yield from replay_tournament(read_tournament(plain)).differences


def nobody_meets_twice_while_there_are_others(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        if any(entry.first_round > 1 for entry in entries_of(session, tournament)):
            continue  # an even number more may leave no other pairs
        met = Counter(
            frozenset(pair)
            for table in tables_of(session, tournament)
            for pair in combinations(table.entrants, 2)
        )
        if len(staying(entries_of(session, tournament))) > 3:
            yield from (
                f"{sorted(pair)} met {count} times in two rounds"
                for pair, count in met.items()
                if count > 1
            )


def _matches(scene: Scene, table: TournamentTable) -> list[Match]:
    return [match for match in scene.matches.values() if match.table_id == table.id]


def a_table_has_one_match_of_its_people(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        players = {entry.number: entry.player_id for entry in entries_of(session, tournament)}
        for table in tables_of(session, tournament):
            found = _matches(scene, table)
            if len(found) > 1 or (
                not found and table.corrected_by is None and tournament.status == "running"
            ):
                yield f"table {table.number} of round {table.round_number} has {len(found)} matches"
            for match in found:
                seats = sorted(
                    (seat for seat in scene.seats if seat.match_id == match.id),
                    key=lambda seat: seat.position,
                )
                if [seat.player_id for seat in seats] != [
                    players[number] for number in table.entrants
                ]:
                    yield f"the seats of {match.uid} are not those of table {table.number}"


def the_points_of_a_table_are_those_of_its_match(session: Session, scene: Scene) -> Iterator[str]:
    """Work out `wins` a second way: one point, shared by all in the first place."""
    now = scene.world.settled or scene.world.now()
    for tournament in session.exec(select(Tournament)):
        for table in tables_of(session, tournament):
            found = _matches(scene, table)
            if table.corrected_by is not None or not found or found[0].result is None:
                continue
            if table.points is None:
                if (
                    tournament.status == "running"
                    and found[0].ended_at is not None
                    and found[0].ended_at < now - _SLACK
                ):
                    yield (
                        f"{found[0].uid} ended at {found[0].ended_at}, and its table has no points"
                    )
                continue
            names = [
                seat.name
                for seat in sorted(scene.seats, key=lambda seat: seat.position)
                if seat.match_id == found[0].id
            ]
            first = [found[0].result[name]["place"] == 1 for name in names]
            wanted = [str(Fraction(int(won), sum(first))) for won in first]
            if table.points != wanted:
                yield (
                    f"table {table.number} of round {table.round_number} has {table.points}, and"
                    f" its match gives {wanted}"
                )


def standings_are_the_sum_of_the_tables(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        totals: dict[int, Fraction] = {
            entry.number: Fraction(0) for entry in entries_of(session, tournament)
        }
        # where sitting out gives nothing, and divisions are ranked one by one
        in_league = tournament.format == "league"
        void = _void_entrants(session, tournament) if in_league else set()
        for table in tables_of(session, tournament):
            for number, points in zip(
                table.entrants,
                () if void & set(table.entrants) else table.points or (),
                strict=False,
            ):
                totals[number] += Fraction(points)
        for row in () if in_league else rounds_of(session, tournament):
            late = [
                entry.number
                for entry in entries_of(session, tournament)
                if entry.first_round > row.number
            ]
            for number in (*row.sitting_out, *late):
                totals[number] += 1
        for line in list_standings(session, tournament.uid):
            place = (
                line.place
                if in_league
                else 1 + sum(other > totals[line.number] for other in totals.values())
            )
            if (line.total, line.place) != (totals[line.number], place):
                yield (
                    f"entrant {line.number} has {line.total} and place {line.place}, and should"
                    f" have {totals[line.number]} and {place}"
                )


def _void_entrants(session: Session, tournament: Tournament) -> set[int]:
    """Return who left a league of pairs with results of fewer than half of the meetings due: their
    tables count for nobody.
    """
    lines = list_standings(session, tournament.uid)
    divisions = Counter(line.division for line in lines)
    met = Counter(
        number
        for table in tables_of(session, tournament)
        if table.points is not None
        for number in table.entrants
    )
    return {
        line.number
        for line in lines
        if line.left and 2 * met[line.number] < divisions[line.division] - 1
    }


def each_round_is_told_once_to_who_plays_on(session: Session, scene: Scene) -> Iterator[str]:
    """Count the letters of all seasons: as a season begins, after each round, to those who are
    carried over, of decided results.

    Where a round was taken back, some had not been told of it yet, and it is told again.
    """
    tournaments = session.exec(select(Tournament)).all()
    told = Counter(letter.player_id for letter in scene.letters if letter.kind == "tournament")
    wanted, left = Counter[int](), set[int]()
    for tournament in tournaments:
        of_decisions = select(TournamentDecision).where(
            TournamentDecision.tournament_id == tournament.id
        )
        decisions, entries = session.exec(of_decisions).all(), entries_of(session, tournament)
        if tournament.tell_round is not None or any(
            each.told_at is None or each.voided for each in decisions
        ):
            return
        wanted.update(
            entry.player_id
            for each in decisions
            for entry in entries
            if entry.number in each.concerned
        )
        carried = (
            _staying_players(session, session.get_one(Tournament, tournament.previous_id))
            if tournament.previous_id
            else set()
        )
        rounds = len(rounds_of(session, tournament)) + (tournament.status in ("ending", "ended"))
        left |= {entry.player_id for entry in entries} - _staying_players(session, tournament)
        for entry in entries:
            wanted[entry.player_id] += (
                rounds - (entry.first_round - 1) + (entry.player_id in carried)
            )
    for player_id in wanted.keys() - left:
        if not session.get_one(Player, player_id).house and told[player_id] != wanted[player_id]:
            yield (
                f"player {player_id} got {told[player_id]} letters of {wanted[player_id]} about"
                " tournaments"
            )


def _staying_players(session: Session, tournament: Tournament) -> set[int]:
    return {entry.player_id for entry in staying(entries_of(session, tournament))}


def a_season_follows_from_the_last_one(session: Session, scene: Scene) -> Iterator[str]:
    for season in session.exec(select(Tournament).where(col(Tournament.previous_id).is_not(None))):
        last = session.get_one(Tournament, season.previous_id)
        if season.status == "making":
            continue
        stay, players = (
            _staying_players(session, last),
            {entry.number: entry.player_id for entry in entries_of(session, last)},
        )
        order = [entry.player_id for entry in entries_of(session, season)]
        carried = [player_id for player_id in order if player_id in stay]
        if Counter(carried) != Counter(stay) or order[: len(carried)] != carried:
            yield f"season {season.season} began with {order}, and {sorted(stay)} stayed"
        lines = list_standings(session, last.uid)
        first = {players[line.number] for line in lines if line.division + line.move == 1} & stay
        if first != set(order[: len(first)]):
            yield f"{sorted(first)} belong into the first division, which begins with {order}"


CHECKS: tuple[Check, ...] = (
    every_round_is_drawn_again_alike,
    nobody_meets_twice_while_there_are_others,
    a_table_has_one_match_of_its_people,
    the_points_of_a_table_are_those_of_its_match,
    standings_are_the_sum_of_the_tables,
    each_round_is_told_once_to_who_plays_on,
    a_season_follows_from_the_last_one,
)
