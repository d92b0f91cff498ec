"""The example reader of results prints matches of a site, and says what is wrong with an
address.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from werkzeug.serving import make_server

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.web.site import Site
from tools import read_results


@contextmanager
def served(site: Site) -> Iterator[str]:
    """Serve a site on a loopback port; yield its address."""
    server = make_server("127.0.0.1", 0, site.app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()


def test_an_ended_match_is_printed_as_a_table(
    small_site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    uid = small_site.play_to_end()
    with served(small_site) as base:
        assert read_results.main([f"{base}/matches/{uid}"]) == 0
        told = read_results.tell_match(read_results.fetch_record(f"{base}/matches/{uid}.json"))
    assert "\n".join(told) + "\n" in capsys.readouterr().out
    head, empty, columns, *rows = told
    assert (
        head == "The Long Table (Rock Paper Pyramid): ended 2026-11-02 after 9 phases."
        and empty == ""
    ), "the last round is forced"
    assert columns.split() == ["seat", "player", "place", "score", "outcome"]
    standing = {each.seat: each for each in small_site.harness.page(uid).standing}
    assert [row.split() for row in rows] == [
        [
            seat,
            standing[seat].player,
            str(standing[seat].place),
            str(standing[seat].score),
            standing[seat].outcome,
        ]
        for seat in "123"
    ]


def test_centres_are_printed_by_year(small_site: Site) -> None:
    harness = small_site.harness
    uid = harness.match(ALICE, BOB, wish=Wish("diplomacy", "The Map", {}, house=5))
    while harness.page(uid).card.phase[-4:] == "1901":
        harness.later(hours=60)
        assert harness.close(uid)
    with served(small_site) as base:
        lines = read_results.tell_match(read_results.fetch_record(f"{base}/matches/{uid}"))
    assert lines[0].startswith("The Map (Diplomacy): Spring 1902, until 20") and lines[-2].split()[
        :2
    ] == ["year", "AUSTRIA"]
    assert lines[-1].split()[0] == "1901" and sum("(bot)" in line for line in lines) == 5


def test_a_wrong_address_is_told_in_a_sentence(
    small_site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(small_site) as base:
        assert read_results.main([f"{base}/matches/nqwhere22"]) == 1
        assert "gives no record of a match: HTTP Error 404" in capsys.readouterr().err
        assert read_results.main([f"{base}/schemas/match-1.json"]) == 1
    assert "another form" in capsys.readouterr().err
    for wrong in ([], ["ftp://example.org/matches/x"], ["file:///etc/passwd"]):
        assert read_results.main(wrong) == 2
