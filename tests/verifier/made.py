"""A made match with a log: a server of a few lines, which signs whatever a test tells it to. It
shares no code with the service.
"""

import base64
import copy
import hashlib
import json
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json = Any
MATCH, SEATS, ZEROS = "k3v9made", ["A", "B", "C"], "0" * 64
ORIGIN = "orders.example/log"


def jcs(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def H(tag: str, value: Json) -> str:
    return hashlib.sha256(
        f"sealed/1/{tag}\n".encode() + (value if isinstance(value, bytes) else jcs(value))
    ).hexdigest()


def nonce(*names: object) -> str:
    return hashlib.sha256(repr(names).encode()).hexdigest()


def chain_of(seed: str) -> list[str]:
    elements = [hashlib.sha256(seed.encode()).hexdigest()]
    while len(elements) <= 4096:
        elements.append(H("seed", bytes.fromhex(elements[-1])))
    return elements


CHAINS = {name: chain_of(name) for name in ("public", "hidden")}
ANCHORS = {name: chain[4096] for name, chain in CHAINS.items()}


def tree(leaves: list[bytes]) -> bytes:
    if len(leaves) < 2:
        return (
            hashlib.sha256(b"\0" + leaves[0]).digest() if leaves else hashlib.sha256(b"").digest()
        )
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashlib.sha256(b"\1" + tree(leaves[:split]) + tree(leaves[split:])).digest()


def inclusion(leaves: list[bytes], index: int) -> list[str]:
    """Return the proof of RFC 6962 for a leaf, in hex."""
    if len(leaves) < 2:
        return []
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    if index < split:
        return [*inclusion(leaves[:split], index), tree(leaves[split:]).hex()]
    return [*inclusion(leaves[split:], index - split), tree(leaves[:split]).hex()]


def root_of(leaves: list[Json]) -> str:
    return tree([jcs(leaf) for leaf in leaves]).hex()


@dataclass
class Signer:
    """A server's keys, made of a word."""

    word: str = "host"

    def private(self, kind: str) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(
            hashlib.sha256(f"{self.word} {kind}".encode()).digest()
        )

    def public(self, kind: str) -> str:
        return self.private(kind).public_key().public_bytes_raw().hex()

    @property
    def document(self) -> dict[str, Json]:
        return {
            "version": 1,
            "signing": self.public("signing"),
            "wrapping": "11" * 32,
            "inbox": "22" * 32,
        }

    @property
    def keys(self) -> dict[str, Json]:
        return {**self.document, "fingerprint": H("keys", self.document)}

    def sign(self, digest: str) -> str:
        return self.private("signing").sign(b"sealed/1/sig\n" + digest.encode()).hex()

    def verifier_key(self, name: str, kind: str, algorithm: bytes) -> str:
        key = algorithm + bytes.fromhex(self.public(kind))
        digest = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
        return f"{name}+{digest.hex()}+{base64.b64encode(key).decode()}"

    def public_log(self, origin: str = ORIGIN) -> dict[str, Json]:
        """Return what `/.well-known/sealed-keys.json` has as `public_log`."""
        log = {
            "origin": origin,
            "log": self.verifier_key(origin, "log", b"\1"),
            "witness": self.verifier_key("witness", "log", b"\4"),
        }
        return {**log, "signed": self.sign(H("log", log))}

    def note(self, size: int, root: bytes, *witnesses: "Signer", origin: str = ORIGIN) -> str:
        """Return a signed checkpoint, cosigned by witnesses."""
        text = f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n"
        lines = [_line(origin, b"\1", self.public("log"), self.private("log").sign(text.encode()))]
        for witness in witnesses:
            stamp = (1_790_000_000).to_bytes(8, "big")
            signature = witness.private("log").sign(
                f"cosignature/v1\ntime 1790000000\n{text}".encode()
            )
            lines.append(_line(witness.word, b"\4", witness.public("log"), stamp + signature))
        return f"{text}\n{''.join(lines)}"


def _line(name: str, algorithm: bytes, public: str, signature: bytes) -> str:
    digest = hashlib.sha256(name.encode() + b"\n" + algorithm + bytes.fromhex(public)).digest()[:4]
    return f"— {name} {base64.b64encode(digest + signature).decode()}\n"


def at(minute: int) -> str:
    return f"2026-11-24T{19 + minute // 60:02d}:{minute % 60:02d}:00.000Z"


@dataclass
class World:
    """A match as its server tells it: bodies that a test may change, and what it signs of them."""

    signer: Signer = field(default_factory=Signer)
    bodies: list[tuple[str, dict[str, Json]]] = field(default_factory=list)
    # receipt.json of every submission, as the players have them
    receipts: list[dict[str, Json]] = field(default_factory=list)
    # seal.json of each seat's letters
    letters: dict[str, list[dict[str, Json]]] = field(default_factory=dict)
    transcript: dict[str, Json] | None = None
    match: str = MATCH
    signers: dict[int, Signer] = field(default_factory=dict)  # from this entry on another key signs
    chains: dict[str, list[str]] = field(default_factory=lambda: CHAINS)

    def ends(self, place: int) -> dict[str, str]:
        """Return an element of both chains: 0 for the first, 4096 for the anchor."""
        return {name: chain[place] for name, chain in self.chains.items()}

    def add(self, kind: str, **body: Json) -> None:
        self.bodies.append((kind, copy.deepcopy(body)))

    def find(self, kind: str, phase: int | None = None) -> dict[str, Json]:
        return next(
            body
            for name, body in self.bodies
            if name == kind and phase in (None, body.get("phase"))
        )

    def place(self, kind: str, phase: int | None = None) -> int:
        return next(
            at
            for at, (name, body) in enumerate(self.bodies)
            if name == kind and phase in (None, body.get("phase"))
        )

    def leaf(self, phase: int, seat: str) -> dict[str, Json]:
        return next(leaf for leaf in self.find("close", phase)["leaves"] if leaf["seat"] == seat)

    def opening(self, phase: int, seat: str) -> dict[str, Json]:
        """Return the opening of what counted for a seat, in the result or in the audit."""
        leaf = self.leaf(phase, seat)
        everywhere = [
            each
            for kind, body in self.bodies
            if kind in ("result", "audit")
            for each in body["openings"]
        ]
        return next(
            each
            for each in everywhere
            if all(each[name] == leaf[name] for name in ("seat", "phase", "seq", "part"))
        )

    def commit(self, opening: dict[str, Json]) -> str:
        return H("commit", {"match": self.match, **opening})

    def entries(self) -> list[dict[str, Json]]:
        made: list[dict[str, Json]] = []
        signer = self.signer
        for index, (kind, body) in enumerate(self.bodies):
            signer = self.signers.get(index, signer)
            bound = {
                "index": index,
                "prev": made[-1]["hash"] if made else ZEROS,
                "type": kind,
                "body": body,
            }
            digest = H("entry", bound)
            made.append({**bound, "hash": digest, "sig": signer.sign(digest)})
        return made

    def head(self) -> dict[str, Json]:
        newest = self.entries()[-1]
        return {"index": newest["index"], "hash": newest["hash"]}

    def counting(self) -> list[dict[str, Json]]:
        """Return the signed bodies of the submissions that counted."""
        leaves = [
            leaf
            for kind, body in self.bodies
            if kind == "close"
            for leaf in body["leaves"]
            if leaf["kind"] == "sealed"
        ]
        used = {(leaf["seat"], leaf["phase"], leaf["seq"]) for leaf in leaves}
        own = [
            each
            for each in self.receipts
            if (each["receipt"]["seat"], each["receipt"]["phase"], each["receipt"]["seq"]) in used
        ]
        return [{"body": each["receipt"], "signature": each["signature"]} for each in own]

    def bundle(self, *witnesses: Signer) -> dict[str, Json]:
        """Return everything signed anew."""
        entries = self.entries()
        tree_leaves = [bytes.fromhex(nonce("other", at)) for at in range(5)] + [
            bytes.fromhex(each["hash"]) for each in entries
        ]
        note = self.signer.note(len(tree_leaves), tree(tree_leaves), *witnesses)
        proof = {
            "note": note,
            "index": len(tree_leaves) - 1,
            "proof": inclusion(tree_leaves, len(tree_leaves) - 1),
        }
        plain = {
            "version": 1,
            "match": self.match,
            "keys": self.signer.keys,
            "public_logs": [self.signer.public_log()],
            "entries": entries,
            "transcript": self.transcript,
            "receipts": self.counting() if self.transcript else [],
            "checkpoint": proof,
        }
        return copy.deepcopy(plain)

    # --- play

    def receipt(
        self,
        seat: str,
        phase: int,
        seq: int,
        texts: list[str],
        minute: int,
        *,
        tenure: int = 1,
        how: str = "accepted",
    ) -> None:
        """Sign a receipt as the next of its tenure."""
        before = [
            each["receipt"]
            for each in self.receipts
            if (each["receipt"]["seat"], each["receipt"]["tenure"]) == (seat, tenure)
        ]
        parts = []
        for number, orders in enumerate(texts):
            opening = {
                "seat": seat,
                "phase": phase,
                "seq": seq,
                "part": number,
                "orders": orders,
                "ready": True,
            }
            opening["nonce"] = nonce(seat, phase, seq, number)
            parts.append(
                {name: opening[name] for name in ("part", "orders", "ready", "nonce")}
                | {"commitment": self.commit(opening)}
            )
        body = {
            "match": self.match,
            "phase": phase,
            "seat": seat,
            "tenure": tenure,
            "seq": seq,
            "channel": "form",
            "time": at(minute),
            "disposition": how,
            "parts": [{"part": each["part"], "commitment": each["commitment"]} for each in parts],
            "prev": H("receipt", before[-1]) if before else ZEROS,
            "head": self.head()["hash"],
        }
        digest = H("receipt", body)
        self.receipts.append(
            {
                "receipt": body,
                "parts": parts,
                "signature": self.signer.sign(digest),
                "keys": self.signer.keys["fingerprint"],
            }
        )

    def sealed_leaf(self, seat: str, phase: int, seq: int, part: int = 0) -> dict[str, Json]:
        receipt = self.receipt_of(seat, phase, seq)
        commitment = receipt["parts"][part]["commitment"]
        return {
            "seat": seat,
            "kind": "sealed",
            "phase": phase,
            "seq": seq,
            "part": part,
            "commitment": commitment,
        }

    def receipt_of(self, seat: str, phase: int, seq: int) -> dict[str, Json]:
        return next(
            each
            for each in self.receipts
            if (each["receipt"]["seat"], each["receipt"]["phase"], each["receipt"]["seq"])
            == (seat, phase, seq)
        )

    def opening_of(self, leaf: dict[str, Json]) -> dict[str, Json]:
        part = self.receipt_of(leaf["seat"], leaf["phase"], leaf["seq"])["parts"][leaf["part"]]
        place = {name: leaf[name] for name in ("seat", "phase", "seq", "part")}
        return place | {name: part[name] for name in ("orders", "ready", "nonce")}

    def open(
        self,
        phase: int,
        minute: int,
        due: list[str],
        *,
        forced: bool = False,
        salts: list[str] | None = None,
    ) -> None:
        state = H(
            "state",
            {
                "match": self.match,
                "phase": phase,
                "state": {"turn": phase},
                "nonce": nonce("state", phase),
            },
        )
        salts = salts or []
        first = {
            "seats": SEATS,
            "options": {"red": False, "year_limit": 1910},
            "rules_version": 2,
            "tenures": [{"seat": seat, "n": 1, "tenure": self.tenure(seat, 1)} for seat in SEATS],
        }
        self.add(
            "open",
            phase=phase,
            time=at(minute),
            deadline=None if forced or not phase else at(minute + 20),
            grace=60,
            due=due,
            state=state if phase else None,
            key=None if forced or not phase else nonce("key", phase),
            salts=salts,
            clients=H("salts", salts) if salts else None,
            **({} if phase else first),
        )

    def tenure(self, seat: str, number: int) -> str:
        return H("tenure", {"match": self.match, **self.own_tenure(seat, number)})

    def own_tenure(self, seat: str, number: int) -> dict[str, Json]:
        return {
            "seat": seat,
            "n": number,
            "who": f"player of {seat} {number}",
            "nonce": nonce("tenure", seat, number),
        }

    def count(self, phase: int, seat: str) -> dict[str, Json]:
        """Return what a report opens to its seat: how many receipts there were as the phase
        closed.
        """
        tenures = [
            body["n"] for kind, body in self.bodies if kind == "tenure" and body["seat"] == seat
        ]
        number = max(tenures, default=1)
        own = [
            each["receipt"]
            for each in self.receipts
            if (each["receipt"]["seat"], each["receipt"]["tenure"]) == (seat, number)
        ]
        head = H("receipt", own[-1]) if own else ZEROS
        return {
            "phase": phase,
            "seat": seat,
            "tenure": number,
            "count": len(own),
            "head": head,
            "nonce": nonce("receipts", phase, seat),
        }

    def close(
        self, phase: int, minute: int, why: str, leaves: list[dict[str, Json]]
    ) -> list[dict[str, Json]]:
        """Close a phase; return what each seat's report opens."""
        counts = [self.count(phase, seat) for seat in SEATS] if phase else []
        receipts = [
            {"seat": each["seat"], "receipts": H("receipts", {"match": self.match, **each})}
            for each in counts
        ]
        self.add(
            "close",
            phase=phase,
            time=at(minute),
            why=why,
            leaves=leaves,
            root=root_of(leaves),
            receipts=receipts,
        )
        return counts

    def result(
        self, phase: int, *, openings: list[Json], orders: list[Json], state: bool = True
    ) -> None:
        told = (
            {"state": {"turn": phase}, "nonce": nonce("state", phase)} if phase and state else None
        )
        draws = [["roll", phase + 1]]
        self.add(
            "result",
            phase=phase,
            public=self.chains["public"][4095 - phase],
            draws=draws,
            openings=openings,
            orders=orders,
            state=told,
        )

    def report(self, counts: list[dict[str, Json]]) -> None:
        for each in counts:
            self.letters.setdefault(each["seat"], []).append(
                {"match": self.match, "head": self.head(), "opened": [each]}
            )


def played(
    *,
    chains: dict[str, list[str]] | None = None,
    refused: bool = False,
    last: tuple[str, int] = ("c4", 37),
) -> World:
    """Return an ended match: a plan, a silent seat, a forced phase, salts, alternatives, a new
    player, a moved deadline.

    `chains`: others than CHAINS. `refused`: B's orders for phase 2 get no receipt. `last`: C's
    orders of phase 4, and their minute.
    """
    world = World(chains=chains or CHAINS)
    world.add(
        "genesis",
        match=MATCH,
        game="toy",
        rules_version=2,
        options={"red": False},
        anchors=world.ends(4096),
        time=at(0),
    )
    world.open(0, 1, [], forced=True)
    world.close(0, 1, "forced", [])
    world.result(0, openings=[], orders=[])
    world.open(1, 1, SEATS)
    first = {
        "match": MATCH,
        "head": world.head(),
        "genesis": world.entries()[0]["hash"],
        "anchors": world.ends(4096),
    }
    for seat in SEATS:
        options = world.bodies[1][1]["options"]
        world.letters[seat] = [
            copy.deepcopy({**first, "options": options, "tenure": world.own_tenure(seat, 1)})
        ]
    _play_plan(world)
    silent = _play_silent_seat(world, refused=refused)
    _play_forced(world)
    _play_newcomer(world, last)
    world.add(
        "audit",
        openings=[world.opening_of(world.sealed_leaf("B", 4, 1))],
        chains=world.ends(0),
        states=[
            {"phase": phase, "state": {"turn": phase}, "nonce": nonce("state", phase)}
            for phase in (3, 4)
        ],
        silent=silent,
        orders=[{"phase": 3, "seat": "B", "orders": "b3"}],
    )
    places = {
        seat: {"place": number, "score": 4 - number, "outcome": "lost" if number > 1 else "won"}
        for number, seat in enumerate(SEATS, 1)
    }
    world.add("end", time=at(40), result=places, stopped=None)
    for seat in SEATS:
        world.letters[seat].append({"match": MATCH, "head": world.head()})
    world.transcript = copy.deepcopy(transcript_of(world, places))
    return world


def _play_plan(world: World) -> None:
    """Phase 1: A plans ahead, and B changes orders."""
    world.receipt("A", 1, 1, ["a1", "a2"], 2)
    world.receipt("B", 1, 1, ["b0"], 3)
    world.receipt("B", 1, 2, ["b1"], 4)
    world.receipt("C", 1, 1, ["c1"], 5)
    leaves = [
        world.sealed_leaf("A", 1, 1),
        world.sealed_leaf("B", 1, 2),
        world.sealed_leaf("C", 1, 1),
    ]
    counts = world.close(1, 6, "ready", leaves)
    world.result(1, openings=[world.opening_of(leaf) for leaf in leaves], orders=[])
    world.report(counts)


def _play_silent_seat(world: World, *, refused: bool) -> list[Json]:
    """Phase 2, with salts and a moved deadline: A's plan counts and C is silent; returns what opens
    the silent seats.
    """
    world.open(2, 6, SEATS, salts=["one", "two"])
    world.add("deadline", phase=2, time=at(7), deadline=at(30), grace=0)
    silent = [
        {"phase": 2, "seat": seat, "nonce": nonce("silent", 2)}
        for seat in (["B", "C"] if refused else ["C"])
    ]
    if not refused:
        world.receipt("B", 2, 1, ["b2"], 8)
    blinded = [
        {"seat": each["seat"], "kind": "silent", "blinded": H("silent", {"match": MATCH, **each})}
        for each in silent
    ]
    leaves = [
        world.sealed_leaf("A", 1, 1, 1),
        *([] if refused else [world.sealed_leaf("B", 2, 1)]),
        *blinded,
    ]
    counts = world.close(2, 31, "deadline", leaves)
    passed = [{"seat": each["seat"], "orders": "pass"} for each in silent]
    world.result(
        2,
        openings=[world.opening_of(leaf) for leaf in leaves if leaf["kind"] == "sealed"],
        orders=passed,
    )
    world.report(counts)
    return silent


def _play_forced(world: World) -> None:
    """Phase 3: nobody has a choice."""
    world.open(3, 31, ["A", "B"], forced=True)
    forced: list[Json] = [
        {"seat": "A", "kind": "forced", "orders": "a3"},
        {"seat": "B", "kind": "forced", "orders": None},
        {"seat": "C", "kind": "idle"},
    ]
    counts = world.close(3, 31, "forced", forced)
    world.result(3, openings=[], orders=[{"seat": "A", "orders": "a3"}], state=False)
    world.report(counts)


def _play_newcomer(world: World, last: tuple[str, int]) -> None:
    """Phase 4: another player has C, A's first orders are refused, B's are alternatives."""
    world.open(4, 31, SEATS)
    world.add("master", time=at(32), by="host", what="warned C")
    world.add("tenure", seat="C", n=2, time=at(33), tenure=world.tenure("C", 2))
    world.receipt("A", 4, 1, ["x"], 34, how="refused")
    world.receipt("A", 4, 2, ["a4"], 35)
    world.receipt("B", 4, 1, ["b4 OR b5"], 36)
    world.receipt("C", 4, 1, [last[0]], last[1], tenure=2)
    leaves = [
        world.sealed_leaf("A", 4, 2),
        world.sealed_leaf("B", 4, 1),
        world.sealed_leaf("C", 4, 1),
    ]
    counts = world.close(4, 40, "ready", leaves)
    opened = [world.opening_of(leaves[0]), world.opening_of(leaves[2])]
    world.result(4, openings=opened, orders=[{"seat": "B", "orders": "b5"}], state=False)
    world.report(counts)


def transcript_of(world: World, places: Json) -> dict[str, Json]:
    second = [leaf["seat"] for leaf in world.find("close", 2)["leaves"] if leaf["kind"] == "sealed"]
    orders = [
        {"A": "a1", "B": "b1", "C": "c1"},
        {"A": "a2", "B": "b2" if "B" in second else "pass", "C": "pass"},
        {"A": "a3", "B": "b3"},
        {"A": "a4", "B": "b5", "C": world.opening(4, "C")["orders"]},
    ]
    sealed = {1: ["A", "B", "C"], 2: second, 4: ["A", "B", "C"]}
    start = world.bodies[1][1]
    claims = [
        {
            "name": f"Round {phase}",
            "due": world.find("open", phase)["due"],
            "orders": each,
            "refused": [],
            "events": ["moved"],
            "scores": {"A": phase},
            "draws": [["hidden", "deck", ["x", "y"]], ["public", "roll", phase + 1]],
        }
        for phase, each in enumerate(orders, 1)
    ]
    phases = [
        {
            "number": phase,
            "name": f"Round {phase}",
            "orders": {seat: orders[phase - 1][seat] for seat in own},
            **(
                {"clients": world.find("open", phase)["clients"]}
                if world.find("open", phase)["clients"]
                else {}
            ),
        }
        for phase, own in sealed.items()
    ]
    return {
        "game": "toy",
        "rules_version": 2,
        "match": MATCH,
        "options": start["options"],
        "seats": SEATS,
        "chance": {"chains": {**world.ends(0), "anchors": world.ends(4096)}},
        "phases": phases,
        "claims": {
            "start": {"events": [], "draws": [["public", "roll", 1]]},
            "phases": claims,
            "result": places,
            "chance_left": 0,
        },
    }


def write_letter(path: Path, seal: dict[str, Json], *receipts: dict[str, Json]) -> Path:
    """Write a letter as a mail program saves it."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = (
        "match@orders.example",
        "bob@example.org",
        "Round 4",
    )
    letter["Date"] = "Tue, 24 Nov 2026 20:00:00 +0000"
    letter["Sealed-Head"] = (
        f"match={seal['match']}; index={seal['head']['index']}; hash={seal['head']['hash']}"
    )
    letter.set_content("Here is your report.")
    letter.add_attachment(json.dumps(seal).encode(), "application", "json", filename="seal.json")
    for receipt in receipts:
        letter.add_attachment(
            json.dumps(receipt).encode(), "application", "json", filename="receipt.json"
        )
    path.write_bytes(letter.as_bytes())
    return path
