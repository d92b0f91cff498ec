"""Addresses of the previous release, which stored their tokens: they go on working, and the tokens
are erased.
"""

import alembic.command

from adjudicator.platform import db
from adjudicator.service.base.tables import Player, Seat
from adjudicator.service.letters import bounces, receiving
from adjudicator.service.letters.receiving import Target
from adjudicator.service.tokens import earlier
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.service.test_old_matches import migrating
from tests.unlogged import forget_computed_tokens, store_tokens


def upgraded(harness: Harness) -> tuple[str, list[Seat]]:
    """Return a match of the previous release and its seats as that release stored them; the
    database was migrated since.
    """
    uid = harness.match(ALICE, BOB, CHARLIE)
    store_tokens(harness.database, harness.keyring)
    forget_computed_tokens(harness.database, harness.keyring)
    seats = harness.seats(uid)
    url = harness.database.engine.url.render_as_string(hide_password=False)
    with migrating(harness) as (_, config):
        alembic.command.downgrade(config, "0041")
    db.migrate(url)
    return uid, seats


def find(harness: Harness, token: str | None) -> Target | None:
    with harness.database.read_tx() as session:
        return receiving.find_target(session, token or "none")


def test_a_seats_address_goes_on_working_after_the_upgrade_and_once_its_token_is_erased(
    harness: Harness,
) -> None:
    uid, seats = upgraded(harness)
    assert [find(harness, seat.token) for seat in seats] == [
        Target("seat", seat.id, seat.match_id, tenure=1) for seat in seats
    ]
    earlier.forget_tokens(harness.database)
    assert [seat.token for seat in harness.seats(uid)] == [None, None, None]
    assert [find(harness, seat.token) for seat in seats] == [
        Target("seat", seat.id, seat.match_id, tenure=1) for seat in seats
    ]
    assert find(harness, harness.address_token(uid, 1)) == find(harness, seats[1].token)


def test_a_link_that_stops_letters_goes_on_working(harness: Harness) -> None:
    uid, _ = upgraded(harness)
    with harness.database.read_tx() as session:
        token = session.get_one(Player, harness.people[BOB]).stop_token
    earlier.forget_tokens(harness.database)
    assert token is not None and bounces.stop_by_token(harness.database, token)
    with harness.database.read_tx() as session:
        bob = session.get_one(Player, harness.people[BOB])
    assert (bob.letters, bob.stop_token) == (False, None) and harness.seats(uid)[
        1
    ].player_id == bob.id


def test_what_a_process_of_the_previous_release_changes_meanwhile_is_followed(
    harness: Harness,
) -> None:
    uid, seats = upgraded(harness)
    computed, before = harness.address_token(uid, 1), harness.seats(uid)[1]
    with harness.database.write_tx() as session:
        session.get_one(Seat, before.id).token = "n" * 26  # as it gives a seat to somebody else
    assert earlier.hash_tokens(harness.database) == 1 and earlier.hash_tokens(harness.database) == 0
    assert find(harness, "n" * 26) == Target("seat", before.id, before.match_id, tenure=1)
    assert find(harness, seats[1].token) is None and find(harness, computed) is None
    assert harness.address_token(uid, 1) != computed
