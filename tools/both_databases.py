"""A benchmark on an empty database of each kind."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.servers import start_postgres, stop_server

Say = Callable[[str], None]


def measure_both(measure: Callable[[str, str, Say], None], say: Say) -> None:
    """Call `measure` with a title, a URL and `say` for SQLite on disk, then for PostgreSQL."""
    with tempfile.TemporaryDirectory() as name:
        measure("SQLite", f"sqlite:///{name}/bench.sqlite3", say)
        server = start_postgres(Path(name) / "postgres")
        try:
            measure("PostgreSQL (fsync off)", server.url, say)
        finally:
            stop_server(server)
