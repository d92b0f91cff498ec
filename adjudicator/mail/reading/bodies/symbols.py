"""Symbols that office programs write as letters of a font: a smile is `J` in Wingdings, an arrow
`à`.
"""

import re

from adjudicator.mail.reading.orderlike import is_order

_WINGDINGS = {
    "J": "🙂",
    "K": "😐",
    "L": "🙁",
    "ß": "←",
    "à": "→",
    "á": "↑",
    "â": "↓",
    "ç": "←",
    "è": "→",
    "ï": "←",
    "ð": "→",
    "ó": "↔",
    "ô": "↕",
    "ü": "✔",
    "û": "❌",
    "x": "❌",
    "þ": "✔",
    "ý": "❌",
}
_SYMBOL = {"®": "→", "¬": "←", "Þ": "→", "Ü": "←", "«": "↔", "-": "-", "−": "-"}
FONTS = {
    "wingdings": _WINGDINGS,
    "wingdings 2": {},
    "wingdings 3": {},
    "webdings": {},
    "symbol": _SYMBOL,
}
_OTHER = "•"
_SMILE = re.compile(r"^(\S.{0,100}\S)[ \xa0]J[ \xa0]*$", re.MULTILINE)
# where these programs put the letters of such fonts if they do not name the font
_PRIVATE = re.compile("[\uf020-\uf0ff]")


def translate_symbols(text: str, font: str) -> str:
    """Return the symbols that these letters are in a font of `FONTS`; one without a meaning of its
    own becomes a bullet.
    """
    known = FONTS[font]
    return "".join(
        letter if letter.isspace() else known.get(_plain(letter), _OTHER) for letter in text
    )


def replace_private(text: str) -> str:
    """Return text in which the private characters for letters of Wingdings are symbols."""
    return _PRIVATE.sub(lambda found: _WINGDINGS.get(_plain(found[0]), _OTHER), text)


def replace_smiles(text: str) -> str:
    """Return plain text in which the `J` that Outlook leaves of a smile beside an order is one."""
    return _SMILE.sub(lambda found: f"{found[1]} 🙂" if is_order(found[1]) else found[0], text)


def _plain(letter: str) -> str:
    """Return the letter of the font that a character is."""
    return chr(ord(letter) - 0xF000) if _PRIVATE.fullmatch(letter) else letter
