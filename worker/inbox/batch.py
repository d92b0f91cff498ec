"""Stores letters in batches: letters that arrive during a transaction share the next one, and each
waits for its commit.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from adjudicator.service.letters.receiving import Full, Target

MOST, MOST_BYTES = 100, 8 * 1024 * 1024  # letters and bytes of one transaction


@dataclass(frozen=True, repr=False)
class UnstoredLetter:
    """A letter that is not stored yet. `came_at` is the monotonic time of its last byte."""

    target: Target
    raw: bytes
    came_at: float
    via: str  # "smtp" or "lmtp"
    null_sender: bool = False


_Waiting = tuple[UnstoredLetter, "asyncio.Future[None]"]


class BatchQueue:
    """A queue in front of `store`, which runs in a thread, one transaction at a time, and stores
    all of a batch or none.
    """

    def __init__(
        self, store: Callable[[Sequence[UnstoredLetter]], object], *, most: int = MOST
    ) -> None:
        self._store, self._most = store, most
        self._waiting: list[_Waiting] = []
        # only one: each thread would keep the memory of a large letter
        self._thread = ThreadPoolExecutor(1, "storing")
        self._work: asyncio.Task[None] | None = None

    async def add(self, taken: UnstoredLetter) -> None:
        """Store a letter; it is committed when this returns. Raises what `store` raised."""
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append((taken, stored))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._run())
        await stored

    async def _run(self) -> None:
        while batch := self._next():
            await self._store_all(batch)

    def _next(self) -> list[_Waiting]:
        """Take the letters of the next transaction, without those whose client has disconnected and
        will send them again.
        """
        waiting = [each for each in self._waiting if not each[1].done()]
        size = 0
        batch = list[_Waiting]()
        while (
            waiting
            and len(batch) < self._most
            and (not batch or size + len(waiting[0][0].raw) <= MOST_BYTES)
        ):
            size += len(waiting[0][0].raw)
            batch.append(waiting.pop(0))
        self._waiting = waiting
        return batch

    async def _store_all(self, batch: list[_Waiting]) -> None:
        work = asyncio.get_running_loop().run_in_executor(
            self._thread, self._store, [taken for taken, _ in batch]
        )
        await asyncio.wait([work])
        fault = work.exception()
        # one recipient's queue is full: store each letter alone, so that the others get in
        if isinstance(fault, Full) and len(batch) > 1:
            for each in batch:
                await self._store_all([each])
            return
        for _, stored in batch:
            if not stored.done():
                _settle(stored, fault)


def _settle(stored: "asyncio.Future[None]", fault: BaseException | None) -> None:
    if fault is None:
        stored.set_result(None)
    else:
        stored.set_exception(fault)
