"""What a log costs: a receipt, a close entry, bytes of a bundle, and what `verify_match.py` takes
for a hundred phases.

Times are those of the processor, so that other work on the machine changes them little.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adjudicator import catalogue
from adjudicator.platform import db
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders, receipts
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.phases import recording
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE
from tests.harness import Harness

ROOT = Path(__file__).parent.parent
PHASES = 100
TIMES = 5
# game, seats; Diplomacy may end before PHASES
GAMES = (("phoenix", 4), ("genesis", 2), ("diplomacy", 7))


class Stopwatch:
    """Times the signing of receipts and the entries of closings."""

    def __init__(self) -> None:
        self.receipts: list[float] = []  # seconds for one
        self.closings: list[float] = []  # seconds for the entries `close` and `result` of a phase

    @contextmanager
    def on_closings(self) -> Iterator[None]:
        """Time what the service calls to log a closing."""
        plain = recording.log_closing

        def timed(*arguments: Any, **named: Any) -> None:
            begin = time.process_time()
            plain(*arguments, **named)
            self.closings.append(time.process_time() - begin)

        recording.log_closing = timed
        try:
            yield
        finally:
            recording.log_closing = plain

    def sign(self, harness: Harness) -> None:
        """Sign what waits."""
        begin = time.process_time()
        signed = receipts.sign_receipts(harness.database, harness.keyring)
        if signed:
            self.receipts.append((time.process_time() - begin) / signed)


def bench_seal(say: Callable[[str], None]) -> None:
    """Play a match of each game with house bots for PHASES phases, and verify its bundle as a
    process of its own.
    """
    for key, seats in GAMES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            url = f"sqlite:///{folder}/bench.sqlite3"
            db.migrate(url)
            watch = Stopwatch()
            with Harness(url) as harness, watch.on_closings():
                bundle = _played(harness, watch, key, seats)
            file = folder / "log.json"
            file.write_text(json.dumps(bundle, ensure_ascii=False, separators=(",", ":")), "utf-8")
            log = len(
                json.dumps(bundle["entries"], ensure_ascii=False, separators=(",", ":")).encode()
            )
            phases = sum(entry["type"] == "close" for entry in bundle["entries"]) - 1
            seconds = statistics.median(_verify(file) for _ in range(TIMES))
            title = catalogue.game(key).about.title
            say(
                f"{title}, {seats} seats, {phases} phases: {file.stat().st_size / phases:,.0f}"
                f" bytes of bundle a phase, {log / phases:,.0f} of them log; verified in"
                f" {seconds:.2f} s of the processor; a receipt in"
                f" {1000 * statistics.median(watch.receipts):.2f} ms, close and result in"
                f" {1000 * statistics.median(watch.closings):.1f} ms (medians)"
            )


def _played(harness: Harness, watch: Stopwatch, key: str, seats: int) -> dict[str, object]:
    uid = harness.match(
        ALICE, wish=Wish(key, "Table", {}, players=seats, house=seats - 1, seating="order")
    )
    while harness.page(uid).card.status != "ended":
        if len(harness.page(uid).phases) > PHASES:
            masters.end_match(harness.database, uid, None, "It is long", now=harness.now)
            harness.close(uid)
            break
        with harness.database.read_tx() as session:
            turns = bot_orders.house_turns(session, uid)
        for turn in turns:
            text = turn.orders(lambda choices: choices[0])
            submit_orders(
                harness.database,
                Submission(uid, turn.player_id, text, "house", harness.now, turn.phase),
            )
        watch.sign(harness)
        if not harness.close(uid):
            harness.later(hours=80)
            harness.close(uid)
    with harness.database.read_tx() as session:
        return export_bundle(session, uid)


def _verify(file: Path) -> float:
    begin = _children()
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "verify_match.py"), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout)
    return _children() - begin


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
