"""Matches as they were before there were logs, or before tokens of letters were computed."""

import json
from dataclasses import replace

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.phase_records import keep_phase_key, recall_phase_key
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import (
    Letter,
    LogEntry,
    Match,
    PhaseRow,
    Player,
    Receipt,
    Seat,
    Stranger,
)
from adjudicator.service.tokens import filling, references
from adjudicator.service.tokens.references import Reference


def forget_logs(database: Database, keyring: Keyring) -> None:
    """Make all matches ones from before logs: boxes instead of the worker's own records, receipts
    without a chain, no entries.
    """
    with database.write_tx() as session:
        for entry in session.exec(select(LogEntry)):
            session.delete(entry)
        for match in session.exec(select(Match).where(Match.sealing == 1)):
            chains = MatchChains.recall(keyring, match)
            phases = session.exec(
                select(PhaseRow).where(
                    PhaseRow.match_id == match.id, col(PhaseRow.wrapped_key).is_not(None)
                )
            ).all()
            keys = [recall_phase_key(keyring, match, phase) for phase in phases]
            match.sealing, match.log_size, match.log_hash = 0, 0, None
            both = chains.firsts["public"] + chains.firsts["hidden"]
            match.wrapped_chains = keyring.wrap(both, bound_to=f"chains:{match.uid}".encode())
            for phase, private in zip(phases, keys, strict=True):
                phase.wrapped_key = keep_phase_key(keyring, match, phase.number, private)
                phase.key_signature = phase.kept_openings = None
        for receipt in session.exec(select(Receipt)):
            receipt.number = receipt.prev = receipt.head = receipt.signature = None
        for seat in session.exec(select(Seat)):
            seat.tenure_nonce = None


def store_tokens(database: Database, keyring: Keyring) -> None:
    """Store tokens as the previous release did: as they are, in their rows and in the content of
    letters that wait.
    """
    with database.write_tx() as session:
        for letter in session.exec(select(Letter).where(col(Letter.context).is_not(None))):
            bound_to = f"letter:{letter.uid}".encode()
            content, unstored = filling.fill_in(
                session,
                keyring,
                letter,
                json.loads(keyring.unwrap(letter.context or b"", bound_to=bound_to)),
            )
            letter.context = keyring.wrap(json.dumps(content).encode(), bound_to=bound_to)
            for each in unstored:
                assert filling.store(session, each)
        for match, seat in session.exec(
            select(Match, Seat).join(Seat, onclause=col(Seat.match_id) == col(Match.id))
        ):
            seat.token = _computed(session, keyring, references.of_seat(match, seat))
        for player in session.exec(select(Player)):
            player.stop_token = _computed(session, keyring, Reference("stop", str(player.id)))
        for stranger in session.exec(select(Stranger)):
            stranger.token = _computed(session, keyring, Reference("never", stranger.address_hash))


def _computed(session: Session, keyring: Keyring, wanted: Reference) -> str | None:
    opened = references.find_opened(session, wanted)
    return references.token_for(keyring, wanted, opened) if opened is not None else None


def forget_computed_tokens(database: Database, keyring: Keyring) -> None:
    """Make all matches ones of the previous release: with a log, and with seats' addresses that
    were drawn at random.
    """
    with database.write_tx() as session:
        for match in session.exec(select(Match).where(Match.sealing == 1)):
            match.wrapped_chains = replace(
                MatchChains.recall(keyring, match), computes_tokens=False
            ).keep(keyring, match.uid)
