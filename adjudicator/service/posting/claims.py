"""Claiming outgoing letters: many by a handful of statements, each with a lease of its own, opened,
told and with its tokens.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog
from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.memory import OF
from adjudicator.service.base.tables import Letter, Player, Receipt
from adjudicator.service.letters import outbox, suppression
from adjudicator.service.letters.outbox import (
    BACK_OFF,
    COMES_BACK,
    LINK_OVER,
    MOST_CUT_SHORT,
    QUEUE,
    LetterToSend,
    SignedReceipt,
    bound_to,
    comes_back,
    link_is_over,
)
from adjudicator.service.letters.suppression import Why
from adjudicator.service.posting.report_telling import ReportTeller
from adjudicator.service.tokens import filling, references
from adjudicator.service.tokens.filling import Unstored

# of rows that the rules cannot read
TELLING_FAULTS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)

# made once, as making one takes longer than the database does to answer it
_PLAYERS = select(Player).where(col(Player.id).in_(OF))
_RECEIPTS = select(Receipt).where(col(Receipt.id).in_(OF))

log = structlog.get_logger()

Opened = tuple[Letter, Mapping[str, Any]]  # a letter and its content with references


@dataclass(frozen=True)
class _Known:
    """What decides about letters: of all that are claimed together."""

    suppressed: Mapping[str, Why]  # by address
    players: Mapping[int, Player]
    receipts: Mapping[int, Receipt]


def claim_letters(
    database: Database, keyring: Keyring, letter_ids: Sequence[int], now: datetime
) -> list[LetterToSend]:
    """Lease letters and open them, in the order of `letter_ids`.

    Those are left out that another worker has, that are not due yet, and that are sent, held or
    erased. A letter whose last try was cut short is claimed alone, or left out: if it crashes its
    workers, no other letter is counted out with it.

    The tokens in their contents are computed, and their hashes stored before this returns. A letter
    to a suppressed address is erased here. A letter is held here if letters to its player bounce,
    its sign-in link has expired, it needs another key file, or too many tries did not finish.

    What reports say is worked out from the rows of their phases, outside the transaction. One that
    cannot be told is left out, and tried again later.
    """
    with database.write_tx() as session:
        letters = _lease(session, letter_ids, now)
        known = _read_known(session, letters)
        wanted = [letter for letter in letters if _may_go(session, letter, known, now)]
        opened = [
            each for letter in wanted if (each := _open(session, keyring, letter)) is not None
        ]
        kept = references.read_opened(
            session,
            [each for _, content in opened for each in filling.references_in(content)],
            known.players,
        )
        claimed = [_fill_in(session, keyring, each, known) for each in opened]
        teller = ReportTeller(session, [content for _, content in opened])
        del kept  # until now, so that the session knows them
    failed = _store(database, [each for _, unstored in claimed for each in unstored])
    stored = [
        letter for letter, unstored in claimed if not any(each in failed for each in unstored)
    ]
    return [
        ready for letter in stored if (ready := _tell(database, teller, letter, now)) is not None
    ]


def _lease(session: Session, letter_ids: Sequence[int], now: datetime) -> list[Letter]:
    held = {letter.id: letter for letter in QUEUE.hold_free(session, letter_ids, now)}
    free = [held[each] for each in letter_ids if each in held]
    whole = (
        free[:1]
        if free and _was_cut_short(free[0])
        else [letter for letter in free if not _was_cut_short(letter)]
    )
    for letter in whole:
        QUEUE.lease_held(letter, now)
    return whole


def _was_cut_short(letter: Letter) -> bool:
    return letter.tries > 0 and letter.trouble is None


def _read_known(session: Session, letters: Sequence[Letter]) -> _Known:
    players = {letter.player_id for letter in letters if letter.player_id is not None}
    receipts = {letter.receipt_id for letter in letters if letter.receipt_id is not None}
    return _Known(
        (
            suppression.who_suppresses(session, {letter.address for letter in letters})
            if letters
            else {}
        ),
        (
            {each.id or 0: each for each in session.exec(_PLAYERS, params={"of": list(players)})}
            if players
            else {}
        ),
        (
            {each.id or 0: each for each in session.exec(_RECEIPTS, params={"of": list(receipts)})}
            if receipts
            else {}
        ),
    )


def _may_go(session: Session, letter: Letter, known: _Known, now: datetime) -> bool:
    """Whether a leased letter may go out; else it is erased or held."""
    if not suppression.may_get(known.suppressed[letter.address], letter.kind):
        session.delete(letter)
        return False
    player = known.players.get(letter.player_id or 0)
    if player is not None and comes_back(player, letter):
        letter.state, letter.trouble = "held", COMES_BACK
        return False
    if link_is_over(session, letter, now):
        letter.state, letter.trouble = "held", LINK_OVER
        return False
    # the letter itself may crash its workers
    if letter.tries > (len(BACK_OFF) + 1 if letter.trouble else MOST_CUT_SHORT):
        letter.state, letter.trouble = "held", "every try to send it was cut short"
        return False
    return True


def _open(session: Session, keyring: Keyring, letter: Letter) -> Opened | None:
    assert letter.context is not None  # noqa: S101 waiting letters have one
    try:
        return letter, json.loads(keyring.unwrap(letter.context, bound_to=bound_to(letter.uid)))
    except crypto.CannotOpen:
        public_keys.require_newest(session, keyring)
        letter.state, letter.trouble = "held", "the letter was sealed to another key file"
        return None


def _fill_in(
    session: Session, keyring: Keyring, opened: Opened, known: _Known
) -> tuple[LetterToSend, list[Unstored]]:
    letter, content = opened
    filled, unstored = filling.fill_in(session, keyring, letter, content)
    receipt, signed = known.receipts.get(letter.receipt_id or 0), None
    if receipt is not None and receipt.signature is not None:
        chained = (receipt.tenure, receipt.prev) if receipt.prev is not None else None
        signed = SignedReceipt(receipt.signature.hex(), receipt.head, chained)
    claimed = LetterToSend(
        letter.id or 0,
        letter.uid,
        letter.kind,
        letter.address,
        filled,
        letter.made_at,
        letter.match_id,
        letter.seat,
        letter.tries,
        signed,
        letter.next_try,
        filling.return_token(keyring, letter),
    )
    return claimed, unstored


def _tell(
    database: Database, teller: ReportTeller, letter: LetterToSend, now: datetime
) -> LetterToSend | None:
    """Return a letter with all that it says; None where its rows cannot be told, which its own row
    records.
    """
    try:
        return replace(letter, context=teller.tell(letter.context))
    except TELLING_FAULTS as fault:
        log.error(
            "letter.not_told", letter=letter.uid, kind=letter.kind, fault=type(fault).__name__
        )
        outbox.mark_failed(
            database,
            letter,
            now,
            f"what the letter says could not be worked out: {type(fault).__name__}",
        )
        return None


def _store(database: Database, unstored: Sequence[Unstored]) -> list[Unstored]:
    """Store hashes of tokens; return those whose rows changed meanwhile: their letters are claimed
    again once the lease ends.

    What cannot be stored without waiting has a transaction of its own, which locks a single row:
    none waits while it holds one.
    """
    if not unstored:
        return []
    with database.write_tx() as session:
        left = filling.store_free(session, unstored)
    failed = []
    for each in left:
        with database.write_tx() as session:
            if not filling.store(session, each):
                failed.append(each)
    return failed
