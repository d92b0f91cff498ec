"""Checks a match of Sealed Orders against its log, your receipts, your letters and saved
checkpoints (SEAL/1).

    python verify_match.py log.json --receipt receipt.json --letter report.eml --checkpoint
    saved.txt --keys FINGERPRINT --replay

This file needs Python 3.9 and the package `cryptography`, and nothing of the service that it
checks. docs/sealing.md, "Checking a match", explains the rules. Exit 0: what could be checked
holds; 1: a rule is broken; 2: a file cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import email
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# fmt: off
RULES = {
    "R01": "form: every value has its type and fields",                "R14": "salts: chance is bound to the salts that players gave",
    "R02": "keys: each set has its fingerprint and follows another",   "R15": "receipt: it is signed; what counted has one, nothing else",
    "R03": "hash: each entry has the hash of its content",             "R16": "receipt chain: each receipt names the one before",
    "R04": "chain: each entry names its place and the hash before it", "R17": "counted: your last accepted orders are what counted",
    "R05": "signature: the key in force signed, and each new key",     "R18": "receipt count: your receipts are those that were counted",
    "R06": "order: entries follow each other without gaps",            "R19": "receipt head: the entry is in the log, from an open phase",
    "R07": "root: each seat has its leaf, and all lead to the root",   "R20": "letter head: the entry that a letter names is in the log",
    "R08": "time: no phase closed early, no time goes back",           "R21": "first letter: the log begins with what it says",
    "R09": "leaf: each is allowed, no submission counts twice",        "R22": "checkpoint: it is signed, and the log is in its only tree",
    "R10": "opening: what is opened, and what counted, was sealed so", "R23": "witness: each that you named has cosigned",
    "R11": "audit: the end opens every leaf, silent ones too",         "R24": "transcript: it tells what the log tells",
    "R12": "state: each position was fixed before the orders",         "R25": "replay: the rules of the game lead to the result",
    "R13": "chance: it comes from the chains that were fixed first",
}
# fmt: on
MOST_SHOWN = 10  # places where one rule is broken
LARGEST_FILE = 32_000_000  # bytes; the longest match, of 2,000 phases, has 23 million
CHAIN_LENGTH = 4096
# The steps of a match, and after which of them an entry may stand; other entries stand after those
# of BETWEEN.
STEPS = {
    "genesis": "",
    "open": "genesis result",
    "close": "open",
    "result": "close",
    "audit": "open result",
    "end": "audit",
}
FOLLOWS = {**STEPS, "deadline": "open", "key": "genesis open close result audit"}
BETWEEN = "genesis open result"
ZEROS, FOREVER = "0" * 64, "9999-12-31T23:59:59.000Z"
Json = Any

# --- bytes: canonical JSON, hashes, signatures, trees


def read_json(data: bytes) -> Json:
    """Parse JSON. Raises ValueError where it is none, or has no canonical form: other numbers, a
    name twice, text that is not in NFC.
    """

    def whole(digits: str) -> int:
        if abs(int(digits[:20])) >= 2**53:
            raise ValueError("a number is beyond 2^53")
        return int(digits)

    def once_each(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        if len(dict(pairs)) < len(pairs) or any(
            max(name, default="") > "\uffff" for name, _ in pairs
        ):
            raise ValueError(
                "an object has a name twice, or a name beyond U+FFFF, which RFC 8785 would sort"
                " otherwise than `jcs`"
            )
        return dict(pairs)

    value = json.loads(
        data.decode("utf-8"),
        object_pairs_hook=once_each,
        parse_int=whole,
        parse_float=whole,
        parse_constant=whole,
    )
    # without escapes, which are ASCII
    text = re.sub(r"\\(u....|.)", " ", json.dumps(value, ensure_ascii=False))
    if re.search("[\ud800-\udfff]", text) or not unicodedata.is_normalized("NFC", text):
        raise ValueError("a text is not in NFC, or holds half a surrogate pair")
    return value


def jcs(value: Json) -> bytes:
    """Return the canonical JSON of a value that `read_json` returned."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def sha256(*parts: bytes) -> bytes:
    """Return the hash of bytes that follow each other."""
    return hashlib.sha256(b"".join(parts)).digest()


def H(tag: str, value: Json) -> str:  # noqa: N802 as in the specification
    """Return SHA-256("sealed/1/" + tag + newline + bytes) in hex; a value that is not bytes is
    hashed as its canonical JSON.
    """
    return sha256(
        f"sealed/1/{tag}\n".encode(), value if isinstance(value, bytes) else jcs(value)
    ).hex()


def walk_chain(element: str, times: int) -> str:
    """Return the element of a chain of chance that is so many hashes later."""
    for _ in range(times):
        element = H("seed", bytes.fromhex(element))
    return element


def is_signed(public: bytes, text: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature over `text` is that of this public key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):  # ValueError: bytes that are no key
        return False
    return True


def is_signed_hash(digest: str, signature: str, *signers: str) -> bool:
    """Whether a signature of SEAL/1 over a hash is that of one of these public keys; all in hex."""
    text, given = b"sealed/1/sig\n" + digest.encode(), bytes.fromhex(signature)
    return any(is_signed(bytes.fromhex(signer), text, given) for signer in signers)


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Return the root of a tree over these leaves (RFC 6962, 2.1)."""
    if len(leaves) < 2:
        return sha256(b"\0", leaves[0]) if leaves else sha256()
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\1", tree_root(leaves[:split]), tree_root(leaves[split:]))


def proven_root(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root to which an inclusion proof leads (RFC 6962, 2.1.1), b"" for a proof that
    does not fit the tree's size.
    """
    if size < 2 or not proof:
        return sha256(b"\0", leaf) if (index, size, len(proof)) == (0, 1, 0) else b""
    split = 1 << ((size - 1).bit_length() - 1)
    if index < split:
        inner = proven_root(leaf, index, split, proof[:-1])
        return inner and sha256(b"\1", inner, proof[-1])
    inner = proven_root(leaf, index - split, size - split, proof[:-1])
    return inner and sha256(b"\1", proof[-1], inner)


