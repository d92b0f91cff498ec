"""Transcripts of ended matches: everything needed to replay them, and their results."""

from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.chance import Draw
from adjudicator.core.game import AnyGame, Phase
from adjudicator.play.loop import Closed, Given, StopReason
from adjudicator.play.verify import phase_line, result_line, start_line
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.base.state import (
    conceded_in,
    former_chains,
    game_of,
    load_events,
    load_state,
)
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.log.entries import hashes_of_salts


def export_transcript(session: Session, uid: str) -> dict[str, Any]:
    """Return the transcript of an ended match as plain values; raises NotNow before its end, while
    its chance is secret.
    """
    match = by_uid(session, uid)
    if match.status != "ended" or match.opened_chains is None:
        raise NotNow(
            "A transcript holds a match's whole chance, so it is there only once the match has"
            " ended."
        )
    closed = select(PhaseRow).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None)
    )
    start, *rows = session.exec(closed.order_by(col(PhaseRow.number)))
    gone, clients = conceded_in(match), hashes_of_salts(session, match)
    return {
        "game": match.game,
        "rules_version": match.rules_version,
        "match": match.uid,
        "options": match.options,
        "seats": [seat.name for seat in seats_of(session, match)],
        **({"lots": match.lots} if match.lots else {}),
        "chance": {
            "chains": {**match.opened_chains, "anchors": match.anchors},
            **_former_chains(match),
        },
        "phases": [
            _entry(row, clients.pop(row.number, None)) for row in rows if row.why != "forced"
        ],
        **({"clients": {str(number): each for number, each in clients.items()}} if clients else {}),
        **(
            {"conceded": [{"seat": seat, "after": after} for seat, after in gone.items()]}
            if gone
            else {}
        ),
        **_stopped(match),
        "claims": _claims(match, start, rows),
    }


def _former_chains(match: Match) -> dict[str, Any]:
    """Return the chains from before restores, which earlier phases drew from."""
    former = [each.told for each in former_chains(match) if each.opened is not None]
    return {"former": former} if former else {}


def _entry(row: PhaseRow, clients: str | None) -> dict[str, Any]:
    own = {
        seat: taken["orders"]
        for seat, taken in (row.taken or {}).items()
        if taken["how"] in ("sealed", "plan")
    }
    return {
        "number": row.number,
        "name": row.name,
        "orders": own,
        **({"clients": clients} if clients else {}),
    }


def _stopped(match: Match) -> dict[str, Any]:
    return (
        {"stopped": {"after": match.stopped_after, "why": match.stopped_why}}
        if match.stopped_why
        else {}
    )


def _claims(match: Match, start: PhaseRow, rows: list[PhaseRow]) -> dict[str, Any]:
    game, stopped = game_of(match), _stopped(match)
    began = start_line(game, load_state(game, start.after), _drawn(start))
    phases = [phase_line(game, _closed(game, row), []) for row in rows]
    why: StopReason | None = match.stopped_why  # type: ignore[assignment]  # as loop.Stop has it
    result = result_line(
        game,
        load_state(game, (rows or [start])[-1].after),
        stopped=why,
        conceded=conceded_in(match),
    )
    return {"start": began, "phases": phases, **stopped, "result": result, "chance_left": 0}


def _closed(game: AnyGame, row: PhaseRow) -> Closed[Any]:
    before = load_state(game, row.before)
    given = {
        seat: Given[Any](game.parse(before, seat, taken["orders"]).orders, taken["how"])
        for seat, taken in (row.taken or {}).items()
    }
    phase = Phase(row.name, tuple(row.due))
    return Closed(
        row.number,
        phase,
        before,
        load_state(game, row.after),
        given,
        load_events(game, row),
        _drawn(row),
        "deadline",
    )


def _drawn(row: PhaseRow) -> tuple[Draw, ...]:
    return tuple(
        Draw(stream, label, tuple(value) if isinstance(value, list) else value)
        for stream, label, value in row.draws or []
    )
