"""What a report says is worked out as its letter is claimed, from rows that do not change; its
closing stored what might change since.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.orm import load_only
from sqlmodel import Session, and_, col, or_, select

from adjudicator import catalogue
from adjudicator.core.game import AnyGame, Choice, Event, Seat, Slots
from adjudicator.service.base.state import Viewer, dump_view, load_events, load_state
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.letters.contents.content import PhaseSection
from adjudicator.service.letters.contents.match_content import ReportRows
from adjudicator.service.posting import match_notes
from adjudicator.service.posting.phase_digests import PhaseDigests
from adjudicator.service.posting.phase_sections import write_section

Content = Mapping[str, Any]  # of a letter, as JSON
_ROWS = "rows"  # the field of a `StoredReport` that a `ReportLetter` lacks
_FACTS: tuple[Any, ...] = (
    col(PhaseRow.number),
    col(PhaseRow.name),
    col(PhaseRow.due),
    col(PhaseRow.before),
    col(PhaseRow.after),
    col(PhaseRow.events),
    col(PhaseRow.taken),
    col(PhaseRow.why),
    col(PhaseRow.opened_at),
    col(PhaseRow.closed_at),
)
_PHASES = (
    select(Match.uid, PhaseRow)
    .join(PhaseRow, onclause=col(PhaseRow.match_id) == col(Match.id))
    .options(load_only(*_FACTS))
)


class PhaseMissing(LookupError):
    """The row of a phase that a report tells is gone."""


class PhaseChanged(ValueError):
    """The row of a phase is not as it was when the report was written."""


@dataclass(frozen=True)
class _Place:
    """A phase of a match; its state after the phase, or before it."""

    match: str  # public name
    number: int
    after: bool = True


class ReportTeller:
    """Tells reports that were claimed together: it reads their phases by one statement, their notes
    by another, each state once.
    """

    def __init__(self, session: Session, contents: Iterable[Content]) -> None:
        """Read the phases of the reports among these contents of letters."""
        wanted: dict[str, set[int]] = {}
        begins = False
        for content in contents:
            if _ROWS in content:
                begins = begins or bool(content.get("started"))
                with suppress(ValidationError):  # `tell` raises it, for this letter alone
                    rows = _read_rows(content)
                    wanted.setdefault(content.get("uid", ""), set()).update(
                        (rows.phase, *rows.told)
                    )
        of_match = [
            and_(Match.uid == uid, col(PhaseRow.number).in_(numbers))
            for uid, numbers in wanted.items()
        ]
        found = session.exec(_PHASES.where(or_(*of_match))).all() if of_match else ()
        self._rows = {(uid, row.number): row for uid, row in found}
        since = min((row.opened_at for row in self._rows.values()), default=None)
        self._notes = match_notes.read_notes(session, wanted, None if begins else since)
        self._digests = PhaseDigests()
        self._states: dict[_Place, Any] = {}
        self._events: dict[tuple[str, int], tuple[Event, ...]] = {}

    def tell(self, content: Content) -> dict[str, Any]:
        """Return the content of a letter as `kinds.load_context` takes it; of one that is no
        `StoredReport`, the same.

        Raises PhaseMissing, PhaseChanged, and what the rules raise where a row does not fit them.
        """
        if _ROWS not in content:
            return dict(content)
        rows, game, uid = _read_rows(content), catalogue.game(content["game_key"]), content["uid"]
        self._check(uid, rows)
        told_to = Viewer(
            content["seat"], content["names"], rows.orders_open, rows.all_open, rows.seated_at
        )
        state = self._state(game, _Place(uid, rows.phase, rows.after))
        view = told_to.view(game, state)
        once = bool(content.get("newcomer"))
        sections = tuple(
            self._section(game, uid, number, told_to, once=once) for number in rows.told
        )
        phases = {
            "view": dump_view(game, game.letter_view(view)),
            "board": game.text_board(view),
            "sections": _dump(sections, tuple[PhaseSection, ...]),
        }
        phases["notes"] = [*content["notes"], *self._told_notes(content, rows)]
        if content["owed"] is not None:
            phases["owed"] = {
                **content["owed"],
                "slots": _dump(list_choices(game, state, content["seat"]), Slots),
            }
        return {name: value for name, value in content.items() if name != _ROWS} | phases

    def _told_notes(self, content: Content, rows: ReportRows) -> list[str]:
        """Return the public notes since the last report: of the phases that it tells, or of that in
        which the match was stopped; in the first report those of the time while the match gathered.
        """
        if content.get("newcomer"):
            return []
        phases = [self._row(content["uid"], number) for number in rows.told or (rows.phase,)]
        until = phases[-1].closed_at if rows.told else None
        since = None if content.get("started") else phases[0].opened_at
        return match_notes.tell_notes(self._notes[content["uid"]], since, until)

    def _check(self, uid: str, rows: ReportRows) -> None:
        shown, phases = self._row(uid, rows.phase), [self._row(uid, number) for number in rows.told]
        if rows.digests != self._digests.of_report(uid, shown, after=rows.after, phases=phases):
            raise PhaseChanged(f"a phase of match {uid} was changed after its report was written")

    def _section(
        self, game: AnyGame, uid: str, number: int, told_to: Viewer, *, once: bool
    ) -> PhaseSection:
        row = self._row(uid, number)
        if (uid, number) not in self._events:
            self._events[uid, number] = load_events(game, row)
        return write_section(
            game,
            row,
            told_to,
            self._state(game, _Place(uid, number)),
            self._events[uid, number],
            once=once,
        )

    def _state(self, game: AnyGame, place: _Place) -> Any:
        if place not in self._states:
            row = self._row(place.match, place.number)
            self._states[place] = load_state(game, row.after if place.after else row.before)
        return self._states[place]

    def _row(self, uid: str, number: int) -> PhaseRow:
        try:
            return self._rows[uid, number]
        except KeyError:
            raise PhaseMissing(f"phase {number} of match {uid} is gone") from None


def list_choices(game: AnyGame, state: Any, seat: Seat) -> Slots:
    """Return what a seat may order in a state; picture marks are removed, as letters do not use
    them.
    """
    return tuple(
        replace(
            slot, choices=tuple(Choice(each.text, each.label, each.group) for each in slot.choices)
        )
        for slot in game.slots(state, seat)
    )


def _read_rows(content: Content) -> ReportRows:
    return _adapter(ReportRows).validate_python(content[_ROWS])  # type: ignore[no-any-return]  # of this type


def _dump(values: tuple[Any, ...], kind: Any) -> Any:
    return _adapter(kind).dump_python(values, mode="json", exclude_defaults=True)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
