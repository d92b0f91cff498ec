"""Orders of whole boards for benchmarks, another position for each match."""

import random
from collections.abc import Sequence

from adjudicator import catalogue
from adjudicator.play.bots import choose_orders
from adjudicator.service.base import rows
from adjudicator.service.base.state import load_state
from tests.harness import Harness

SEVEN = ("Alice", "Bob", "Charlie", "Dora", "Emil", "Fay", "Gus")


def hand_in_at_random(
    harness: Harness, uids: Sequence[str], people: Sequence[str], mark: str
) -> None:
    """Submit random orders for each seat of these matches of Diplomacy, whose players are named,
    with a mark such as `ready`.
    """
    pick = random.Random("boards").choice  # noqa: S311 no secret
    game, names = catalogue.game("diplomacy"), {harness.player(who): who for who in people}
    for uid in uids:
        with harness.database.read_tx() as session:
            phase = rows.open_phase(session, rows.by_uid(session, uid))
        state = load_state(game, phase.before if phase else None)
        for seat in harness.seats(uid):
            text = choose_orders(game, state, seat.name, skill="random", pick=pick)
            harness.order(uid, names[seat.player_id or 0], f"{text}\n{mark}")
