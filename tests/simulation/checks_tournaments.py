"""Tournaments: every round is drawn again alike, nobody meets twice, points and standings follow from the matches, letters come once."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from itertools import combinations

from sqlmodel import Session, select

from adjudicator.play.tournaments.replay import read_tournament, replay_tournament
from adjudicator.service.base.tables import Match, Player, Tournament, TournamentTable
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
        met = Counter(frozenset(pair) for table in tables_of(session, tournament) for pair in combinations(table.entrants, 2))
        if len(staying(entries_of(session, tournament))) > 3:
            yield from (f"{sorted(pair)} met {count} times in two rounds" for pair, count in met.items() if count > 1)


def _matches(scene: Scene, table: TournamentTable) -> list[Match]:
    return [match for match in scene.matches.values() if match.table_id == table.id]


def a_table_has_one_match_of_its_people(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        players = {entry.number: entry.player_id for entry in entries_of(session, tournament)}
        for table in tables_of(session, tournament):
            found = _matches(scene, table)
            if len(found) > 1 or (not found and table.corrected_by is None and tournament.status == "running"):
                yield f"table {table.number} of round {table.round_number} has {len(found)} matches"
            for match in found:
                seats = sorted((seat for seat in scene.seats if seat.match_id == match.id), key=lambda seat: seat.position)
                if [seat.player_id for seat in seats] != [players[number] for number in table.entrants]:
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
                if tournament.status == "running" and found[0].ended_at is not None and found[0].ended_at < now - _SLACK:
                    yield f"{found[0].uid} ended at {found[0].ended_at}, and its table has no points"
                continue
            names = [seat.name for seat in sorted(scene.seats, key=lambda seat: seat.position) if seat.match_id == found[0].id]
            first = [found[0].result[name]["place"] == 1 for name in names]
            wanted = [str(Fraction(int(won), sum(first))) for won in first]
            if table.points != wanted:
                yield f"table {table.number} of round {table.round_number} has {table.points}, and its match gives {wanted}"


def standings_are_the_sum_of_the_tables(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        totals: dict[int, Fraction] = {entry.number: Fraction(0) for entry in entries_of(session, tournament)}
        for table in tables_of(session, tournament):
            for number, points in zip(table.entrants, table.points or (), strict=False):
                totals[number] += Fraction(points)
        for row in rounds_of(session, tournament):
            for number in row.sitting_out:
                totals[number] += 1
        for line in list_standings(session, tournament.uid):
            place = 1 + sum(other > totals[line.number] for other in totals.values())
            if (line.total, line.place) != (totals[line.number], place):
                yield f"entrant {line.number} has {line.total} and place {line.place}, and should have {totals[line.number]} and {place}"


def each_round_is_told_once_to_who_plays_on(session: Session, scene: Scene) -> Iterator[str]:
    for tournament in session.exec(select(Tournament)):
        if tournament.tell_round is not None:
            continue
        told = Counter(letter.player_id for letter in scene.letters if letter.kind == "tournament")
        wanted = len(rounds_of(session, tournament)) + (tournament.status in ("ending", "ended"))
        for entry in staying(entries_of(session, tournament)):
            if not session.get_one(Player, entry.player_id).house and told[entry.player_id] != wanted:
                yield f"entrant {entry.number} got {told[entry.player_id]} letters of {wanted}"


CHECKS: tuple[Check, ...] = (
    every_round_is_drawn_again_alike,
    nobody_meets_twice_while_there_are_others,
    a_table_has_one_match_of_its_people,
    the_points_of_a_table_are_those_of_its_match,
    standings_are_the_sum_of_the_tables,
    each_round_is_told_once_to_who_plays_on,
)
