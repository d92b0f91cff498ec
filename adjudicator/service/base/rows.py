"""Rows that every use case shares: matches and their locks, seats, players, tokens, the open phase."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import ColumnElement, bindparam
from sqlmodel import Session, SQLModel, col, func, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import entropy, wakeups
from adjudicator.platform.statements.records import is_same
from adjudicator.platform.statements.together import Together
from adjudicator.service.base.errors import Gone, NotAllowed, NotFound
from adjudicator.service.base.memory import (
    OF,
    Key,
    RowsOf,
    adopt,
    basis_of,
    forget_read,
    keep_read,
    memory_of,
    only_looks,
)
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.storing import hold, store_together
from adjudicator.service.base.tables import (
    Due,
    FormerTenure,
    GoneMatch,
    Match,
    PhaseRow,
    Player,
    Seat,
)

NO_MATCH = "There is no such match here."
GONE_MATCH = "This was a match of guests, and those stay for 90 days after their end."
_EXPIRED = "This match has expired: it was not full in time."
_PAIRED_AGAIN = "This match never began: the round of its tournament was paired again."
# key in Session.info: whether the person who is answered may know of a private match;
# starting.privacy sets it
SIGHT = "sight"
SEATS = RowsOf("seats", select(Seat.match_id, Seat).where(col(Seat.match_id).in_(OF)))
DUES = RowsOf(
    "dues", select(Due.phase_id, Due).where(col(Due.phase_id).in_(OF)).order_by(col(Due.id))
)
_NAMED = select(Match).where(col(Match.uid) == bindparam("uid"))
MATCHES = RowsOf(
    "match", select(Match.uid, Match).where(col(Match.uid).in_(OF)).order_by(col(Match.id))
)
_PLAYERS = RowsOf("player", select(Player.id, Player).where(col(Player.id).in_(OF)))
_UNCLOSED = RowsOf(
    "unclosed phase",
    select(PhaseRow.match_id, PhaseRow).where(
        col(PhaseRow.match_id).in_(OF), col(PhaseRow.closed_at).is_(None)
    ),
)
_COMPARED = ("id", "version", "status", "shown", "log_size")
_OF_MATCH = SQLModel.metadata.tables["match"]
_RAISED = (
    _OF_MATCH.update()
    .where(*[_OF_MATCH.c[name] == bindparam(f"seen_{name}") for name in _COMPARED])
    .values(version=bindparam("raised"))
)
# the advisory lock of `hold_tables`; those of addresses and letters are hashes of 60 bits
_TABLES = 1
_ADDRESS_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def by_uid(session: Session, uid: str) -> Match:
    """Return the match of this public name; raises NotFound. A transaction reads it once."""
    read = memory_of(session)
    known: Match | None = read.get(("match", uid))
    looks = only_looks(session)
    if known is not None and SIGHT not in session.info and (looks or known in session):
        return known
    if looks and "\0" not in uid:
        found = next((row for _, row in MATCHES.look(session, [uid])), None)
        match = read["match", uid] = require_seen(session, uid, found)
    else:
        match = read["match", uid] = _found(session, uid, _NAMED)
    return match


def lock_by_uid(session: Session, uid: str) -> Match:
    """Lock the match of this public name until the transaction ends, raise its version and return
    it; raises NotFound.
    """
    match = _found(session, uid, _NAMED.with_for_update().execution_options(populate_existing=True))
    forget_read(session)
    match.version += 1
    session.flush()
    return match


def _found(session: Session, uid: str, wanted: SelectOfScalar[Match]) -> Match:
    # PostgreSQL takes no NUL
    match = session.exec(wanted, params={"uid": uid}).first() if "\0" not in uid else None
    return require_seen(session, uid, match)


def require_seen(session: Session, uid: str, match: Match | None) -> Match:
    """Return a match that was asked for; raises NotFound where there is none, or none for who is
    answered.
    """
    sees: Callable[[Match], bool] | None = session.info.get(SIGHT)
    if match is None or (sees is not None and match.private and not sees(match)):
        raise_missing(session, uid)
    return match


def raise_missing(session: Session, uid: str) -> NoReturn:
    """Raise Gone for the public name of a match that was erased, NotFound for any other."""
    if "\0" not in uid and session.get(GoneMatch, uid) is not None:
        raise Gone(GONE_MATCH)
    raise NotFound(NO_MATCH)


def lock_match(session: Session, match: Match) -> None:
    """Lock a loaded match, refresh it and raise its version."""
    session.refresh(match, with_for_update=True)
    forget_read(session)
    match.version += 1
    session.flush()


def write_if_unchanged(session: Session, seen: Match) -> None:
    """Have all that a `write_once` stores written as it ends, with a new version of a match that
    another transaction has read.

    Where the match or its log has changed since, it raises Outdated then, and writes nothing.
    """
    known = {f"seen_{name}": getattr(seen, name) for name in _COMPARED}
    store_together(session, Together(_RAISED, known | {"raised": seen.version + 1}))


def hold_matches(session: Session, ids: Collection[int]) -> list[Match]:
    """Lock matches until the transaction ends, without a new version, in the order in which
    everybody locks several.
    """
    wanted = select(Match).where(col(Match.id).in_(ids)).order_by(col(Match.id))
    held = list(session.exec(wanted.with_for_update().execution_options(populate_existing=True)))
    forget_read(session)
    return held


def take_over(
    session: Session, memory: Mapping[Key, Any], match: Match, phase: PhaseRow
) -> tuple[Match, PhaseRow]:
    """Return the rows of a match and its phase that were read as records, which this transaction
    has locked and found unchanged; go on with what was read beside them.

    Its seats belong to this transaction then, too, and may be changed.
    """
    known = memory_of(session)
    # else it was read with the match before, whose memory is the same
    if ("seats", match.id) not in known:
        known.update({key: each for key, each in memory.items() if key not in known})
    return _take(session, match, phase, adopt)


def hold_rows(session: Session, match: Match, phase: PhaseRow) -> tuple[Match, PhaseRow]:
    """Return the records of a match and its phase as rows that a session which prepares may change,
    with its seats.
    """
    return _take(session, match, phase, hold)


def _take(
    session: Session, match: Match, phase: PhaseRow, take: Callable[[Session, Any], Any]
) -> tuple[Match, PhaseRow]:
    known = memory_of(session)
    # none of a match that was stopped
    seats: list[Seat] = known.get(("seats", match.id), [])
    match, phase = take(session, match), take(session, phase)
    known["match", match.uid], known["phase", match.id] = match, phase
    keep_read(session, ("seats", match.id), [take(session, seat) for seat in seats])
    return match, phase


def changed_players(session: Session, seen: Iterable[Player]) -> set[int]:
    """Return the ids of those players, read as records before, whose rows are not as they were."""
    records = {player.id: player for player in seen}
    now = dict(_PLAYERS.look(session, sorted(records)))
    return {of for of, seen in records.items() if of not in now or not is_same(now[of], seen)}


def show_change(match: Match) -> None:
    """Count a change that everybody may see, in a match that the caller has locked.

    Marks, feeds and caches know `shown`, never `version`, which every sealed submission raises.
    """
    match.shown += 1


def hold_player(session: Session, player_id: int) -> None:
    """Keep a player from being erased until the transaction ends; raises NotAllowed for one who was
    erased.

    Whoever gives a player a seat, a place on a list or an entry calls it once the match or
    tournament is locked.
    """
    if player_id not in hold_players(session, (player_id,)):
        raise NotAllowed("This account was erased.")


def hold_players(session: Session, player_ids: Collection[int]) -> set[int]:
    """Keep players from being erased until the transaction ends, as `hold_player`; return those who
    were not erased before.
    """
    wanted = (
        select(Player.id)
        .where(col(Player.id).in_(player_ids), col(Player.erased_at).is_(None))
        .order_by(col(Player.id))
    )
    return set(session.exec(wanted.with_for_update(read=True, key_share=True)))


def one_at_a_time(session: Session, address: str) -> None:
    """Let nobody else who asks for this address go on until the transaction ends."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(int(token_hash(address)[:15], 16))))


