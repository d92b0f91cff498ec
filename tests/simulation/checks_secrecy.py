"""Secrecy: a letter shows a seat only what the rules let it see, and no row or letter contains
sealed texts.
"""

import email
import json
import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.game import AnyGame, may_read
from adjudicator.mail.composing import pictures
from adjudicator.service.base.state import dump_view, game_of, load_events, load_state
from adjudicator.service.base.tables import Letter, Match, PhaseRow, Player, all_tables
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.ledger import Ledger
from tests.simulation.scene import Check, Scene
from tests.simulation.sink import Taken

_SHORTEST = 5  # characters of an order that cannot occur by chance
# before the game's own story
_OF_THE_SERVICE = re.compile(
    r"handed in no orders in time|left nobody a choice|was closed by the master"
)
_WORDS = {"ready", "wait", "clear", "then"}
_OPEN_TO_ALL = {"phase"}  # tables of closed phases, whose orders may be equal to sealed ones


# --- letters


def letters_show_a_seat_what_it_may_see(_: Session, scene: Scene) -> Iterator[str]:
    """The view and story of each sent report are those that the rules give for its seat."""
    reports = {letter.uid: letter for letter in scene.letters if letter.kind == "report"}
    for taken in scene.sink.taken:
        letter = reports.get(taken.uid)
        if letter is None or letter.match_id is None:
            continue
        match = scene.matches[letter.match_id]
        shown, phases = _Shown(match, letter, scene.of_match[match.uid]), scene.of_match[match.uid]
        body = letter_body(taken)
        if isinstance(body, EmailMessage):
            if not _pictures(body) <= {shown.picture}:
                yield (
                    f"the report {letter.uid} shows seat {letter.seat} another picture than its own"
                )
            continue
        if json.loads(body["view"]) != shown.view:
            yield f"the report {letter.uid} shows seat {letter.seat} another view than its own"
        for section in body["sections"]:
            told = shown.story(phases[section["number"]])
            lines = tuple(line for line in section["lines"] if not _OF_THE_SERVICE.search(line))
            if not shown.opens_orders and any(
                "played for that seat:" in line for line in section["lines"]
            ):
                yield (
                    f"the report {letter.uid} tells seat {letter.seat} what was played for another"
                    f" in phase {section['number']}"
                )
            # orders with their results say the rest
            known = (
                tuple(line for line in told if line in lines) if section.get("results") else told
            )
            if lines != known:
                yield (
                    f"the report {letter.uid} tells seat {letter.seat} another story of phase"
                    f" {section['number']} than its own"
                )


class _Shown:
    """What a seat may know when its report is written; everything once the match has ended."""

    def __init__(self, match: Match, letter: Letter, phases: list[PhaseRow]) -> None:
        self._game: AnyGame = game_of(match)
        self._seat, self._over = letter.seat or "", letter.phase_number is None
        self.opens_orders = self._over or self._game.about.opens_orders
        last = next(phase for phase in reversed(phases) if phase.why != "stopped")
        state = last.after if letter.phase_number is None else phases[letter.phase_number].before
        view = self._game.letter_view(self._view(state))
        self.view = json.loads(dump_view(self._game, view))
        self.picture = pictures.draw_png(self._game.draw(view))

    def _view(self, plain: Any) -> Any:
        state = load_state(self._game, plain)
        return (
            self._game.view(state, self._seat, reveal=True)
            if self._over
            else self._game.view(state, self._seat)
        )

    def story(self, phase: PhaseRow) -> tuple[str, ...]:
        events = [
            event
            for event in load_events(self._game, phase)
            if self._over or may_read(event, self._seat)
        ]
        return tuple(self._game.story(self._view(phase.after), tuple(events)))


def letter_body(taken: Taken) -> Any:
    """Return a letter's content as plain values, or the whole letter if it was fully composed."""
    message: Any = email.message_from_bytes(taken.content.removesuffix(b".\r\n"), policy=default)
    return message if message.is_multipart() else json.loads(message.get_content())


