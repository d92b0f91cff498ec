"""A cache of PNGs by the hash of their SVG, kept as long as letters may need them again."""

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, or_

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Picture

KEPT = timedelta(days=3)  # an erased picture is drawn again when it is needed


def find_picture(session: Session, hash_: str) -> bytes | None:
    """Return the PNG kept under this hash, None if there is none."""
    row = session.get(Picture, hash_)
    return row.png if row else None


def keep_picture(database: Database, hash_: str, png: bytes, now: datetime) -> None:
    """Store a PNG under its hash; idempotent, also when two workers store the same one at the same time."""
    try:
        with database.write_tx() as session:
            if session.get(Picture, hash_) is None:
                session.add(Picture(hash=hash_, png=png, made_at=now))
    except IntegrityError:
        return


def erase_old(database: Database, now: datetime) -> int:
    """Erase pictures older than `KEPT` and return their number."""
    with database.write_tx() as session:
        old = or_(col(Picture.made_at).is_(None), col(Picture.made_at) < now - KEPT)
        return int(session.exec(delete(Picture).where(old)).rowcount)
