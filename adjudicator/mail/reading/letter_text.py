"""What a letter says once it has been taken apart, as bounded plain values; and how these pass
between the reader and its child.

A frame is a length and that many bytes: the games' order words and the child's answers in JSON,
letters as they are.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from adjudicator.core.game import OrderWords

LENGTH = struct.Struct(">I")
LARGEST_LETTER = 6 * 1024 * 1024  # bytes; the inbox takes a little less
LARGEST_ANSWER = 3 * 1024 * 1024  # bytes: the bounds of LetterText, all of them reached
READY = b"ready"  # the child's first frame
BROKE = "It could not be taken apart within the limits of memory."


class Unreadable(Exception):
    """A letter that could not be parsed within the limits; the message is a sentence that repeats
    nothing of it.
    """


@dataclass(frozen=True)
class Bounce:
    """A mail server's report that one letter of ours did not arrive."""

    address: str  # lower-case, "" where the report names none
    status: str  # as RFC 3463: `5.1.1`, "" where none was given
    final: bool  # whether it failed permanently; else it is late
    said: str  # what the server said, one line of 200 characters at most
    message_id: str  # of our letter, `<...>`, "" where the report does not show it


@dataclass(frozen=True)
class Complaint:
    """A report that somebody marked a letter of ours as spam (RFC 5965)."""

    address: str  # who, lower-case, "" where the report hides it
    message_id: str  # of our letter, "" where the report does not show it


@dataclass(frozen=True)
class LetterText:
    """A parsed letter. Every text is one line without control characters; nothing exceeds its
    limit.
    """

    # The writer's own lines in order, at most 400 of 1,000 characters: no quotes, signature,
    # footers or greetings. Empty lines separate paragraphs of text that may be press: it names
    # press, or no line of it looks like an order.
    lines: tuple[str, ...]
    passed_over: tuple[str, ...]  # greetings and good-byes that were left out, at most 20
    sender: str  # the address of From, lower-case, "" where there is not exactly one usable one
    subject: str  # without Re: and its like
    message_id: str  # `<...>`, "" where it has none
    # the letters it answers, nearest first: In-Reply-To, then References from their end; at most 20
    refers_to: tuple[str, ...]
    # a clause that says why no person wrote it: "it says Auto-Submitted: auto-replied"; else ""
    automatic: str
    bounces: tuple[Bounce, ...] = ()
    complaint: Complaint | None = None
    cut: bool = False  # whether lines were cut or left out
    # pieces of the writer's own lines that are struck through, which no line holds; at most 20
    struck: tuple[str, ...] = ()
    # the same of what looks like an order and has the colour of its background
    unseen: tuple[str, ...] = ()
    # hex; equal when the same letter is delivered twice, whatever mail servers added
    digest: str = ""


# --- frames


@dataclass(frozen=True)
class ChildAnswer:
    """What the child found: the text of a letter, or a sentence that says why it has none."""

    said: LetterText | None = None
    unreadable: str = ""
    worn: bool = False  # whether the child has to be replaced: it ran out of memory or stack once


def frame_bytes(body: bytes) -> bytes:
    """Return these bytes as a frame: their length, then the bytes."""
    return LENGTH.pack(len(body)) + body


def encode_words(words: Sequence[OrderWords]) -> bytes:
    """Return the games' order words as the first frame to the child holds them."""
    return json.dumps([asdict(each) for each in words], ensure_ascii=False).encode()


def decode_words(body: bytes) -> tuple[OrderWords, ...]:
    """Return what `encode_words` wrote."""
    return tuple(
        OrderWords(**{name: tuple(patterns) for name, patterns in each.items()})
        for each in json.loads(body)
    )


def encode_answer(answer: ChildAnswer) -> bytes:
    """Return an answer as bytes."""
    return json.dumps(asdict(answer), ensure_ascii=False).encode()


def decode_answer(body: bytes) -> ChildAnswer:
    """Return the answer in these bytes; raises ValueError, KeyError or TypeError where there is
    none.
    """
    values = json.loads(body)
    text = values["said"]
    return ChildAnswer(
        None if text is None else _decoded(text), str(values["unreadable"]), bool(values["worn"])
    )


def _decoded(values: dict[str, object]) -> LetterText:
    complaint = values.pop("complaint")
    bounces = values.pop("bounces")
    if not isinstance(bounces, list):
        raise TypeError("bounces are a list")
    made = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return LetterText(
        **made,  # type: ignore[arg-type]  # as asdict wrote them
        bounces=tuple(Bounce(**each) for each in bounces),
        complaint=Complaint(**complaint) if isinstance(complaint, dict) else None,
    )