def plain_body(taken: Taken) -> Any:
    """Return a letter's content as plain values; None if it was fully composed."""
    body = letter_body(taken)
    return None if isinstance(body, EmailMessage) else body


def _pictures(message: EmailMessage) -> set[bytes]:
    return {
        part.get_payload(decode=True)
        for part in message.walk()
        if part.get_content_type() == "image/png"
    }  # type: ignore[misc]  # bytes


def letters_go_to_whoever_sits_there(session: Session, scene: Scene) -> Iterator[str]:
    """A letter about a seat goes to its player; a nonce shown to one player on the site occurs in
    no other's letters.
    """
    address = {player.id: player.address for player in session.exec(select(Player))}
    for letter in scene.letters:
        if letter.kind == "gathering" or _gathered(scene, letter):
            continue  # its reader may have given the seat back since
        # seats change as the match begins
        renamed = (
            letter.match_id is not None and scene.matches[letter.match_id].seating == "preference"
        )
        sits = address.get(
            scene.sitter(letter.match_id, letter.seat, letter.tenure),
            letter.address if renamed else None,
        )
        if letter.seat is not None and letter.address != sits:
            yield (
                f"the {letter.kind} {letter.uid} for seat {letter.seat} is addressed to"
                f" {letter.address}"
            )
    nonces = {
        part.nonce: address[told.player] for told in scene.ledger.told for part in told.answer.parts
    }
    for taken in scene.sink.taken:
        content = taken.content.decode("latin-1")
        if any(nonce in content for nonce, owner in nonces.items() if owner != taken.to):
            yield f"the letter {taken.uid} to {taken.to} tells the nonce of another seat"


def _gathered(scene: Scene, letter: Letter) -> bool:
    """Whether a letter about a seat is from before its match began."""
    if letter.kind != "seat" or letter.match_id is None:
        return False
    phases = scene.of_match.get(scene.matches[letter.match_id].uid, [])
    return not phases or letter.made_at < phases[0].opened_at


# --- rows


# the log opens orders of closed phases, and the same may be sealed again; no nonce is
_NONCE = re.compile("[0-9a-f]{64}")


def in_the_clear(fixture_db: FixtureDb, ledger: Ledger) -> list[str]:
    """Return where a sealed text occurs in plaintext: orders and nonces of open phases, and letters
    of players.
    """
    with fixture_db.eyes.read_tx() as session:
        opened = select(Match.uid, PhaseRow.number).join(
            PhaseRow, onclause=col(PhaseRow.match_id) == col(Match.id)
        )
        now_open = set(session.exec(opened.where(col(PhaseRow.closed_at).is_(None))))
        secrets = {"@players.example.org", *_sealed(ledger, now_open)}
        found = []
        for table in all_tables().sorted_tables:
            if table.name in _OPEN_TO_ALL:
                continue
            rows = "\n".join(
                _plain(value)
                for row in session.connection().execute(table.select())
                for value in row
            )
            sought = (
                secrets
                if table.name != "logentry"
                else {each for each in secrets if _NONCE.fullmatch(each)}
            )
            found += [
                f"nothing sealed is in the clear: {each!r} stands in {table.name}"
                for each in sorted(sought)
                if each in rows
            ]
    return found


def _sealed(ledger: Ledger, now_open: set[tuple[str, int]]) -> Iterator[str]:
    for told in ledger.told:
        if (told.uid, told.answer.phase) in now_open:
            yield from _orders(told.text)
            yield from (part.nonce for part in told.answer.parts)
    for letter in ledger.posted:
        if (letter.uid, letter.phase) in now_open:
            yield from _orders(letter.text)


def _orders(text: str) -> Iterator[str]:
    yield from (
        line for line in text.splitlines() if len(line) >= _SHORTEST and line.lower() not in _WORDS
    )


def _plain(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


CHECKS: tuple[Check, ...] = (letters_show_a_seat_what_it_may_see, letters_go_to_whoever_sits_there)
