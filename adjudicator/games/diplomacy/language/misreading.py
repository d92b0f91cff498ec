"""Explains to a player why a line cannot be parsed as an order, and suggests what the player may
have meant.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from adjudicator.core.near import all_nearest
from adjudicator.games.diplomacy.language.lexing import Word
from adjudicator.games.diplomacy.map.geography import World
from adjudicator.games.diplomacy.map.names import fold, names_of, words_of_orders
from adjudicator.games.kit.parsing import Misread
from adjudicator.games.kit.words import listing, quote

# --- errors in single words


def refuse_unknown(words: Sequence[Word], text: str, world: World) -> Misread | None:
    """Return the refusal of the first unknown word, None if all are known."""
    piece = next((word.piece for word in words if word.kind == "?"), None)
    if piece is None:
        return None
    like = tuple(_swap(text, piece, meant) for meant in _meant(piece, world))
    return Misread(piece, f"“{quote(piece)}” is neither a place nor a word of orders.", like)


@lru_cache(maxsize=1024)
def _meant(piece: str, world: World) -> tuple[str, ...]:
    """Return the places and words nearest to a mistyped one, several where it resembles them as
    much; () if none is near.
    """
    if len(piece) < 2:
        return ()
    word, begins = fold(piece), _beginnings(world)
    most = 1 + len(word) // 3  # difference in length; comparing every name takes too long
    like = {
        name
        for letter in word[:2]
        for name in begins.get(letter, ())
        if abs(len(name) - len(word)) <= most
    }
    return tuple(dict.fromkeys(_known(world)[name] for name in all_nearest(word, like)))


@cache
def _known(world: World) -> Mapping[str, str]:
    """Return the meaning of each word of orders and of each name of a place."""
    places = {" ".join(phrase): code for phrase, code in names_of(world).stated.items()}
    return {" ".join(phrase): " ".join(phrase) for phrase in words_of_orders()} | places


@cache
def _beginnings(world: World) -> Mapping[str, tuple[str, ...]]:
    """Return the known words by each of their first two letters."""
    letters = {letter for name in _known(world) for letter in name[:2]}
    return {
        letter: tuple(name for name in _known(world) if letter in name[:2]) for letter in letters
    }


def refuse_misnamed(words: Sequence[Word], text: str, world: World) -> Misread | None:
    """Return the refusal of the first ambiguous name or non-existent coast, None if there is
    neither.
    """
    for word in words:
        place = world.places.get(word.means) if word.kind == "P" else None
        if place and word.others:
            could = [world.places[code] for code in (word.means, *word.others)]
            like = tuple(_swap(text, word.piece, each.code) for each in could)
            return Misread(
                word.piece,
                f"“{quote(word.piece)}” can be {listing([each.name for each in could], 'or')}.",
                like,
                kind="ambiguous",
            )
        if place and word.coast and word.coast not in place.coasts:
            spots = tuple(f"{place.code}/{coast}" for coast in place.coasts) or (place.code,)
            reason = (
                f"The coasts of {place.name} are {listing(place.coasts)}."
                if place.coasts
                else f"{place.name} has no coasts to name."
            )
            return Misread(
                word.piece, reason, tuple(_swap(text, word.piece, spot) for spot in spots)
            )
    return None


def _swap(text: str, piece: str, new: str) -> str:
    """Return the line with `new` instead of the first whole word, or place with its coast, that is
    written like `piece`.
    """
    written = r"\W*".join(map(re.escape, re.findall(r"\w+", piece)))
    return (
        re.sub(rf"(?<!\w){written}(?!\w)\)?", lambda _: new, text, count=1)
        if written
        else text.replace(piece, new, 1)
    )


def refuse_shapeless(words: Sequence[Word], text: str) -> Misread:
    """Return the refusal of a line whose words are all known but do not form an order."""
    kinds = "".join(word.kind for word in words)
    piece = text.strip()
    if re.fullmatch("N?K?P", kinds):
        return Misread(
            piece,
            "It is not said what the unit is to do: hold (H), move (-), support (S) or convoy (C).",
            (f"{piece} H",),
        )
    if re.fullmatch("K?PP", kinds):
        return Misread(
            piece,
            "Between the two places stands nothing: a move is written with a hyphen.",
            (_joined(words),),
        )
    if kinds.count("P") > 1 and re.search(r"K?P[-H]?K", kinds):
        return Misread(
            piece, "This seems to be more than one order; write each on a line of its own."
        )
    return Misread(
        piece,
        "These words do not make one order. An order is written like A PAR - BUR, F LON H or A MUN"
        " S A BUR.",
    )


def _joined(words: Sequence[Word]) -> str:
    *unit, goal = (word.means for word in words)
    return f"{' '.join(unit)} - {goal}"
