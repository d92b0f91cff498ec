"""Merkle trees of a log: hashes, proofs and their verification (RFC 6962, 2.1), from tiles of 256
hashes (C2SP tlog-tiles).
"""

import hashlib
from collections.abc import Callable, Sequence

HASH_BYTES = 32
TILE_WIDTH = 256  # hashes of a full tile
TILE_HEIGHT = 8  # levels of the tree that a tile spans
FULL_TILE = HASH_BYTES * TILE_WIDTH  # bytes
EMPTY_ROOT = hashlib.sha256().digest()

# Returns the hashes of a tile by level and index, concatenated; more hashes than the tree of the
# asked size has do no harm.
ReadTile = Callable[[int, int], bytes]


class ProofError(ValueError):
    """A proof does not lead to the root that it was given for."""


class MissingTile(LookupError):
    """A tile has fewer hashes than a tree of the asked size needs."""


def hash_leaf(data: bytes) -> bytes:
    """Return the hash of a leaf: SHA-256(0x00 || data)."""
    return hashlib.sha256(b"\0" + data).digest()


def hash_children(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node: SHA-256(0x01 || left || right)."""
    return hashlib.sha256(b"\1" + left + right).digest()


# --- a tree in tiles


def add_leaves(read: ReadTile, size: int, hashes: Sequence[bytes]) -> dict[tuple[int, int], bytes]:
    """Return the new contents of all tiles that change as these leaf hashes are added to a tree of
    `size` leaves.
    """
    changed: dict[tuple[int, int], bytes] = {}
    level, added = 0, list(hashes)
    while added:
        added = _fill_level(read, changed, level, size >> (TILE_HEIGHT * level), added)
        level += 1
    return changed


def _fill_level(
    read: ReadTile,
    changed: dict[tuple[int, int], bytes],
    level: int,
    first: int,
    added: list[bytes],
) -> list[bytes]:
    """Put hashes into a level's tiles from place `first` on; return the roots of those that became
    full.
    """
    roots, at = [], 0
    while at < len(added):
        index, width = divmod(first + at, TILE_WIDTH)
        held = _take(read, level, index, 0, width) if width else b""
        taken = added[at : at + TILE_WIDTH - width]
        content = changed[level, index] = held + b"".join(taken)
        at += len(taken)
        if len(content) == FULL_TILE:
            roots.append(_fold(content))
    return roots


def tree_root(read: ReadTile, size: int) -> bytes:
    """Return the root of the tree of the first `size` leaves; raises MissingTile."""
    return _range_hash(read, 0, size) if size else EMPTY_ROOT


def prove_inclusion(read: ReadTile, index: int, size: int) -> list[bytes]:
    """Return the audit path of leaf `index` in the tree of `size` leaves (RFC 6962, 2.1.1); raises
    MissingTile.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    path, start, end = [], 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range_hash(read, middle, end))
            end = middle
        else:
            path.append(_range_hash(read, start, middle))
            start = middle
    return path[::-1]


def prove_consistency(read: ReadTile, old: int, size: int) -> list[bytes]:
    """Return the proof that the tree of `old` leaves begins the tree of `size` leaves (RFC 6962,
    2.1.2); raises MissingTile.
    """
    if not 0 <= old <= size:
        raise ValueError(f"a tree of {size} leaves does not begin with {old}")
    if old in (0, size):
        return []
    path, start, end = [], 0, size
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(_range_hash(read, middle, end))
            end = middle
        else:
            path.append(_range_hash(read, start, middle))
            start = middle
    if start:  # else the old tree is a subtree of the new one, whose root the verifier knows
        path.append(_range_hash(read, start, end))
    return path[::-1]


def _split(size: int) -> int:
    """Return the largest power of two below `size`."""
    return int(1 << ((size - 1).bit_length() - 1))


def _range_hash(read: ReadTile, start: int, end: int) -> bytes:
    """Return the hash over the leaves from `start` to before `end`, a range that the tree splits
    off.
    """
    size = end - start
    if size & (size - 1) == 0:
        return _subtree_hash(read, size.bit_length() - 1, start // size)
    middle = start + _split(size)
    return hash_children(_range_hash(read, start, middle), _range_hash(read, middle, end))


def _subtree_hash(read: ReadTile, height: int, index: int) -> bytes:
    """Return the root of the full subtree number `index` among those of 2^height leaves."""
    level, above = divmod(height, TILE_HEIGHT)
    tile, offset = divmod(index << above, TILE_WIDTH)
    return _fold(_take(read, level, tile, offset, 1 << above))


def _take(read: ReadTile, level: int, index: int, offset: int, count: int) -> bytes:
    hashes = read(level, index)[offset * HASH_BYTES : (offset + count) * HASH_BYTES]
    if len(hashes) != count * HASH_BYTES:
        raise MissingTile(f"tile {index} of level {level} has fewer than {offset + count} hashes")
    return hashes


def _fold(hashes: bytes) -> bytes:
    """Return the root over a power of two of concatenated hashes."""
    while len(hashes) > HASH_BYTES:
        pairs = range(0, len(hashes), 2 * HASH_BYTES)
        hashes = b"".join(
            hash_children(
                hashes[at : at + HASH_BYTES], hashes[at + HASH_BYTES : at + 2 * HASH_BYTES]
            )
            for at in pairs
        )
    return hashes


# --- verification


def verify_consistency(
    old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]
) -> None:
    """Raise ProofError unless the tree of this size and root begins with the old one (RFC 9162,
    2.1.4.2).

    The empty tree begins every tree; a proof for it, or between equal sizes, is empty.
    """
    if not 0 <= old <= size:
        raise ProofError(f"a tree of {size} leaves does not begin with {old}")
    if old in (0, size):
        _check_trivial(old, old_root, size, root, proof)
        return
    if proven_roots(old, old_root, size, proof) != (old_root, root):
        raise ProofError("the proof does not lead to both roots")


def shows_fork(old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether two roots are shown not to belong to one tree that grows.

    That is so for different roots of one size, and for a proof that leads from another root of the
    old size to the new root: nobody can make one for a tree that begins with the old one. Any other
    proof that fails shows only that it is wrong. Where `old` is a power of two, proofs do not hold
    the old root, so none shows a fork.
    """
    if old == size:
        return old_root != root
    if not 0 < old < size:
        return False
    try:
        found_old, found = proven_roots(old, old_root, size, proof)
    except ProofError:
        return False
    return found == root and found_old != old_root


def proven_roots(
    old: int, old_root: bytes, size: int, proof: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """Return the roots of the old and the new size to which a proof leads, for 0 < old < size (RFC
    9162, 2.1.4.2).

    Raises ProofError for one that is too short or too long.
    """
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    if not path:
        raise ProofError("the proof is too short")
    place, last = old - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    found_old = found = path[0]
    for step in path[1:]:
        if last == 0:
            raise ProofError("the proof is too long")
        if place & 1 or place == last:
            found_old, found = hash_children(step, found_old), hash_children(step, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = hash_children(found, step)
        place, last = place >> 1, last >> 1
    if last:
        raise ProofError("the proof leads to a smaller tree")
    return found_old, found


def _check_trivial(
    old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]
) -> None:
    if proof:
        raise ProofError("there is nothing to prove, so the proof is to be empty")
    if old == 0 and old_root != EMPTY_ROOT:
        raise ProofError("the empty tree has another root")
    if old == size and old_root != root:
        raise ProofError("two trees of the same size have different roots")
