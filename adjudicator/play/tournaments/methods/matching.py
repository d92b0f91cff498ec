"""The largest matching of a graph, by Edmonds' blossom algorithm (Edmonds, Paths, trees, and
flowers, 1965).
"""

from collections import deque
from collections.abc import Sequence

FREE = -1


def match_most(neighbours: Sequence[Sequence[int]], mates: Sequence[int]) -> list[int]:
    """Return the mate of each vertex in a matching with as many pairs as possible, FREE for a
    vertex without one.

    `neighbours` lists, both ways, whom each vertex may be matched with, the most welcome first.
    `mates` is a matching to begin with: every vertex that is matched in it stays matched.
    """
    found = list(mates)
    for vertex in range(len(found)):
        if found[vertex] == FREE:
            _Forest(neighbours, found, vertex).augment()
    return found


class _Forest:
    """The search for an augmenting path from one free vertex; odd cycles are shrunk to their
    base.
    """

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int], root: int) -> None:
        self.neighbours, self.mates, self.root = neighbours, mates, root
        self.base = list(range(len(mates)))
        self.parent = [FREE] * len(mates)  # of inner vertices, and within blossoms
        self.outer = {root}
        self.queue = deque([root])

    def augment(self) -> bool:
        """Look for a path to another free vertex, and exchange the pairs along it; return whether
        there was one.
        """
        while self.queue:
            vertex = self.queue.popleft()
            for other in self.neighbours[vertex]:
                if self.base[vertex] == self.base[other] or self.mates[vertex] == other:
                    continue
                if other in self.outer:
                    self._shrink(vertex, other)
                elif self.parent[other] == FREE:
                    self.parent[other] = vertex
                    if self.mates[other] == FREE:
                        self._flip(other)
                        return True
                    self._reach(self.mates[other])
        return False

    def _reach(self, vertex: int) -> None:
        if vertex not in self.outer:
            self.outer.add(vertex)
            self.queue.append(vertex)

    def _flip(self, vertex: int) -> None:
        while vertex != FREE:
            before = self.parent[vertex]
            following = self.mates[before]
            self.mates[vertex], self.mates[before] = before, vertex
            vertex = following

    def _shrink(self, one: int, other: int) -> None:
        """Make one vertex of the odd cycle that the edge of two outer vertices closes."""
        common = self._common_base(one, other)
        blossom = self._climb(one, common, other) | self._climb(other, common, one)
        for vertex, base in enumerate(self.base):
            if base in blossom:
                self.base[vertex] = common
                self._reach(vertex)

    def _common_base(self, one: int, other: int) -> int:
        passed = set()
        vertex = self.base[one]
        while True:
            passed.add(vertex)
            if vertex == self.root or self.mates[vertex] == FREE:
                break
            vertex = self.base[self.parent[self.mates[vertex]]]
        vertex = self.base[other]
        while vertex not in passed:
            vertex = self.base[self.parent[self.mates[vertex]]]
        return vertex

    def _climb(self, vertex: int, common: int, child: int) -> set[int]:
        """Return the bases from `vertex` up to `common`; paths may now run down the cycle, through
        `child`.
        """
        bases = set()
        while self.base[vertex] != common:
            mate = self.mates[vertex]
            bases |= {self.base[vertex], self.base[mate]}
            self.parent[vertex] = child
            vertex, child = self.parent[mate], mate
        return bases
