"""Pictures drawn once: a PNG is kept by the hash of what it shows, as long as letters may ask for it again."""

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, or_

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Picture

KEPT = timedelta(days=3)  # a letter that could not be sent is tried for about half a day


def find_picture(session: Session, hash_: str) -> bytes | None:
    """Return the PNG kept under this hash, None where there is none yet."""
    row = session.get(Picture, hash_)
    return row.png if row else None


def keep_picture(database: Database, hash_: str, png: bytes, now: datetime) -> None:
    """Keep a PNG under its hash; when another worker was first, its picture stays: it is the same one."""
    try:
        with database.write_tx() as session:
            if session.get(Picture, hash_) is None:
                session.add(Picture(hash=hash_, png=png, made_at=now))
    except IntegrityError:
        return


def erase_old(database: Database, now: datetime) -> int:
    """Erase pictures whose letters went out long ago; returns how many. One that is asked for again is drawn again."""
    with database.write_tx() as session:
        old = or_(col(Picture.made_at).is_(None), col(Picture.made_at) < now - KEPT)
        return int(session.exec(delete(Picture).where(old)).rowcount)
