"""Standbys: players who would take over a seat of a match, or of any match of a game, and who are
written to when one opens.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select

from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.names import unlinked
from adjudicator.service.base.press_rules import told_rules
from adjudicator.service.base.rows import by_uid, lock_by_uid, open_phase, seats_of
from adjudicator.service.base.state import about_of
from adjudicator.service.base.tables import Match, Offer, Player, Seat, Standby
from adjudicator.service.handover.takeovers import require_newcomer
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import OfferLetter
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.matches.timetables import rhythm_of
from adjudicator.service.people import reliability
from adjudicator.service.requests.acts import act
from adjudicator.service.tokens.references import UNWRITTEN, Reference

ASKED_AT_ONCE = 5  # standbys that are written to at once; more a day later
ASK_AGAIN = timedelta(days=1)
SEARCH_LASTS = timedelta(days=14)  # afterwards an open seat is only listed
MOST_LISTS = 30  # entries of one player


# --- the lists


@act
def stand_by(
    session: Session,
    player_id: int,
    *,
    now: datetime,
    game: str | None = None,
    uid: str | None = None,
) -> str:
    """Put a player on the list of a match, or of a game; returns its name. Doing it again changes
    nothing.

    Raises NotAllowed for a player without an address, NotNow for a match that is over, Refused for
    too many lists.
    """
    # one request at a time
    player = session.exec(
        select(Player).where(Player.id == player_id).with_for_update(key_share=True)
    ).one()
    match = by_uid(session, uid) if uid is not None else None
    if player.address is None:
        raise NotAllowed("Standbys are written to: add an address in your account first.")
    if match is not None and match.status == "ended":
        raise NotNow("This match is over.")
    if match is not None and any(seat.player_id == player_id for seat in seats_of(session, match)):
        raise NotAllowed("You have a seat in this match already.")
    own = session.exec(select(Standby).where(Standby.player_id == player_id)).all()
    match_id, name = (match.id, match.name) if match is not None else (None, "")
    if not any((each.match_id, each.game) == (match_id, game) for each in own):
        if len(own) >= MOST_LISTS:
            raise Refused(
                f"You stand by on {MOST_LISTS} lists, which is the most: `standby off` takes you"
                " off all of them."
            )
        session.add(Standby(player_id=player_id, match_id=match_id, game=game, made_at=now))
        session.flush()
    return name


@act
def stand_down(session: Session, player_id: int) -> int:
    """Take a player off all lists; returns off how many."""
    return session.exec(delete(Standby).where(col(Standby.player_id) == player_id)).rowcount


def list_standbys(session: Session, player_id: int) -> list[tuple[str, str]]:
    """Return what a player stands by for, in the order of joining: pairs of a game's key and "", or
    of "" and a match's name.
    """
    own = select(Standby, Match.name).join(Match, isouter=True)
    found = session.exec(own.where(Standby.player_id == player_id).order_by(col(Standby.id)))
    return [(each.game or "", name or "") for each, name in found]


# --- asking them


def ask_standbys(database: Database, uid: str, *, now: datetime) -> int:
    """Write to the next standbys of each open seat of a match that is due for it; returns to how
    many.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        due = [
            seat
            for seat in seats_of(session, match)
            if seat.next_ask_at is not None and seat.next_ask_at <= now
        ]
        return sum(_ask(session, match, seat, now) for seat in due)


def _ask(session: Session, match: Match, seat: Seat, now: datetime) -> int:
    since = seat.open_since
    if since is None or match.status == "ended":
        seat.next_ask_at = None
        return 0
    seat.next_ask_at = now + ASK_AGAIN if now < since + SEARCH_LASTS else None
    if match.status != "running":
        return 0
    asked_addresses = set(
        session.exec(select(Offer.address).where(Offer.seat_id == seat.id, Offer.made_at >= since))
    )
    chosen = [
        each
        for each in _listed(session, match)
        if each.address not in asked_addresses and _may_have(session, match, seat, each)
    ]
    for player in chosen[:ASKED_AT_ONCE]:
        write_offer(session, match, seat, player.address or "", now=now, player=player)
    return len(chosen[:ASKED_AT_ONCE])


def _listed(session: Session, match: Match) -> list[Player]:
    """Return the standbys of a match, then those of its game unless it is private, in the order of
    joining; each once.
    """
    listed = select(Player).join(Standby).order_by(col(Standby.id))
    listed = listed.where(
        col(Player.letters).is_(True),
        col(Player.bounced_at).is_(None),
        col(Player.address).is_not(None),
    )
    here, of_game = (
        session.exec(listed.where(each)).all()
        for each in (Standby.match_id == match.id, Standby.game == match.game)
    )
    if match.private:  # only those who know of it may be written to
        of_game = []
    return list({player.id: player for player in (*here, *of_game)}.values())


def _may_have(session: Session, match: Match, seat: Seat, player: Player) -> bool:
    try:
        require_newcomer(session, match, seat, player.id)
        reliability.require_admitted(session, match, player.id)
    except NotAllowed:
        return False
    return player.id != seat.player_id


def write_offer(
    session: Session,
    match: Match,
    seat: Seat,
    address: str,
    *,
    now: datetime,
    player: Player | None,
    asker: Player | None = None,
    asker_name: str = "",
    returns_at: datetime | None = None,
) -> Offer | None:
    """Offer a seat by letter to a standby, or to a substitute whom `asker` names; the letter does
    not tell who left the seat.

    Returns the offer, None where no phase is open.
    """
    phase, about, uid = open_phase(session, match), about_of(match), entropy.token_hex(12)
    if phase is None or phase.deadline is None:
        return None
    offer = Offer(
        token_hash=UNWRITTEN + uid,
        uid=uid,
        match_id=seat.match_id,
        seat_id=seat.id,
        tenure=seat.tenure,
        address=address,
        asker_id=asker.id if asker is not None else None,
        returns_at=returns_at,
        made_at=now,
    )
    session.add(offer)
    letter = OfferLetter(
        token=Reference("offer", uid),
        match=unlinked(match.name),
        uid=match.uid,
        game=about.title,
        game_key=match.game,
        summary=about.summary,
        offered=seat.name,
        phase=phase.name,
        deadline=phase.deadline,
        rhythm=rhythm_of(match),
        asker=asker_name,
        returns_at=returns_at,
        zone=player.zone if player is not None else "UTC",
        press=told_rules(session, match),
    )
    public, known = public_keys.current_keys(session), player.id if player is not None else None
    outbox.put_letter(
        session,
        public,
        letter,
        address=address,
        now=now,
        player_id=known,
        about=LetterReference(match.id),
    )
    return offer