def hold_tables(session: Session) -> None:
    """Let nobody else look for an open seat, or make a match with one, until the transaction ends:
    two who come at once meet.

    Comes before the locks of matches and players.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(_TABLES)))


def seats_of(session: Session, match: Match) -> list[Seat]:
    """Return the seats of a match in seat order."""
    # lots may have been drawn since they were read
    return sorted(SEATS.read(session, match.id), key=lambda seat: seat.position)


def dues_of(session: Session, phase: PhaseRow) -> list[Due]:
    """Return what the due seats of a phase have handed in or said, in the order in which they
    became due.
    """
    return DUES.read(session, phase.id)


def house_players(session: Session, match: Match) -> set[int]:
    """Return the ids of the house bots that play in a match."""
    return {player.id for player in players_of(session, match) if player.house}


def players_of(session: Session, match: Match) -> list[Player]:
    """Return the players who have the seats of a match now."""
    sit = _sitting_players(session, match)
    known: list[Player] | None = memory_of(session).get(("players", sit))
    if known is None:
        known = [row for _, row in _PLAYERS.find(session, sorted(sit))]
        keep_read(session, ("players", sit), known)
    return list(known)


def master_of(session: Session, match: Match) -> Player:
    """Return the player who runs a match; one who plays in it may have been read with the seats."""
    known = memory_of(session).get(("players", _sitting_players(session, match)), ())
    found: Player | None = next((each for each in known if each.id == match.master_id), None)
    return found or session.get_one(Player, match.master_id)


def _sitting_players(session: Session, match: Match) -> frozenset[int]:
    return frozenset(
        seat.player_id for seat in seats_of(session, match) if seat.player_id is not None
    )


def persons(session: Session, match: Match) -> tuple[SeatName, ...]:
    """Return the seats without a house bot, in seat order; empty seats are included."""
    bots = house_players(session, match)
    return tuple(seat.name for seat in seats_of(session, match) if seat.player_id not in bots)


def note_people(session: Session, match: Match) -> None:
    """Update what a match knows of its seats: `with_people` and `all_taken`. The caller has locked
    it and changed its seats.

    An anonymous match always counts as one with people, to reveal nothing.
    """
    session.flush()
    proved = select(Seat.id).join(Player).where(Seat.match_id == match.id)
    proved = proved.where(col(Player.house).is_(False), col(Player.address).is_not(None))
    match.with_people = bool(match.options.get(ANONYMOUS)) or exists(session, proved)
    match.all_taken = all(seat.taken_at is not None for seat in seats_of(session, match))
    if match.all_taken and match.status == "open":
        wakeups.wake(session, wakeups.START, match.uid)


def sitting(seats: Iterable[Seat], player_id: int | None) -> Seat | None:
    """Return the seat that a player has among `seats`, None if there is none or `player_id` is
    None.
    """
    return next(
        (seat for seat in seats if player_id is not None and seat.player_id == player_id), None
    )


def seated_matches(player_id: int | None) -> SelectOfScalar[int]:
    """Return the query of the matches in which a player has a seat, or has lent one."""
    return select(Seat.match_id).where(
        or_(col(Seat.player_id) == player_id, col(Seat.owner_id) == player_id)
    )


def left_matches(player_id: int | None) -> SelectOfScalar[int]:
    """Return the query of the matches in which a player had a seat that has changed hands since."""
    return select(FormerTenure.match_id).where(FormerTenure.player_id == player_id)


def plays(seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether a player has a seat among `seats`, or has lent one to a substitute and gets it
    back.
    """
    return any(
        player_id is not None and player_id in (seat.player_id, seat.owner_id) for seat in seats
    )


