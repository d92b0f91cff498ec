"""What the forms of a page say that a player has just loaded."""

from adjudicator.service.base.rows import by_uid, open_phase, seats_of, sitting
from adjudicator.service.requests.made_for import MadeFor, find_made_for
from tests.simulation.service import Service


def load_made_for(service: Service, uid: str, player_id: int) -> MadeFor | None:
    """Return what forms of a player's seat are made for now."""
    with service.fixture_db.eyes.read_tx() as session:
        match = by_uid(session, uid)
        return find_made_for(
            session, match, open_phase(session, match), sitting(seats_of(session, match), player_id)
        )
