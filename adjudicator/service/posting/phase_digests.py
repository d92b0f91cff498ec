"""Hashes of what reports tell of phases: a row that somebody changes after its phase has closed is
not told.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC

from adjudicator.service.base.tables import PhaseRow


class PhaseDigests:
    """Hashes of rows of phases, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, str], str] = {}  # by match, phase and what is hashed
        self._newest: tuple[object, str] = None, "null"  # a state and its text

    def of_report(
        self, match: str, shown: PhaseRow, *, after: bool, phases: Sequence[PhaseRow]
    ) -> tuple[str, ...]:
        """Return the hashes of the state that a report of a match (its public name) shows, and of
        each closed phase that it tells.
        """
        return (
            self._hash(match, shown, "after" if after else "before"),
            *(self._hash(match, row, "story") for row in phases),
        )

    def _hash(self, match: str, row: PhaseRow, what: str) -> str:
        place = match, row.number, what
        if place not in self._known:
            text = self._story(row) if what == "story" else self._write(getattr(row, what))
            self._known[place] = hashlib.sha256(f'["{what}",{text}]'.encode()).hexdigest()
        return self._known[place]

    def _story(self, row: PhaseRow) -> str:
        """Return what `phase_sections.write_section` reads of a closed phase, as JSON."""
        closed_at = row.closed_at.astimezone(UTC).isoformat() if row.closed_at is not None else None
        taken = {seat: [each["how"], each["orders"]] for seat, each in (row.taken or {}).items()}
        begin = _plain([row.number, row.name, row.why, closed_at, row.due])
        return f"{begin[:-1]},{self._write(row.after)},{_plain([row.events, taken])[1:]}"

    def _write(self, state: object) -> str:
        """Return a state as JSON; a phase often begins with the one to which the last led."""
        kept, text = self._newest
        if kept is not state:
            text = _plain(state)
            self._newest = state, text
        return text


def _plain(value: object) -> str:
    # faster than `jcs`; nobody else reads these hashes
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
