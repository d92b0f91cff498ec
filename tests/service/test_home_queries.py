"""A player's home page costs a handful of queries, however many matches the player has."""

from adjudicator.service.matches import absences
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import match_list
from tests.asked import asking, queries_of
from tests.harness import Harness
from tests.service import listed

HANDFUL = 10


def queries_of_lists(harness: Harness) -> int:
    with asking(harness.database) as asked, harness.database.read_tx() as session:
        match_list.match_cards(session, harness.player("Alice"), now=harness.now)
        listed.open_matches(session, harness.player("Alice"))
    return len(queries_of(asked))


def queries_of_absences(harness: Harness) -> int:
    with asking(harness.database) as asked, harness.database.read_tx() as session:
        absences.list_honoured(session, harness.player("Alice"))
    return len(queries_of(asked))


def test_more_matches_cost_no_more_queries(harness: Harness) -> None:
    harness.player("Alice")
    found = []
    for count in (2, 18):
        for number in range(count):
            harness.match("Alice", wish=Wish("pyramid", "Running", {}, house=2, progress="seats"))
            harness.prepare_match(
                Wish("pyramid", "Waiting", {}), "Alice", *(("Bob",) if number % 2 else ())
            )
            harness.prepare_match(Wish("pyramid", "Open", {}), "Charlie")
        found.append((queries_of_lists(harness), queries_of_absences(harness)))
    assert found[0] == found[1]
    assert max(found[1]) <= HANDFUL
