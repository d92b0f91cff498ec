"""Bounces: shown to the player on the site and reported to the match masters once, until letters
arrive again. Also stops letters.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, delete, or_, select, update

from adjudicator.platform import wakeups
from adjudicator.platform.db import Database
from adjudicator.platform.words import seat_phrase
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.rows import players_of, seats_of
from adjudicator.service.base.state import hides_players
from adjudicator.service.base.tables import Letter, Match, Player, Seat, Stranger
from adjudicator.service.letters import outbox, suppression
from adjudicator.service.letters.contents.match_content import UnreachableLetter
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.tokens import master_addresses

_UID = re.compile(r"<([0-9a-f]{24})@")
_ADDRESS = re.compile(r"<?[^\s<>@]+@[^\s<>@,;:]+>?")
_LONGEST = 200  # characters kept of a mail server's reason
_GOING_ON = ("open", "running", "stuck")


@dataclass(frozen=True)
class Returned:
    """What a mail server reports of one letter."""

    final: bool  # whether delivery has failed; else it is only delayed
    said: str  # the server's reason
    status: str = ""  # as in RFC 3463: `5.1.1`


def find_bounced(
    session: Session, *, letter_uid: str | None, message_ids: Sequence[str]
) -> Letter | None:
    """Return our letter with this uid or one of these Message-IDs (`<...>`), None if there is none
    (any more).
    """
    uids = [
        letter_uid or "",
        *(found[1] for each in message_ids if (found := _UID.match(each.strip()))),
    ]
    for uid in uids:
        letter = session.exec(select(Letter).where(Letter.uid == uid)).first()
        if letter is not None:
            return letter
    return None


def bounced(
    session: Session,
    returned: Returned,
    *,
    now: datetime,
    letter_uid: str | None = None,
    message_ids: Sequence[str] = (),
) -> bool:
    """Record a mail server's report about a letter; returns whether the letter is one of ours.

    - Delayed: the report is noted at the letter.
    - Failed with status 4.x.x (RFC 3463, a temporary cause such as a full mailbox): only this
      letter is marked as bounced.
    - Failed otherwise: the letter is marked as bounced. The player is told on the site, the masters
      get one letter for each of the player's unfinished matches, and the player's other letters are
      held until letters arrive again.
    """
    letter = find_bounced(session, letter_uid=letter_uid, message_ids=message_ids)
    if letter is None:
        return False
    reason = _words(returned)
    if not returned.final:
        letter.trouble = f"it is late: {reason}"
    elif letter.state != "bounced":
        if letter.state == "sent":
            letter.state = "bounced"
        letter.trouble = f"it came back: {reason}"
        if not returned.status.startswith("4"):
            _mark(session, letter, reason, now)
    session.flush()
    return True


def refused(database: Database, claimed: LetterToSend, trouble: str, *, now: datetime) -> None:
    """Hold a letter whose address the mail server refused for good during the send, and treat it
    like a bounce.
    """
    with database.write_tx() as session:
        letter = session.get(Letter, claimed.id)
        # the player may have stopped letters meanwhile
        if letter is not None and letter.state == "waiting":
            letter.state, letter.trouble = "held", trouble[:300]
            _mark(session, letter, _words(Returned(True, trouble)), now)


def _words(returned: Returned) -> str:
    """Return the server's reason on one line, status first, without addresses."""
    reason = " ".join(
        "".join(char if char.isprintable() else " " for char in returned.said).split()
    )
    if returned.status and returned.status not in reason:
        reason = f"{returned.status} {reason}".strip()
    return without_addresses(reason)[:_LONGEST] or "nothing was said of why"


def _mark(session: Session, letter: Letter, reason: str, now: datetime) -> None:
    """Note that letters to the player come back and tell the masters, unless that is noted already.

    Receipts, other answers, reminders and press are skipped. Their bounce would reveal to a master
    when the seat handed something in (ruling G4), that it did not, or when somebody wrote to it.
    The bounce of the next report marks the player instead.
    """
    if (
        letter.receipt_id is not None
        or letter.incoming_id is not None
        or letter.kind in ("press", "reminder")
    ):
        return
    player = session.exec(select(Player).where(Player.address == letter.address)).first()
    if player is None or player.bounced_at is not None or letter.player_id not in (None, player.id):
        return
    player.bounced_at, player.bounce = now, reason
    session.flush()
    playing = select(Match, Seat).join(Seat, onclause=col(Seat.match_id) == col(Match.id))
    playing = playing.where(Seat.player_id == player.id, col(Match.status).in_(_GOING_ON)).order_by(
        col(Match.id)
    )
    for match, seat in session.exec(playing):
        _tell_master(session, match, seat, player, now)


def _tell_master(session: Session, match: Match, seat: Seat, player: Player, now: datetime) -> None:
    master = session.get_one(Player, match.master_id)
    if master.id == player.id or master.address is None or not master.letters:
        return
    letter = UnreachableLetter(
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        zone=master.zone,
        seat=seat.name,
        player="" if hides_players(match) else player.name,
        since=now,
        reply_token=master_addresses.reply_address(session, match, master.id or 0),
    )
    about = outbox.LetterReference(match.id)
    outbox.write_to(session, master, letter, now=now, about=about)


