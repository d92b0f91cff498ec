"""What a transaction has read: rows of one kind are asked for once, for one match or for many at a
time.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import BindParameter, bindparam
from sqlmodel import Session
from sqlmodel.sql.expression import Select

if TYPE_CHECKING:
    from adjudicator.service.base.tables import Match, PhaseRow

Key = tuple[str, object]
T = TypeVar("T")
# in the place of the ids whose rows are wanted
OF: BindParameter[Any] = bindparam("of", expanding=True)
_READ = "read"  # key in Session.info
_BASIS = "basis"  # the kind of what `keep_basis` keeps


def memory_of(session: Session) -> dict[Key, Any]:
    """Return what this transaction has read, by kind and by whose it is."""
    memory: dict[Key, Any] = session.info.setdefault(_READ, {})
    return memory


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


def carry_read(
    session: Session, memory: Mapping[Key, Any], match: "Match", phase: "PhaseRow"
) -> None:
    """Go on with what another transaction has read of a match and its phase, which this one has
    locked and read again unchanged.

    Its seats belong to this transaction then, and may be changed.
    """
    known = memory_of(session)
    # else it was read with the match before, whose memory is the same
    if ("seats", match.id) not in known:
        known.update({key: each for key, each in memory.items() if key not in known})
    known["match", match.uid], known["phase", match.id] = match, phase
    session.add_all(known.get(("seats", match.id), ()))


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
            known = [row for _, row in session.exec(self.wanted, params={"of": [of]})]
            if known and keep:
                memory[self.kind, of] = known
        return list(known)

    def read_ahead(self, session: Session, ids: Collection[int]) -> None:
        """Read the rows of many by one statement, and keep which have none, too."""
        found: dict[int, list[T]] = {of: [] for of in ids}
        for of, row in session.exec(self.wanted, params={"of": list(found)}) if found else ():
            found[of].append(row)
        memory_of(session).update({(self.kind, of): rows for of, rows in found.items()})