def is_noted(note: str, verifier_key: str) -> bool:
    """Whether a C2SP note is signed (key type 1) or cosigned (type 4) by a verifier key,
    `name+hash+base64`. Raises ValueError.
    """
    name, digest, encoded = verifier_key.split("+", 2)
    key, (text, _, lines) = base64.b64decode(encoded, validate=True), note.partition("\n\n")
    known, cosigns = sha256(f"{name}\n".encode(), key)[:4], key[:1] == b"\4"
    if len(key) != 33 or known.hex() != digest or key[:1] not in (b"\1", b"\4"):
        raise ValueError("it is no verifier key")
    for line in re.findall(rf"^— {re.escape(name)} (\S+)$", lines, re.MULTILINE):
        given = base64.b64decode(line, validate=True)
        begin = f"cosignature/v1\ntime {int.from_bytes(given[4:12], 'big')}\n" if cosigns else ""
        if given[:4] == known and is_signed(
            key[1:], f"{begin}{text}\n".encode(), given[12 if cosigns else 4 :]
        ):
            return True
    return False


# --- forms: a text is a pattern of a value's JSON, [x] a list of x, {...} an object with these
# fields, (x, y) either. What may be None may be null; what is OPTIONAL may be missing.

# fmt: off
OPTIONAL = {"former_keys", "later_keys", "public_logs", "former_chains"}
ANY, OBJECT, TEXT, FLAG, COUNT, PHASE = ".*", "{.*}", '".*"', "true|false", "[0-9]+", "[0-9]{1,4}"
HEX, SIGNATURE, TIME = '"[0-9a-f]{64}"', '"[0-9a-f]{128}"', '"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z"'
CHAINS, TENURE, ORDERS = {"public": HEX, "hidden": HEX}, {"seat": TEXT, "n": COUNT, "tenure": HEX}, {"seat": TEXT, "orders": TEXT}
KEYS = {"version": COUNT, "signing": HEX, "wrapping": HEX, "inbox": HEX}
KNOWN_KEYS = {**KEYS, "fingerprint": HEX}
PART = {"seat": TEXT, "phase": PHASE, "seq": COUNT, "part": COUNT}
OPENING, STATE = {**PART, "orders": TEXT, "ready": FLAG, "nonce": HEX}, {"state": ANY, "nonce": HEX}
OPEN = {"phase": "[1-9][0-9]{0,3}", "time": TIME, "deadline": (TIME, None), "grace": COUNT, "due": [TEXT], "salts": [TEXT],
        "state": (HEX, None), "key": (HEX, None), "clients": (HEX, None)}
LEAF = ({"kind": '"sealed"', **PART, "commitment": HEX}, {"kind": '"silent"', "seat": TEXT, "blinded": HEX},
        {"kind": '"forced"', "seat": TEXT, "orders": (TEXT, None)}, {"kind": '"idle"', "seat": TEXT})
BODIES = {
    "genesis": {"match": TEXT, "game": TEXT, "rules_version": COUNT, "options": OBJECT, "anchors": CHAINS, "time": TIME},
    "open": (OPEN, {**OPEN, "phase": "0", "seats": [TEXT], "options": OBJECT, "rules_version": COUNT, "tenures": [TENURE]}),
    "close": {"phase": PHASE, "time": TIME, "why": '"(ready|deadline|forced|master)"', "leaves": [LEAF], "root": HEX,
              "receipts": [{"seat": TEXT, "receipts": HEX}]},
    "result": {"phase": PHASE, "public": HEX, "draws": ANY, "openings": [OPENING], "orders": [ORDERS], "state": (STATE, None)},
    "tenure": {**TENURE, "time": TIME},
    "deadline": {"phase": PHASE, "time": TIME, "deadline": (TIME, None), "grace": COUNT},
    "master": {"time": TIME, "by": '"(master|host|players)"', "what": TEXT},
    "audit": {"openings": [OPENING], "orders": [{"phase": PHASE, **ORDERS}], "states": [{"phase": PHASE, **STATE}],
              "silent": [{"phase": PHASE, "seat": TEXT, "nonce": HEX}], "chains": CHAINS, "former_chains": ([CHAINS], None)},
    "end": {"time": TIME, "result": OBJECT, "stopped": ({"after": COUNT, "why": TEXT}, None)},
    "key": {"keys": KEYS, "signed": SIGNATURE},
    "anchor": {"phase": PHASE, "anchors": CHAINS},
    "restored": {"time": TIME, "phase": (PHASE, None), "checkpoint": TEXT},
    "tampering": {"phase": PHASE, "kind": TEXT, "count": COUNT, "time": TIME},
}
ENTRY = {"index": COUNT, "prev": HEX, "type": f'"({"|".join(BODIES)})"', "body": OBJECT, "hash": HEX, "sig": SIGNATURE}
RECEIPT = {"match": TEXT, "phase": PHASE, "seat": TEXT, "tenure": COUNT, "seq": COUNT, "channel": TEXT, "time": TIME, "prev": HEX,
           "head": HEX, "disposition": '"(accepted|late|refused)"', "parts": [{"part": COUNT, "commitment": HEX}]}
SIGNED = {"body": RECEIPT, "signature": SIGNATURE}
BUNDLE = {"version": "1", "match": TEXT, "entries": [ENTRY], "keys": KNOWN_KEYS, "former_keys": ([KNOWN_KEYS], None),
          "later_keys": ([{**KNOWN_KEYS, "signed_by_former": SIGNATURE}], None),
          "public_logs": ([{"origin": TEXT, "log": TEXT, "witness": TEXT, "signed": SIGNATURE}], None), "transcript": (OBJECT, None),
          "receipts": [SIGNED], "checkpoint": ({"note": TEXT, "index": COUNT, "proof": [HEX]}, None)}
# fmt: on


def fits(value: Json, form: Json) -> bool:
    """Whether a value has this form."""
    if isinstance(form, tuple):
        return any(fits(value, each) for each in form)
    if isinstance(form, list):
        return type(value) is list and all(fits(each, form[0]) for each in value)
    if isinstance(form, dict):
        known = type(value) is dict and form.keys() - OPTIONAL <= value.keys() <= form.keys()
        return known and all(fits(value.get(name), each) for name, each in form.items())
    return (
        value is None
        if form is None
        else re.fullmatch(form, jcs(value).decode(), re.DOTALL) is not None
    )


