"""Every phase has one result, was closed in time and can be reproduced; its seals verify."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlmodel import Session

import verify_match
from adjudicator.core.chance import Draw
from adjudicator.core.game import AnyGame
from adjudicator.core.jcs import H
from adjudicator.play import loop
from adjudicator.play.loop import Given
from adjudicator.seal import crypto
from adjudicator.seal.commitments import receipt_hash
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base import public_keys
from adjudicator.service.base.state import MatchChains, game_of, load_state
from adjudicator.service.base.tables import Match
from adjudicator.service.log.entries import hashes_of_salts
from adjudicator.service.log.receipt_chains import signed_body
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.simulation.scene import Check, Scene, ends


def every_phase_has_one_result(_: Session, scene: Scene) -> Iterator[str]:
    for uid, phases in scene.of_match.items():
        numbers = [phase.number for phase in phases]
        if numbers != list(range(len(numbers))):
            yield f"{uid} has the phases {numbers}"
        for phase, following in zip(phases, [*phases[1:], None], strict=True):
            if following is not None and (
                phase.closed_at is None or phase.after != following.before
            ):
                yield f"phase {phase.number} of {uid} does not lead to the next"
            played = {
                seat for seat, each in (phase.taken or {}).items() if each["how"] != "conceded"
            }
            if phase.closed_at is not None and phase.number and played != set(phase.due):
                yield (
                    f"phase {phase.number} of {uid} was closed with the orders of"
                    f" {sorted(phase.taken or {})} where {phase.due} were due"
                )


def nothing_was_closed_early(_: Session, scene: Scene) -> Iterator[str]:
    for uid, phases in scene.of_match.items():
        for phase in phases:
            if phase.closed_at is None or phase.why != "deadline" or phase.deadline is None:
                continue
            if phase.closed_at < ends(phase):
                yield (
                    f"phase {phase.number} of {uid} was closed for its deadline at"
                    f" {phase.closed_at}"
                )


def playing_again_gives_the_same(session: Session, scene: Scene) -> Iterator[str]:
    """From the chains that were fixed, and the salts that the log tells."""
    for match in scene.matches.values():
        if match.wrapped_chains is None or not scene.of_match[match.uid]:
            continue
        chains, game = MatchChains.recall(scene.fixture_db.keyring, match), game_of(match)
        if chains.anchors != match.anchors:
            yield f"the chance of {match.uid} is not the one that was fixed"
        yield from (
            f"phase {number} of {match.uid} comes out differently"
            for number in _different(game, chains, hashes_of_salts(session, match), match, scene)
        )


def _different(
    game: AnyGame, chains: MatchChains, clients: Mapping[int, str], match: Match, scene: Scene
) -> Iterator[int]:
    start, *phases = scene.of_match[match.uid]
    sitting = {seat.name for seat in scene.seats if seat.match_id == match.id}
    seats = next(names for names in game.about.seats.values() if set(names) == sitting)
    chance = chains.of_phase(match.uid, 0, clients.get(0))
    state = game.start(seats, match.options, chance)
    if load_state(game, start.after) != state:
        yield 0
    for phase in phases:
        if phase.closed_at is None:
            return
        if load_state(game, phase.before) != state:
            yield phase.number
        chance = chains.of_phase(match.uid, phase.number, clients.get(phase.number))
        given = {
            seat: Given[Any](game.parse(state, seat, each["orders"]).orders, each["how"])
            for seat, each in (phase.taken or {}).items()
            if each["how"] not in ("default", "conceded")
        }
        done = loop.close_phase(game, state, number=phase.number, given=given, chance=chance)
        state = done.after
        if load_state(game, phase.after) != state or _plain(done.draws) != [
            tuple(each) for each in phase.draws or []
        ]:
            yield phase.number


def ended_matches_say_why(_: Session, scene: Scene) -> Iterator[str]:
    """A match ends by its rules, or is stopped after its last phase with its standing (ruling
    G9).
    """
    for match in scene.matches.values():
        if match.status != "ended":
            continue
        game, last = (
            game_of(match),
            next(
                phase
                for phase in reversed(scene.of_match[match.uid])
                if phase.closed_at is not None
            ),
        )
        state = load_state(game, last.after)
        judged = game.standing(state) if match.stopped_why else game.result(state)
        # else the service decides: checks_votes
        by_rules = not match.conceded and match.stopped_why != "draw"
        if judged is None or (
            by_rules and match.result != {seat: vars(each) for seat, each in judged.items()}
        ):
            yield f"{match.uid} ended with another result than phase {last.number} leads to"
        if match.stopped_why and (
            match.stopped_after != last.number or game.result(state) is not None
        ):
            yield (
                f"{match.uid} was stopped after phase {match.stopped_after}, which is not where it"
                " ended"
            )


def _plain(draws: tuple[Draw, ...]) -> list[tuple[Any, ...]]:
    return [
        (draw.stream, draw.label, list(draw.value) if isinstance(draw.value, tuple) else draw.value)
        for draw in draws
    ]


def commitments_and_signatures_verify(session: Session, scene: Scene) -> Iterator[str]:
    for phase in scene.phases:
        for seat, taken in (phase.taken or {}).items():
            if (
                "opening" in taken
                and H("commit", taken["opening"].encode()).hex() != taken["commitment"]
            ):
                yield f"the commitment of seat {seat} in phase {phase.number} does not verify"
    signers = [PublicKeys.of(row.document).signing for row in public_keys.list_keys(session)]
    for receipt in scene.receipts:
        if receipt.signature is None:  # another check covers missing signatures
            continue
        digest = receipt_hash(signed_body(receipt, scene.matches[receipt.match_id].uid))
        if not any(crypto.is_signed_by(signer, digest, receipt.signature) for signer in signers):
            yield f"the signature of receipt {receipt.id} does not verify"


def logs_verify(session: Session, scene: Scene) -> Iterator[str]:
    """The log of every match passes the stand-alone verifier, and tells each closed phase."""
    nothing = {
        "receipt": [],
        "letter": [],
        "checkpoint": [],
        "cosigned_by": [],
        "keys": None,
        "replay": False,
    }
    for match in scene.matches.values():
        if match.log_hash is None:
            continue
        bundle = export_bundle(session, match.uid)
        check = verify_match.Check(argparse.Namespace(**nothing))
        check.attempt("R01", "bundle", check.all, json.dumps(bundle).encode())
        yield from (f"the log of {match.uid}: {rule}: {trouble}" for rule, trouble in check.broken)
        closed = {
            phase.number
            for phase in scene.phases
            if phase.match_id == match.id and phase.closed_at is not None
        }
        if {
            each["body"]["phase"] for each in bundle["entries"] if each["type"] == "result"
        } != closed:
            yield f"the log of {match.uid} tells other phases than were closed"


CHECKS: tuple[Check, ...] = (
    every_phase_has_one_result,
    nothing_was_closed_early,
    playing_again_gives_the_same,
    ended_matches_say_why,
    commitments_and_signatures_verify,
    logs_verify,
)
