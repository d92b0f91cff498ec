"""Pictures drawn once: a PNG is kept by the hash of what it shows."""

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from adjudicator.db import Database
from adjudicator.service.tables import Picture


def find(session: Session, hash_: str) -> bytes | None:
    """Return the PNG kept under this hash, None where there is none yet."""
    row = session.get(Picture, hash_)
    return row.png if row else None


def keep(database: Database, hash_: str, png: bytes) -> None:
    """Keep a PNG under its hash; when another worker was first, its picture stays: it is the same one."""
    try:
        with database.writing() as session:
            if session.get(Picture, hash_) is None:
                session.add(Picture(hash=hash_, png=png))
    except IntegrityError:
        return
