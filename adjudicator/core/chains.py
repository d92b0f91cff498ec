"""A match's hash chain as its worker keeps it: first element, anchor, and a waypoint that makes
each phase cheap (SEAL/1, Chance).
"""

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache

from adjudicator.core.chance import CHAIN_LENGTH, ChanceError, UsedUp

# a waypoint is that many elements below the present one, and serves as many phases
WAYPOINT_STEPS = 256
_SEED_TAG = b"sealed/1/seed\n"


class BrokenChain(ChanceError):
    """A chain does not lead from its first element over its waypoint to its anchor."""


def walk(element: bytes, steps: int) -> bytes:
    """Return the element `steps` after this one: each is H("seed", the one before), written out for
    speed.
    """
    sha256 = hashlib.sha256
    for _ in range(steps):
        element = sha256(_SEED_TAG + element).digest()
    return element


_STEPS = 16  # of which a process keeps the first element, for as many phases
_walk_far = lru_cache(4096)(walk)


def waypoint_index(phase: int, length: int = CHAIN_LENGTH) -> int:
    """Return the index of the waypoint that serves `phase`: it is the same for 256 phases, and 0,
    the first element, for the last ones.
    """
    return max(0, length - 1 - WAYPOINT_STEPS * (phase // WAYPOINT_STEPS + 1))


@dataclass(frozen=True)
class Waypoint:
    """An element of a chain and its index there; that of the first element is 0."""

    index: int
    element: bytes


@dataclass(frozen=True)
class Chain:
    """One chain of a match; all but the anchor is secret. Elements are 32 raw bytes."""

    first: bytes
    anchor: bytes
    waypoint: Waypoint
    length: int = CHAIN_LENGTH

    @classmethod
    def begin(cls, first: bytes, length: int = CHAIN_LENGTH) -> "Chain":
        """Return the chain that begins with `first`, with the waypoint of phase 0."""
        index = waypoint_index(0, length)
        waypoint = Waypoint(index, walk(first, index))
        return cls(first, walk(waypoint.element, length - index), waypoint, length)

    def element(self, phase: int) -> bytes:
        """Return s(length - 1 - phase), the element that `phase` draws from: at most 256 hashes
        where the waypoint serves that phase.

        Raises UsedUp when the chain has no element for that phase.
        """
        index = self.length - 1 - phase
        if not 0 <= index < self.length:
            raise UsedUp(f"phase {phase} is beyond this match's chain of {self.length} elements")
        if index < self.waypoint.index:
            return walk(self.first, index)
        far, near = divmod(index - self.waypoint.index, _STEPS)
        return walk(_walk_far(self.waypoint.element, far * _STEPS), near)

    def serves(self, phase: int) -> bool:
        """Whether the waypoint is the one for `phase`."""
        return self.waypoint.index == waypoint_index(phase, self.length)

    def renew(self, phase: int) -> "Chain":
        """Return this chain with the waypoint for `phase`, once the whole of it was held against
        its anchor; raises BrokenChain.
        """
        index = waypoint_index(phase, self.length)
        return replace(self, waypoint=Waypoint(index, self._walk_whole(index)))

    def check(self) -> None:
        """Hold the whole chain against its anchor; raises BrokenChain."""
        self._walk_whole(0)

    def _walk_whole(self, wanted: int) -> bytes:
        """Return the element of this index; raises BrokenChain unless the first element leads to
        the waypoint and on to the anchor.
        """
        passed, at, found = self.first, 0, dict[int, bytes]()
        for stop in sorted({wanted, self.waypoint.index, self.length}):
            passed, at = walk(passed, stop - at), stop
            found[stop] = passed
        if found[self.waypoint.index] != self.waypoint.element or passed != self.anchor:
            raise BrokenChain(
                "a chain does not lead to the anchor that was published before the match"
            )
        return found[wanted]
