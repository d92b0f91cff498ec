"""Benchmarks of this installation: start, pages, closed phases, games, letters in and out, pairing.
Prints figures; asserts nothing.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.request import Request

from adjudicator.hosting import loading
from adjudicator.platform import clock, db
from adjudicator.seal import crypto
from adjudicator.service.orders import receipts
from adjudicator.service.phases import batches
from tests.harness import Harness
from tests.servers import free_port, start_postgres, stop_server
from tools import bench_bots, bench_diplomacy, bench_games, bench_reading, load_test
from tools.bench_against import NoSuchCommit, bench_against
from tools.bench_archive import bench_archive
from tools.bench_home import bench_home
from tools.bench_inbox import bench_inbox
from tools.bench_post import letters_out
from tools.bench_receipts import bench_receipts
from tools.bench_roles import bench_roles, processor_seconds
from tools.bench_rounds import bench_rounds
from tools.bench_scaling import bench_scaling
from tools.bench_seal import bench_seal
from tools.bench_sweep import bench_sweep
from tools.bench_tournaments import bench_tournaments
from tools.bench_weights import bench_weights
from tools.rates import measure

ROOT = Path(__file__).parent.parent
NAMES = ("Alice", "Bob", "Charlie")
MATCHES = 150
PAGES = 1500


def say(line: str) -> None:
    """Print a line of figures."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# --- start and pages


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, float, int]]:
    """Run `script/serve` in a data folder; yield its address, the seconds to the first page, and
    its process id.
    """
    port = free_port()
    environment = os.environ | {"DATA_DIR": str(folder), "PORT": str(port), "LOG_LEVEL": "ERROR"}
    begin = time.perf_counter()
    server = subprocess.Popen(
        [ROOT / "script" / "serve"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        while not _answers(address):
            time.sleep(0.01)
        yield address, time.perf_counter() - begin, server.pid
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as page:  # noqa: S310 our own address
            return bool(page.status == 200)
    except OSError:
        return False


def start() -> None:
    """Time from `script/serve` to the first page, with a new data folder and with a used one."""
    fresh, used = [], []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            with served(Path(folder)) as (_, seconds, _):
                fresh.append(seconds)
            with served(Path(folder)) as (_, seconds, _):
                used.append(seconds)
    for name, figures in (("a new data folder", fresh), ("a used data folder", used)):
        say(
            f"to the first page, {name}: median {statistics.median(figures):.2f} s,"
            f" {min(figures):.2f}-{max(figures):.2f} s of 5"
        )


def pages() -> None:
    """Pages per second for eight concurrent visitors, from another process on the same machine."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        uid, session = _filled(folder)
        with served(folder) as (address, _, server):
            for title, path, cookie in (
                ("home", "/", ""),
                ("match", f"/matches/{uid}", ""),
                ("phase", f"/matches/{uid}/phases/1", ""),
                ("rules", "/rules/pyramid", ""),
                ("match of a player", f"/matches/{uid}", f"sealed={session}"),
            ):
                wanted = Request(address + path, headers={"Cookie": cookie} if cookie else {})  # noqa: S310 our own address
                _load(title, wanted, server)


def _filled(folder: Path) -> tuple[str, str]:
    """Fill a data folder with a match; return its public name and the token of a session of one of
    its players.
    """
    url = f"sqlite:///{folder / 'sealed.sqlite3'}"
    db.migrate(url)
    harness = Harness(url, crypto.ensure_key_file(folder / "keys" / "worker.key"))
    harness.now = clock.now()
    uid = harness.match("Alice", "Bob", "Charlie")
    for text in ("B3", "W2", "C1"):
        harness.round(uid, [(who, text) for who in ("Alice", "Bob", "Charlie")])
    session = harness.enter("Alice")
    harness.dispose()
    return uid, session


def _load(title: str, wanted: Request, server: int) -> None:
    def fetch(_: int) -> int:
        with urllib.request.urlopen(wanted, timeout=30) as page:  # noqa: S310 our own address
            return len(page.read())

    with ThreadPoolExecutor(8) as visitors:
        list(visitors.map(fetch, range(50)))
        begin, used = time.perf_counter(), processor_seconds(server)
        sizes = list(visitors.map(fetch, range(PAGES)))
        seconds, used = time.perf_counter() - begin, processor_seconds(server) - used
    say(
        f"{title}: {PAGES / seconds:.0f} pages/s, {sizes[0] / 1000:.0f} kB each ({PAGES} pages, 8"
        " visitors)"
    )
    say(f"{title}, of the processor: {used / PAGES * 1000:.2f} ms a page")


# --- phases


def phases() -> None:
    """Phases closed per second by the use case in one process, on SQLite and on PostgreSQL, all
    letters included; Python's collector leaves out what is loaded, as in a worker.
    """
    loading.collect_as_usual()
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/bench.sqlite3"
        db.migrate(url)
        _close_many("SQLite", url)
        server = start_postgres(Path(name) / "postgres")
        try:
            db.migrate(server.url)
            _close_many("PostgreSQL (fsync off)", server.url)
        finally:
            stop_server(server)


def _close_many(title: str, url: str) -> None:
    harness = Harness(url)
    uids = [harness.match(*NAMES) for _ in range(MATCHES)]
    for name in NAMES:  # as the site, which knows the session that asks
        harness.keychain.hold(harness.player(name), harness.enter(name))
    handed_in, sign = MATCHES * len(NAMES), partial(_sign_all, harness)
    orders = measure(partial(_order_all, harness, uids, "B3"), handed_in)
    signed = measure(sign, handed_in)
    together = measure(partial(_close_together, harness, uids), MATCHES)
    say(
        f"{title}: {orders.a_second:.0f} submissions/s, {together.a_second:.0f} phases closed/s,"
        f" one process ({MATCHES} matches of 3)"
    )
    _order_all(harness, uids, "B2")
    sign()
    alone = measure(lambda: [harness.close(uid) for uid in uids], MATCHES)
    say(
        f"{title}: {signed.a_second:.0f} receipts signed/s, {alone.a_second:.0f} phases closed/s"
        " one by one"
    )
    say(
        f"{title}, of the processor: {orders.processor_ms:.2f} ms a submission,"
        f" {signed.processor_ms:.2f} ms a receipt, {together.processor_ms:.2f} ms a phase closed"
        f" with others, {alone.processor_ms:.2f} ms one closed alone"
    )
    harness.dispose()


def _order_all(harness: Harness, uids: list[str], text: str) -> None:
    for uid in uids:
        for name in NAMES:
            harness.order(uid, name, text)


def _sign_all(harness: Harness) -> None:
    while receipts.sign_receipts(harness.database, harness.keyring):
        pass


def _close_together(harness: Harness, uids: list[str]) -> None:
    closed = batches.close_phases(
        harness.database, harness.keyring, uids, now=harness.now, monotonic=time.monotonic
    )
    if len(closed) < len(uids):
        raise AssertionError(f"{len(uids) - len(closed)} phases were left out")


BENCHES = {
    "start": start,
    "roles": partial(bench_roles, say),
    "pages": pages,
    "home": partial(bench_home, say),
    "weights": partial(bench_weights, say),
    "phases": phases,
    "games": partial(bench_games.bench_games, say),
    "bots": partial(bench_bots.bench_bots, say),
    "diplomacy": partial(bench_diplomacy.bench_diplomacy, say),
    "inbox": bench_inbox,
    "reading": bench_reading.main,
    "post": letters_out,
    "receipts": partial(bench_receipts, say),
    "sweep": partial(bench_sweep, say),
    "scaling": partial(bench_scaling, say),
    "seal": partial(bench_seal, say),
    "tournament": partial(bench_rounds, say),
    "tournament-pairing": partial(bench_tournaments, say),
    "archive": partial(bench_archive, say),
    "load": partial(load_test.main, say),
}
_ALIASES = {"storm": "load"}  # former names


def main(arguments: list[str]) -> None:
    """Run the named benchmarks, or all.

    `--games FILE` gives `diplomacy` other phases than its golden games; `--before FOLDER` has
    `roles` start another release in turn; `--against COMMIT` runs each bench in turns with that
    commit, and prints the ratio of each figure.
    """
    parser = argparse.ArgumentParser(prog="script/bench")
    parser.add_argument("names", nargs="*", metavar="bench")
    parser.add_argument("--games", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--against", metavar="COMMIT")
    chosen = parser.parse_args(arguments)
    names = [_ALIASES.get(name, name) for name in chosen.names]
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        parser.error(f"there is no bench “{unknown[0]}”; there are {', '.join(BENCHES)}")
    if chosen.against:
        try:
            bench_against(say, ROOT, chosen.against, names)
        except NoSuchCommit as error:
            parser.error(str(error))
        return
    for name in names or list(BENCHES):
        say(f"# {name}")
        if name == "diplomacy":
            bench_diplomacy.bench_diplomacy(say, chosen.games)
        elif name == "roles":
            bench_roles(say, chosen.before)
        else:
            BENCHES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
