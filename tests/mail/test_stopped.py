"""The last letter of a stopped match: that it was stopped, why, and the standing."""

from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator.platform.config import Settings
from adjudicator.service.base.tables import Letter
from tests.harness import Harness
from tests.letters_out import claim_letter
from tests.mail.composed import compose_letter
from tests.service.commands import sealed
from tests.service.test_stopping import concede, diplomacy, names_of, play_on


def test_the_last_report_and_the_host_s_command_say_why_it_was_stopped(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = Harness(sqlite_url)
    uid = diplomacy(harness, "Ann")
    concede(harness, uid, "Ann")
    play_on(harness, uid)
    with harness.database.read_tx() as session:
        newest = session.exec(
            select(Letter.id).where(Letter.kind == "report").order_by(col(Letter.id).desc())
        ).first()
    claimed = claim_letter(harness.database, harness.keyring, newest or 0, harness.now)
    assert claimed is not None
    letter = compose_letter(Settings(data_dir=tmp_path, database_url=sqlite_url), claimed)
    sentence = (
        f"The match was stopped after {names_of(harness, uid)[-1]}, because no person was left in"
        " it, only house bots."
    )
    for kind in ("plain", "html"):
        body = letter.get_body((kind,))
        assert body is not None
        said = " ".join(body.get_content().split())
        assert (
            "The match is over: you came" in said
            and sentence in said
            and "The final standing" in said
        )
    assert (
        sentence in sealed("matches", "show", uid, harness=harness, monkeypatch=monkeypatch).output
    )
    harness.dispose()
