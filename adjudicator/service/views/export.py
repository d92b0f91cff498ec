"""Export of matches for other programs: the closed phases with their public events, and the current
position.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.core.game import AnyGame, Event, may_read
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import game_of, load_events, load_state
from adjudicator.service.base.tables import PhaseRow


def is_savable(game: str) -> bool:
    """Whether matches of a game can be exported."""
    return catalogue.game(game).export is not None


def export_match(session: Session, uid: str) -> dict[str, Any]:
    """Return a running or ended match as plain values; raises NotFound if its game has no export
    format, NotNow before the start.
    """
    match = by_uid(session, uid)
    game = game_of(match)
    if game.export is None:
        raise NotFound("No other program keeps matches of this game.")
    query = select(PhaseRow).where(PhaseRow.match_id == match.id).order_by(col(PhaseRow.number))
    rows = [row for row in session.exec(query) if row.after is not None]
    if not rows:
        raise NotNow("The match has not begun, so there is nothing to save yet.")
    chosen = _all if match.status == "ended" else _public
    phases = [(load_state(game, row.before), chosen(game, row)) for row in rows if row.number]
    return game.export(match.uid, phases, load_state(game, rows[-1].after))


def _all(game: AnyGame, row: PhaseRow) -> Sequence[Event]:
    return load_events(game, row)


def _public(game: AnyGame, row: PhaseRow) -> Sequence[Event]:
    return [event for event in load_events(game, row) if may_read(event, None)]
