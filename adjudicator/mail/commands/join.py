"""`join pyramid`: a seat at the next table of a game, or in the match of that short name."""

from datetime import timedelta

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service import accounts, cards, guides, matches, seats
from adjudicator.service.errors import NotFound, Refused
from adjudicator.service.matches import Wish

WORD, USAGE, MEANING, CHANGES = (
    "join",
    "join pyramid",
    "a seat at the next table of that game; `join pyramid house` plays against the house at once",
    True,
)
HOURS = 48  # of a phase in a match that a letter makes
MOST_AN_HOUR = 5  # matches that one player makes by letter
_HOUSE = "house"


def do(writer: Writer, said: str) -> Done:
    """Take a seat: in the match that is named, at the oldest open table of a game, or at a new one."""
    name, _, rest = said.lower().partition(" ")
    if not name or rest not in ("", _HOUSE):
        raise Refused(f"It needs a game or a match’s short name: `join {guides.games()[0].key}`.")
    player = accounts.for_address(writer.session, writer.address, zone=writer.zone, now=writer.now)
    assert player.id is not None  # noqa: S101 flushed
    if name not in {about.key for about in guides.games()}:
        return _sit(writer, name, player.id)
    if rest == _HOUSE:
        return _begin(writer, name, player.id, house=True)
    waiting = [card for card in cards.open_matches(writer.session, player.id) if card.game_key == name]
    return _sit(writer, waiting[0].uid, player.id) if waiting else _begin(writer, name, player.id, house=False)


def _sit(writer: Writer, uid: str, player_id: int) -> Done:
    try:
        seat = seats.take_in(writer.session, uid, player_id, now=writer.now)
    except NotFound as error:
        games = ", ".join(about.key for about in guides.games())
        raise NotFound(f"There is neither a game nor a match called “{uid[:40]}” here. Games: {games}.") from error
    with_name = cards.named(writer.session, uid)
    return Done(
        f"You have seat {seat} in {with_name}. It begins when every seat is taken; its first letter then asks for your orders.", uid=uid
    )


def _begin(writer: Writer, game: str, player_id: int, *, house: bool) -> Done:
    about = guides.about(game)
    others = max(about.seats) - 1
    if matches.made_since(writer.session, player_id, writer.now - timedelta(hours=1)) >= MOST_AN_HOUR:
        raise Refused(f"You made {MOST_AN_HOUR} matches within an hour; join one of those that wait, or try again later.")
    name = f"{writer.known().name if writer.player else accounts.first_name(writer.address)}’s table"
    wish = Wish(game, name, {}, every_hours=HOURS, house=others if house else 0)
    uid = matches.make_in(writer.session, player_id, wish, now=writer.now)
    if house:
        return Done(f"A match of {about.title} against the house begins in a moment; its first letter asks for your orders.", uid=uid)
    return Done(
        f"A new table of {about.title} was laid for you, with {HOURS} hours for each phase. It begins when {others} more have joined; "
        f"they can write `join {uid}`.",
        uid=uid,
    )
