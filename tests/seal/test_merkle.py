"""Merkle trees: the published vectors of RFC 6962, every proof against plain recursion, and proofs
that are damaged.
"""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import verify_match
from adjudicator.seal import merkle
from adjudicator.seal.merkle import ProofError, hash_children, hash_leaf

# The test vectors of Certificate Transparency (transparency-dev/merkle, testonly): leaves, roots of
# the first 0 to 8, proofs
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
PATH_5_OF_8 = [
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]
PATH_0_OF_8 = [
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
]
FROM_6_TO_8 = [
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]
FROM_2_TO_5 = [
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
]


class Tiles:
    """A tree whose tiles are kept in memory."""

    def __init__(self, hashes: Sequence[bytes] = ()) -> None:
        self.kept: dict[tuple[int, int], bytes] = {}
        self.size = 0
        self.add(hashes)

    def read(self, level: int, index: int) -> bytes:
        return self.kept.get((level, index), b"")

    def add(self, hashes: Sequence[bytes]) -> None:
        self.kept |= merkle.add_leaves(self.read, self.size, hashes)
        self.size += len(hashes)


def some(count: int) -> list[bytes]:
    """Return so many leaf hashes."""
    return [hash_leaf(number.to_bytes(4)) for number in range(count)]


def plain_root(hashes: Sequence[bytes]) -> bytes:
    """Return the Merkle tree hash as RFC 6962, 2.1 defines it, over leaf hashes."""
    if len(hashes) < 2:
        return hashes[0] if hashes else hashlib.sha256().digest()
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return hash_children(plain_root(hashes[:split]), plain_root(hashes[split:]))


MANY = some(70_000)
TREE = Tiles(MANY)


def test_rfc_6962_roots() -> None:
    tree = Tiles([hash_leaf(leaf) for leaf in LEAVES])
    assert [merkle.tree_root(tree.read, size).hex() for size in range(9)] == ROOTS


def test_rfc_6962_inclusion_proofs() -> None:
    tree = Tiles([hash_leaf(leaf) for leaf in LEAVES])
    assert [step.hex() for step in merkle.prove_inclusion(tree.read, 5, 8)] == PATH_5_OF_8
    assert [step.hex() for step in merkle.prove_inclusion(tree.read, 0, 8)] == PATH_0_OF_8
    path = [bytes.fromhex(step) for step in PATH_5_OF_8]
    assert verify_match.proven_root(LEAVES[5], 5, 8, path).hex() == ROOTS[8]


def test_rfc_6962_consistency_proofs() -> None:
    tree = Tiles([hash_leaf(leaf) for leaf in LEAVES])
    for old, size, expected in ((6, 8, FROM_6_TO_8), (2, 5, FROM_2_TO_5)):
        proof = merkle.prove_consistency(tree.read, old, size)
        assert [step.hex() for step in proof] == expected
        merkle.verify_consistency(
            old, bytes.fromhex(ROOTS[old]), size, bytes.fromhex(ROOTS[size]), proof
        )


