"""Reads the little YAML that docker-compose.yml is written in: block mappings, flow collections, quotes, anchors, merges, comments.

Whatever else YAML has is refused, so that nothing is read otherwise than Compose would read it.
"""

import re
from typing import Any

_COMMENT = re.compile(r"""^((?:[^\s"'#]+|"[^"]*"|'[^']*'|\s+(?!#)|(?<=\S)#)*)(?:\s*#.*)?$""")
_ENTRY = re.compile(r"(?P<key>[\w<./-]+):(?:\s+&(?P<anchor>\w+))?(?:\s+(?P<rest>\S.*))?")
_PLAIN = re.compile(r"[^,\[\]{}]+")
_WORDS = {"true": True, "false": False, "null": None}


def load(text: str) -> dict[str, Any]:
    """Return what a document says; every scalar but true, false and null is a string. Raises ValueError for what this cannot read."""
    return _Document(text).block(0)


class _Document:
    def __init__(self, text: str) -> None:
        self._anchors: dict[str, Any] = {}
        self._lines = [line for each in text.splitlines() if (line := _without_comment(each)).strip()]

    def block(self, indent: int) -> dict[str, Any]:
        """Take the mapping whose entries are indented so."""
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while self._lines and _indent(self._lines[0]) == indent:
            entry = _ENTRY.fullmatch(self._lines.pop(0).strip())
            if entry is None:
                raise ValueError("an entry reads `name: value`")
            value = self._value(entry["rest"], indent)
            if entry["anchor"]:
                self._anchors[entry["anchor"]] = value
            if entry["key"] == "<<":
                merged = value
            elif entry["key"] in own:
                raise ValueError(f"{entry['key']} stands twice")
            else:
                own[entry["key"]] = value
        if self._lines and _indent(self._lines[0]) > indent:
            raise ValueError(f"indented too far: {self._lines[0]}")
        return merged | own

    def _value(self, rest: str | None, indent: int) -> Any:
        if rest is None:
            deeper = _indent(self._lines[0]) if self._lines else 0
            return self.block(deeper) if deeper > indent else None
        if rest.startswith("*"):
            return self._anchors[rest[1:]]
        if rest[0] not in "[{\"'":
            return _word(rest)
        value, left = _flow(rest)
        if left.strip():
            raise ValueError(f"something stands after a value: {left}")
        return value


def _without_comment(line: str) -> str:
    found = _COMMENT.match(line)
    if found is None:
        raise ValueError(f"cannot tell where the comment begins: {line}")
    return found[1].rstrip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _word(text: str) -> Any:
    if text[0] in "|>&!%@`*" or text.startswith("- ") or text == "-" or ": " in text:
        raise ValueError(f"no plain value: {text}")
    return _WORDS.get(text, text)


def _flow(text: str) -> tuple[Any, str]:
    """Return the value a text begins with, and what is left of it."""
    text = text.lstrip()
    if text[0] in "\"'":
        inside, _, left = text[1:].partition(text[0])
        if "\\" in inside:
            raise ValueError(f"no escapes: {text}")
        return inside, left
    if text[0] == "[":
        return _list(text[1:])
    if text[0] == "{":
        return _mapping(text[1:])
    plain = _PLAIN.match(text)
    if plain is None:
        raise ValueError(f"no value: {text}")
    return _word(plain[0].strip()), text[plain.end() :]


def _list(text: str) -> tuple[list[Any], str]:
    found: list[Any] = []
    while not text.lstrip().startswith("]"):
        value, text = _flow(text)
        found.append(value)
        text = text.lstrip().removeprefix(",")
    return found, text.lstrip()[1:]


def _mapping(text: str) -> tuple[dict[str, Any], str]:
    found: dict[str, Any] = {}
    while not text.lstrip().startswith("}"):
        key, _, text = text.lstrip().partition(": ")
        found[key], text = _flow(text)
        text = text.lstrip().removeprefix(",")
    return found, text.lstrip()[1:]
