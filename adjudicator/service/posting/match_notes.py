"""The public notes of a match in the reports of its players, so that who has only mail reads them
as well.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.platform.words import plural
from adjudicator.service.base.state import hides_players, person_in
from adjudicator.service.base.tables import MasterNote, Match, Player

MOST_TOLD = 10  # of one report
_TOLD_BEFORE = "What of this was urgent came in a letter of its own before."
_MASTER = "the master"  # where the match hides its players
# begin notes of which a letter of their own tells at once
_IN_LETTERS = (
    "moved the deadline",
    "paused",
    "set the match going",
    "asked everybody to confirm",
    "ended the muster",
)
_NOTES = (
    select(Match, MasterNote, Player)
    .join(MasterNote, onclause=col(MasterNote.match_id) == col(Match.id))
    .join(Player, onclause=col(MasterNote.player_id) == col(Player.id), isouter=True)
    .order_by(col(MasterNote.id))
)


@dataclass(frozen=True)
class ToldNote:
    """A public note as a sentence for the players of its match."""

    at: datetime
    sentence: str


def read_notes(
    session: Session, matches: Collection[str], since: datetime | None
) -> Mapping[str, Sequence[ToldNote]]:
    """Return the notes after a moment, or all, of matches by their public names, oldest first, by
    one statement.
    """
    found: dict[str, list[ToldNote]] = {uid: [] for uid in matches}
    wanted = _NOTES.where(col(Match.uid).in_(matches))
    if since is not None:
        wanted = wanted.where(col(MasterNote.at) > since)
    rows = session.exec(wanted).all() if matches else ()
    for match, note, player in rows:
        if note.what.startswith(_IN_LETTERS):
            continue
        hidden = note.actor == "master" and hides_players(match)
        who = (
            _MASTER
            if hidden
            else person_in(match, player, inside=True)
            if note.player_id is not None
            else note.who
        )
        found[match.uid].append(
            ToldNote(note.at, f"{who[:1].upper()}{who[1:]} {note.what.removesuffix('.')}.")
        )
    return found


def tell_notes(
    notes: Sequence[ToldNote], since: datetime | None, until: datetime | None
) -> list[str]:
    """Return the sentences of the notes after one moment, up to another, the newest MOST_TOLD of
    them, and that letters may have told of some before.
    """
    lines = [
        note.sentence
        for note in notes
        if (since is None or since < note.at) and (until is None or note.at <= until)
    ]
    before = [_TOLD_BEFORE] if lines and since is not None else []
    if len(lines) <= MOST_TOLD:
        return lines + before
    more = plural(
        len(lines) - MOST_TOLD,
        "{n} more note is on the page of the match.",
        "{n} more notes are on the page of the match.",
    )
    return [*lines[-MOST_TOLD:], more, *before]
