"""Labelled random draws from a match's two hash chains, which are fixed before any orders (SEAL/1,
Chance; ruling G1).
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Literal, Protocol, TypeVar

from adjudicator.core.jcs import H, jcs

CHAIN_LENGTH = 4096
_SEED_TAG = b"sealed/1/seed\n"
StreamName = Literal["public", "hidden"]
STREAMS: tuple[StreamName, ...] = ("public", "hidden")
T = TypeVar("T")


class ChanceError(ValueError):
    """The chance of this match cannot give this draw."""


class UsedUp(ChanceError):
    """The match has more phases than its hash chains have elements."""


@dataclass(frozen=True)
class Draw:
    """One recorded draw: a die's face, the name of the picked option, or the names of a shuffle in
    their new order.
    """

    stream: StreamName
    label: str
    value: int | str | tuple[str, ...]


class Stream(Protocol):
    """One of a match's two random streams; a label names an event of the rules and is used once in
    an adjudication.
    """

    def die(self, label: str, sides: int) -> int:
        """Return a face from 1 to `sides`, each equally likely."""

    def pick(self, label: str, options: Sequence[T]) -> T:
        """Return one of `options` (ruling G6: one uniform draw among those held, in the order the
        game lists them).
        """

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return `items` in a uniformly random order."""


class Chance(Protocol):
    """The streams that a game draws from: `public` is disclosed phase by phase, `hidden` when the
    match has ended.
    """

    @property
    def public(self) -> Stream: ...
    @property
    def hidden(self) -> Stream: ...


# --- chains


def first_element(seed: bytes, stream: StreamName) -> bytes:
    """Return the s0 of a stream from the one seed of a match, which a transcript may have."""
    return H("seed", seed + stream.encode())


def chain_element(first: bytes, phase: int, length: int = CHAIN_LENGTH) -> bytes:
    """Return s(length - 1 - phase), the element that `phase` draws from, given s0.

    Raises UsedUp when the chain has no element for that phase.
    """
    if not 0 <= phase < length:
        raise UsedUp(f"phase {phase} is beyond this match's chain of {length} elements")
    value, sha256 = first, hashlib.sha256
    for _ in range(length - 1 - phase):
        value = sha256(_SEED_TAG + value).digest()  # H("seed", value), written out for speed
    return value


def chain_anchor(first: bytes, length: int = CHAIN_LENGTH) -> bytes:
    """Return sN, the published end of the chain that begins with `first`."""
    return H("seed", chain_element(first, 0, length))


@dataclass(frozen=True)
class Setting:
    """The values that every block of a draw is bound to besides its label (SEAL/1: null where
    `clients` or `beacon` is absent).
    """

    match: str
    phase: int
    clients: str | None = None
    beacon: str | None = None


@dataclass
class _Recorder:
    draws: list[Draw] = field(default_factory=list)

    def add(self, stream: StreamName, label: str, value: int | str | tuple[str, ...]) -> None:
        if any(draw.stream == stream and draw.label == label for draw in self.draws):
            raise ChanceError(f"the label {label} was drawn twice from {stream}")
        self.draws.append(Draw(stream, label, value))


class _ChainStream:
    def __init__(
        self, name: StreamName, key: Callable[[], bytes], setting: Setting, recorder: _Recorder
    ) -> None:
        self._name, self._setting, self._recorder = name, setting, recorder
        # on first use: it takes thousands of hashes, and most phases draw nothing
        self._key = cache(key)

    def die(self, label: str, sides: int) -> int:
        face = _below(self._words(label), sides) + 1
        self._recorder.add(self._name, label, face)
        return face

    def pick(self, label: str, options: Sequence[T]) -> T:
        if not options:
            raise ChanceError(f"nothing to pick from for {label}")
        picked = options[_below(self._words(label), len(options))]
        self._recorder.add(self._name, label, str(picked))
        return picked

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        words, result = self._words(label), list(items)
        for last in range(len(result) - 1, 0, -1):
            other = _below(words, last + 1)
            result[last], result[other] = result[other], result[last]
        self._recorder.add(self._name, label, tuple(str(item) for item in result))
        return tuple(result)

    def _words(self, label: str) -> Iterator[int]:
        """Yield the big-endian u32 words of block 0, 1, 2 ... for this label."""
        setting, block = self._setting, 0
        while True:
            bound = {
                "match": setting.match,
                "phase": setting.phase,
                "stream": self._name,
                "clients": setting.clients,
                "beacon": setting.beacon,
                "label": label,
                "block": block,
            }
            digest = hmac.digest(self._key(), b"sealed/1/dice\n" + jcs(bound), "sha256")
            for start in range(0, 32, 4):
                yield int.from_bytes(digest[start : start + 4], "big")
            block += 1


