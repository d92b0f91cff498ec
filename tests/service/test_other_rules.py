"""Matches under a newer version of their rules: they keep what they began with, and pages say which
rules a phase used.
"""

from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import transcripts
from tests.harness import Harness
from tests.unlogged import forget_logs

NOW = 2


def turn_back(database: Database, uid: str, *without: str) -> None:
    """Turn a match into one begun under rules 1, whose stored states lack the fields in
    `without`.
    """
    with database.write_tx() as session:
        match = by_uid(session, uid)
        match.rules_version = 1
        for phase in session.exec(select(PhaseRow).where(PhaseRow.match_id == match.id)):
            phase.rules_version = 1
            phase.before, phase.after = (
                _stripped(plain, without) for plain in (phase.before, phase.after)
            )


def _stripped(plain: dict[str, Any] | None, without: tuple[str, ...]) -> dict[str, Any] | None:
    return plain and {name: value for name, value in plain.items() if name not in without}


def versions(harness: Harness, uid: str) -> tuple[int, list[int]]:
    """Return the rules versions of a match: at its start, and of each phase."""
    with harness.database.read_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        rows = session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id).order_by(col(PhaseRow.number))
        )
        return match.rules_version, [row.rules_version for row in rows]


def seated(harness: Harness, uid: str) -> str:
    """Return the player whose turn it is."""
    return next(name for name in ("Alice", "Bob") if harness.page(uid, name).owed)


def genesis(harness: Harness) -> str:
    return harness.match("Alice", "Bob", wish=Wish("genesis", "Table", {"turn_limit": 1}))


def test_R16_a_running_match_of_rules_1_goes_on_with_awake_corners_and_its_transcript_replays(
    harness: Harness,
) -> None:
    uid = genesis(harness)
    forget_logs(harness.database, harness.keyring)
    turn_back(harness.database, uid, "asleep")
    for text in ("birth anubis b2 bastet d1", "birth anubis b4 bastet d5", "bastet e1", "pass"):
        assert harness.order(uid, seated(harness, uid), text).disposition == "accepted"
        harness.close(uid)
    assert versions(harness, uid) == (1, [1, NOW, NOW, NOW, NOW])
    with harness.database.read_tx() as session:
        plain = transcripts.export_transcript(session, uid)
    done = replay_transcript(read_transcript(plain))
    assert (plain["rules_version"], done.other_rules, done.differences) == (1, True, ())
    assert harness.story(uid, 0).other_rules and not harness.story(uid, 1).other_rules


def test_R16_a_match_of_rules_2_refuses_what_rules_1_would_have_taken(harness: Harness) -> None:
    uid = genesis(harness)
    for text in ("birth anubis b2 bastet d1", "birth anubis b4 bastet d5"):
        harness.order(uid, seated(harness, uid), text)
        harness.close(uid)
    assert harness.order(uid, seated(harness, uid), "bastet e1").disposition == "refused"


def test_a_match_that_was_made_before_and_begins_now_begins_by_the_rules_of_now(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.service.phases import beginning

    begin = beginning.start_match

    def made_before(database: Database, keyring: Any, uid: str, **more: Any) -> bool:
        turn_back(database, uid)
        return begin(database, keyring, uid, **more)

    monkeypatch.setattr(beginning, "start_match", made_before)
    assert versions(harness, genesis(harness)) == (NOW, [NOW, NOW])
