"""The positions of a match as an observer may know them."""

from sqlmodel import Session, col, select

from adjudicator.core.game import View
from adjudicator.service.base.state import game_of, load_state, viewer_of
from adjudicator.service.base.tables import Match, PhaseRow


def read_views(session: Session, match: Match) -> list[View]:
    """Return what an observer may know of the newest position; of every position, oldest first, in a game with supply centres."""
    game, viewer = game_of(match), viewer_of(match, None, {})
    positions = select(col(PhaseRow.after)).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None))
    positions = positions.order_by(col(PhaseRow.number).desc())
    stored = session.exec(positions if game.ownership else positions.limit(1)).all()
    return [viewer.view(game, load_state(game, plain)) for plain in reversed(stored)]