# what names a part of a submission, in its leaf and its opening
submission = itemgetter("seat", "phase", "seq", "part")


def lines_of(text: str) -> set[str]:
    """Return the orders of a text, each alternative on its own."""
    return {each.strip() for line in text.splitlines() for each in line.split(" OR ")}


class Check:
    """A walk through one log, entry by entry, and then a look at the evidence that was given with
    it.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        """Begin with nothing found. `options.receipt`, `letter` and `checkpoint` are names and
        bytes of files.
        """
        self.options = options
        self.checked: Counter[str] = Counter()
        self.broken: list[tuple[str, str]] = []  # rules, and where they are broken
        self.skipped: list[str] = []  # what is not checked
        # those in hand by hash, with what `receipt` says of them
        self.receipts: dict[str, Json] = {}
        # counts of receipts that letters open; the letter and its date
        self.reports: list[tuple[Json, str, str]] = []
        # What the log has told so far:
        # of the newest entry, and whether all are in order
        self.head, self.time, self.ordered = ZEROS, "", True
        self.phase, self.step = -1, ""  # the newest phase, and how far it is
        self.bodies: dict[str, dict[int, Json]] = defaultdict(dict)  # by type and phase
        # by hash of an entry: its index, and the phase and step from which it is
        self.heads: dict[str, tuple[int, int, str]] = {}
        # of both chains, with the phase that drew from them first
        self.anchors: list[tuple[int, Json]] = []
        self.tenures: dict[str, list[Json]] = {}  # those of each seat in order
        # by phase and seat, with the orders that were `opened` and that `counted`
        self.leaves: dict[tuple[int, str], Json] = {}
        # by submission: for which phase and seat it counted
        self.places: dict[Json, tuple[int, str]] = {}
        # the hashes of what is still to be opened, by kind, phase and seat
        self.fixed: dict[Json, str] = {}
        # from which entry, from when until when; the checkpoint before
        self.restores: list[tuple[int, str, str, str]] = []

    def rule(self, rule: str, holds: object, where: str, lost: str = "") -> bool:
        """Count one check of a rule; note where it fails, unless a restore explains it."""
        if lost and not holds:
            self.skipped.append(f"{where}: lost by the restore of {lost}")
        else:
            self.checked[rule] += 1
            self.broken += [] if holds else [(rule, where)]
        return bool(holds)

    def attempt(self, rule: str, where: str, check: Callable[..., None], *given: Json) -> None:
        """Run a check. Whatever it raises breaks a rule: hostile files end in a line, never in a
        traceback.
        """
        try:
            check(*given)
        except Exception as error:  # noqa: BLE001
            self.rule(
                rule,
                False,
                f"{where}:"
                f" {error if isinstance(error, ValueError) else 'no check (' + type(error).__name__ + ')'}",
            )

    def lost(self, *times: str) -> str:
        """Return when the restore was that lost what happened at one of these times, "" for
        none.
        """
        return next(
            (
                until
                for _, since, until, _ in self.restores
                if any(since <= time <= until for time in times)
            ),
            "",
        )

    def report(self) -> Iterator[str]:
        """Yield a line for each rule that holds, for each place where one is broken, and for what
        was not checked.
        """
        for rule in sorted(self.checked):
            places = [where for broken, where in self.broken if broken == rule]
            shown = places[:MOST_SHOWN] + (
                [f"{len(places) - MOST_SHOWN} more"] if len(places) > MOST_SHOWN else []
            )
            yield (
                f"BROKEN       {rule} {RULES[rule]}"
                if places
                else f"ok           {rule} {RULES[rule]} ({self.checked[rule]} checked)"
            )
            yield from (f"BROKEN       {rule} at {where}" for where in shown)
        yield from (
            f"not checked  {what}" for what in list(dict.fromkeys(self.skipped))[: 5 * MOST_SHOWN]
        )
        wrong = len({rule for rule, _ in self.broken})
        yield (
            f"BROKEN: {wrong} of {len(self.checked)} rules"
            if wrong
            else f"All {len(self.checked)} rules that could be checked hold."
        )

    def all(self, data: bytes) -> None:
        """R01, and then all that a bundle and what was given with it allow. Raises ValueError for
        what is no JSON.
        """
        self.bundle = read_json(data)
        for name, form in BUNDLE.items():
            known = type(self.bundle) is dict and self.bundle.keys() <= BUNDLE.keys()
            self.rule("R01", known and fits(self.bundle.get(name), form), name)
        for at, entry in enumerate([] if self.broken else self.bundle["entries"]):
            self.rule(
                "R01", fits(entry["body"], BODIES[entry["type"]]), f"entry {at} ({entry['type']})"
            )
        if self.broken:
            return
        self.keys()
        for at, entry in enumerate(self.bundle["entries"]):
            self.entry(at, entry)
        if self.ordered:
            self.ending()
        self.evidence()

    def keys(self) -> None:
        """R02. The bundle has the keys that signed the log, those before, and those since the match
        ended.
        """
        documents = [*(self.bundle.get("former_keys") or []), self.bundle["keys"]]
        bare = [{name: each[name] for name in KEYS} for each in documents]
        prints, changes = (
            [H("keys", each) for each in bare],
            [each for each in self.bundle["entries"] if each["type"] == "key"],
        )
        self.rule(
            "R02",
            prints == [each["fingerprint"] for each in documents],
            "fingerprints in the bundle",
        )
        self.rule(
            "R02", bare[1:] == [each["body"]["keys"] for each in changes], "changes of the keys"
        )
        self.match, self.signers = self.bundle["match"], [each["signing"] for each in documents]
        self.signer = self.signers[0]
        for each in self.bundle.get("later_keys") or []:
            keys = {name: each[name] for name in KEYS}
            agreed, former = (
                H("keys-change", {"former": prints[-1], "keys": keys}),
                self.signers[-1],
            )
            if self.rule(
                "R02",
                is_signed_hash(agreed, each["signed_by_former"], former),
                "keys since the end",
            ):
                self.signers.append(each["signing"])
                prints.append(H("keys", keys))
        if self.options.keys:
            self.rule(
                "R02",
                self.options.keys.lower() in prints,
                f"the fingerprint that you gave, instead of {prints[-1]}",
            )
        else:
            self.skipped.append(
                f"the key: compare its fingerprint {prints[-1]} with the footer of a letter"
                " (--keys)"
            )

    # --- the log

    def entry(self, at: int, entry: Json) -> None:
        """R03 to R06, R08: hold an entry against those before it, and take what it tells."""
        kind, body, bound = (
            entry["type"],
            entry["body"],
            {name: entry[name] for name in ("index", "prev", "type", "body")},
        )
        where = f"entry {at} ({kind}" + (f", phase {body['phase']})" if "phase" in body else ")")
        self.rule("R03", H("entry", bound) == entry["hash"], where)
        self.rule("R04", (entry["index"], entry["prev"]) == (at, self.head), where)
        self.rule("R05", is_signed_hash(entry["hash"], entry["sig"], self.signer), where)
        self.ordered = self.ordered and self.rule(
            "R06", self.follows(kind, body), f"{where}, after {self.step} of phase {self.phase}"
        )
        if self.ordered:
            if kind in STEPS:
                self.phase, self.step = body.get("phase", self.phase), kind
            self.bodies[kind][self.phase] = body
            self.rule(
                "R08",
                self.time <= body.get("time", self.time),
                f"{where}, after an entry of {self.time}",
            )
            self.take(kind, body, where)
            self.time = max(self.time, body.get("time", ""))
        self.head = entry["hash"]
        self.heads[self.head] = at, self.phase, self.step

    def follows(self, kind: str, body: Json) -> bool:
        """Whether an entry may stand after the newest one."""
        awaited = self.phase + (kind == "open" or (kind == "anchor" and self.step != "open"))
        holds = body.get("phase", awaited) == awaited or kind in ("restored", "tampering")
        if kind == "genesis":
            holds = body["match"] == self.match
        elif kind == "tenure":
            holds = body["n"] > self.tenures.get(body["seat"], [{"n": 2**53}])[-1]["n"]
        elif kind == "anchor":
            holds = holds and len(self.heads) - 1 in [at for at, *_ in self.restores]
        return holds and self.step in FOLLOWS.get(kind, BETWEEN).split(" ")

    def take(self, kind: str, body: Json, where: str) -> None:
        """Take what an entry tells."""
        if kind in ("genesis", "anchor"):  # after a restore chance begins anew
            self.anchors.append((body.get("phase", 0), body["anchors"]))
            # what leads to the anchor, and for how many phases it has drawn
            self.element = body["anchors"]["public"], 0
        elif kind in ("open", "close", "result", "audit"):
            getattr(self, kind)(body, where)
        elif kind == "restored":
            self.restores.append((len(self.heads), self.time, body["time"], body["checkpoint"]))
        elif kind == "tenure":
            self.tenures[body["seat"]].append(body)
        elif kind == "key":
            agreed = H("key", {"match": self.match, "index": len(self.heads), "keys": body["keys"]})
            self.signer = body["keys"]["signing"]
            self.rule(
                "R05",
                is_signed_hash(agreed, body["signed"], self.signer),
                f"{where}: by the new key",
            )
        if kind in ("open", "deadline"):
            self.due_at, self.grace = (
                body["deadline"] or FOREVER,
                timedelta(seconds=min(body["grace"], 10**9)),
            )

    def open(self, body: Json, where: str) -> None:
        """R14. Phase 0 also tells who has which seat."""
        self.rule(
            "R14",
            body["clients"] == (H("salts", sorted(body["salts"])) if body["salts"] else None),
            where,
        )
        if self.phase:
            self.fixed["state", self.phase, ""] = body["state"]
        else:
            self.tenures = {each["seat"]: [each] for each in body["tenures"]}
            self.rule(
                "R06",
                body["seats"] == [each["seat"] for each in body["tenures"]] == list(self.tenures),
                f"{where}: its tenures",
            )

    def close(self, body: Json, where: str) -> None:
        """R07 to R09: take what is fixed before anything of the phase is opened."""
        if body["why"] == "deadline":
            closed, due_at = (
                datetime.fromisoformat(each[:-1]) for each in (body["time"], self.due_at)
            )
            self.rule(
                "R08",
                closed - due_at >= self.grace,
                f"{where}: its deadline is {due_at}, with a grace of {self.grace}",
            )
        for name in ("leaves", "receipts"):
            seats = list(self.tenures) if self.phase else []
            self.rule(
                "R07",
                [each["seat"] for each in body[name]] == seats,
                f"{where}: seats of its {name}",
            )
        self.rule(
            "R07", tree_root([jcs(leaf) for leaf in body["leaves"]]).hex() == body["root"], where
        )
        for leaf in body["leaves"]:
            kind, place, due = (
                leaf["kind"],
                (self.phase, leaf["seat"]),
                self.bodies["open"][self.phase]["due"],
            )
            allowed = (
                ("idle",)
                if leaf["seat"] not in due
                else ("forced",)
                if body["why"] == "forced"
                else ("sealed", "silent")
            )
            self.rule(
                "R09",
                kind in allowed,
                f"{where}: seat {leaf['seat']} is {kind}, not {' or '.join(allowed)}",
            )
            if kind == "sealed":
                own = leaf["phase"] < self.phase or (
                    leaf["phase"] == self.phase and leaf["part"] == 0
                )
                once = self.places.setdefault(submission(leaf), place) == place
                self.rule("R09", own and once, f"{where}: the submission of seat {leaf['seat']}")
            if kind in ("sealed", "silent"):
                self.fixed[kind, *place] = leaf["commitment" if kind == "sealed" else "blinded"]
            self.leaves[place] = {
                **leaf,
                "tenure": self.tenures.get(leaf["seat"], [{"n": 0}])[-1]["n"],
            }

    def result(self, body: Json, where: str) -> None:
        """R13: the public element leads to its anchor."""
        known, phases = self.element
        if self.rule("R13", walk_chain(body["public"], self.phase + 1 - phases) == known, where):
            self.element = body["public"], self.phase + 1
        self.opened(body, where)

    def opened(self, body: Json, where: str) -> None:
        """R10 to R12: hold what a result or the audit opens against what was fixed."""
        states = (
            [{"phase": self.phase, **body["state"]}]
            if body.get("state")
            else body.get("states", [])
        )
        opened = [
            ("R10", "sealed", "commit", *self.places.get(submission(each), (-1, "")), each)
            for each in body["openings"]
        ]
        opened += [
            ("R11", "silent", "silent", each["phase"], each["seat"], each)
            for each in body.get("silent", [])
        ]
        opened += [("R12", "state", "state", each["phase"], "", each) for each in states]
        for rule, kind, tag, phase, seat, each in opened:
            same = self.fixed.pop((kind, phase, seat), "") == H(tag, {"match": self.match, **each})
            if (
                self.rule(
                    rule,
                    same and body.get("phase", phase) == phase,
                    f"{where}: {kind} {phase} {seat}",
                )
                and kind == "sealed"
            ):
                self.leaves[phase, seat]["opened"] = each["orders"]
        for each in body["orders"]:
            place = each.get("phase", self.phase), each["seat"]
            leaf = self.leaves.get(place, {"counted": ""})
            same = "counted" not in leaf and leaf.get("orders") in (None, each["orders"])
            self.rule("R10", same, f"{where}: orders of {place}")
            leaf["counted"] = each["orders"]
        for each in body["openings"]:  # counted as it was opened, if nothing else was told
            leaf = self.leaves.get(self.places.get(submission(each), (-1, "")), {})
            if " OR " not in leaf.get("opened", " OR "):
                leaf.setdefault("counted", leaf["opened"])

    def audit(self, body: Json, where: str) -> None:
        """R10 to R13: nothing stays closed."""
        self.opened(body, where)
        for place, leaf in self.leaves.items():
            self.rule(
                "R11", leaf["kind"] == "idle" or "counted" in leaf, f"{where}: orders of {place}"
            )
            among = lines_of(leaf.get("counted", "")) <= lines_of(leaf.get("opened", ""))
            self.rule("R10", leaf["kind"] != "sealed" or among, f"{where}: orders of {place}")
        for kind, phase, seat in self.fixed:
            self.rule(
                "R12" if kind == "state" else "R11",
                False,
                f"{where}: {kind} {phase} {seat} is never opened",
            )
        chains = [*(body.get("former_chains") or []), body["chains"]]
        self.rule(
            "R13",
            len(chains) == len(self.anchors),
            f"{where}: the chains of before and after each restore",
        )
        for opened, (phase, anchors) in zip(chains, self.anchors):  # noqa: B905 older Pythons
            ends = {stream: walk_chain(first, CHAIN_LENGTH) for stream, first in opened.items()}
            self.rule("R13", ends == anchors, f"{where}: the chains from phase {phase} on")

    def ending(self) -> None:
        """R06, R24: whether the match has ended after its last phase, with a result for each seat,
        and if so its transcript.
        """
        script, end = self.bundle["transcript"], self.bodies["end"].get(self.phase)
        self.rule("R06", self.step not in ("", "audit"), "the log's end")
        self.rule("R24", (script is None) == (end is None), "whether there is a transcript")
        if end is None:
            self.skipped.append(
                "what the end opens (hidden orders and positions, silent seats, hidden chance): it"
                " has not ended"
            )
            return
        closed, stopped = self.phase in self.bodies["result"], end["stopped"]
        after = closed if stopped is None else stopped["after"] == self.phase - (not closed)
        self.rule(
            "R06",
            after and end["result"].keys() == self.tenures.keys(),
            "the log's end: its last phase and its seats",
        )
        if script is not None:
            self.attempt("R24", "transcript", self.transcript, script)

    def transcript(self, script: Json) -> None:
        """R24: hold what a transcript tells against the log. Raises anything for one that has not
        its form.
        """
        start, audit, end = (
            self.bodies["open"][0],
            self.bodies["audit"][self.phase],
            self.bodies["end"][self.phase],
        )
        claimed, closes = script["claims"], self.bodies["close"]
        claims = [{"due": [], "orders": {}, **claimed["start"]}, *claimed["phases"]]
        salts = {
            str(phase): body["clients"]
            for phase, body in self.bodies["open"].items()
            if body["clients"]
        }
        waited = [phase for phase, body in closes.items() if phase and body["why"] != "forced"]
        bound = {
            str(each["number"]): each["clients"] for each in script["phases"] if each.get("clients")
        }
        replaced = zip(audit.get("former_chains") or [], self.anchors, self.anchors[1:])  # noqa: B905 older Pythons
        pairs = {
            name: (script[name], start[name]) for name in ("rules_version", "options", "seats")
        }
        pairs["match and game"] = (
            [script["match"], script["game"]],
            [
                self.match,
                self.bodies["genesis"][-1]["game"],
            ],
        )
        pairs["chance"] = (
            script["chance"]["chains"],
            {
                **audit["chains"],
                "anchors": self.anchors[-1][1],
            },
        )
        pairs["chance before"] = (
            script["chance"].get("former", []),
            [{**c, "anchors": a, "until": u} for c, (_, a), (u, _) in replaced],
        )
        pairs["end"] = (
            [claimed["result"], script.get("stopped"), claimed.get("stopped")],
            [
                end["result"],
                end["stopped"],
                end["stopped"],
            ],
        )
        pairs["phases"] = (
            [len(claims), [each["number"] for each in script["phases"]]],
            [
                len(closes),
                waited,
            ],
        )
        pairs["salts"] = {**script.get("clients", {}), **bound}, salts
        for phase, claim in enumerate(claims[: len(closes)]):
            leaves = {seat: self.leaves.get((phase, seat), {}) for seat in self.tenures}
            logged = {seat: leaf["counted"] for seat, leaf in leaves.items() if "counted" in leaf}
            sealed = {
                seat: claim["orders"].get(seat)
                for seat, leaf in leaves.items()
                if leaf.get("kind") == "sealed"
            }
            orders, given = (
                dict(claim["orders"]),
                [each["orders"] for each in script["phases"] if each["number"] == phase],
            )
            # of a plan only what could be followed counts
            for seat in orders.keys() & logged.keys():
                if leaves[seat].get("phase", phase) < phase and lines_of(orders[seat]) <= lines_of(
                    logged[seat]
                ):
                    orders[seat] = logged[seat]
            # who conceded owed nothing more
            gone = [
                each["seat"] for each in script.get("conceded", []) if each["after"] == phase - 1
            ]
            due = [seat for seat in self.bodies["open"][phase]["due"] if seat not in gone]
            public, draws = (
                [draw[1:] for draw in claim["draws"] if draw[0] == "public"],
                self.bodies["result"][phase]["draws"],
            )
            pairs[f"draws of phase {phase}, and who owed orders"] = (
                [public, claim["due"]],
                [
                    draws,
                    due,
                ],
            )
            pairs[f"orders of phase {phase}"] = (
                [orders, given],
                [
                    logged,
                    [sealed] * (phase in waited),
                ],
            )
        for name, (told, known) in pairs.items():
            self.rule("R24", jcs(told) == jcs(known), f"the {name}")

    # --- evidence: receipts, letters, checkpoints

    def evidence(self) -> None:
        """Check what was given with the bundle."""
        for where, data in self.options.receipt:
            self.attempt("R15", where, self.receipt, data, where, self.receipts)
        for where, data in self.options.letter:
            self.attempt("R20", where, self.letter, data, where)
        tenures: dict[Json, list[Json]] = defaultdict(list)
        for each in sorted(self.receipts.values(), key=itemgetter("place")):
            tenures[each["seat"], each["tenure"]].append(each)
        for (seat, _), own in tenures.items():
            self.receipt_chain(own)
            for place in [each for each in self.leaves if each[1] == seat]:
                self.counted_orders(place, own)
        for told, where, date in self.reports:
            self.attempt("R18", where, self.receipt_count, told, where, date, tenures)
        self.shown_receipts()
        self.checkpoints()
        self.replay()
        self.skipped += [] if self.receipts else ["your orders: no receipt was given (--receipt)"]
        self.skipped += (
            []
            if self.options.letter
            else ["whether the log was replaced as a whole: no letter was given (--letter)"]
        )
        self.skipped += (
            []
            if self.reports
            else [
                "whether orders were entered for you that you never gave: no report was given"
                " (--letter)"
            ]
        )

    def receipt(self, data: bytes, where: str, found: dict[str, Json]) -> None:
        """R15: put the receipt of a file `receipt.json` among those found if it holds, with what
        follows from it.
        """
        plain = read_json(data)
        body, signature, parts, digest = (
            plain["receipt"],
            plain["signature"],
            plain.get("parts", []),
            H("receipt", plain["receipt"]),
        )
        if not self.rule(
            "R15",
            fits({"body": body, "signature": signature}, SIGNED),
            f"{where}: the form of a receipt",
        ):
            return
        where = f"{where}, phase {body['phase']}, seat {body['seat']}, submission {body['seq']}"
        for part in parts:
            bound = {
                name: {**body, **part}[name]
                for name in ("match", "phase", "seat", "seq", "part", "orders", "ready", "nonce")
            }
            self.rule(
                "R15",
                {"part": part["part"], "commitment": H("commit", bound)} in body["parts"],
                f"{where}: the orders beside it",
            )
        ours = body["match"] == self.match and is_signed_hash(digest, signature, *self.signers)
        if self.rule("R15", ours, f"{where}: signed by this service, for this match"):
            accepted = {
                each["part"]: each["commitment"]
                for each in body["parts"]
                if body["disposition"] != "refused"
            }
            texts = {each["part"]: each["orders"] for each in parts}
            # greater in each receipt of a tenure; `accepted` may count, by part
            place = body["phase"], body["seq"]
            found[digest] = {
                **body,
                "hash": digest,
                "where": where,
                "place": place,
                "accepted": accepted,
                "texts": texts,
            }

    def receipt_chain(self, own: list[Json]) -> None:
        """R16, R19: the receipts of one tenure, oldest first."""
        named, before = (
            {ZEROS, *(each["hash"] for each in own)},
            {
                **own[0],
                "hash": ZEROS,
                "place": None,
            },
        )
        for each in own:
            where, prev, lost = each["where"], each["prev"], self.lost(each["time"])
            if prev == before["hash"] or prev in named or each["place"] == before["place"]:
                self.rule(
                    "R16",
                    prev == before["hash"],
                    f"{before['where']}, then {where}",
                    lost or self.lost(before["time"]),
                )
            else:
                self.skipped.append(f"{where}: the receipt before it was not given")
            named.add(prev)
            before = each
            self.rule(
                "R16",
                1 <= each["tenure"] <= self.tenures.get(each["seat"], [{"n": 0}])[-1]["n"],
                f"{where}: its tenure",
                lost,
            )
            _, phase, step = self.heads.get(each["head"], (-1, -1, ""))
            self.rule(
                "R19",
                (phase, step) == (each["phase"], "open")
                or (step and each["disposition"] == "refused"),
                where,
                lost,
            )

    def counted_orders(self, place: tuple[int, str], own: list[Json]) -> None:
        """R17 for one phase. A receipt that a restore lost makes way for the one before."""
        leaf, known = self.leaves[place], {each["place"]: each for each in own}
        used = leaf.get("phase"), leaf.get("seq")
        script: Json = self.bundle["transcript"] or {}
        for newest in reversed(
            [each for each in own if each["accepted"] and each["phase"] <= place[0]]
        ):
            now, lost = newest["phase"] == place[0], self.lost(newest["time"])
            if used in known:
                holds = (
                    used >= newest["place"]
                    and known[used]["accepted"].get(leaf["part"]) == leaf["commitment"]
                )
            elif leaf["kind"] == "sealed":
                # of another player, or with a receipt that was not given
                holds = used > newest["place"] and not (now and leaf["tenure"] == newest["tenure"])
            else:
                gone = any(
                    each["seat"] == place[1] and each["after"] < place[0]
                    for each in script.get("conceded", [])
                )
                empty = leaf["kind"] == "silent" and (
                    gone or not newest["texts"].get(0, "?").strip()
                )
                holds = empty or not now or leaf["kind"] == "idle"
            if (
                self.rule(
                    "R17",
                    holds,
                    f"phase {place[0]}, seat {place[1]}, after {newest['where']}",
                    lost,
                )
                or not lost
            ):
                break

    def receipt_count(self, told: Json, where: str, date: str, tenures: Json) -> None:
        """R18 for what one report opens."""
        where = f"{where}, phase {told['phase']}, seat {told['seat']}"
        lost, own, count = (
            self.lost(date),
            tenures.get((told["seat"], told["tenure"]), []),
            told["count"],
        )
        fixed = {"seat": told["seat"], "receipts": H("receipts", {"match": self.match, **told})}
        closed = self.bodies["close"].get(told["phase"], {"receipts": []})
        self.rule("R18", fixed in closed["receipts"], f"{where}: the log's count", lost)
        if count and not own:
            self.skipped.append(
                f"{where}: the log counts {count} receipts, of which none was given"
            )
            return
        chain, at, by_hash = own[:0], told["head"], {each["hash"]: each for each in own}
        while at in by_hash and len(chain) <= count:  # receipts that a restore lost are beside it
            chain.append(by_hash[at])
            at = by_hash[at]["prev"]
        given = [each["place"] for each in chain if each["accepted"]]
        self.rule(
            "R18",
            (at, len(chain)) == (ZEROS, count),
            f"{where}: the {count} receipts; {len(own)} are in hand",
            lost,
        )
        leaf = self.leaves.get((told["phase"], told["seat"]), {})
        # else they may be orders of the player before
        if "commitment" in leaf and (given or told["tenure"] == 1):
            self.rule(
                "R18",
                (leaf["phase"], leaf["seq"]) in given,
                f"{where}: submission {leaf['seq']} of phase {leaf['phase']}",
                lost,
            )

    def shown_receipts(self) -> None:
        """R15, R16: the receipts that an ended match shows of what counted."""
        found: dict[str, Json] = {}
        for each in self.bundle["receipts"]:
            self.receipt(
                jcs({"receipt": each["body"], "signature": each["signature"]}), "the bundle", found
            )
        shown = {(each["seat"], *each["place"]): each for each in found.values()}
        for mine in self.receipts.values():
            twin: Json = shown.get((mine["seat"], *mine["place"]), mine)
            self.rule(
                "R16",
                twin["hash"] == mine["hash"],
                f"{mine['where']}, and in the bundle",
                self.lost(mine["time"]),
            )
        others = shown.keys() - {place[:3] for place in self.places}
        self.rule(
            "R15",
            not others and len(shown) == len(self.bundle["receipts"]),
            "the bundle: receipts of what did not count",
        )
        for (seat, phase, seq, part), place in self.places.items() if self.step == "end" else ():
            accepted = shown.get((seat, phase, seq), {"accepted": {}})["accepted"]
            self.rule(
                "R15",
                accepted.get(part) == self.leaves[place]["commitment"],
                f"seat {seat}, submission {seq} of phase {phase}",
            )

    def letter(self, data: bytes, where: str) -> None:
        """R20, R21: a letter, or its seal.json alone. Take its receipts and reports."""
        message, alone = email.message_from_bytes(data), data.lstrip()[:1] == b"{"
        parts: Json = (
            [("seal.json", data)]
            if alone
            else [(part.get_filename(), part.get_payload(decode=True)) for part in message.walk()]
        )
        date = (
            ""
            if alone
            else f"{parsedate_to_datetime(str(message['Date'])).astimezone(timezone.utc):%Y-%m-%dT%H:%M:%S}.000Z"  # noqa: UP017
        )
        headers = " ".join(map(str, message.get_all("Sealed-Head", [])))
        heads: Json = re.findall(
            r"match=(\S+);\s+index=([0-9]{1,15});\s+hash=([0-9a-f]{64})", headers
        )
        for name, content in parts:
            if name == "receipt.json":
                self.attempt("R15", where, self.receipt, content, where, self.receipts)
            elif name == "seal.json":
                seal = read_json(content)
                heads.append((seal["match"], seal["head"]["index"], seal["head"]["hash"]))
                self.reports += [(each, where, date) for each in seal.get("opened", [])]
                for each in seal.get("receipts", []):  # of a bare `ready` or `wait`
                    self.rule(
                        "R15",
                        each["body"]["parts"] == [],
                        f"{where}: orders whose receipt came in no letter of its own",
                    )
                    data = jcs({"receipt": each["body"], "signature": each["signature"]})
                    self.attempt("R15", where, self.receipt, data, where, self.receipts)
                    self.skipped.append(
                        f"{where}: whether you said `ready` or `wait` at {each['body']['time']}"
                    )
                self.first_letter(seal, where, self.lost(date))
        self.rule(
            "R20", heads or "receipt.json" in dict(parts), f"{where}: it says nothing about a log"
        )
        for match, index, digest in heads:
            same = match == self.match and self.heads.get(digest, (-1,))[0] == int(index)
            self.rule("R20", same, f"{where}: entry {index} of {match[:40]}", self.lost(date))

    def first_letter(self, seal: Json, where: str, lost: str) -> None:
        """R21: what the first letter of a tenure fixes."""
        tenure, begun = (
            {**seal.get("tenure", {}), "match": self.match},
            self.heads.get(seal["head"]["hash"], (0, 0, ""))[1] >= 0,
        )
        own = [(each["n"], each["tenure"]) for each in self.tenures.get(tenure.get("seat", ""), [])]
        for name, known in {
            "genesis": [self.bundle["entries"][0]["hash"]],
            "anchors": [anchors for _, anchors in self.anchors],
            "options": [
                self.bodies["open" if begun else "genesis"]
                .get(0 if begun else -1, {})
                .get("options")
            ],
            "tenure": [seal.get("tenure")] if (tenure.get("n"), H("tenure", tenure)) in own else [],
        }.items():
            if name in seal:
                self.rule("R21", seal[name] in known, f"{where}: {name}", lost)

    def checkpoints(self) -> None:
        """R22, R23: the service's keys of the tree of all matches, and the checkpoints that are
        there or were kept.
        """
        keys: dict[str, str] = {}
        for each in self.bundle.get("public_logs") or []:
            digest = H("log", {name: each[name] for name in ("origin", "log", "witness")})
            if self.rule(
                "R22",
                is_signed_hash(digest, each["signed"], *self.signers),
                f"the service's keys of {each['origin'][:80]}",
            ):
                keys[each["origin"]] = each["log"]
        given = [
            *self.options.checkpoint,
            *((f"restore of {time}", cited.encode()) for *_, time, cited in self.restores if cited),
        ]
        given += (
            [("the bundle's checkpoint", jcs(self.bundle["checkpoint"]))]
            if self.bundle["checkpoint"]
            else []
        )
        notes: dict[str, str] = {}
        for where, data in given:
            self.attempt("R22", where, self.checkpoint, data, where, keys, notes)
        self.skipped += (
            [] if given else ["whether everybody is shown the same log: there is no checkpoint"]
        )
        for witness in self.options.cosigned_by:
            self.attempt("R23", witness[:80], self.cosigned, witness, notes)

    def checkpoint(
        self, data: bytes, where: str, keys: dict[str, str], notes: dict[str, str]
    ) -> None:
        """R22 for one checkpoint, given the keys of logs by their origin, and the notes before
        it.
        """
        saved: Json = (
            read_json(data) if data.lstrip()[:1] == b"{" else {"note": data.decode("utf-8")}
        )
        plain = saved.get("checkpoint", saved)
        origin, size, root = plain["note"].split("\n")[:3]
        known = notes.setdefault(f"{origin}\n{size}", plain["note"])
        self.rule(
            "R22",
            known.split("\n")[2] == root,
            f"{where}: it has another root than one of the same size, so the history was forked",
        )
        notes[where] = plain["note"]
        self.rule(
            "R22",
            origin in keys and is_noted(plain["note"], keys[origin]),
            f"{where}: its signature by the service's log",
        )
        if "proof" not in plain:
            self.skipped.append(
                f"{where}: it has no proof for this match; `sealed witness` compares checkpoints of"
                " other sizes"
            )
            return
        proof, index, wanted = (
            [bytes.fromhex(each) for each in plain["proof"]],
            plain["index"],
            base64.b64decode(root, validate=True),
        )
        proven = [
            at
            for each, (at, *_) in self.heads.items()
            if proven_root(bytes.fromhex(each), index, int(size), proof) == wanted
        ]
        size_then = len(saved.get("entries", self.heads))
        lost = [
            time
            for at, _, time, cited in self.restores
            if cited.split("\n")[0] == origin and size_then > at
        ]
        self.rule(
            "R22", proven, f"{where}: an entry of this log is where its proof leads", *lost[:1]
        )
        if proven and proven[-1] < len(self.heads) - 1:
            self.skipped.append(f"{where}: entries after {proven[-1]}, which it does not cover yet")

    def cosigned(self, witness: str, notes: dict[str, str]) -> None:
        """R23 for the verifier key of one witness."""
        self.rule("R23", True in [is_noted(note, witness) for note in notes.values()], witness[:80])

    def replay(self) -> None:
        """R25, by `sealed replay`, which is a command of its own."""
        beside = Path(__file__).resolve().parent / "script" / "sealed"
        command = shutil.which("sealed") or (str(beside) if beside.exists() else "")
        if not self.options.replay or not command or self.bundle["transcript"] is None:
            self.skipped.append(
                "the rules of the game: no --replay, no transcript yet, or no command `sealed` on"
                " this machine"
            )
            return
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "transcript.json").write_bytes(jcs(self.bundle["transcript"]))
            done = subprocess.run(
                [command, "replay", str(Path(folder, "transcript.json"))],
                capture_output=True,
                timeout=900,
                check=False,
            )
        said = done.stderr.decode("utf-8", "replace").splitlines() or [
            f"it ended with {done.returncode}"
        ]
        self.rule("R25", done.returncode == 0, said[0])


def read_file(path: str) -> tuple[str, bytes]:
    """Return name and bytes of a file that the command line names. Raises ArgumentTypeError where
    it cannot be read.
    """
    try:
        if Path(path).stat().st_size > LARGEST_FILE:
            raise argparse.ArgumentTypeError(f"{path} is larger than {LARGEST_FILE} bytes")
        return Path(path).name, Path(path).read_bytes()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path}: {error.strerror}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what the command line names, print the report, and return the exit code."""
    parser = argparse.ArgumentParser(
        description="Check a match of Sealed Orders against its log and against what you kept."
    )
    parser.add_argument("bundle", type=read_file, help="the match's log.json")
    parser.add_argument(
        "--keys", metavar="FINGERPRINT", help="the keys' fingerprint, from the footer of a letter"
    )
    parser.add_argument(
        "--replay", action="store_true", help="also run `sealed replay` on the transcript"
    )
    parser.add_argument(
        "--cosigned-by",
        action="append",
        default=[],
        metavar="VKEY",
        help="a witness that must have cosigned",
    )
    kinds = {
        "receipt": "a receipt.json",
        "letter": "a letter as .eml, or its seal.json",
        "checkpoint": "a checkpoint or bundle",
    }
    for name, what in kinds.items():
        parser.add_argument(
            f"--{name}",
            type=read_file,
            action="append",
            default=[],
            metavar="FILE",
            help=f"{what} that you kept",
        )
    check = Check(parser.parse_args(arguments))
    check.attempt("R01", "bundle", check.all, check.options.bundle[1])
    for line in check.report():  # without control characters, which could command a terminal
        sys.stdout.write("".join(char if char.isprintable() else "�" for char in line[:400]) + "\n")
    return 1 if check.broken else 0


if __name__ == "__main__":
    sys.exit(main())
