"""Rounds at tables of equal size in which nobody meets twice: lines of an affine plane, and of
products of it.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
# irreducible over GF(2)
_POLYNOMIALS = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011, 128: 0b10000011}


def grid_tables(order: Sequence[T], size: int, turn: int) -> list[tuple[T, ...]] | None:
    """Return the tables of a turn, counted from 0, or None if there is no such turn.

    The order is written in `size` rows. With c columns there are c turns in which all in different
    rows meet exactly once, if c has no prime factor below `size` or is a power of 2 from `size` to
    128. Then each row is a grid of its own. So c^n entrants at tables of c, for such a c, all meet
    exactly once.
    """
    columns, rest = divmod(len(order), size)
    if rest or not (columns == 1 or _suits(columns, size)):
        return None
    if columns == 1:
        return [tuple(order)] if turn == 0 else None
    rows = [order[begin : begin + columns] for begin in range(0, len(order), columns)]
    if turn < columns:
        return [
            tuple(row[_place(column, number, turn, columns)] for number, row in enumerate(rows))
            for column in range(columns)
        ]
    parts = [grid_tables(row, size, turn - columns) for row in rows]
    return [table for part in parts if part is not None for table in part] or None


def _suits(columns: int, size: int) -> bool:
    return columns >= size and (
        columns in _POLYNOMIALS or all(columns % factor for factor in range(2, size))
    )


def _place(column: int, row: int, turn: int, columns: int) -> int:
    """Return `column + row * turn` in a ring of `columns` elements in which differences of rows
    have inverses.
    """
    if columns not in _POLYNOMIALS:
        return (column + row * turn) % columns
    product = 0
    while row:  # carryless, reduced by the polynomial: the field of 2^n elements
        product ^= turn if row & 1 else 0
        turn <<= 1
        turn ^= _POLYNOMIALS[columns] if turn & columns else 0
        row >>= 1
    return column ^ product
