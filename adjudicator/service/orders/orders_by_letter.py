"""Letters to seats: orders that change what the seat sealed before, and plain replies to press
(diplomacy R6).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlmodel import Session, col, select

from adjudicator.core.game import Refusal
from adjudicator.core.game import Seat as SeatName
from adjudicator.platform.words import MASTER
from adjudicator.play.decoration import remove_decoration
from adjudicator.play.submission import (
    ParsedSubmission,
    Submitted,
    TooLong,
    parse_submission,
    split_alternatives,
    understand_over,
)
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Place
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import WorkerSigner
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.press_rules import Kind, hides_writers, of_master, press_kind
from adjudicator.service.base.rows import OpenSeat, by_uid, in_overtime, open_phase, why_not_open
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import (
    FormerTenure,
    Letter,
    Match,
    PhaseRow,
    Player,
    PressNote,
    ReadingNote,
    Seat,
)
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.orders.envelopes import (
    HandedIn,
    Submission,
    is_inherited,
    newest_envelope,
    store_in,
)
from adjudicator.service.orders.known_envelopes import newest_known
from adjudicator.service.orders.readiness import Word, say_in
from adjudicator.service.people.accounts import Person, person
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft, Sent
from adjudicator.service.press.press_letters import notes_of_letter
from adjudicator.service.tokens.references import Reference, of_seat

LEFT = "You have left this seat, and somebody else may have it by now."


@dataclass(frozen=True)
class Sitter:
    """The seat that an address belongs to, and its player; the sender of the letter does not
    matter.
    """

    uid: str
    match: str
    game: str
    seat: str
    address: Reference | None  # to the seat's address; None for a former player
    player: Person
    tenure: int
    former: bool = False  # whether the seat changed hands after the letter came


def find_sitter(session: Session, claimed: LetterToRead) -> Sitter | None:
    """Return the seat that a letter went to and the player whose letter it is; None if nobody may
    write for the seat.

    A letter that was stored before the seat changed hands is its former player's.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    tenure = claimed.target.tenure or seat.tenure
    player_id = seat.player_id if tenure == seat.tenure else _former_player(session, seat, tenure)
    player = session.get(Player, player_id) if player_id is not None else None
    former = tenure != seat.tenure
    if player is None:
        return None
    return Sitter(
        match.uid,
        match.name,
        match.game,
        seat.name,
        None if former else of_seat(match, seat),
        person(player),
        tenure,
        former,
    )


def _former_player(session: Session, seat: Seat, tenure: int) -> int | None:
    """Return who had a seat in an earlier tenure."""
    ended = select(FormerTenure.player_id).where(
        FormerTenure.seat_id == seat.id, FormerTenure.number == tenure
    )
    return session.exec(ended).first()


@dataclass(frozen=True)
class MatchNamed:
    """What an answer letter says of a match."""

    id: int | None
    name: str
    game: str
    phase: int | None  # the number of its open phase


def describe_match(session: Session, uid: str) -> MatchNamed:
    """Return what an answer letter says of a match; raises NotFound."""
    match = by_uid(session, uid)
    phase = open_phase(session, match)
    return MatchNamed(match.id, match.name, match.game, phase.number if phase is not None else None)


@dataclass(frozen=True)
class Answered:
    """Which of the service's letters a letter to a seat or a master answers."""

    nearest: Letter | None  # of those written for this match
    phase: int | None  # of the nearest one that names a phase


def find_answered(session: Session, claimed: LetterToRead, letters: Sequence[str]) -> Answered:
    """Return what a letter to a seat or a master answers, given the uids of the letters it refers
    to, nearest first.
    """
    ours = select(Letter).where(
        col(Letter.uid).in_(letters), Letter.match_id == claimed.target.match_id
    )
    found = (
        sorted(session.exec(ours), key=lambda letter: letters.index(letter.uid)) if letters else []
    )
    return Answered(
        found[0] if found else None,
        next((each.phase_number for each in found if each.phase_number is not None), None),
    )


def only_talks(
    session: Session, claimed: LetterToRead, lines: Sequence[str], answered: Answered
) -> bool:
    """Whether a letter answers press and no line of it reads as an order, so that it is not handed
    in as orders.

    Raises Refused if the text is too long.
    """
    return (
        answered.nearest is not None
        and answered.nearest.kind == "press"
        and holds_no_order(session, claimed, lines)
    )


