"""Who listens for which matches, within limits, and what each has been told. Knows no socket and no
database.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from web.live.tickets import Ticket

Full = Literal["listeners", "network", "matches"]


@dataclass(frozen=True)
class Limits:
    """What one live process bears."""

    listeners: int = 5000
    per_network: int = 10  # listeners of one IPv4 address or /64 of IPv6
    matches: int = 10_000  # watched in all; one statement names them
    silent: int = 500  # connections that have not sent a whole request yet
    head_bytes: int = 8192  # of a request
    head_seconds: float = 10.0  # for a request to arrive
    unsent_bytes: int = 16 * 1024  # that may wait for a slow client
    heartbeat_seconds: float = 20.0


@dataclass(eq=False)
class Listener:
    """One page that listens."""

    ticket: Ticket
    network: str
    send: Callable[[Mapping[str, str]], None]  # tells the steps of some matches
    told: dict[str, str] = field(default_factory=dict)  # the newest step of each match
    resumes: str = ""  # the id of the last event that it received before it lost its connection


def digest_steps(steps: Mapping[str, str]) -> str:
    """Return the id of an event after which a listener knows these steps; any live process can tell
    whether it still holds.
    """
    return hashlib.sha256(repr(sorted(steps.items())).encode()).hexdigest()[:16]


class Listeners:
    """All listeners of one live process, by match."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._all: set[Listener] = set()
        self._by_match: dict[str, set[Listener]] = {}
        self._networks: Counter[str] = Counter()
        self._steps: dict[str, str] = {}
        self._fresh: set[Listener] = set()  # that have been told nothing yet

    def __len__(self) -> int:
        return len(self._all)

    @property
    def watched(self) -> list[str]:
        """The public names of the matches that somebody listens for."""
        return list(self._by_match)

    def why_full(self, ticket: Ticket, network: str) -> Full | None:
        """Return the limit that another listener would exceed; None if there is room."""
        if len(self._all) >= self._limits.listeners:
            return "listeners"
        if self._networks[network] >= self._limits.per_network:
            return "network"
        new = sum(uid not in self._by_match for uid in ticket.uids)
        return "matches" if len(self._by_match) + new > self._limits.matches else None

    def add(self, listener: Listener) -> None:
        """Add a listener; the next reading tells it the steps of its matches."""
        self._all.add(listener)
        self._fresh.add(listener)
        self._networks[listener.network] += 1
        for uid in listener.ticket.uids:
            self._by_match.setdefault(uid, set()).add(listener)

    def remove(self, listener: Listener) -> None:
        """Remove a listener; one that is not there is left alone."""
        if listener not in self._all:
            return
        self._all.discard(listener)
        self._fresh.discard(listener)
        self._networks[listener.network] -= 1
        if not self._networks[listener.network]:
            del self._networks[listener.network]
        for uid in listener.ticket.uids:
            self._by_match[uid].discard(listener)
            if not self._by_match[uid]:
                del self._by_match[uid]
                self._steps.pop(uid, None)

    def tell(self, steps: Mapping[str, str]) -> int:
        """Tell each listener the steps that are new to it, given those of all watched matches;
        return how many were told.
        """
        moved = [
            uid
            for uid, step in steps.items()
            if self._steps.get(uid) != step and uid in self._by_match
        ]
        self._steps.update({uid: steps[uid] for uid in moved})
        concerned = self._fresh.union(*(self._by_match[uid] for uid in moved))
        # came during the reading
        self._fresh = {
            each for each in self._fresh if any(uid not in steps for uid in each.ticket.uids)
        }
        return sum([self._tell(listener) for listener in concerned])

    def _tell(self, listener: Listener) -> bool:
        known = {uid: self._steps[uid] for uid in listener.ticket.uids if uid in self._steps}
        news = {uid: step for uid, step in known.items() if listener.told.get(uid) != step}
        resumed, listener.resumes = listener.resumes == digest_steps(known), ""
        listener.told.update(news)
        if not news or resumed:
            return False
        listener.send(news)
        return True
