"""After rotations of the keys: every entry and receipt is signed by the key in force, and no record
needs a former key file.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from sqlmodel import Session, col, select

from adjudicator.seal.commitments import receipt_hash, signs_phase_key
from adjudicator.seal.crypto import CannotOpen, Keyring, PublicKeys, is_signed_by, load_key_file
from adjudicator.seal.log import is_authentic
from adjudicator.service.base import public_keys
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.log.entries import list_entries
from adjudicator.service.log.receipt_chains import signed_body
from adjudicator.service.upkeep.rotation import is_under_way
from tests.simulation.scene import Check, Scene


def _newest(scene: Scene) -> Keyring:
    return load_key_file(scene.fixture_db.settings.key_file)


def a_rotation_is_finished(session: Session, scene: Scene) -> Iterator[str]:
    """The published keys are those of the key file, one rotation after another, each signed by
    both.
    """
    published = [row.fingerprint for row in public_keys.list_keys(session)]
    if published != [each.public.fingerprint for each in _newest(scene).sets[::-1]]:
        yield "the published keys are not those of the key file"
    if is_under_way(session):
        yield "a rotation is not done"
    if len(public_keys.believed_keys(session)) != len(published):
        yield "a site that was started with the first fingerprint does not follow"


def an_entry_is_signed_by_the_key_in_force(session: Session, scene: Scene) -> Iterator[str]:
    """A log changes its key by an entry that the former key signs; receipts have the signature of a
    key of the log.
    """
    rows = [PublicKeys.of(row.document).signing for row in public_keys.list_keys(session)]
    for match in scene.matches.values():
        entries = list_entries(session, match) if match.log_hash is not None else []
        signers = [each for each in rows if entries and is_authentic(entries[0], each)]
        for entry in entries:
            if not signers or not is_authentic(entry, signers[-1]):
                yield f"entry {entry.index} of {match.uid} is not signed by the key in force"
                break
            if entry.type == "key":
                signers.append(PublicKeys.of(entry.body["keys"]).signing)
        own = (
            [
                each
                for each in scene.receipts
                if each.match_id == match.id and each.signature is not None
            ]
            if entries
            else []
        )
        for receipt in own:
            digest = receipt_hash(signed_body(receipt, match.uid))
            if not any(is_signed_by(each, digest, receipt.signature or b"") for each in signers):
                yield f"receipt {receipt.id} of {match.uid} is not signed by a key of its log"


def running_matches_have_the_newest_keys(session: Session, scene: Scene) -> Iterator[str]:
    """Chains and open phases of running matches cannot be opened with the keys before the newest
    rotation.
    """
    newest = _newest(scene)
    if len(newest.sets) == 1:
        return
    former = replace(scene.fixture_db.keyring, file=None)
    for match in session.exec(
        select(Match).where(Match.status == "running", Match.sealing == 1).order_by(col(Match.id))
    ):
        if match.log_key != newest.public.signing.hex():
            yield f"the log of {match.uid} has not changed its key"
        if _opens(partial(MatchChains.recall, former, match)):
            yield f"the chains of {match.uid} open with former keys"
        phase = session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))
        ).first()
        if phase is None:
            continue
        if _opens(partial(recall_phase_key, former, match, phase)):
            yield f"the open phase of {match.uid} opens with former keys"
        if not signs_phase_key(
            newest.public.signing,
            match.uid,
            phase.number,
            phase.public_key or b"",
            phase.key_signature or b"",
        ):
            yield f"the key of the open phase of {match.uid} has not the newest signature"


def _opens(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except CannotOpen:
        return False
    return True


def letters_are_read_with_former_keys(_: Session, scene: Scene) -> Iterator[str]:
    """No letter is held for want of a key, going out or coming in."""
    for letter in scene.letters:
        if letter.trouble == "the letter was sealed to another key file":
            yield f"the {letter.kind} {letter.uid} was held for want of a key"


CHECKS: tuple[Check, ...] = (
    a_rotation_is_finished,
    an_entry_is_signed_by_the_key_in_force,
    running_matches_have_the_newest_keys,
    letters_are_read_with_former_keys,
)