def sentence(letter: Letter) -> str:
    """Return a sentence for the host on what happened to an undelivered letter, without addresses
    or the letter's content.
    """
    seat = f" to {seat_phrase(letter.seat)}" if letter.seat else ""
    fate = "came back" if letter.state == "bounced" else "is held"
    return (
        f"A {letter.kind} letter{seat} {fate}:"
        f" {without_addresses(letter.trouble or 'nobody knows why')}."
    )


def without_addresses(text: str) -> str:
    """Return a text with every e-mail address replaced."""
    return _ADDRESS.sub("the address", text)


def seats_not_reached(session: Session, match: Match) -> list[str]:
    """Return the seats of a match to whose players letters come back, in seat order; for its
    master.
    """
    lost = {each.id for each in players_of(session, match) if each.bounced_at is not None}
    return [seat.name for seat in seats_of(session, match) if seat.player_id in lost]


# --- resuming and stopping letters


def arrives_again(session: Session, player_id: int, *, now: datetime) -> bool:
    """Clear a player's bounce and send the held letters to the current address; returns whether
    there was a bounce.

    For a player who opened a letter at the address, wrote from it, or asks to try it again.
    """
    player = session.get_one(Player, player_id)
    if player.bounced_at is None:
        return False
    player.bounced_at = player.bounce = None
    if player.letters and player.address is not None:
        held = (
            col(Letter.player_id) == player_id,
            col(Letter.state) == "held",
            col(Letter.context).is_not(None),
        )
        session.exec(
            update(Letter)
            .where(*held)
            .values(state="waiting", tries=0, next_try=now, trouble=None, address=player.address)
        )
        wakeups.wake(session, wakeups.POST)
    session.flush()
    return True


def try_again(database: Database, player_id: int, *, now: datetime) -> None:
    """Clear a player's bounce because the player says that the address works."""
    with database.write_tx() as session:
        arrives_again(session, player_id, now=now)


def complained(
    session: Session, *, letter_uid: str | None, message_ids: Sequence[str] = ()
) -> bool:
    """Stop the letters to a player who reported one as spam; returns whether it is one of ours. No
    master is told.
    """
    letter = find_bounced(session, letter_uid=letter_uid, message_ids=message_ids)
    if letter is None:
        return False
    letter.trouble = "its reader called it spam"
    player = session.exec(select(Player).where(Player.address == letter.address)).first()
    if player is not None and player.id is not None:
        stop_letters(session, player.id)
    session.flush()
    return True


def stop_letters(session: Session, player_id: int) -> None:
    """Send a player only sign-in links and answers from now on, and erase all other unsent
    letters.
    """
    session.get_one(Player, player_id).letters = False
    unsent = (
        col(Letter.player_id) == player_id,
        col(Letter.state).in_(("waiting", "held")),
        col(Letter.incoming_id).is_(None),
    )
    session.exec(delete(Letter).where(*unsent, col(Letter.kind).not_in(outbox.SENT_ALL_THE_SAME)))
    session.flush()


def stop_by_token(database: Database, token: str) -> bool:
    """Stop the letters to the player of this secret; returns whether there is one. The secret gives
    no other access.
    """
    with database.write_tx() as session:
        player_id = of_token(session, token)
        if player_id is None:
            return False
        stop_letters(session, player_id)
        return True


def never_by_token(database: Database, token: str, *, now: datetime) -> bool:
    """Send only sign-in links to the address of this secret from now on; returns whether there is
    such an address.
    """
    with database.write_tx() as session:
        hashed = suppression.of_token(session, token)
        if hashed is not None:
            never(session, hashed, now=now)
        return hashed is not None


def never_to(session: Session, address: str, *, now: datetime) -> None:
    """Send only sign-in links to an address from now on, as its reader asked by letter."""
    suppression.stranger_at(session, address, now=now)
    never(session, suppression.address_hash(address), now=now)


def never(session: Session, hashed: str, *, now: datetime) -> None:
    """Send only sign-in links to the address of this hash from now on, and stop the letters of its
    player.
    """
    stranger = session.get_one(Stranger, hashed)
    stranger.never_at = stranger.never_at or now
    written_to = select(Player.id, Player.address).where(
        col(Player.letters).is_(True), col(Player.address).is_not(None)
    )
    for player_id, address in session.exec(written_to).all():
        if suppression.address_hash(address or "") == hashed:
            stop_letters(session, player_id or 0)
    session.flush()


def of_token(session: Session, token: str) -> int | None:
    """Return the id of the player whose letters this secret stops, None if there is none."""
    hashed = hash_token(token)
    return session.exec(
        select(Player.id).where(
            or_(col(Player.stop_hash) == hashed, col(Player.earlier_stop_hash) == hashed)
        )
    ).first()
