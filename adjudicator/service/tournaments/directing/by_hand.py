"""Tables that a director sets for the next round instead of the draw, typed or from a file."""

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import cast

from sqlmodel import Session

from adjudicator.core import codec
from adjudicator.platform.words import join_list, plural
from adjudicator.play.tournaments.formats import Mixer, Swiss
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.directing.entrants import next_round
from adjudicator.service.tournaments.records import (
    Directed,
    directed_of,
    entries_of,
    format_of,
    granted_of,
    lock_to_direct,
    note_tournament,
    staying,
)

_INSTEAD = "`remove` takes out who cannot play, and `decide` gives a table its result."
_Tables = tuple[tuple[int, ...], ...]


@act
def pair(
    session: Session, uid: str, director_id: int, number: int, text: str, *, now: datetime
) -> str:
    """Set the tables of the next round, as a director, or with an empty text leave them to the draw
    again; returns the reply.

    Tables stand on lines of their own or between commas, each with the numbers of its entrants in
    seat order. Who is at none sits out. If somebody at a table leaves before the round is paired,
    it is drawn after all. Raises NotAllowed for others than the directors, NotNow for another
    round, Refused for tables that cannot be.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    if next_round(session, tournament, _INSTEAD) != number:
        raise NotNow(
            f"Round {number} is not the next one to be paired; to set a round that nobody has moved"
            " in, take it back first."
        )
    tables = _read_tables(text)
    there = {
        entry.number
        for entry in staying(entries_of(session, tournament))
        if number not in granted_of(entry).out
    }
    _check(tables, there, cast("Swiss | Mixer", format_of(tournament)).sizes)
    tournament.directed = codec.dump(
        Directed, replace(directed_of(tournament, number), tables=tables or None)
    )
    tables_told = join_list(["-".join(map(str, table)) for table in tables])
    does = (
        f"set the tables of round {number} by hand: {tables_told}"
        if tables
        else f"left the tables of round {number} to the draw"
    )
    note_tournament(session, tournament, now, who, does)
    return (
        f"The tables of round {number} are set: {tables_told}."
        if tables
        else f"The tables of round {number} are drawn."
    )


def _read_tables(text: str) -> _Tables:
    """Return tables of entrants, none for an empty text; raises Refused for a text without their
    numbers.
    """
    pieces = text.splitlines() if len(text.strip().splitlines()) > 1 else re.split("[,;]", text)
    found = tuple(tuple(int(each[:6]) for each in re.findall(r"[0-9]+", piece)) for piece in pieces)
    tables = tuple(table for table in found if table)
    if text.strip() and not tables:
        raise Refused(
            "It has no numbers of entrants: a table is written like `1 4`, in seat order.",
            field="tables",
        )
    return tables


def _check(tables: _Tables, there: set[int], sizes: tuple[int, ...]) -> None:
    """Raise Refused for tables of other sizes, for who is not there, and for who sits twice."""
    seated = Counter(who for table in tables for who in table)
    if wrong := [table for table in tables if len(table) not in sizes]:
        possible = join_list([str(size) for size in sizes], "or")
        one = "The table {table} has {n} entrant, but tables have {possible}."
        more = "The table {table} has {n} entrants, but tables have {possible}."
        table = "-".join(map(str, wrong[0]))[:60]
        raise Refused(
            plural(len(wrong[0]), one, more, table=table, possible=possible), field="tables"
        )
    if missing := sorted(seated.keys() - there):
        raise Refused(f"Entrant {missing[0]} is not there to be paired.", field="tables")
    if twice := [who for who, times in seated.items() if times > 1]:
        raise Refused(f"Entrant {twice[0]} sits at two tables.", field="tables")
