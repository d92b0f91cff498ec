"""Letters that wait during an upgrade: rows of the version before are still sent, unchanged."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from adjudicator.mail.composing.compose import compose_letter
from adjudicator.service.letters.outbox import LetterToSend
from tests.mail.golden import GOLDEN, masked
from tests.mail.mail_harness import MailHarness

ROWS = {row["name"]: row for row in json.loads(Path(__file__).with_name("old_rows.json").read_text())}
KINDS = {"report", "receipt", "answer", "confirm", "notice", "press", "invitation", "signin", "stuck", "unreachable"}


def test_there_is_a_row_of_every_kind() -> None:
    assert {row["kind"] for row in ROWS.values()} == KINDS


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_the_version_before_is_written_as_it_was(post_harness: MailHarness, name: str) -> None:
    row, at = ROWS[name], datetime.fromisoformat(ROWS[name]["made_at"])
    settings = post_harness.settings.model_copy(update={"inbox_url": "lmtp://127.0.0.1:24"})
    claimed = LetterToSend(1, row["uid"], row["kind"], row["address"], row["context"], at, None, row["seat"], 1, row["signature"], at)
    written = row.get("text") or (GOLDEN / f"{name}.txt").read_text()  # a row may lack what today's letters tell more
    assert masked(compose_letter(settings, claimed, lambda svg: b"\x89PNG")) == written
