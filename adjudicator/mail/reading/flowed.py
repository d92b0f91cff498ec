"""Plain text whose lines flow (RFC 3676) put back together, and inline signatures (OpenPGP) taken off."""

import re

from adjudicator.mail.reading.letter_text import Unreadable

_QUOTES = re.compile(r"^>*")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_SECRET = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)


def unflow(text: str, *, delete_spaces: bool) -> str:
    """Return the text with its flowed lines joined where their quoting is alike; `delete_spaces` is DelSp=yes."""
    out: list[str] = []
    open_depth = -1  # the quoting of a line that goes on, -1 for none
    for raw in text.split("\n"):
        depth = len(_QUOTES.match(raw)[0])  # type: ignore[index]  # it matches everything
        line = raw[depth:].removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        kept = line[:-1] if flows and delete_spaces else line
        if depth == open_depth and line != "-- ":
            out[-1] += kept
        else:
            out.append(("> " if depth else "") + kept)
        open_depth = depth if flows else -1
        if len(out[-1]) > 4000:
            open_depth = -1
    return "\n".join(out)


def unsigned(text: str) -> str:
    """Return what an OpenPGP signature in the text covers, or the text as it is; raises Unreadable where it is encrypted."""
    if _SECRET.search(text) and _SIGNED not in text:
        raise Unreadable("It is encrypted, and this service has no key for letters; please send it without encryption.")
    if _SIGNED not in text:
        return text
    before, _, rest = text.partition(_SIGNED)
    _, _, covered = rest.partition("\n\n")
    covered, _, after = covered.partition(_SIGNATURE)
    _, _, after = after.partition("-----END PGP SIGNATURE-----")
    return "\n".join([before.strip("\n"), *(line.removeprefix("- ") for line in covered.split("\n")), after.strip("\n")])
