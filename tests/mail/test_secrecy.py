"""Secrets of one seat change nothing in another seat's letters: not a byte, not a header, not a
picture.
"""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from adjudicator.seal import commitments
from adjudicator.service.letters.outbox import LetterToSend, SignedReceipt
from adjudicator.service.log import entries
from tests.databases import new_sqlite
from tests.mail.composed import compose_bytes
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, fixed_match

World = Callable[[MailHarness], None]


def letters(folder: Path, world: World) -> dict[tuple[str, str, int], bytes]:
    """Return every letter of a match, as bytes, by kind, reader and number; all that differs is
    what `world` does.
    """
    folder.mkdir()
    url = new_sqlite(folder / "match.sqlite3")
    if (kept := folder.parent / "worker.key").exists():
        (folder / "keys").mkdir(mode=0o700)
        shutil.copy2(kept, folder / "keys" / "worker.key")
    with MailHarness(url, folder) as harness:
        shutil.copy2(harness.settings.key_file, kept)
        with fixed_match():
            harness.begin(ALICE, BOB, CHARLIE)
        world(harness)
        found: dict[tuple[str, str, int], bytes] = {}
        for row in harness.rows():
            number = sum(
                1 for kind, address, _ in found if (kind, address) == (row.kind, row.address)
            )
            letter = compose_bytes(
                harness.settings,
                _without_hashes(replace(harness.claim_row(row), uid=f"{row.kind}{number}")),
            )
            found[row.kind, row.address, number] = letter
        return found


def _without_hashes(letter: LetterToSend) -> LetterToSend:
    """Blank the hashes of the log, and what a receipt signs of them: they differ with the keys of
    phases, and with what nonces hide.
    """
    context = (
        letter.context | {"log_hash": "0" * 64}
        if letter.context.get("log_hash")
        else letter.context
    )
    if context.get("proofs"):
        opened = [each | {"head": "0" * 64} for each in context["proofs"]["opened"]]  # type: ignore[index]  # as a report has it
        context = context | {"proofs": {"opened": opened}}
    receipt = (
        SignedReceipt("0" * 128, "0" * 64, (1, "0" * 64)) if letter.receipt is not None else None
    )
    return replace(letter, context=context, receipt=receipt)


@pytest.fixture(autouse=True)
def _same_nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nonces are the one thing that is new each time; here they are not, so that everything can be
    compared.
    """
    for module in (commitments, entries):
        monkeypatch.setattr(
            module, "entropy", SimpleNamespace(token_hex=lambda length: "ab" * length)
        )


def test_orders_under_seal_change_no_other_seats_letter(tmp_path: Path) -> None:
    def world(secret: str) -> World:
        def play(harness: MailHarness) -> None:
            harness.order(harness.uid, ALICE, secret)
            harness.order(harness.uid, BOB, "W3")
            harness.order(harness.uid, CHARLIE, "W1\nno such line")

        return play

    one, other = (
        letters(tmp_path / "one", world("B3")),
        letters(tmp_path / "other", world("C1\nTHEN\nB3\nTHEN\nW2")),
    )
    compare(one, other, secret_to=ALICE)


def test_plans_and_dropped_plans_change_no_other_seats_letter(tmp_path: Path) -> None:
    def world(plan: str) -> World:
        def play(harness: MailHarness) -> None:
            harness.play_round(f"B3{plan}", "W3", "C2")
            harness.order(harness.uid, BOB, "W2")

        return play

    one, other = (
        letters(tmp_path / "one", world("\nTHEN\nB3\nTHEN\nW1")),
        letters(tmp_path / "other", world("")),
    )
    compare(one, other, secret_to=ALICE)


def compare(
    one: dict[tuple[str, str, int], bytes],
    other: dict[tuple[str, str, int], bytes],
    *,
    secret_to: str,
) -> None:
    public = [key for key in one if key[1] != secret_to]
    assert len(public) >= 4
    assert [key for key in other if key[1] != secret_to] == public
    for key in public:
        assert one[key] == other[key], key
    assert one != other, "the seat itself reads its secret"