def test_a_tree_of_70_000_has_the_tiles_that_the_specification_counts() -> None:
    """tlog-tiles, Partial Tiles: 273 full tiles and one of width 112; one full and one of width 17;
    one of width 1.
    """
    widths = {at: len(content) // 32 for at, content in TREE.kept.items()}
    assert [level for level, index in widths] == [0] * 274 + [1] * 2 + [2]
    assert all(widths[0, index] == 256 for index in range(273)) and widths[0, 273] == 112
    assert (widths[1, 0], widths[1, 1], widths[2, 0]) == (256, 17, 1)


def test_a_tree_of_256_has_a_full_tile_and_one_of_width_1_above() -> None:
    assert {at: len(content) // 32 for at, content in Tiles(MANY[:256]).kept.items()} == {
        (0, 0): 256,
        (1, 0): 1,
    }


@settings(max_examples=60)
@given(st.lists(st.integers(0, 400), max_size=6))
def test_leaves_added_in_pieces_give_the_same_tiles(pieces: list[int]) -> None:
    grown, size = Tiles(), 0
    for piece in pieces:
        grown.add(MANY[size : size + piece])
        size += piece
    assert grown.kept == Tiles(MANY[:size]).kept


@settings(max_examples=60)
@given(st.integers(0, 1500))
def test_the_root_from_tiles_is_that_of_the_definition(size: int) -> None:
    assert merkle.tree_root(TREE.read, size) == plain_root(MANY[:size])


def places(most: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(1, most).flatmap(
        lambda size: st.tuples(st.integers(0, size - 1), st.just(size))
    )


@settings(max_examples=200)
@given(places(70_000))
def test_every_inclusion_proof_verifies_and_no_damaged_one(place: tuple[int, int]) -> None:
    index, size = place
    root, proof = merkle.tree_root(TREE.read, size), merkle.prove_inclusion(TREE.read, index, size)
    leaf = index.to_bytes(4)
    assert verify_match.proven_root(leaf, index, size, proof) == root
    damaged = [proof[:at] + proof[at + 1 :] for at in range(len(proof))] + [
        [*proof, root],
        [root, *proof],
    ]
    damaged += [[*proof[:at], hash_leaf(step), *proof[at + 1 :]] for at, step in enumerate(proof)]
    for other in damaged:
        assert verify_match.proven_root(leaf, index, size, other) != root
    for false, at in ((b"other", index), (leaf, index + 1), (leaf, index - 1)):
        assert verify_match.proven_root(false, at, size, proof) != root


@settings(max_examples=200)
@given(places(70_000))
def test_every_consistency_proof_verifies_and_no_damaged_one(place: tuple[int, int]) -> None:
    old, size = place
    before, root = merkle.tree_root(TREE.read, old), merkle.tree_root(TREE.read, size)
    proof = merkle.prove_consistency(TREE.read, old, size)
    merkle.verify_consistency(old, before, size, root, proof)
    merkle.verify_consistency(size, root, size, root, [])
    damaged = [proof[:at] + proof[at + 1 :] for at in range(len(proof))] + [
        [*proof, root],
        [root, *proof],
    ]
    damaged += [[*proof[:at], hash_leaf(step), *proof[at + 1 :]] for at, step in enumerate(proof)]
    for other in damaged:
        with pytest.raises(ProofError):
            merkle.verify_consistency(old, before, size, root, other)
    for one, two in ((hash_leaf(b"other"), root), (before, hash_leaf(b"other"))):
        if old or one != before:
            with pytest.raises(ProofError):
                merkle.verify_consistency(old, one, size, two, proof if old else [root])


def test_all_proofs_of_small_trees_are_those_of_the_definition() -> None:
    for size in range(1, 40):
        root = plain_root(MANY[:size])
        for index in range(size):
            proof = merkle.prove_inclusion(TREE.read, index, size)
            assert verify_match.proven_root(index.to_bytes(4), index, size, proof) == root
            merkle.verify_consistency(
                index,
                plain_root(MANY[:index]),
                size,
                root,
                merkle.prove_consistency(TREE.read, index, size),
            )


def test_a_tree_that_was_changed_has_no_consistency_proof() -> None:
    forked = Tiles([*MANY[:299], hash_leaf(b"other"), *MANY[300:600]])
    proof = merkle.prove_consistency(forked.read, 400, 600)
    with pytest.raises(ProofError):
        merkle.verify_consistency(
            400, merkle.tree_root(TREE.read, 400), 600, merkle.tree_root(forked.read, 600), proof
        )


def test_what_a_tree_does_not_have_is_not_proven() -> None:
    for wrong in (
        lambda: merkle.prove_inclusion(TREE.read, 5, 5),
        lambda: merkle.prove_consistency(TREE.read, 6, 5),
    ):
        with pytest.raises(ValueError, match="a tree of 5 leaves"):
            wrong()
    with pytest.raises(merkle.MissingTile):
        merkle.tree_root(TREE.read, 70_001)


def test_a_proof_for_a_lower_tree_does_not_do_for_a_higher_one() -> None:
    roots = [merkle.tree_root(TREE.read, size) for size in range(5)]
    assert verify_match.proven_root(bytes(4), 0, 2, [MANY[1]]) == roots[2]
    assert verify_match.proven_root(bytes(4), 0, 3, [MANY[1]]) == b""
    with pytest.raises(ProofError, match="lead"):
        merkle.verify_consistency(
            2, roots[2], 5, roots[4], merkle.prove_consistency(TREE.read, 2, 4)
        )
