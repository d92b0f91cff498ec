"""What structured header fields hold: a content type and its parameters, addresses, message ids."""

import re
from itertools import islice
from urllib.parse import unquote_to_bytes

from adjudicator.mail.reading import charsets
from adjudicator.mail.reading.headers import Headers, words

_TYPE = re.compile(r"\s*([\w.+-]{1,60}/[\w.+-]{1,100})")
_PARAMETER = re.compile(r""";\s*([\w-]{1,40})(\*\d{1,2})?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))""")
_MOST_PARAMETERS = 30
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_ADDRESS = re.compile(r"[^\s@<>()\[\]:;,\"\\]{1,64}@[^\s@<>()\[\]:;,\"\\]{1,253}")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def content(headers: Headers, name: str = "content-type") -> tuple[str, dict[str, str]]:
    """Return a field's lower-case value and its parameters by lower-case name (RFC 2045, RFC 2231)."""
    value = headers.first(name)
    parameters: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[bool, str]]] = {}
    for found in islice(_PARAMETER.finditer(value), _MOST_PARAMETERS):
        key, text = found[1].lower(), found[4] if found[4] is not None else found[5].strip()
        text = re.sub(r"\\(.)", r"\1", text)
        if found[2] is None and found[3] is None:
            parameters.setdefault(key, words(text))
        else:
            pieces.setdefault(key, {})[int((found[2] or "*0")[1:])] = (bool(found[3]), text)
    return value.partition(";")[0].strip().lower()[:160], parameters | {key: _joined(parts) for key, parts in pieces.items()}


def _joined(parts: dict[int, tuple[bool, str]]) -> str:
    """Put the pieces of a value together (RFC 2231, 3 and 4)."""
    charset, data = "", b""
    for number, (encoded, text) in sorted(parts.items()):
        if encoded and number == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        data += unquote_to_bytes(text) if encoded else text.encode("utf-8", "replace")
    return charsets.decode(data, charset)


def media_type(headers: Headers) -> tuple[str, dict[str, str]]:
    """Return the content type of a part, text/plain where it names none that could be one."""
    kind, parameters = content(headers)
    found = _TYPE.match(kind)
    return (found[1], parameters) if found else ("text/plain", parameters)


def ids(value: str) -> list[str]:
    """Return the message ids in a field, in order."""
    return _ID.findall(value)


def one_address(values: list[str]) -> tuple[str, str]:
    """Return the address, lower-case, and the shown name of From; ("", "") where there is not exactly one usable address."""
    if len(values) != 1:
        return "", ""
    bare = _QUOTED.sub(" ", _without_comments(values[0]))
    angled = re.findall(r"<([^<>]*)>", bare)
    found = _ADDRESS.findall(" ".join(angled) if angled else bare)
    if len(found) != 1 or len(angled) > 1 or not found[0].isprintable():
        return "", ""
    return found[0].lower().strip("."), _name(values[0])


def addresses(value: str) -> list[str]:
    """Return every address in a text, lower-case."""
    return [each.lower().strip(".") for each in _ADDRESS.findall(value) if each.isprintable()]


def _without_comments(value: str) -> str:
    """Return a field without its comments, which nest; without a stack that could overflow."""
    out, depth, quoted = [], 0, False
    for letter in value[:4096]:
        if letter == '"' and not depth:
            quoted = not quoted
        if not quoted and letter == "(":
            depth += 1
        if not depth:
            out.append(letter)
        if not quoted and letter == ")" and depth:
            depth -= 1
    return "".join(out)


def _name(value: str) -> str:
    before = value.partition("<")[0] if "<" in value else (re.search(r"\(([^()]*)\)", value) or ["", ""])[1]
    return words(re.sub(r'["\\]', "", before)).strip()[:100]
