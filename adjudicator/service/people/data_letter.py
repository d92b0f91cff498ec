"""A letter with what the service keeps about a player, to that player's own address, at most one a
day.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.rows import exists
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import DataLetter
from adjudicator.service.people.own_data import own_file

EVERY = timedelta(days=1)
# bytes; mail servers refuse letters of about twice that, and base64 adds a third
LARGEST = 5_000_000


def send_own_data(session: Session, player_id: int, *, now: datetime) -> str:
    """Put the letter into the outbox and return the address that it goes to, the one that the
    player has proved.

    Raises NotNow where one went out within a day, Refused for a player without an address or with
    more data than a letter carries.
    """
    player = session.get_one(Player, player_id)
    if player.address is None:
        raise Refused(
            "You have no address here, so nothing can be sent to you; the account page has your"
            " data as a file."
        )
    recent = (
        col(Letter.player_id) == player_id,
        col(Letter.kind) == DataLetter.KIND,
        col(Letter.made_at) > now - EVERY,
    )
    if exists(session, select(Letter.id).where(*recent)):
        raise NotNow(
            "Your data was sent within the last day; it is sent once a day. The account page has it"
            " as a file at any time."
        )
    data = own_file(session, player_id)
    if len(data.encode()) > LARGEST:
        raise Refused("Your data is too large for a letter; the account page has it as a file.")
    letter = DataLetter(data=data, zone=player.zone)
    outbox.put_letter(
        session,
        public_keys.current_keys(session),
        letter,
        address=player.address,
        now=now,
        player_id=player_id,
    )
    return player.address
