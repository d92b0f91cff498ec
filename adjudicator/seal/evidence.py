"""A transcript against what a player kept: signed receipts, the service's keys and the anchors of
chance (SEAL/1).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.core.chance import STREAMS, chain_anchor
from adjudicator.core.jcs import H, NotCanonical
from adjudicator.seal.crypto import is_signed_by

ORDERS_COUNT = ("accepted", "late")
# what `sealed replay` tells of each phase
PHASE_CLAIMS = ("name", "due", "orders", "refused", "events", "scores", "draws")
# of a keys' document, which its fingerprint covers
KEY_FIELDS = ("version", "signing", "wrapping", "inbox")


@dataclass
class Compared:
    """Sentences about what differs, and about what could not be compared."""

    differences: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def compare_evidence(
    transcript: Mapping[str, Any],
    *,
    receipts: Sequence[Mapping[str, Any]],
    keys: Mapping[str, Any] | None,
    anchors: Mapping[str, Any] | None,
) -> Compared:
    """Compare a readable transcript with receipts (as `receipt.json` has them), the keys' document
    and a match's anchors.

    A receipt counts only if the keys signed it; without the keys nothing is said about receipts.
    Malformed evidence is a difference.
    """
    found = Compared()
    if anchors is not None:
        found.differences += _compare_anchors(transcript, anchors)
    if receipts and keys is None:
        found.unchecked.append(
            "The receipts were not compared: their signatures need the keys (--keys FILE)."
        )
    elif keys is not None:
        signed = [
            each
            for number, each in enumerate(receipts, 1)
            if _is_signed(each, keys, number, transcript, found)
        ]
        found.differences += _compare_orders(transcript, signed)
    return found


def check_keys(document: Mapping[str, Any], fingerprint: str | None) -> str:
    """Return what is wrong with a keys' document and its `former_keys`, "" for nothing.

    `fingerprint` is the one that somebody knows from a letter: that of the keys, or of former ones.
    """
    documents = _all_keys(document)
    try:
        bound = [
            H("keys", {name: each[name] for name in KEY_FIELDS if name in each}).hex()
            for each in documents
        ]
    except NotCanonical as error:
        return f"The keys cannot be read: {error}."
    if any(each.get("fingerprint", own) != own for each, own in zip(documents, bound, strict=True)):
        return "The keys: their fingerprint is that of other keys."
    if fingerprint is not None and fingerprint.lower() not in bound:
        return f"The keys: their fingerprint is {bound[0]}, not the one that you gave."
    return ""


def _all_keys(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [document, *document.get("former_keys", [])]


def receipts_in(bundle: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the receipts of a match's bundle, each with the parts that its log opens."""
    openings = [each for entry in bundle["entries"] for each in entry["body"].get("openings", [])]
    return [
        {
            **each,
            "parts": [
                opening
                for opening in openings
                if all(opening[name] == each["body"][name] for name in ("seat", "phase", "seq"))
            ],
        }
        for each in bundle["receipts"]
    ]


def missing_claims(transcript: Mapping[str, Any]) -> list[str]:
    """Return sentences that name what a transcript does not claim, so that it was compared with
    nothing.
    """
    claims = transcript.get("claims") or {}
    names = {"start": "its beginning", "phases": "its phases", "result": "its result"}
    missing = [words for name, words in names.items() if name not in claims]
    partly = [
        name
        for name in PHASE_CLAIMS
        if any(name not in claim for claim in claims.get("phases", []))
    ]
    return [
        sentence.format(names=", ".join(found))
        for sentence, found in (
            ("Not compared, because the file claims nothing about them: {names}.", missing),
            ("Not compared in every phase, because claims leave them out: {names}.", partly),
        )
        if found
    ]


def _compare_anchors(transcript: Mapping[str, Any], anchors: Mapping[str, Any]) -> Iterator[str]:
    chains = transcript["chance"].get("chains")
    if chains is None:
        yield (
            "Start: this file has no chains of chance, so its draws cannot come from those that"
            " were fixed."
        )
        return
    # a first letter is from before a restore, or that of a new player after it
    for stream in STREAMS:
        fixed = [
            chain_anchor(bytes.fromhex(each[stream])).hex()
            for each in (*transcript["chance"].get("former", []), chains)
        ]
        if anchors.get(stream) not in fixed:
            yield (
                f"Start: the {stream} chance of this file does not lead to the anchor that you"
                " gave."
            )


def _is_signed(
    receipt: Mapping[str, Any],
    keys: Mapping[str, Any],
    number: int,
    transcript: Mapping[str, Any],
    found: Compared,
) -> bool:
    body = receipt.get("receipt", receipt.get("body"))
    try:
        digest, signature = H("receipt", body), bytes.fromhex(receipt["signature"])
        signed = any(
            is_signed_by(bytes.fromhex(each["signing"]), digest, signature)
            for each in _all_keys(keys)
        )
    except (KeyError, TypeError, ValueError):
        signed = False
    if not signed:
        found.differences.append(f"Receipt {number}: it is not signed by these keys.")
        return False
    if not isinstance(body, dict) or body.get("match") != transcript.get("match"):
        found.differences.append(f"Receipt {number}: it is a receipt of another match.")
        return False
    return True


def _compare_orders(
    transcript: Mapping[str, Any], receipts: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield a sentence for each phase in which other orders were played than those of a seat's last
    accepted receipt.
    """
    newest: dict[tuple[int, str], tuple[int, str]] = {}  # phase and seat: seq and orders
    for receipt in receipts:
        body = receipt.get("receipt", receipt.get("body"))
        text = _own_text(receipt)
        if body["disposition"] in ORDERS_COUNT and text is not None:
            place = body["phase"], body["seat"]
            newest[place] = max(newest.get(place, (0, "")), (body["seq"], text))
        elif body["disposition"] in ORDERS_COUNT and any(
            part.get("part") == 0 for part in receipt.get("parts", [])
        ):
            yield (
                f"Phase {body['phase']}: the orders beside the receipt of seat {body['seat']} are"
                " not those that it commits to."
            )
    played = {entry.get("number"): entry["orders"] for entry in transcript["phases"]}
    for (phase, seat), (_, text) in sorted(newest.items()):
        orders = played.get(phase, {}).get(seat)
        if text.strip() and (orders is None or not _lines(orders) <= _lines(text)):
            yield f"Phase {phase}: seat {seat} played other orders than those of its receipt."


def _own_text(receipt: Mapping[str, Any]) -> str | None:
    """Return the orders for the receipt's own phase, None where the file does not have what the
    receipt commits to.
    """
    body = receipt.get("receipt", receipt.get("body"))
    committed = {part["part"]: part["commitment"] for part in body["parts"]}
    for part in receipt.get("parts", []):
        bound = {name: body[name] for name in ("match", "phase", "seat", "seq")}
        bound |= {name: part.get(name) for name in ("part", "orders", "ready", "nonce")}
        if part.get("part") == 0 and H("commit", bound).hex() == committed.get(0):
            return str(part["orders"])
    return None


def _lines(text: str) -> set[str]:
    return {each.strip() for line in text.splitlines() for each in line.split(" OR ")}