def holds_no_order(session: Session, claimed: LetterToRead, lines: Sequence[str]) -> bool:
    """Whether lines to a seat's address are text of which nothing reads as an order or a word about
    orders; False while no phase is open. Raises Refused if the text is too long.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    phase, submission = open_phase(session, match), _parse("\n".join(lines))
    if phase is None or submission.clear or submission.says:
        return False
    said = [
        each
        for part in submission.parts
        for line in part.splitlines()
        for each in split_alternatives(line)
    ]
    game = game_of(match)
    state = load_state(game, phase.before)
    plain = remove_decoration("\n".join(said), partial(game.parse, state, seat.name))
    parsed = game.parse(state, seat.name, plain)
    return (
        bool(said)
        and not parsed.orders
        and all(refusal.kind == "invalid" for refusal in parsed.refusals)
    )


@dataclass(frozen=True)
class OrdersTaken:
    """What became of a letter's orders: their receipt, or a sentence if it only said `ready` or
    `wait`.
    """

    handed_in: HandedIn | None
    sentence: str


def hand_in(
    session: Session,
    keyring: Keyring,
    claimed: LetterToRead,
    text: str,
    *,
    phase: int | None,
    now: datetime,
    withdrawn: Sequence[tuple[str, str]] = (),
) -> OrdersTaken:
    """Hand in the orders of a letter; the caller has locked the match and marks the letter as read
    in the same transaction.

    What the letter names is changed; the rest of the seat's newest envelope is kept unless the
    letter says `clear`. `phase` is the number of the phase that it answers; if None, it is for the
    phase that was open when it arrived. `withdrawn` are pieces of the letter that do not count,
    with the reasons: beside orders they are refused like lines. Raises NotNow if no phase is open
    or a mere `ready` or `wait` is for another phase, Refused if the text is too long or says
    nothing.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    parsed = _parse(text)
    open_ = open_phase(session, match)
    sitter = find_sitter(session, claimed)
    if open_ is None or sitter is None:
        raise NotNow(why_not_open(match) if open_ is None else LEFT)
    open_seat = OpenSeat(match, open_, seat, sitter.tenure if sitter.former else None)
    if phase is None and claimed.received_at < open_.opened_at:
        # it came when an earlier phase was open, so it was not written for this one
        phase = open_.number - 1
    if parsed.silent:
        return _say(session, keyring, open_seat, parsed, claimed, phase, now)
    game, state = game_of(match), load_state(game_of(match), open_.before)
    before = () if parsed.clear else _before(session, keyring, open_seat)
    read = _with_withdrawn(understand_over(game, state, seat.name, before, parsed), withdrawn)
    submission = Submission(
        match.uid,
        sitter.player.id,
        text,
        "letter",
        claimed.received_at,
        phase,
        stored=now,
        letter=claimed.uid,
        signer=WorkerSigner(keyring),
    )
    handed_in = store_in(session, submission, open_seat, read, game.slots(state, seat.name))
    return OrdersTaken(handed_in, "")


def _with_withdrawn(read: Submitted, withdrawn: Sequence[tuple[str, str]]) -> Submitted:
    """Return what was read with the withdrawn pieces refused, unless no order is left beside them:
    `clear` alone has to count.
    """
    if not any(read.texts):
        return read
    return replace(
        read,
        refusals=(
            *read.refusals,
            *(Refusal.illegal(piece, piece, why, understood="") for piece, why in withdrawn),
        ),
    )


def _parse(text: str) -> ParsedSubmission:
    try:
        return parse_submission(text)
    except TooLong as fault:
        raise Refused(str(fault)) from fault


def _say(
    session: Session,
    keyring: Keyring,
    open_seat: OpenSeat,
    parsed: ParsedSubmission,
    claimed: LetterToRead,
    phase: int | None,
    now: datetime,
) -> OrdersTaken:
    if parsed.says is None:
        raise Refused("It names no orders.")
    name = open_seat.phase.name
    if open_seat.earlier is not None:
        raise NotNow(LEFT)
    if phase is not None and phase != open_seat.phase.number:
        raise NotNow(
            f"That was for another phase; {name} is open now. Answer its letter to say so."
        )
    looked = open_seat.seat.open_since is not None
    player_id = open_seat.seat.player_id or 0
    word = Word(
        parsed.says,
        claimed.received_at,
        player_id,
        "letter",
        letter=claimed.uid,
        signer=WorkerSigner(keyring),
    )
    say_in(session, open_seat, word, now=now)
    goes_on = " and the match goes on" if open_seat.match.paused_at else ""
    until = "its overtime ends" if in_overtime(open_seat.phase) else "its deadline"
    ready, waits = (
        f"You are ready: {name} closes as soon as everybody is{goes_on}.",
        f"You are not ready: {name} waits for you until {until}.",
    )
    told = ready if parsed.says == "ready" else waits
    if newest_envelope(session, open_seat.phase, open_seat.seat) is None and not is_inherited(
        session, open_seat.phase, open_seat.seat
    ):
        told = (
            f"{told} No order of yours is sealed, though: the game’s default would be played for"
            " you."
        )
    kept = " You keep your seat: nobody can take it any more." if looked else ""
    return OrdersTaken(None, f"{told}{kept}")


def own_orders(
    session: Session, keyring: Keyring, claimed: LetterToRead, now: datetime
) -> tuple[tuple[str, str], ...]:
    """Return what the addressed seat has sealed for the open phase, as pairs of a title and a text;
    () if nothing is sealed.

    The disclosure is recorded for the seat. A former player is shown nothing.
    """
    seat, sitter = session.get_one(Seat, claimed.target.seat_id), find_sitter(session, claimed)
    match = session.get_one(Match, seat.match_id)
    phase = open_phase(session, match)
    allowed = phase is not None and sitter is not None and not sitter.former
    parts = (
        _before(session, keyring, OpenSeat(match, phase, seat))
        if phase is not None and allowed
        else ()
    )
    if phase is None or not parts:
        return ()
    session.add(ReadingNote(match_id=seat.match_id, seat=seat.name, tenure=seat.tenure, at=now))
    titles = (phase.name if seat.name in phase.due else "Then", *["Then"] * (len(parts) - 1))
    return tuple(zip(titles, parts, strict=True))


