"""The names of provinces, coasts and powers in several languages, and the words of orders, folded
to plain letters.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from adjudicator.games.diplomacy.map.geography import Place, Power, Province, World

_WORD = re.compile(r"[^\W_]+")
_UNFOLDED = str.maketrans(
    {"ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
SHORTEST_PREFIX = 3

Phrase = tuple[str, ...]
"""The folded words of a name: `("st", "petersburg")`."""


def fold(text: str) -> str:
    """Return `text` in small letters without accents: `munchen` for `MÜNCHEN`, `Munchen` and
    `münchen`.
    """
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_UNFOLDED))
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def phrase_of(text: str) -> Phrase:
    """Return the folded words of a name; full stops, hyphens and apostrophes separate words."""
    return tuple(_WORD.findall(fold(text)))


def spellings_of(name: str) -> tuple[Phrase, ...]:
    """Return the spellings of a name in plain letters: `munchen` and `muenchen` for `München`."""
    whole = unicodedata.normalize("NFC", name).casefold()
    return tuple(dict.fromkeys((phrase_of(name), phrase_of(whole.translate(_UMLAUTS)))))


@dataclass(frozen=True, eq=False)
class Names:
    """The names on a map."""

    provinces: Mapping[Phrase, tuple[Province, ...]]  # several for an ambiguous name
    coasts: Mapping[Phrase, str]  # `("south", "coast")` -> `SC`
    powers: Mapping[Phrase, Power]
    # the names of provinces in the lists, also written in one word, without abbreviations
    stated: Mapping[Phrase, Province]
    # names that a coast has elsewhere: `{"SPA": {"WC": "SC"}}`
    other_coasts: Mapping[Province, Mapping[str, str]]


@cache
def _lists(name: str) -> Any:
    return json.loads(files(__package__).joinpath("data", name).read_text(encoding="utf-8"))


@cache
def words_of_orders() -> Mapping[Phrase, str]:
    """Return the meaning of each word of orders: `hold` for `("holds",)`."""
    return read_meanings(_lists("words.json"))


_KNOWN: dict[str, Names] = {}


def names_of(world: World) -> Names:
    """Return the names on a map, cached by the map's name."""
    if world.name not in _KNOWN:
        _KNOWN[world.name] = _read(world)
    return _KNOWN[world.name]


def _read(world: World) -> Names:
    lists, places = _lists("names.json"), tuple(world.places.values())
    stated = _stated(places, lists)
    return Names(
        provinces=_beginnings(_begun(places, lists), {*stated, *words_of_orders()})
        | {words: (code,) for words, code in stated.items()},
        coasts=read_meanings(lists["coasts"]),
        powers=read_meanings(
            {power: {"own": power, **lists["powers"].get(power, {})} for power in world.powers}
        ),
        stated=stated,
        other_coasts=lists["other coasts"],
    )


def read_meanings(lists: Mapping[str, Mapping[str, str]]) -> dict[Phrase, str]:
    """Return the meaning of each name of the lists; raises ValueError for a name with two
    meanings.
    """
    found: dict[Phrase, str] = {}
    for meaning, by_language in lists.items():
        for words in (
            way
            for names in by_language.values()
            for name in names.split("|")
            for way in spellings_of(name)
        ):
            if found.setdefault(words, meaning) != meaning:
                raise ValueError(f"{' '.join(words)} is both {found[words]} and {meaning}")
    return found


def _stated(places: Iterable[Place], lists: Any) -> dict[Phrase, Province]:
    codes, others = lists["codes"], lists["provinces"]
    found = read_meanings(
        {
            place.code: {
                "own": f"{place.code}|{place.name}",
                **codes.get(place.code, {}),
                **others.get(place.code, {}),
            }
            for place in places
        }
    )
    return {
        ("".join(words),): code
        for words, code in found.items()
        if ("".join(words),) not in words_of_orders()
    } | found


def _begun(places: Iterable[Place], lists: Any) -> Iterator[tuple[Province, str]]:
    """Yield the names of provinces that may be abbreviated: the English ones, and the Russian ones
    because of their own alphabet.
    """
    for place in places:
        yield place.code, place.name
        for name in lists["provinces"].get(place.code, {}).get("ru", "").split("|"):
            yield place.code, name


def _beginnings(
    names: Iterable[tuple[Province, str]], taken: set[Phrase]
) -> dict[Phrase, tuple[Province, ...]]:
    """Return the provinces for each abbreviation: the first three or more letters of a name's first
    word.
    """
    found: dict[Phrase, tuple[Province, ...]] = {}
    for code, name in names:
        first = phrase_of(name)[0] if name else ""
        for length in range(SHORTEST_PREFIX, len(first) + 1):
            words = (first[:length],)
            if words not in taken and code not in found.get(words, ()):
                found[words] = (*found.get(words, ()), code)
    return found
