"""A cache in memory, limited by bytes; what was not used for the longest time goes first."""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class ByteCache(Generic[Key, Value]):
    """Values by key with the bytes of each; no more than `most` bytes in all. Safe for threads."""

    def __init__(self, most: int) -> None:
        self.most, self.size, self._lock = most, 0, Lock()
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Key]:
        """Return the keys, the least recently used first."""
        return iter(self._kept)

    def get(self, key: Key) -> Value | None:
        """Return the value of `key`, and mark it as used; None where there is none."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: Key, value: Value, size: int) -> None:
        """Keep a value of `size` bytes; one that is larger than the whole cache is not kept."""
        with self._lock:
            self._drop(key)
            if size > self.most:
                return
            self._kept[key] = (value, size)
            self.size += size
            while self.size > self.most:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self.size = 0

    def _drop(self, key: Key) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self.size -= found[1]
