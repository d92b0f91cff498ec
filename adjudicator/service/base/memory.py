"""What a transaction has read: rows of one kind are asked for once, for one match or for many at a
time.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from sqlalchemy import BindParameter, bindparam
from sqlalchemy.orm import make_transient_to_detached
from sqlmodel import Session, SQLModel
from sqlmodel.sql.expression import Select

from adjudicator.platform.statements.records import Looking, table_of, values_of

Key = tuple[str, object]
T = TypeVar("T")
R = TypeVar("R", bound=SQLModel)
# in the place of the ids whose rows are wanted
OF: BindParameter[Any] = bindparam("of", expanding=True)
_READ, _LOOKS = "read", "looks"  # keys in Session.info
_BASIS = "basis"  # the kind of what `keep_basis` keeps


def memory_of(session: Session) -> dict[Key, Any]:
    """Return what this transaction has read, by kind and by whose it is."""
    memory: dict[Key, Any] = session.info.setdefault(_READ, {})
    return memory


def know(session: Session, memory: dict[Key, Any]) -> None:
    """Have a session that reads nothing know, as records, what another has read."""
    session.info.update({_READ: memory, _LOOKS: True})


def keep_read(session: Session, key: Key, rows: Iterable[object]) -> None:
    """Keep rows which this transaction has added, or has read by another query; none are not
    kept.
    """
    if found := list(rows):
        memory_of(session)[key] = found


def keep_basis(
    session: Session, uid: str, player_id: int | None, parts: Iterable[tuple[str, int, str]]
) -> None:
    """Keep what this transaction has read of a match as the basis of a viewer's page, so that its
    page asks for none of it again.
    """
    memory_of(session)[_BASIS, (uid, player_id)] = parts


def basis_of(session: Session, uid: str, player_id: int | None, kind: str) -> list[Any] | None:
    """Return the values of a kind in the basis of a viewer's page of a match, each a list; None
    where this transaction has not read it.
    """
    parts = memory_of(session).get((_BASIS, (uid, player_id)))
    return None if parts is None else [json.loads(each[2]) for each in parts if each[0] == kind]


def forget_read(session: Session) -> None:
    """Ask anew for what was read, for a match that was locked after it was read."""
    session.info.pop(_READ, None)


def look_only(session: Session) -> None:
    """Have all rows that this transaction reads by `RowsOf` read as records, which nobody can
    change.
    """
    session.info[_LOOKS] = True


def only_looks(session: Session) -> bool:
    """Whether a transaction reads records."""
    return _LOOKS in session.info


def adopt(session: Session, record: R) -> R:
    """Return a record as a row that belongs to this transaction, and may be changed."""
    row: R = table_of(record)(**values_of(record))  # type: ignore[assignment]
    make_transient_to_detached(row)
    session.add(row)
    return row


@dataclass(frozen=True)
class RowsOf(Generic[T]):
    """Rows of one kind that belong to a match, or to a phase, by whose id they are found.

    Only of rows that no transaction adds or deletes after it has read them. The query yields that
    id and the row; it is made once for all transactions, as making one takes longer than the
    database does to answer it.
    """

    kind: str
    wanted: Select[Any, T]  # with the parameter `OF`

    def read(self, session: Session, of: int | None, *, keep: bool = True) -> list[T]:
        """Return the rows of one match or phase. Those that were read are kept, if there are any,
        unless somebody may change them.
        """
        memory = memory_of(session)
        known: list[T] | None = memory.get((self.kind, of))
        if known is None:
            known = [row for _, row in self.find(session, [of or 0])]
            if known and keep:
                memory[self.kind, of] = known
        return list(known)

    def read_ahead(self, session: Session, ids: Collection[int]) -> None:
        """Read the rows of many by one statement, and keep which have none, too."""
        found: dict[int, list[T]] = {of: [] for of in ids}
        for of, row in self.find(session, found):
            found[of].append(row)
        memory_of(session).update({(self.kind, of): rows for of, rows in found.items()})

    def find(self, session: Session, ids: Collection[int] | Collection[str]) -> list[tuple[Any, T]]:
        """Return the rows of many, each with whose it is; nothing is kept."""
        if _LOOKS in session.info:
            return self.look(session, ids)
        wanted = session.exec(self.wanted, params={"of": list(ids)}) if ids else ()
        return [(of, row) for of, row in wanted]

    def look(self, session: Session, ids: Collection[int] | Collection[str]) -> list[tuple[Any, T]]:
        """Do as `find`, whose rows are records."""
        return self._looking.read(session.connection(), ids)

    @cached_property
    def _looking(self) -> Looking:
        return Looking(self.wanted, OF.key)
