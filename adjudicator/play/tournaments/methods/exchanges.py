"""Better tables by exchanging entrants: a local search that is deterministic and ends."""

from collections.abc import Sequence

# a symmetric square: what it costs that two sit at one table; 0 or more
Costs = Sequence[Sequence[int]]


def table_cost(tables: Sequence[Sequence[int]], costs: Costs) -> int:
    """Return the sum over all two who sit at one table."""
    return sum(
        costs[one][other] for table in tables for one in table for other in table if one < other
    )


def improve_tables(tables: Sequence[Sequence[int]], costs: Costs) -> list[list[int]]:
    """Exchange two entrants of different tables while that makes the sum of costs smaller.

    Entrants are indices into `costs`. In the result no exchange of two entrants lowers the sum.
    Each step takes the best exchange of one entrant, the first among equals.
    """
    search = _Search(tables, costs)
    waiting = True
    while waiting:
        waiting = False
        for one in search.seated:
            while search.exchange_best(one):
                waiting = True
    return search.tables


class _Search:
    def __init__(self, tables: Sequence[Sequence[int]], costs: Costs) -> None:
        self.tables, self.costs = [list(table) for table in tables], costs
        self.seated = [entrant for table in self.tables for entrant in table]
        self.at = {entrant: number for number, table in enumerate(self.tables) for entrant in table}
        self.loads = {
            one: [sum(map(costs[one].__getitem__, table)) for table in self.tables]
            for one in self.seated
        }

    def exchange_best(self, one: int) -> bool:
        """Make the exchange of an entrant that lowers the sum most; return whether there was
        one.
        """
        here, load, row = self.at[one], self.loads[one], self.costs[one]
        if load[here] == row[one]:
            # costs nothing here: the other one of any exchange that helps will find it
            return False
        gain, best = 0, None
        for other in self.seated:
            there = self.at[other]
            if there != here:
                theirs = self.loads[other]
                change = load[there] + theirs[here] - load[here] - theirs[there] - 2 * row[other]
                if change < gain:
                    gain, best = change, other
        if best is None:
            return False
        self._exchange(one, best)
        return True

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.at[one], self.at[other] = there, here
        for entrant, load in self.loads.items():
            difference = self.costs[entrant][other] - self.costs[entrant][one]
            load[here] += difference
            load[there] -= difference