def is_inside(match: Match, seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether a viewer is no onlooker of a match: who plays in it, has lent a seat of it, or made
    it.
    """
    return player_id is not None and (player_id == match.master_id or plays(seats, player_id))


def gets_letters(player: Player) -> bool:
    """Whether letters are written to a player: to one with an address who wants them, no bot."""
    return player.address is not None and player.letters and not player.house


def letter_reader(session: Session, player_id: int | None) -> Player | None:
    """Return a player to whom letters are written; None for nobody, and for who gets none."""
    player = session.get(Player, player_id) if player_id is not None else None
    return player if player is not None and gets_letters(player) else None


def may_run(session: Session, match: Match, player_id: int | None) -> bool:
    """Whether a player may run this match: as its own master, or as a master of all matches."""
    if viewer := basis_of(session, match.uid, player_id, "viewer"):
        return player_id == match.master_id or bool(viewer[0][0])
    player = session.get(Player, player_id) if player_id is not None else None
    return player is not None and (player.id == match.master_id or player.master)


def token_hash(token: str) -> str:
    """Return the hash under which a secret token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def renew_address(seat: Seat) -> None:
    """Give a seat another mail address, which its next letter tells; those that it had stop
    working.
    """
    seat.token_n += 1
    seat.token_hash = seat.earlier_hash = seat.token = None


def new_token() -> str:
    """Return a new secret of 130 bits for a mail address; lower-case only, because mail servers may
    ignore case.
    """
    return "".join(entropy.choose(_ADDRESS_LETTERS) for _ in range(26))


def exists(session: Session, wanted: SelectOfScalar[Any]) -> bool:
    """Whether a query finds anything."""
    return session.exec(wanted.limit(1)).first() is not None


def count_rows(session: Session, table: type[SQLModel], *which: ColumnElement[bool] | bool) -> int:
    """Return how many rows of a table meet these conditions."""
    return session.exec(select(func.count()).select_from(table).where(*which)).one()


def is_known(session: Session, address: str) -> bool:
    """Whether a player has this address."""
    return exists(session, select(Player.id).where(Player.address == address))


@dataclass(frozen=True)
class OpenSeat:
    """A match that the caller has locked, its open phase and one of its seats, for the present
    tenure or an earlier one.
    """

    match: Match
    phase: PhaseRow
    seat: Seat
    earlier: int | None = None  # the tenure of a letter that came before the seat changed hands

    @property
    def tenure(self) -> int:
        """The tenure whose orders these are."""
        return self.earlier or self.seat.tenure


def open_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the open phase of a match, None if the match is not running, is about to end, or has
    no open phase.
    """
    phase = waiting_phase(session, match)
    return None if phase is None or phase.why == "stopped" else phase


def waiting_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase of a running match that is not closed; the one in which it was stopped too,
    until the worker ended it.
    """
    return unclosed_phase(session, match) if match.status == "running" else None


def unclosed_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase that is not closed, also of a match that is stuck or about to end."""
    read = memory_of(session)
    phase: PhaseRow | None = read.get(("phase", match.id))
    if phase is None or phase.closed_at is not None:
        found = _UNCLOSED.find(session, [match.id or 0])
        phase = read["phase", match.id] = next((row for _, row in found), None)
    return phase


def read_ahead(session: Session, matches: Collection[Match]) -> list[PhaseRow]:
    """Read the seats, players, unclosed phases and due seats of many matches, each by one
    statement; return the phases.
    """
    read, ids = memory_of(session), [match.id for match in matches]
    read.update({("match", match.uid): match for match in matches})
    SEATS.read_ahead(session, ids)
    read_players(session, matches)
    phases = [phase for _, phase in _UNCLOSED.find(session, ids)]
    read.update({("phase", phase.match_id): phase for phase in phases})
    DUES.read_ahead(session, [phase.id for phase in phases])
    return phases


def read_players(session: Session, matches: Collection[Match]) -> None:
    """Read the players of many matches, whose seats were read, by one statement."""
    sitting = [_sitting_players(session, match) for match in matches]
    wanted = sorted(frozenset[int]().union(*sitting))
    players = dict(_PLAYERS.find(session, wanted))
    for sit in sitting:
        keep_read(
            session, ("players", sit), [players[each] for each in sorted(sit) if each in players]
        )


def phase_numbered(session: Session, match: Match, number: int) -> PhaseRow | None:
    """Return a phase of a match by its number; the one that is not closed is read once."""
    unclosed = unclosed_phase(session, match)
    if unclosed is not None and unclosed.number == number:
        return unclosed
    return session.exec(
        select(PhaseRow).where(PhaseRow.match_id == match.id, PhaseRow.number == number)
    ).first()


def why_expired(match: Match) -> str:
    """Return why an expired match never began: one of a tournament has all its players, and expires
    with a pairing that is void.
    """
    return _EXPIRED if match.table_id is None else _PAIRED_AGAIN


def why_not_open(match: Match) -> str:
    """Return the refusal for a player who hands something in while the match has no open phase."""
    if match.status in ("making", "open"):
        if match.muster_until is not None:
            return "This match has not begun; orders can be handed in once everybody has confirmed."
        return "This match has not begun; orders can be handed in once every seat is taken."
    if match.status == "expired":
        return why_expired(match)
    if match.status == "stuck":
        return "This match stands still because of a fault; its master was told. Nothing was lost."
    return "This match is over; no orders are owed any more."


def why_not_gathering(match: Match) -> str:
    """Return the refusal for somebody who wants a seat of a match that takes no players, or gives
    one back.
    """
    if match.status == "making":
        return "This match is still being set up; try again in a moment."
    return why_expired(match) if match.status == "expired" else "This match has begun."


def tournament_of(session: Session, match: Match) -> tuple[str, str] | None:
    """Return the name and the public name of the tournament that a match is played in."""
    if match.table_id is None:
        return None
    # most processes and commands need these tables never
    from adjudicator.service.base.tables import Tournament, TournamentTable

    of_table = select(Tournament.name, Tournament.uid).join(TournamentTable)
    return session.exec(of_table.where(TournamentTable.id == match.table_id)).one()
