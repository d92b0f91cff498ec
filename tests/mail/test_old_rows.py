"""Letters that wait during an upgrade: rows of the version before are still sent, unchanged."""

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from adjudicator.service.letters.outbox import LetterToSend, SignedReceipt
from tests.mail.composed import compose_letter
from tests.mail.golden import GOLDEN, masked
from tests.mail.mail_harness import MailHarness

ROWS = {
    row["name"]: row for row in json.loads(Path(__file__).with_name("old_rows.json").read_text())
}
# the matches of those rows had none
LOG = re.compile(r"The public log of this match had .*?digits>\n", re.DOTALL)
STOP = re.compile(r"(?<=/letters/stop/)\w+")  # a token that those rows held
KINDS = {
    "report",
    "receipt",
    "answer",
    "confirm",
    "notice",
    "press",
    "invitation",
    "signin",
    "stuck",
    "unreachable",
}


def test_there_is_a_row_of_every_kind() -> None:
    assert {row["kind"] for row in ROWS.values()} == KINDS


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_the_version_before_is_written_as_it_was(
    post_harness: MailHarness, name: str
) -> None:
    row, at = ROWS[name], datetime.fromisoformat(ROWS[name]["made_at"])
    settings = post_harness.settings.model_copy(update={"inbox_url": "lmtp://127.0.0.1:24"})
    signed = SignedReceipt(row["signature"], None, None) if row["signature"] else None
    claimed = LetterToSend(
        1,
        row["uid"],
        row["kind"],
        row["address"],
        row["context"],
        at,
        None,
        row["seat"],
        1,
        signed,
        at,
    )
    # a row may lack what today's letters tell more
    written = row.get("text") or LOG.sub("", (GOLDEN / f"{name}.txt").read_text())
    told = masked(compose_letter(settings, claimed, lambda svg: b"\x89PNG"))
    assert STOP.sub("TOKEN", told) == STOP.sub("TOKEN", written)
