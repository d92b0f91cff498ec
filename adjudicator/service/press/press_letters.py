"""The letters that bring press to its readers; a letter shows no more than the page does."""

from sqlmodel import Session, col, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform.words import MASTER
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base import public_keys
from adjudicator.service.base.press_rules import (
    hides_writers,
    name_text,
    of_master,
    press_kind,
    reader_of,
)
from adjudicator.service.base.rows import gets_letters, seats_of
from adjudicator.service.base.tables import Letter, Match, Mute, PhaseRow, Player, PressNote, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.match_content import PressLetter
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import of_seat


def send_letters(session: Session, match: Match, phase: PhaseRow | None, row: PressNote) -> None:
    """Add a letter for every reader whose player has an address, wants letters and did not mute the
    writer.
    """
    public = public_keys.current_keys(session)
    muted = set(
        session.exec(select(Mute.player_id).where(Mute.match_id == match.id, Mute.seat == row.seat))
    )
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        reads = seat.name != row.seat and (not row.readers or seat.name in row.readers)
        if reads and player is not None and player.id not in muted:
            _send(session, public, match, phase, row, player, seat)
    master = session.get_one(Player, match.master_id)
    if MASTER in row.readers or (match.press_overseen and not of_master(row)):
        _send(session, public, match, phase, row, master, None)


def _send(
    session: Session,
    public: PublicKeys,
    match: Match,
    phase: PhaseRow | None,
    row: PressNote,
    player: Player,
    seat: Seat | None,
) -> None:
    """Add the letter to one player, as the player of a seat or (None) as the match's master."""
    if not gets_letters(player):
        return
    hidden = hides_writers(match) and seat is not None and not of_master(row)
    writer = "" if hidden else row.seat
    own = seat.name if seat is not None else MASTER
    readers = tuple(name for name in row.readers if name == own) if hidden else tuple(row.readers)
    token = (
        of_seat(match, seat)
        if seat is not None
        else master_addresses.reply_address(session, match, player.id)
    )
    letter = PressLetter(
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        seat=seat.name if seat is not None else "",
        zone=player.zone,
        phase=phase.name if phase is not None else "",
        reply_token=token,
        press=press_kind(match),
        writer=writer,
        readers=readers,
        others=tuple(name for name in (writer, *readers) if name not in ("", own)),
        lines=tuple(row.text.split("\n")),
        ref=_ref(session, match, row, player),
        copied=own == MASTER and MASTER not in row.readers,
    )
    about = outbox.LetterReference(
        match.id,
        seat.name if seat is not None else None,
        phase=phase.number if phase is not None else None,
    )
    outbox.write_to(session, player, letter, now=row.at, about=about, keys=public)


def _ref(session: Session, match: Match, row: PressNote, player: Player) -> str:
    """Return the name of a stored text to a player, the same as on the site."""
    reader = reader_of(session, match, player.id)
    before = select(PressNote).where(
        PressNote.match_id == match.id, PressNote.at == row.at, col(PressNote.id) < row.id
    )
    return name_text(row.at, sum(1 for each in session.exec(before) if reader.may_read(each)))


def notes_of_letter(
    session: Session, match: Match, letter: Letter, reader: SeatName
) -> list[PressNote]:
    """Return the texts that a press letter to this seat, or to MASTER, can have brought: those of
    its time, which are one at most times.
    """
    same = select(PressNote).where(
        PressNote.match_id == match.id, PressNote.at == letter.made_at, PressNote.seat != reader
    )
    return [
        note
        for note in session.exec(same)
        if (not note.readers and reader != MASTER) or reader in note.readers
    ]
