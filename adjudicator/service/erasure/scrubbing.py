"""What deleted rows leave in the file of a SQLite database: bytes in its pages and in its
write-ahead log.
"""

import sqlite3

import structlog

from adjudicator.platform.db import Database

log = structlog.get_logger()


def scrub_file(database: Database, *, rewrite: bool) -> bool:
    """Move the write-ahead log of a SQLite database into its file and empty it; `rewrite`: write
    the file anew before.

    Returns False where it could not be done now, as others used the file for too long or the disk
    is full, and on other databases. Deleted content is overwritten as it is deleted
    (`secure_delete`); rewriting takes away what older releases deleted.
    """
    if database.engine.dialect.name != "sqlite":
        return False
    connection = database.engine.raw_connection()
    try:
        if rewrite:
            connection.cursor().execute("VACUUM")
        busy, *_ = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as fault:
        log.warning(
            "database.not_scrubbed",
            fault=str(fault),
            remedy="it is tried again at the next daily erasing",
        )
        return False
    finally:
        connection.close()
    return not busy
