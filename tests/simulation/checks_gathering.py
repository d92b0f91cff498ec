"""Promises before a match begins: seats and the waiting list, the muster, the expiry, and who sees
a private match.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, func, select

from adjudicator.service.base.tables import MasterNote, Match, Player, QueueEntry, Seat
from tests.simulation.checks_delays import lost_addresses
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.gatherings import CONFIRMED, LEFT, TAKEN
from tests.simulation.scene import Check, Scene

_SOON = timedelta(seconds=90)
_EXPIRY = {"what": "expired"}  # what a letter may tell that was composed whole, or not sent yet
_FREED = re.compile(r"freed (a seat|\d+ seats) that nobody confirmed")


def nobody_waits_beside_a_free_seat(session: Session, scene: Scene) -> Iterator[str]:
    """While somebody waits for a seat of an open match, none is free; who has a seat waits for
    none; a match that began has no list.
    """
    yield from scene.ledger.beside
    for match, seats, waiting in _gathering(session, scene):
        free = [seat.name for seat in seats if seat.player_id is None and seat.kept_for is None]
        if match.status == "open" and waiting and free:
            yield f"seat {free[0]} of {match.uid} is free, and {len(waiting)} people wait"
        both = {seat.player_id for seat in seats} & set(waiting)
        if both:
            yield f"player {both.pop()} sits in {match.uid} and waits for a seat there"
        if waiting and match.status not in ("making", "open", "stuck"):
            yield f"{len(waiting)} people wait for a seat of {match.uid}, which is {match.status}"
        twice = [
            player
            for player, times in Counter(seat.player_id for seat in seats if seat.player_id).items()
            if times > 1
        ]
        if twice:
            yield f"player {twice[0]} has two seats of {match.uid}"


def _gathering(session: Session, scene: Scene) -> Iterator[tuple[Match, list[Seat], list[int]]]:
    seats, waiting = defaultdict(list), defaultdict(list)
    for seat in scene.seats:
        seats[seat.match_id].append(seat)
    for entry in session.exec(select(QueueEntry)):
        waiting[entry.match_id].append(entry.player_id)
    for match in scene.matches.values():
        yield match, seats[match.id or 0], waiting[match.id or 0]


def a_mustered_match_begins_with_those_who_confirmed(
    session: Session, scene: Scene
) -> Iterator[str]:
    """A match with a muster begins only if every seat is confirmed, each by its own player."""
    said = {(act.uid, act.player) for act in scene.ledger.gathered if act.what == CONFIRMED}
    for match, seats, _ in _gathering(session, scene):
        if match.muster_seconds is None or match.started_at is None:
            continue
        for seat in seats:
            if seat.confirmed_at is None or seat.confirmed_at > match.started_at:
                yield f"{match.uid} began, and seat {seat.name} was not confirmed before"
            elif (match.uid, seat.player_id) not in said:
                yield f"{match.uid} began, and player {seat.player_id} never confirmed"


def a_muster_comes_to_an_end(session: Session, scene: Scene) -> Iterator[str]:
    """A full match is asked to confirm, and a muster that is over has freed the seats of those who
    did not.
    """
    now = scene.world.now()
    for match, seats, _ in _gathering(session, scene):
        if match.status != "open" or match.muster_seconds is None:
            continue
        full = all(seat.taken_at is not None and seat.taken_at < now - _SOON for seat in seats)
        if full and match.muster_until is None:
            yield f"every seat of {match.uid} is taken, and nobody is asked to confirm"
        if match.muster_until is not None and match.muster_until < now - _SOON:
            yield (
                f"the muster of {match.uid} was over at {match.muster_until}, and nothing came"
                " of it"
            )


def who_loses_or_gets_a_seat_is_told(session: Session, scene: Scene) -> Iterator[str]:
    """Who sits without having taken a seat got a letter; so did everybody who lost a seat without
    giving it back.
    """
    people = {player.id: player.address for player in session.exec(select(Player))}
    written = Counter(letter.address for letter in scene.letters if letter.kind == "gathering")
    did = Counter((act.uid, act.player, act.what) for act in scene.ledger.gathered)
    for match, seats, _ in _gathering(session, scene):
        if match.name != "Gathering":
            continue
        sitting = {seat.player_id for seat in seats}
        for player in {act.player for act in scene.ledger.gathered if act.uid == match.uid}:
            address = people[player]
            if (
                player in sitting
                and not did[match.uid, player, TAKEN]
                and player != match.master_id
                and not written[address or ""]
            ):
                yield (
                    f"{address} got a seat of {match.uid} from the waiting list, and no letter"
                    " tells it"
                )
            took = [
                act
                for act in scene.ledger.gathered
                if (act.uid, act.player, act.what, act.done) == (match.uid, player, TAKEN, True)
            ]
            if (
                took
                and player not in sitting
                and not did[match.uid, player, LEFT]
                and not written[address or ""]
            ):
                yield f"{address} took a seat of {match.uid} and lost it, and no letter tells it"


def who_did_not_confirm_is_told(session: Session, scene: Scene) -> Iterator[str]:
    """As many letters tell of a lost seat as the notes of a match say were freed; not where
    addresses fail or letters are written whole.
    """
    for match in (each for each in scene.matches.values() if each.name == "Gathering"):
        sent = [
            letter
            for letter in scene.letters
            if letter.kind == "gathering" and letter.match_id == match.id
        ]
        bodies = {taken.uid: plain_body(taken) for taken in scene.sink.taken}
        told = [bodies.get(letter.uid) for letter in sent]
        if any(body is None for body in told) or {
            letter.address for letter in sent
        } & lost_addresses(scene):
            continue
        notes = session.exec(select(MasterNote).where(MasterNote.match_id == match.id))
        freed = sum(
            1 if found[1] == "a seat" else int(found[1].split()[0])
            for note in notes
            if (found := _FREED.match(note.what))
        )
        lapsed = sum(body["what"] == "lapsed" for body in told)
        if freed != lapsed:
            yield f"{match.uid} freed {freed} seats that nobody confirmed, and told {lapsed} people"


def _since(session: Session, match: Match, over: datetime) -> datetime:
    """Return since when a match with a free seat may expire: its time was `over`, or later it lost
    somebody, which a note tells.
    """
    last = session.exec(
        select(func.max(MasterNote.at)).where(MasterNote.match_id == match.id)
    ).one()
    return max(over, last or over)


def a_match_expires_only_while_a_seat_is_free(session: Session, scene: Scene) -> Iterator[str]:
    """An expired match was not full, its time was over, and everybody in it has a letter; no open
    match is long past its time.
    """
    people = {player.id: player.address for player in session.exec(select(Player))}
    bodies = {taken.uid: plain_body(taken) for taken in scene.sink.taken}
    written = {
        letter.address
        for letter in scene.letters
        if letter.kind == "gathering" and (bodies.get(letter.uid) or _EXPIRY)["what"] == "expired"
    }
    now = scene.world.now()
    for match, seats, _ in _gathering(session, scene):
        free = any(seat.taken_at is None for seat in seats)
        if match.status == "expired" and match.table_id is None:  # else its pairing is void
            if not free:
                yield f"{match.uid} expired, and every seat was taken"
            if (
                match.started_at is not None
                or match.expires_at is None
                or (match.ended_at or now) < match.expires_at
            ):
                yield f"{match.uid} expired before its time, or after its beginning"
            untold = [
                people[seat.player_id]
                for seat in seats
                if seat.player_id and people[seat.player_id] not in written
            ]
            if untold:
                yield f"{match.uid} expired, and {untold[0]} was not told"
        elif (
            match.status == "open"
            and free
            and match.expires_at is not None
            and _since(session, match, match.expires_at) < now - _SOON
        ):
            yield f"{match.uid} is open, and should have expired at {match.expires_at}"


def an_outsider_sees_no_private_match(_: Session, scene: Scene) -> Iterator[str]:
    """An outsider without a link, or with the secret of one that was renewed since, is told that
    there is no such match.
    """
    for glimpse in scene.ledger.glimpses:
        if glimpse.seen:
            yield (
                f"{glimpse.uid} was shown to an outsider"
                f" {'with an old link' if glimpse.by_old_link else 'without any link'}"
            )


CHECKS: tuple[Check, ...] = (
    nobody_waits_beside_a_free_seat,
    a_mustered_match_begins_with_those_who_confirmed,
    a_muster_comes_to_an_end,
    who_loses_or_gets_a_seat_is_told,
    who_did_not_confirm_is_told,
    a_match_expires_only_while_a_seat_is_free,
    an_outsider_sees_no_private_match,
)