def _before(session: Session, keyring: Keyring, open_seat: OpenSeat) -> tuple[str, ...]:
    """Open the newest envelope of the seat's tenure; returns the text of each part, with "" for a
    due phase that a plan skips.
    """
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat.name
    envelope = newest_known(session, keyring, match, phase, open_seat.seat, tenure=open_seat.tenure)
    if envelope is None:
        return ()
    private = recall_phase_key(keyring, match, phase)
    inside = commitments.open_contents(
        private,
        Place(match.uid, phase.number, seat, envelope.seq),
        envelope.commitments,
        envelope.sealed,
    )
    parts = tuple(part.orders for part in inside.parts)
    return ("", *parts) if envelope.for_later and seat in phase.due else parts


_PARTS = re.compile(
    r"[.,;:!?()\"“”„«»…]+|\s[-–—]\s|\b(?:and|but|if|then|because|so|that)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Talk:
    """The recipients of a plain reply to a press letter."""

    match: Match
    seat: Seat
    to: tuple[SeatName, ...]  # () is everybody, in matches whose press is public


def press_reply(session: Session, seat_id: int, letter: Letter | None) -> Talk | None:
    """Return the recipients of a seat's reply to `letter`, None if it is not press or its
    recipients are unknown.

    1. In public press the reply goes to everybody.
    2. Else it goes to the writer and to the readers that the letter named; press to everybody is
       answered to its writer alone.
    3. Anonymous press has no reply, because its writer is hidden. A text of the master has one.

    The press is found again by the letter's time; if several of that time name different seats, the
    recipients are unknown.
    """
    seat = session.get_one(Seat, seat_id)
    match = session.get_one(Match, seat.match_id)
    if letter is None or letter.kind != "press" or letter.seat != seat.name:
        return None
    read = notes_of_letter(session, match, letter, seat.name)
    if any(hides_writers(match) and not of_master(note) for note in read):
        return None
    named = {_named(note, seat.name, press_kind(match)) for note in read}
    return Talk(match, seat, named.pop()) if len(named) == 1 else None


def _named(note: PressNote, own: SeatName, kind: Kind) -> tuple[SeatName, ...]:
    """Return whom a reply to a text goes to; a text that the master wrote to several is answered to
    the master alone.
    """
    if note.seat == MASTER:
        return (MASTER,)
    return () if kind == "public" else (note.seat, *(name for name in note.readers if name != own))


def orders_in(session: Session, talk: Talk, lines: Sequence[str]) -> list[str]:
    """Return the lines that may be meant as orders: they match the game's order words, or they or a
    part of them parse.
    """
    game, phase = game_of(talk.match), open_phase(session, talk.match)
    return [
        line
        for line in lines
        if game.may_order(line) or (phase is not None and _parses(talk, phase, line))
    ]


def all_orders(session: Session, talk: Talk, lines: Sequence[str]) -> bool:
    """Whether every line is an order of the game, a word about orders, or empty; True while no
    phase is open.
    """
    submission, phase = parse_submission("\n".join(lines)), open_phase(session, talk.match)
    texts = [
        each
        for part in submission.parts
        for line in part.splitlines()
        for each in split_alternatives(line)
    ]
    return phase is None or all(_is_order(talk, phase, text) for text in texts if text.strip())


def _parses(talk: Talk, phase: PhaseRow, line: str) -> bool:
    return any(_is_order(talk, phase, part) for part in _parts(line))


def _parts(line: str) -> Iterator[str]:
    yield line
    yield from (
        part.strip() for part in _PARTS.split(line) if part.strip() and part.strip() != line
    )


def _is_order(talk: Talk, phase: PhaseRow, text: str) -> bool:
    """Whether a text is an order of the game, possible now or not."""
    game = game_of(talk.match)
    parsed = game.parse(load_state(game, phase.before), talk.seat.name, text)
    return bool(parsed.orders) or any(refusal.kind != "invalid" for refusal in parsed.refusals)


def send_reply(session: Session, talk: Talk, text: str, *, now: datetime) -> Sent:
    """Send `text` as press in a match that the caller has locked. Raises Refused with a sentence if
    nothing was sent.
    """
    return messages.write_in(session, talk.match, talk.seat, PressDraft(talk.to, text), now=now)


def master_reply(session: Session, uid: str, letter: Letter | None) -> tuple[SeatName, ...] | None:
    """Return whom a master's plain reply to `letter` goes to; None if it is no text to the master,
    or of unknown writer.
    """
    match = by_uid(session, uid)
    if (
        letter is None
        or letter.kind != "press"
        or letter.seat is not None
        or letter.match_id != match.id
    ):
        return None
    writers = {note.seat for note in notes_of_letter(session, match, letter, MASTER)}
    return (writers.pop(),) if len(writers) == 1 else None
