"""Letters parsed per second by the real child process, by kind. Prints; asserts nothing."""

import sys
import tempfile
import time
from pathlib import Path

from adjudicator.mail.read import Room, read_letter
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.platform import clock, db
from adjudicator.platform.config import read_settings
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.letters import incoming, receiving
from adjudicator.service.letters.receiving import Arrival, Target
from adjudicator.service.views import game_info
from tests.harness import Harness

LETTERS = Path(__file__).resolve().parent.parent / "tests" / "mail" / "letters"
KINDS = {  # as it is told: a letter of the corpus
    "a typical reply, text and HTML, with its quote": "gmail-web-top",
    "an answer below a quote": "thunderbird-bottom",
    "HTML only, with its quote": "outlook-365-html",
    "a bounce": "bounce-postfix",
    "a bounce in no standard form": "bounce-qmail",
}
COUNT = 1000
SEATS = 300


def main() -> None:
    """Parse each kind a thousand times, including the start of a new child every 200 letters."""
    with LetterReader(game_info.order_words()) as reader:
        for told, name in KINDS.items():
            raw = (LETTERS / f"{name}.eml").read_bytes()
            begin = time.perf_counter()
            for _ in range(COUNT):
                reader.read(raw)
            sys.stdout.write(
                f"{told}: {COUNT / (time.perf_counter() - begin):.0f} letters/s ({len(raw)}"
                " bytes)\n"
            )
        begin = time.perf_counter()
        reader.close()
        reader.read(b"B3\n")
        sys.stdout.write(
            f"a new child, its first letter read: {(time.perf_counter() - begin) * 1000:.0f} ms\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            _carry_out(Path(folder), reader)


def _carry_out(folder: Path, reader: LetterReader) -> None:
    """Process letters with orders completely: parsed, sealed, receipted, answered; on SQLite with
    every commit on disk.
    """
    url = f"sqlite:///{folder / 'sealed.sqlite3'}"
    db.migrate(url)
    harness = Harness(url)
    harness.now = clock.now()
    uids = [harness.match("Alice", "Bob", "Charlie") for _ in range(SEATS // 3)]
    with harness.database.read_tx() as session:
        seats = [seat for uid in uids for seat in seats_of(session, by_uid(session, uid))]
    for number, seat in enumerate(seats):
        raw = (
            f"From: a@example.org\r\nMessage-ID: <{number}@example.net>\r\n\r\nB3\r\nwait\r\n>"
            " quoted\r\n".encode()
        )
        receiving.store_letters(
            harness.database,
            [Arrival(Target("seat", seat.id, seat.match_id), raw, harness.now, "smtp")],
        )
    room = Room(
        read_settings(data_dir=folder, database_url=url), harness.database, harness.keyring, reader
    )
    with harness.database.read_tx() as session:
        waiting = incoming.waiting_letters(session, harness.now, most=SEATS)
    begin = time.perf_counter()
    for letter in waiting:
        read_letter(room, letter, clock.now)
    seconds = time.perf_counter() - begin
    sys.stdout.write(
        "letters with orders carried out and answered, one process, SQLite:"
        f" {len(waiting) / seconds:.0f}/s\n"
    )
    harness.dispose()


if __name__ == "__main__":
    main()
