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
            parts = [what, _story(row) if what == "story" else getattr(row, what)]
            # faster than `jcs`; nobody else reads these hashes
            plain = json.dumps(parts, sort_keys=True, separators=(",", ":"))
            self._known[place] = hashlib.sha256(plain.encode()).hexdigest()
        return self._known[place]


def _story(row: PhaseRow) -> list[object]:
    """Return what `phase_sections.write_section` reads of a closed phase."""
    closed_at = row.closed_at.astimezone(UTC).isoformat() if row.closed_at is not None else None
    taken = {seat: [each["how"], each["orders"]] for seat, each in (row.taken or {}).items()}
    return [row.number, row.name, row.why, closed_at, row.due, row.after, row.events, taken]
