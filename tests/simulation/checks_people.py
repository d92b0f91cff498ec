"""Promises beside orders: links sign in once, sealed orders are disclosed to their own seat only,
commands and bounces are processed.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.tables import (
    Confirmation,
    Envelope,
    FormerTenure,
    Incoming,
    Link,
    MasterAddress,
    Offer,
    Player,
    Seat,
    SignedIn,
    Stranger,
)
from adjudicator.service.orders import disclosure
from adjudicator.service.people import sessions
from adjudicator.service.tokens.references import MASTER, split_vote
from tests.simulation.checks_dealings import open_contents
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.scene import Check, Scene
from tests.simulation.upgrades import UPGRADED

_TOKENS = ("token", "reply_token", "stop_token", "never_token")  # of letters
_OPENED: tuple[type[Any], ...] = (
    Link,
    SignedIn,
    Seat,
    MasterAddress,
    FormerTenure,
    Offer,
    Confirmation,
    Player,
    Stranger,
)
SEALED = b"What you have sealed"  # heads a seat's own orders in the answer to `status`
_MOST_LISTED = 50  # disclosures, the newest

# --- signing in


def a_link_signs_in_once(session: Session, scene: Scene) -> Iterator[str]:
    """Each link makes at most one session, of the player whose address its letter went to."""
    entered = defaultdict(list)
    for pressed in scene.ledger.pressed:
        if pressed.entry is not None:
            entered[pressed.token].append(pressed.entry)
    for token, entries in entered.items():
        if len(entries) > 1:
            yield f"a link to {scene.ledger.links[token]} signed in {len(entries)} times"
        for entry in entries:
            if entry.person.address != scene.ledger.links[token]:
                yield f"a link to {scene.ledger.links[token]} signed in {entry.person.address}"
            if sessions.signed_in_player(session, entry.token, now=scene.world.now()) is None:
                yield f"the session that a link to {scene.ledger.links[token]} began is nobody's"
    others = [
        row
        for row in session.exec(select(SignedIn))
        if row.token_hash not in scene.fixture_db.keychain.begun
    ]
    if len(others) > len(scene.ledger.pressed):
        yield (
            f"{len(others)} sessions began by links, whose buttons were pressed"
            f" {len(scene.ledger.pressed)} times"
        )


def a_link_works_within_its_time(session: Session, scene: Scene) -> Iterator[str]:
    """The first press of a link's button signs in if the link is valid, is refused if not, and a
    used link never signs in again.
    """
    if scene.world.fired["step"]:
        return
    links = session.exec(select(Link)).all()
    until = {each.token_hash: each.until for each in links}
    unprolonged = {each.token_hash: each.made_at + sessions.LINK_LASTS for each in links}
    first = {}
    for pressed in scene.ledger.pressed:
        first.setdefault(pressed.token, pressed)
        end = until.get(sessions.token_hash(pressed.token))
        if end is None or pressed.until is None:
            continue
        if pressed.entry is not None and pressed.at > end:
            yield f"a link to {pressed.address} signed in at {pressed.at}, after {end}"
    for pressed in first.values():
        end = unprolonged.get(sessions.token_hash(pressed.token))
        if (
            end is not None
            and pressed.refused
            and pressed.until is not None
            and pressed.until < end
            and _alone(scene, pressed.token)
        ):
            yield f"a link to {pressed.address} was refused at {pressed.until}, before {end}"


def _alone(scene: Scene, token: str) -> bool:
    """Whether the button was pressed only once."""
    return sum(each.token == token for each in scene.ledger.pressed) == 1


def a_link_is_sent_to_who_asks(session: Session, scene: Scene) -> Iterator[str]:
    """Each answered request sends a new link, or prolongs the newest if five were sent within the
    hour.
    """
    letters = defaultdict(list)
    for letter in scene.letters:
        if letter.kind == "signin":
            letters[letter.address].append(letter)
    for address, sent in letters.items():
        if address not in {each.address for each in scene.ledger.asked}:
            yield f"{address} was sent a link, and nobody asked"
        for letter in sent:
            hour = [
                each
                for each in sent
                if letter.made_at - timedelta(hours=1) < each.made_at <= letter.made_at
            ]
            if len(hour) > sessions.LINKS_AN_HOUR and not scene.world.fired["step"]:
                yield f"{address} was sent {len(hour)} links within an hour"
    for asked in scene.ledger.asked:
        hour = [
            each
            for each in letters[asked.address]
            if asked.at - timedelta(hours=1) < each.made_at <= asked.at
        ]
        fresh = len(hour) >= sessions.LINKS_AN_HOUR or any(
            each.made_at >= asked.since for each in hour
        )
        if asked.answered and not fresh and not scene.world.fired["step"]:
            yield (
                f"{asked.address} asked for a link at {asked.at}, was told that it comes, and none"
                " was written"
            )
    yield from _links_that_ended_early(session, scene)


def _links_that_ended_early(session: Session, scene: Scene) -> Iterator[str]:
    """When an address asks again, one link is valid for ten minutes from then: a new one, or the
    newest unused one.
    """
    links = defaultdict(list)
    for link in session.exec(select(Link)):
        links[link.address].append(link)
    for asked in scene.ledger.asked:
        of_then = [
            link
            for link in links[asked.address]
            if link.made_at <= asked.at and (link.used_at is None or link.used_at > asked.at)
        ]
        good = [link for link in of_then if link.until >= asked.since + sessions.LINK_LASTS]
        if asked.answered and of_then and not good and not scene.world.fired["step"]:
            yield (
                f"{asked.address} asked for a link at {asked.since}, and those that nobody had used"
                " were not prolonged"
            )


# --- disclosure of own orders


def own_orders_are_shown_to_their_seat(session: Session, scene: Scene) -> Iterator[str]:
    """A disclosed text is an unchanged envelope of that very seat, and no newer accepted one
    existed.
    """
    phases = {(scene.matches[phase.match_id].uid, phase.number): phase for phase in scene.phases}
    match_ids = {match.uid: match.id for match in scene.matches.values()}
    for looked in scene.ledger.looked:
        if looked.shown is None:
            continue
        shown, phase = looked.shown, phases[looked.uid, looked.shown.phase]
        sealed = session.exec(
            select(Envelope)
            .where(Envelope.phase_id == phase.id, Envelope.seq == shown.seq)
            .order_by(col(Envelope.id))
        )
        own = [
            each
            for each in sealed
            if scene.sitter(match_ids[looked.uid], each.seat, each.tenure) == looked.player
        ]
        if not own:
            yield (
                f"player {looked.player} of {looked.uid} was shown orders, and sealed none of that"
                f" number in phase {shown.phase}"
            )
            continue
        envelope, seat = own[0], own[0].seat
        if (
            tuple(part.orders for part in open_contents(scene, phase, envelope).parts)
            != shown.parts
        ):
            yield (
                f"seat {seat} of {looked.uid} was shown what it did not seal in phase {shown.phase}"
            )
        newer = [
            told.answer.seq
            for told in scene.ledger.told
            if (told.uid, told.seat, told.player, told.answer.phase)
            == (looked.uid, seat, looked.player, shown.phase)
            and told.answer.disposition != "refused"
            and told.commit <= looked.since
        ]
        if any(seq > shown.seq for seq in newer):
            yield (
                f"seat {seat} of {looked.uid} was shown submission {shown.seq} after it had sealed"
                f" {max(newer)}"
            )


def every_showing_is_listed(session: Session, scene: Scene) -> Iterator[str]:
    """A seat's list has every disclosure, by page or by letter, and no more than were requested and
    granted.
    """
    letters = {letter.uid: letter for letter in scene.letters}
    by_letter = {
        taken.uid: letters[taken.uid]
        for taken in scene.sink.taken
        if taken.uid in letters and SEALED in taken.content
    }
    for seat in scene.seats:
        uid = scene.matches[seat.match_id].uid
        if seat.player_id is None:
            continue
        held = (uid, seat.name, seat.tenure, seat.player_id)
        since = next(
            (
                sat.commit
                for sat in scene.ledger.sat
                if (sat.uid, sat.seat, sat.tenure, sat.player) == held
            ),
            0,
        )
        mine = [
            each for each in scene.ledger.looked if (each.uid, each.player) == (uid, seat.player_id)
        ]
        asked = [each for each in mine if not each.refused]
        shown = sum(each.shown is not None for each in asked if each.since >= since)
        place = (seat.match_id, seat.name, seat.tenure)
        shown += sum(
            (each.match_id, each.seat, each.tenure) == place for each in by_letter.values()
        )
        notes = disclosure.list_disclosures(session, uid, seat.player_id or 0)
        told = sum(
            wrote.line == "status"
            for wrote in scene.ledger.wrote
            if (wrote.uid, wrote.player) == (uid, seat.player_id)
        )
        if not min(shown, _MOST_LISTED) <= len(notes) <= len(asked) + told:
            yield (
                f"seat {seat.name} of {uid} was shown its orders {shown} of {len(asked)} times, and"
                f" {len(notes)} are listed"
            )


# --- commands by letter, and bounces


def commands_by_letter_are_answered_and_count_in_order(
    session: Session, scene: Scene
) -> Iterator[str]:
    """Each letter of commands is answered once; of several names or time zones the last one read is
    kept.

    A letter whose 250 was lost may count although the next try was told that its seat's address is
    gone.
    """
    answers = {letter.incoming_id for letter in scene.letters}
    last: dict[tuple[int, str], tuple[int, str]] = {}
    unsure = {(wrote.player, wrote.line) for wrote in scene.ledger.wrote if not wrote.taken}
    for wrote in scene.ledger.wrote:
        for row in _read(scene, wrote.taken):
            if row.disposition not in ("commands", "unreadable"):
                yield f"the letter {wrote.line!r} of player {wrote.player} was {row.disposition}"
            if row.disposition == "commands" and row.id not in answers:
                yield f"the letter {wrote.line!r} of player {wrote.player} was not answered"
            word, _, more = wrote.line.partition(" ")
            if row.disposition == "commands" and word in ("name", "zone"):
                last[wrote.player, word] = max(
                    last.get((wrote.player, word), (0, "")), (row.id or 0, more)
                )
    people = {player.id: player for player in session.exec(select(Player))}
    for (player, word), (_, wanted) in last.items():
        kept = people[player].name if word == "name" else people[player].zone
        if kept != wanted and (player, f"{word} {kept}") not in unsure:
            yield f"the {word} of player {player} is {kept}, and {wanted} was asked for last"


def _read(scene: Scene, taken: list[str]) -> list[Incoming]:
    """Return the copies of a letter that were read, including those whose 250 was lost."""
    same = {row.digest for row in scene.incoming if row.uid in taken}
    return [
        row
        for row in scene.incoming
        if row.digest is not None and row.digest in same and row.disposition != "repeated"
    ]


def a_seat_has_the_address_it_asked_for(_: Session, scene: Scene) -> Iterator[str]:
    """Once `new address` is answered, no earlier address leads to the seat, nor does the answer
    contain it.
    """
    working = {each for seat in scene.seats for each in (seat.token_hash, seat.earlier_hash)}
    letters = {letter.uid: letter for letter in scene.letters}
    answers = {
        letters[taken.uid].incoming_id: plain_body(taken)
        for taken in scene.sink.taken
        if taken.uid in letters
    }
    for wrote in scene.ledger.wrote:
        done = [row.id for row in _read(scene, wrote.taken) if row.disposition == "commands"]
        if wrote.line != "new address" or not done:
            continue
        if hash_token(wrote.token) in working:
            yield (
                f"player {wrote.player} of {wrote.uid} asked for a new address and has the old one"
            )
        if any((answers.get(row) or {}).get("reply_token") == wrote.token for row in done):
            yield (
                f"player {wrote.player} of {wrote.uid} asked for a new address and was told the"
                " old one"
            )


def letters_that_came_back_are_shown(session: Session, scene: Scene) -> Iterator[str]:
    """A report's final bounce marks the letter and its player; a late or forged bounce has no
    effect.
    """
    rows = {row.uid: row for row in scene.incoming}
    letters = {letter.uid: letter for letter in scene.letters}
    people = {player.id: player for player in session.exec(select(Player))}
    wrote = {row.seat_id for row in scene.incoming if row.seat_id is not None}
    writers = {seat.player_id for seat in scene.seats if seat.id in wrote}
    final = {back.letter for back in scene.ledger.sent_back if back.final and not back.forged}
    for back in scene.ledger.sent_back:
        letter, done = letters[back.letter], [rows[uid].disposition for uid in back.taken]
        if back.forged and "bounce" in done:
            yield f"a forged return of the {letter.kind} {letter.uid} was believed"
        if back.letter not in final and letter.state == "bounced":
            yield f"the {letter.kind} {letter.uid} is taken to have come back, and nobody said so"
        if not back.final or back.forged or "bounce" not in done:
            continue
        # held: it bounced before it was marked
        if letter.state not in ("bounced", "held") and scene.sink.times(letter.uid) == 1:
            yield f"the {letter.kind} {letter.uid} came back and is {letter.state}"
        player = people.get(letter.player_id)
        if (
            letter.kind == "report"
            and player is not None
            and player.bounced_at is None
            and player.id not in writers
        ):
            yield f"the report {letter.uid} came back, and its player's letters go on"
    refused = scene.world.fired["smtp 550"] or any(
        back.final and not back.forged for back in scene.ledger.sent_back
    )
    for player in people.values():
        if player.bounced_at is not None and not refused:
            yield f"letters to {player.address} are stopped, and none came back"


def no_token_is_in_the_clear(session: Session, scene: Scene) -> Iterator[str]:
    """No secret of a link, a session or an address that a letter told is stored in any row in
    plaintext.
    """
    secrets = {
        *scene.ledger.links,
        *(each.entry.token for each in scene.ledger.pressed if each.entry is not None),
    }
    bodies = [plain_body(taken) for taken in scene.sink.taken]
    secrets |= {
        split_vote((body.get(name) or "").removeprefix(MASTER))[0]
        for body in bodies
        if body is not None
        for name in _TOKENS
    }
    rows = [row for table in _OPENED for row in session.exec(select(table))]
    # the worker empties them within a day
    earlier = ("token", "stop_token") if scene.world.fired[UPGRADED] else ()
    kept = {
        value
        for row in rows
        for name, value in vars(row).items()
        if isinstance(value, str) and name not in earlier
    }
    yield from (
        f"the secret {each[:6]}... is kept as it is" for each in sorted((secrets & kept) - {""})
    )


def what_a_letter_tells_works(_: Session, scene: Scene) -> Iterator[str]:
    """A link or the address of a seat is known before its letter goes out, unless it may have
    changed since the letter was claimed.

    A seat's address changes with the seat's hands, also while its match gathers players and the
    sender of a letter is frozen, and as its player asks for a new one.
    """
    renewing = {wrote.uid for wrote in scene.ledger.wrote if wrote.line == "new address"}
    for each in scene.ledger.unknown:
        if each.uid not in scene.changing | renewing and each.letter not in scene.sink.ambiguous:
            yield f"the {each.kind} {each.letter} told a link or an address that no row knew"


def the_newest_sessions_are_kept(session: Session, scene: Scene) -> Iterator[str]:
    """A session lasts for weeks, so none that began in this world has expired."""
    over = session.exec(
        select(SignedIn).where(col(SignedIn.until) <= scene.world.now() + timedelta(days=1))
    ).all()
    yield from (f"a session of player {each.player_id} ends at {each.until}" for each in over)


CHECKS: tuple[Check, ...] = (
    a_link_signs_in_once,
    a_link_works_within_its_time,
    a_link_is_sent_to_who_asks,
    own_orders_are_shown_to_their_seat,
    every_showing_is_listed,
    commands_by_letter_are_answered_and_count_in_order,
    a_seat_has_the_address_it_asked_for,
    letters_that_came_back_are_shown,
    no_token_is_in_the_clear,
    what_a_letter_tells_works,
    the_newest_sessions_are_kept,
)
