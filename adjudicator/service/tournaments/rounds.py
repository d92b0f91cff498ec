"""Pairs the rounds of a tournament from its own chance, and makes their matches."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from adjudicator.core import chance, codec
from adjudicator.play.tournaments.pairing import PAIRING_VERSION, pair_round, rotate_legs
from adjudicator.play.tournaments.records import Entrant
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.rows import by_uid, note_people, seats_of
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Tournament, TournamentRound, TournamentTable
from adjudicator.service.matches.creation import Wish, make_in
from adjudicator.service.matches.notes import SERVICE
from adjudicator.service.tournaments.making import table_wish
from adjudicator.service.tournaments.records import directors_of, entries_of, format_of, history_of, note_tournament, staying


def pair_next(session: Session, tournament: Tournament, keyring: Keyring, *, now: datetime) -> tuple[str, ...]:
    """Pair the next round of a running tournament that the caller has locked; returns the public names of its matches.

    1. Nothing while a table of the last round has no result. So a round is paired once, whoever asks.
    2. Pair those who have not left, from the element of the public chain with the round's number. It is published at once, and
       the anchor proves it.
    3. Make the matches. The worker prepares and begins them like all others, and everybody gets the letter of a match that begins.
    4. If no table is to be played any more, the tournament is ending.
    """
    history = history_of(session, tournament)
    if tournament.status != "running" or any(None in played.points for played in history):
        return ()
    players: dict[Entrant, int] = {entry.number: entry.player_id for entry in staying(entries_of(session, tournament))}
    number, chains = len(history) + 1, MatchChains.unwrap(keyring, tournament)
    draw = chains.of_phase(tournament.uid, number).public
    paired = pair_round(format_of(tournament), tuple(players), history, draw)
    if paired is None or not paired.tables:
        tournament.status, tournament.ended_at = "ending", now
        note_tournament(session, tournament, now, SERVICE, "ended the tournament, which is played out")
        return ()
    assert tournament.id is not None  # noqa: S101 from the database
    element = chance.chain_element(chains.firsts["public"], number)
    session.add(TournamentRound(
        tournament_id=tournament.id, number=number, drawn=[None if place is None else int(place) for place in paired.order],
        turn=paired.turn, sitting_out=list(map(int, paired.sitting_out)), element=element.hex(), pairing_version=PAIRING_VERSION,
        paired_at=now,
    ))  # fmt: skip
    made: list[str] = []
    for place, entrants in enumerate(paired.tables, 1):
        table = TournamentTable(tournament_id=tournament.id, round_number=number, number=place, entrants=list(map(int, entrants)))
        session.add(table)
        session.flush()
        for leg in rotate_legs(entrants, tournament.legs):
            made.append(_make_match(session, tournament, table, [players[entrant] for entrant in leg], now))
    return tuple(made)


def _make_match(session: Session, tournament: Tournament, table: TournamentTable, players: Sequence[int], now: datetime) -> str:
    """Make one match of a table, with these players in seat order; returns its public name."""
    name = f"{tournament.name}, round {table.round_number}, table {table.number}"
    wish = table_wish(codec.load(Wish, tournament.wish), name=name, seats=len(players))
    match = by_uid(session, make_in(session, directors_of(session, tournament)[0], wish, now=now))
    match.table_id, match.open_seats = table.id, False
    for seat, player_id in zip(seats_of(session, match), players, strict=True):
        seat.player_id = player_id
    note_people(session, match)
    return match.uid
