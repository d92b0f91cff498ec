"""What `sealed check` says of witnesses: who cosigned, who refuses, which log forked, and who only
sent a wrong proof.
"""

from pathlib import Path

import pytest

from adjudicator.hosting.health.findings import Finding
from adjudicator.hosting.health.witness_checks import check_witnesses
from adjudicator.hosting.watching.log_watch import WatchFault, look_again
from adjudicator.platform.config import Settings, read_settings
from adjudicator.seal.checkpoints import AddCheckpoint
from adjudicator.seal.notes import SignedNote, VerifierKey
from adjudicator.service.checkpoints import reading, witnessing
from adjudicator.service.checkpoints.cosigning import WitnessAnswer
from tests.service.logs import Installation, append, checkpoint, grow, installation, match_with_log
from tests.service.test_witnesses import asks, rebuild_with


@pytest.fixture
def two(tmp_path: Path) -> tuple[Installation, Installation]:
    """Two installations that witness each other; the second has cosigned the first one's
    checkpoint.
    """
    one, other = installation(tmp_path, "a.example"), installation(tmp_path, "b.example")
    one.configure(witnesses=other.entry)
    other.configure(witnesses=one.entry)
    append(one, match_with_log(one, 3), 3)
    grow(one)
    assert one.collect(asks(other)) == 1
    return one, other


def settings(of: Installation, names: Installation) -> Settings:
    url = of.database.engine.url.render_as_string(hide_password=False)
    return read_settings(database_url=url, witnesses=names.entry, site_url=f"https://{of.name}")


def told(
    of: Installation, names: Installation, served: Installation | None = None
) -> list[Finding]:
    """Return what the check finds; pages of the log are those of `served`, and without it the site
    does not answer.
    """

    def fetch(url: str) -> bytes:
        if served is None:
            raise WatchFault("The site does not answer.")
        assert url.startswith("https://a.example/log/")
        with served.database.read_tx() as session:
            path = url.removeprefix("https://a.example/log/")
            if path == "checkpoint":
                return checkpoint(served).note.encode()
            found = reading.published_tile(
                session, 1, reading.TilePath.read(path.removeprefix("tile/"))
            )
        assert found is not None
        return found

    def look(address: str, key: VerifierKey, held: list[str]) -> str:
        return look_again(address, key, held, fetch=fetch)

    return list(check_witnesses(settings(of, names), look))


def test_witnesses_that_cosigned_are_in_order(two: tuple[Installation, Installation]) -> None:
    one, other = two
    found = told(one, other)
    assert [each.state for each in found] == ["ok", "note"]
    assert found[0].text.startswith(
        "The witness b.example/witness has cosigned the newest checkpoint, of "
    )
    assert found[1].text == "The log b.example/log has asked for no cosignature yet."
    assert "The log a.example/log is witnessed here, up to " in told(other, one)[1].text


def test_a_witness_that_is_away_is_a_note_with_the_reason(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    append(one, match_with_log(one, 1), 1)
    grow(one)
    assert "it is asked within seconds" in told(one, other)[0].text
    one.collect(lambda *_: WitnessAnswer(500, body=b"\x1b[31moh \xe2\x80\xae no\n"))
    first = told(one, other)[0]
    assert first.state == "note" and "it answered 500: ?[31moh ? no" in first.text
    one.later(hours=1)
    one.collect(lambda *_: WitnessAnswer(0, why="b.example took too long to answer."))
    assert told(one, other)[0] == Finding(
        "note", first.text.partition(": it answered")[0] + ": b.example took too long to answer."
    )


def test_a_fork_is_wrong_on_both_sides_with_the_evidence(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    kept = checkpoint(one).own
    with one.database.read_tx() as session:
        entry = reading.published_tile(session, 1, reading.TilePath(None, 0, 2))
    assert entry is not None
    rebuild_with(one, entry[36:68].hex())
    grow(one)
    one.collect(asks(other))
    own, _ = told(one, other)
    assert (
        own.state == "wrong"
        and "refuses the newest checkpoint" in own.text
        and "sealed restored" in own.text
    )
    _, found = told(other, one)
    assert (
        found.state == "wrong"
        and found.text.startswith("The log a.example/log has forked")
        and kept in found.text
    )
    refused = found.text.rpartition(" UTC:\n\n")[2] + "\n"
    assert AddCheckpoint.read(refused.encode()).note == SignedNote.read(
        checkpoint(one).own.encode()
    )


def strangers_request(one: Installation, other: Installation) -> None:
    """Have somebody send the newest checkpoint to the witness with a wrong proof."""
    with other.database.read_tx() as session:
        (known,) = witnessing.list_witnessed(session)
    body = str(
        AddCheckpoint(known.size, (bytes(32),), SignedNote.read(checkpoint(one).own.encode()))
    )
    assert other.answer(body).status == 422


def test_a_wrong_proof_of_a_stranger_is_told_apart_from_a_fork(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    append(one, match_with_log(one, 3), 3)
    grow(one)
    strangers_request(one, other)
    away, honest = told(other, one)[2], told(other, one, one)[2]
    assert (
        away.state == "note"
        and "or somebody sent it a wrong proof" in away.text
        and "does not answer" in away.text
    )
    assert honest.state == "ok" and "somebody else sent a wrong proof" in honest.text


def test_a_fork_that_sends_no_proof_is_found_by_its_own_pages(
    two: tuple[Installation, Installation],
) -> None:
    """A log that forked can spoil its proof, so that the request proves nothing; its tiles then
    do.
    """
    one, other = two
    with one.database.read_tx() as session:
        entry = reading.published_tile(session, 1, reading.TilePath(None, 0, 2))
    assert entry is not None
    rebuild_with(one, entry[36:68].hex())
    append(one, match_with_log(one, 3), 3)
    grow(one)
    strangers_request(one, other)
    found = told(other, one, one)[2]
    assert (
        found.state == "wrong"
        and "The log was rewritten" in found.text
        and checkpoint(one).own.rstrip() in found.text
    )


def test_a_wrong_setting_is_a_finding(tmp_path: Path) -> None:
    (found,) = check_witnesses(read_settings(data_dir=tmp_path, witness_for="nonsense"))
    assert found.state == "wrong" and found.text.startswith("WITNESS_FOR")
