"""The record of a match for other programs: players, seats, supply centres by year and the end, as
everybody may see them.

It is the same for every reader. Its tag is made of `shown` and of the names and the deadline that
the match's page shows to a stranger, never of the match's version, so neither tells that somebody
has sealed orders.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.game import View
from adjudicator.platform.words import format_utc
from adjudicator.service.base.rows import by_uid, tournament_of
from adjudicator.service.base.shown import read_views
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.matches import preferences
from adjudicator.service.phases import reports
from adjudicator.service.views.match_list import Card, SeatFace, match_card

_FORM = 2  # of the record: raised where the same match gives another record


@dataclass(frozen=True)
class Found:
    """A match as a stranger sees it in a list, and the tag of its record."""

    match: Match
    card: Card
    # the name and the public name of the one that it is played in
    tournament: tuple[str, str] | None
    tag: str  # changes whenever the record does

    @property
    def begun(self) -> bool:
        """Whether the match has a position."""
        return self.match.started_at is not None

    @property
    def replayable(self) -> bool:
        """Whether the match has a transcript."""
        return self.match.status == "ended" and self.match.opened_chains is not None


def find_match(session: Session, uid: str) -> Found:
    """Return a match and the tag of its record without reading any position; raises NotFound."""
    match = by_uid(session, uid)
    card, tournament = match_card(session, match, None), tournament_of(session, match)
    plain = json.dumps(
        [
            _FORM,
            match.shown,
            _summary(match, card, tournament),
            [_player(face) for face in card.seats],
        ]
    )
    return Found(
        match, card, tournament, f"{match.shown}-{hashlib.sha256(plain.encode()).hexdigest()[:16]}"
    )


def read_record(session: Session, found: Found) -> dict[str, Any]:
    """Return the record of a match as plain values; docs/open-results.md explains each."""
    match, card = found.match, found.card
    newest = select(PhaseRow.number, PhaseRow.name).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None)
    )
    last = session.exec(newest.order_by(col(PhaseRow.number).desc())).first()
    views = read_views(session, match)
    return {
        **_summary(match, card, found.tournament),
        "phases": last[0] if last else 0,
        "seats": _seats(match, card, dict(views[-1].scores) if views else {}),
        "centres": _centres(match, views),
        "end": _end(match, last[1]) if match.status == "ended" and last else None,
    }


def _summary(match: Match, card: Card, tournament: tuple[str, str] | None) -> dict[str, Any]:
    """Return what is known of a match without its positions."""
    running = {
        "name": card.phase,
        "deadline": format_utc(card.deadline),
        "overtime_until": format_utc(card.overtime_until),
    }
    return {
        "id": match.uid,
        "name": match.name,
        "game": match.game,
        "game_title": card.game,
        "rules_version": match.rules_version,
        "options": dict(sorted(match.options.items())),
        "status": match.status,
        "paused": card.paused,
        "rated": match.rated,
        "tournament": {"name": tournament[0], "id": tournament[1]} if tournament else None,
        "made_at": format_utc(match.made_at),
        "began_at": format_utc(match.started_at),
        "ended_at": format_utc(match.ended_at),
        "phase": (
            (running | ({"deadline": None, "overtime_until": None} if card.paused else {}))
            if card.phase
            else None
        ),
    }


def _player(face: SeatFace) -> dict[str, Any]:
    """Return who has a seat, as a stranger may know it."""
    is_public = not (face.hidden or face.former)
    return {
        "player": (face.player or None) if is_public else None,
        "hidden": face.hidden,
        "former": face.former,
        "house": face.house,
    }


def _seats(match: Match, card: Card, scores: dict[str, int]) -> list[dict[str, Any]]:
    plays = (
        {}
        if preferences.unsettled(match)
        else preferences.plays(match, [face.name for face in card.seats])
    )
    return [
        {
            "seat": face.name,
            "plays": list(plays.get(face.name, ())),
            **_player(face),
            **(match.result or {}).get(
                face.name, {"place": None, "score": scores.get(face.name), "outcome": None}
            ),
        }
        for face in card.seats
    ]


def _centres(match: Match, views: Sequence[View]) -> dict[str, Any] | None:
    game = game_of(match)
    if game.ownership is None or not views:
        return None
    owned = game.ownership(views)
    return {
        "owned": {power: list(centres) for power, centres in owned.now.items()},
        "by_year": [
            {"year": year, "counts": dict(counts)} for year, counts in sorted(owned.by_year.items())
        ],
    }


def _end(match: Match, last: str) -> dict[str, str]:
    """Return why an ended match ended: by its rules, or the reason of its stop and the sentence
    that tells it.
    """
    return {"why": match.stopped_why or "rules", "sentence": reports.stopped(match, last)}
