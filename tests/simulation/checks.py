"""What must hold after every run, whatever went wrong: the books of the outside against the database, the letters and the rules."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from cryptography.exceptions import InvalidSignature
from sqlmodel import Session, col, select

from adjudicator import play
from adjudicator.chance import Draw
from adjudicator.game import Game
from adjudicator.play import Given
from adjudicator.seal import keyfile
from adjudicator.seal.canon import H
from adjudicator.seal.envelopes import receipt_hash
from adjudicator.service import keys, receipts
from adjudicator.service.state import Chains, game_of, load_state
from adjudicator.service.tables import Due, Envelope, Incoming, Letter, Match, Phase, Player, Receipt, Seat
from tests.simulation import checks_dealings, checks_secrecy
from tests.simulation.books import Books
from tests.simulation.sink import Sink
from tests.simulation.stage import Stage
from tests.simulation.world import World

Check = Callable[[Session, "Scene"], Iterator[str]]


class Scene:
    """Everything a check may look at."""

    def __init__(self, world: World, stage: Stage, sink: Sink, books: Books, session: Session) -> None:
        self.world, self.stage, self.sink, self.books = world, stage, sink, books
        self.matches = {match.id: match for match in session.exec(select(Match).order_by(col(Match.id)))}
        self.phases = list(session.exec(select(Phase).order_by(col(Phase.match_id), col(Phase.number))))
        self.of_match = defaultdict(list)
        for phase in self.phases:
            self.of_match[self.matches[phase.match_id].uid].append(phase)
        self.receipts = list(session.exec(select(Receipt).order_by(col(Receipt.id))))
        self.letters = list(session.exec(select(Letter).order_by(col(Letter.id))))
        self.incoming = list(session.exec(select(Incoming).order_by(col(Incoming.id))))
        self.seats = list(session.exec(select(Seat).order_by(col(Seat.id))))

    def phase(self, uid: str, number: int) -> Phase | None:
        """Return a phase of a match."""
        return next((phase for phase in self.of_match[uid] if phase.number == number), None)


def all_of_them(world: World, stage: Stage, sink: Sink, books: Books) -> list[str]:
    """Return a sentence for everything that does not hold."""
    with stage.eyes.reading() as session:
        scene = Scene(world, stage, sink, books, session)
        return [f"{check.__name__.replace('_', ' ')}: {each}" for check in CHECKS for each in _asked(check, session, scene)]


def _asked(check: Check, session: Session, scene: Scene) -> Iterator[str]:
    """Yield what a check says; rows that are so wrong that it stumbles over them are a failure as well."""
    try:
        yield from check(session, scene)
    except Exception as fault:  # noqa: BLE001 whatever the rows lead to
        yield f"it stumbles over what it finds: {type(fault).__name__}: {str(fault)[:100]}"


# --- nothing stands still


def undone(world: World, stage: Stage) -> list[str]:
    """Return what should have been done by now: five minutes after the last fault nothing that is due waits."""
    now = world.now()
    with stage.eyes.reading() as session:
        matches = [f"the match {row.uid} waits as {row.status}" for row in session.exec(select(Match)) if _waits(session, row)]
        due = select(Phase).where(col(Phase.closed_at).is_(None), col(Phase.closes_at) <= now - timedelta(seconds=90))
        phases = [f"phase {row.number} of match {row.match_id} is due since {row.closes_at}" for row in session.exec(due)]
        letters = select(Letter).where(Letter.state == "waiting", Letter.next_try <= now - timedelta(seconds=90))
        out = [f"the {row.kind} {row.uid} waits since {row.next_try} after {row.tries} tries" for row in session.exec(letters)]
        unread = select(Incoming).where(col(Incoming.disposition).is_(None), Incoming.received_at <= now - timedelta(seconds=90))
        came = [f"the letter {row.uid} was not read" for row in session.exec(unread)]
        waiting = select(Receipt).where(col(Receipt.signature).is_(None), Receipt.at <= now - timedelta(seconds=90))
        opened = select(Phase).where(col(Phase.closed_at).is_(None), Phase.opened_at <= now - timedelta(seconds=90))
        idle = [f"a house bot owes orders in match {row.match_id}" for row in session.exec(opened) if _house_owes(session, row)]
        unsigned = [f"receipt {row.id} is not signed" for row in session.exec(waiting)]
    return [f"undone: {each}" for each in (*matches, *phases, *out, *came, *idle, *unsigned)]


def _house_owes(session: Session, phase: Phase) -> bool:
    owed = select(Due.id).where(Due.phase_id == phase.id, col(Due.handed_in_at).is_(None))
    sits = (Seat.match_id == phase.match_id) & (col(Seat.name) == col(Due.seat))
    owed = owed.join(Seat, onclause=sits).join(Player, onclause=col(Seat.player_id) == col(Player.id))
    return session.exec(owed.where(col(Player.house).is_(True))).first() is not None


def _waits(session: Session, match: Match) -> bool:
    """Whether a match should have been founded or begun, or stands still."""
    free = session.exec(select(Seat.id).where(Seat.match_id == match.id, col(Seat.taken_at).is_(None))).first()
    return match.status in ("making", "stuck") or (match.status == "open" and free is None)


def next_letter(world: World, stage: Stage) -> float | None:
    """Return in how many seconds the next letter that waits since then is tried again, None where none does."""
    with stage.eyes.reading() as session:
        old = select(Letter.next_try).where(Letter.state == "waiting", Letter.made_at <= (world.settled or world.now()))
        waiting = session.exec(old.order_by(col(Letter.next_try))).first()
    return None if waiting is None else (waiting - world.now()).total_seconds()


# --- phases


def every_phase_has_one_result(_: Session, scene: Scene) -> Iterator[str]:
    for uid, phases in scene.of_match.items():
        numbers = [phase.number for phase in phases]
        if numbers != list(range(len(numbers))):
            yield f"{uid} has the phases {numbers}"
        for phase, following in zip(phases, [*phases[1:], None], strict=True):
            if following is not None and (phase.closed_at is None or phase.after != following.before):
                yield f"phase {phase.number} of {uid} does not lead to the next"
            if phase.closed_at is not None and phase.number and set(phase.taken or {}) != set(phase.due):
                yield f"phase {phase.number} of {uid} was closed with the orders of {sorted(phase.taken or {})} where {phase.due} were due"


def nothing_was_closed_early(_: Session, scene: Scene) -> Iterator[str]:
    for uid, phases in scene.of_match.items():
        for phase in phases:
            if phase.closed_at is None or phase.why != "deadline" or phase.deadline is None:
                continue
            if phase.closed_at < phase.deadline + timedelta(seconds=phase.grace_seconds):
                yield f"phase {phase.number} of {uid} was closed for its deadline at {phase.closed_at}"


def playing_again_gives_the_same(_: Session, scene: Scene) -> Iterator[str]:
    for match in scene.matches.values():
        if match.wrapped_chains is None or not scene.of_match[match.uid]:
            continue
        chains, game = Chains.unwrap(scene.stage.keyring, match), game_of(match)
        if chains.anchors != match.anchors:
            yield f"the chance of {match.uid} is not the one that was fixed"
        yield from (f"phase {number} of {match.uid} comes out differently" for number in _different(game, chains, match, scene))


def _different(game: Game, chains: Chains, match: Match, scene: Scene) -> Iterator[int]:
    start, *phases = scene.of_match[match.uid]
    sitting = {seat.name for seat in scene.seats if seat.match_id == match.id}
    seats = next(names for names in game.about.seats.values() if set(names) == sitting)
    chance = chains.of_phase(match.uid, 0)
    state = game.start(seats, match.options, chance)
    if load_state(game, start.after) != state:
        yield 0
    for phase in phases:
        if phase.closed_at is None:
            return
        if load_state(game, phase.before) != state:
            yield phase.number
        chance = chains.of_phase(match.uid, phase.number)
        given = {
            seat: Given[Any](game.parse(state, seat, each["orders"]).orders, each["how"])
            for seat, each in (phase.taken or {}).items()
            if each["how"] != "default"
        }
        done = play.close(game, state, number=phase.number, given=given, chance=chance)
        state = done.after
        if load_state(game, phase.after) != state or _plain(done.draws) != [tuple(each) for each in phase.draws or []]:
            yield phase.number


def _plain(draws: tuple[Draw, ...]) -> list[tuple[Any, ...]]:
    return [(draw.stream, draw.label, list(draw.value) if isinstance(draw.value, tuple) else draw.value) for draw in draws]


# --- orders


def what_was_accepted_counts(session: Session, scene: Scene) -> Iterator[str]:
    """The newest orders of a seat that were answered as taken are what its phase was closed with."""
    newest: dict[tuple[str, int, str], Receipt] = {}
    for receipt in scene.receipts:
        if receipt.disposition != "refused":
            newest[scene.matches[receipt.match_id].uid, receipt.phase_number, receipt.seat] = receipt
    for (uid, number, seat), receipt in newest.items():
        phase = scene.phase(uid, number)
        if phase is None or phase.closed_at is None or seat not in phase.due or phase.why == "forced":
            continue
        taken = (phase.taken or {}).get(seat, {})
        if taken.get("commitment") != receipt.commitments[0][1] and taken.get("how") != "default":
            yield f"seat {seat} of {uid} was closed in phase {number} with other orders than its newest"
        if taken.get("how") == "default" and not _said_nothing(session, phase, seat, scene):
            yield f"seat {seat} of {uid} had orders in phase {number}, and the default was played"


def _said_nothing(session: Session, phase: Phase, seat: str, scene: Scene) -> bool:
    """Whether a seat's newest envelope holds no order for this phase: opened here with the worker's own keys."""
    from adjudicator.seal import envelopes as seals
    from adjudicator.service.opening import bound_to_phase

    match = scene.matches[phase.match_id]
    newest = select(Envelope).where(Envelope.phase_id == phase.id, Envelope.seat == seat).order_by(col(Envelope.id).desc())
    envelope = session.exec(newest).first()
    if envelope is None:
        return True
    private = scene.stage.keyring.unwrap(phase.wrapped_key or b"", bound_to=bound_to_phase(match, phase.number))
    place = seals.Place(match.uid, phase.number, seat, envelope.seq)
    inside = seals.open_(private, place, envelope.commitments, envelope.sealed)
    return not inside.parts or not inside.parts[0].orders.strip()


def what_players_were_told_is_kept(_: Session, scene: Scene) -> Iterator[str]:
    """Every answer of the site has its receipt, with the same commitments; what came at or after the last call was refused."""
    kept = {(scene.matches[each.match_id].uid, each.phase_number, each.seat, each.seq): each for each in scene.receipts}
    for told in scene.books.told:
        answer = told.answer
        receipt = kept.get((told.uid, answer.phase, answer.seat, answer.seq))
        if receipt is None or receipt.disposition != answer.disposition or receipt.channel != "form":
            yield f"seat {told.seat} of {told.uid} was told {answer.disposition} in phase {answer.phase}, and no receipt says so"
        elif [each.commitment for each in answer.parts] != [each[1] for each in receipt.commitments]:
            yield f"seat {told.seat} of {told.uid} was told other commitments than were kept"


def nothing_late_counts(_: Session, scene: Scene) -> Iterator[str]:
    for receipt in scene.receipts:
        uid = scene.matches[receipt.match_id].uid
        phase = scene.phase(uid, receipt.phase_number)
        if phase is None or phase.deadline is None:
            continue
        last_call = phase.deadline + timedelta(seconds=phase.grace_seconds)
        right = {"refused"} if receipt.at >= last_call else {"late", "refused"} if receipt.at >= phase.deadline else {"accepted", "refused"}
        if receipt.disposition not in right:
            yield f"orders of seat {receipt.seat} of {uid} at {receipt.at} were {receipt.disposition}; the last call was {last_call}"


def envelopes_have_receipts(session: Session, scene: Scene) -> Iterator[str]:
    """An envelope is what a receipt tells of, or what a plan brought; and nothing was added once its phase was closed."""
    taken = {(r.match_id, r.phase_number, r.seat, r.seq): r for r in scene.receipts if r.disposition != "refused"}
    phases = {phase.id: phase for phase in scene.phases}
    found: Counter[Any] = Counter()
    for envelope in session.exec(select(Envelope)):
        phase = phases[envelope.phase_id]
        place = (phase.match_id, phase.number, envelope.seat, envelope.seq)
        found[place] += 1
        receipt = taken.get(place)
        if envelope.seq and (receipt is None or [each[1] for each in receipt.commitments] != envelope.commitments):
            yield f"an envelope of seat {envelope.seat} in phase {phase.number} has no receipt"
    yield from (f"{count} envelopes for {place}" for place, count in found.items() if count > 1)
    yield from (f"a receipt without an envelope: {place}" for place in taken if place not in found)


# --- seals


def commitments_and_signatures_verify(session: Session, scene: Scene) -> Iterator[str]:
    for phase in scene.phases:
        for seat, taken in (phase.taken or {}).items():
            if "opening" in taken and H("commit", taken["opening"].encode()).hex() != taken["commitment"]:
                yield f"the commitment of seat {seat} in phase {phase.number} does not verify"
    public = keys.current(session)
    for receipt in scene.receipts:
        if receipt.signature is None:  # whether that is in order is asked elsewhere
            continue
        digest = receipt_hash(receipts.body(receipt, scene.matches[receipt.match_id].uid))
        try:
            keyfile.verify(public.signing, digest, receipt.signature)
        except InvalidSignature:
            yield f"the signature of receipt {receipt.id} does not verify"


# --- letters in


def every_letter_in_has_one_disposition(_: Session, scene: Scene) -> Iterator[str]:
    ends: dict[str, list[str]] = defaultdict(list)
    for row in scene.incoming:
        if row.disposition is not None:
            ends[row.digest or row.uid].append(row.disposition)
    for digest, dispositions in ends.items():
        if len(dispositions) - dispositions.count("repeated") != 1:
            yield f"the letter {digest[:8]} was {' and '.join(dispositions)}"
    stored = {row.uid for row in scene.incoming}
    for letter in scene.books.posted:
        if not stored.issuperset(letter.taken):
            yield f"the letter {letter.message_id} was taken with 250 and is not stored"


def letters_that_came_in_time_count(_: Session, scene: Scene) -> Iterator[str]:
    """A letter that was stored while its phase was open, and was whole before the last call, was handed in for that phase."""
    rows = {row.uid: row for row in scene.incoming}
    for letter in scene.books.posted:
        read = next((rows[uid] for uid in letter.taken if rows[uid].disposition == "orders"), None)
        number = _open_at(scene, letter.uid, scene.books.stored[read.uid]) if read is not None else None
        phase = scene.phase(letter.uid, number) if number is not None else None
        if read is None or phase is None or phase.deadline is None or number != letter.phase:
            continue
        if not phase.opened_at <= read.received_at < phase.deadline + timedelta(seconds=phase.grace_seconds):
            continue
        made = [r for r in scene.receipts if (r.channel, r.seat, r.at) == ("letter", letter.seat, read.received_at)]
        if not any(r.phase_number == number and r.disposition != "refused" for r in made):
            told = ", ".join(f"{r.disposition} in phase {r.phase_number}" for r in made) or "not handed in"
            yield f"the letter {letter.message_id} came in time for phase {number} and was {told}"


def _open_at(scene: Scene, uid: str, commit: int) -> int | None:
    """Return the number of the phase that was open when a commit was done."""
    books = scene.books
    known = [n for (of, n), opened in books.openings.items() if of == uid and opened < commit]
    number = max(known, default=None)
    return number if number is not None and books.closings.get((uid, number), commit + 1) > commit else None


# --- letters out


def every_report_was_written_once_and_sent(session: Session, scene: Scene) -> Iterator[str]:
    """Each seat has one report for each opening that concerns it; each was taken by the mail server, or is held and shown."""
    written = Counter((each.match_id, each.seat, each.phase_number) for each in scene.letters if each.kind == "report")
    yield from (f"{count} reports to seat {seat} for phase {number}" for (_, seat, number), count in written.items() if count > 1)
    people = {player.id: player for player in session.exec(select(Player))}
    for match in scene.matches.values():
        seats = [seat for seat in scene.seats if seat.match_id == match.id and not people[seat.player_id].house] if match.started_at else []
        phases = scene.of_match[match.uid]
        for seat in seats:
            for number in _told_at(phases, match):
                concerned = number is None or number == 1 or _concerned(phases, number, seat.name)
                if concerned and not written[match.id, seat.name, number]:
                    yield f"seat {seat.name} of {match.uid} has no report for phase {number}"
    taken = Counter(each.uid for each in scene.sink.taken)
    for letter in scene.letters:
        if letter.state == "waiting" and letter.made_at <= (scene.world.settled or scene.world.now()):
            yield f"the {letter.kind} {letter.uid} still waits after {letter.tries} tries: {letter.trouble}"
        if letter.state == "sent" and not taken[letter.uid]:
            yield f"the {letter.kind} {letter.uid} is marked as sent, and the mail server never took it"
        if letter.state == "held" and not letter.trouble:
            yield f"the {letter.kind} {letter.uid} is held and nothing says why"


def _told_at(phases: list[Phase], match: Match) -> list[int | None]:
    """Return the phases whose opening was told: those that waited, and None for the end."""
    opened = [phase.number for phase in phases if phase.number and phase.public_key is not None]
    return [*opened, *([None] if match.status == "ended" else [])]


def _concerned(phases: list[Phase], number: int, seat: str) -> bool:
    """Whether a seat is told of an opening at once: it owes orders now, or acted in what was closed for it."""
    before = [phase for phase in phases if phase.number < number]
    closed = []
    for phase in reversed(before):
        closed.append(phase)
        if phase.public_key is not None:
            break
    return seat in phases[number].due or any(seat in phase.due for phase in closed)


def letters_are_sent_twice_only_where_nobody_could_know(_: Session, scene: Scene) -> Iterator[str]:
    by_uid: dict[str, set[str]] = defaultdict(set)
    count: Counter[str] = Counter()
    known = {letter.uid: letter for letter in scene.letters}
    for each in scene.sink.taken:
        by_uid[each.uid].add(each.message_id)
        count[each.uid] += 1
        if each.uid not in known:
            yield f"a letter {each.uid} went out that nobody wrote"
        elif known[each.uid].address != each.to:
            yield f"the {known[each.uid].kind} {each.uid} went to {each.to}"
    for uid, times in count.items():
        if times > 1 and uid not in scene.sink.ambiguous:
            yield f"the {known[uid].kind} {uid} was sent {times} times without an ambiguous fault"
        if len(by_uid[uid]) > 1:
            yield f"the letter {uid} went out under several Message-IDs"


def no_letter_tells_of_what_did_not_happen(_: Session, scene: Scene) -> Iterator[str]:
    """A report went out only after the commit that opened its phase."""
    known = {letter.uid: letter for letter in scene.letters if letter.kind == "report"}
    for each in scene.sink.taken:
        letter = known.get(each.uid)
        if letter is None or letter.phase_number is None or letter.match_id is None:
            continue
        opened = scene.books.openings.get((scene.matches[letter.match_id].uid, letter.phase_number))
        if opened is None or opened > each.commits:
            yield f"the report {each.uid} went out before phase {letter.phase_number} was committed"


CHECKS: tuple[Check, ...] = (
    every_phase_has_one_result, nothing_was_closed_early, playing_again_gives_the_same, what_was_accepted_counts,
    what_players_were_told_is_kept, nothing_late_counts, envelopes_have_receipts, commitments_and_signatures_verify,
    every_letter_in_has_one_disposition, letters_that_came_in_time_count, every_report_was_written_once_and_sent,
    letters_are_sent_twice_only_where_nobody_could_know, no_letter_tells_of_what_did_not_happen,
    *checks_dealings.CHECKS, *checks_secrecy.CHECKS,
)  # fmt: skip