def _below(words: Iterator[int], n: int) -> int:
    """Return a uniform value from 0 to n-1; words from the largest multiple of n on are
    rejected.
    """
    limit = 2**32 - 2**32 % n
    return next(word for word in words if word < limit) % n


class ChainChance:
    """The chance of one phase of one match; `elements` computes each stream's chain element (32 raw
    bytes) when it is needed.
    """

    def __init__(
        self, elements: Mapping[StreamName, Callable[[], bytes]], setting: Setting
    ) -> None:
        self._recorder = _Recorder()
        self.public: Stream = _ChainStream("public", elements["public"], setting, self._recorder)
        self.hidden: Stream = _ChainStream("hidden", elements["hidden"], setting, self._recorder)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""
        return tuple(self._recorder.draws)


def of_phase(firsts: Mapping[StreamName, bytes], setting: Setting) -> ChainChance:
    """Return the chance of `setting.phase` from the s0 of both chains; raises UsedUp for a phase
    beyond the chains.
    """
    if not 0 <= setting.phase < CHAIN_LENGTH:
        raise UsedUp(
            f"phase {setting.phase} is beyond this match's chain of {CHAIN_LENGTH} elements"
        )
    return ChainChance(
        {name: partial(chain_element, firsts[name], setting.phase) for name in STREAMS}, setting
    )


# --- scripts


class _ScriptStream:
    def __init__(self, name: StreamName, script: list[object], recorder: _Recorder) -> None:
        self._name, self._script, self._recorder = name, script, recorder

    def _next(self, label: str) -> object:
        if not self._script:
            raise ChanceError(f"the script of chance is used up at {label}")
        return self._script.pop(0)

    def die(self, label: str, sides: int) -> int:
        face = self._next(label)
        if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= sides:
            raise ChanceError(f"{label} wants a face from 1 to {sides}, the script says {face!r}")
        self._recorder.add(self._name, label, face)
        return face

    def pick(self, label: str, options: Sequence[T]) -> T:
        name = self._next(label)
        for option in options:
            if _alike(option, name):
                self._recorder.add(self._name, label, str(option))
                return option
        raise ChanceError(
            f"{label} wants one of {', '.join(map(str, options))}; the script says {name!r}"
        )

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        names, left = self._next(label), list(items)
        if not isinstance(names, list) or sorted(map(_folded, names)) != sorted(
            map(_folded, items)
        ):
            raise ChanceError(
                f"{label} wants an order of {', '.join(map(str, items))}; the script says {names!r}"
            )
        result = []
        for name in names:
            item = next(item for item in left if _alike(item, name))
            left.remove(item)
            result.append(item)
        self._recorder.add(self._name, label, tuple(map(str, result)))
        return tuple(result)


def _folded(value: object) -> str:
    return str(value).casefold()


def _alike(one: object, other: object) -> bool:
    """Whether a name in a script is that of an option; case is ignored."""
    return _folded(one) == _folded(other)


class ScriptedChance:
    """Chance with given values, in the order of ruling G6, for tests and transcripts; both streams
    take from one script.
    """

    def __init__(self, script: Sequence[object]) -> None:
        self._script, self._recorder = list(script), _Recorder()
        self.public: Stream = _ScriptStream("public", self._script, self._recorder)
        self.hidden: Stream = _ScriptStream("hidden", self._script, self._recorder)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws since the last `next_phase`."""
        return tuple(self._recorder.draws)

    @property
    def left(self) -> int:
        """The number of values of the script that are not drawn yet."""
        return len(self._script)

    def next_phase(self) -> None:
        """Begin a new phase, which may use the labels of the previous one again."""
        self._recorder.draws.clear()
