"""How the reader and its child speak: frames of a length and as many bytes; what orders look like and a reading are JSON in them."""

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from adjudicator.core.game import OrderWords
from adjudicator.mail.reading.letter_text import Bounce, Complaint, LetterText

LENGTH = struct.Struct(">I")
LARGEST_LETTER = 6 * 1024 * 1024  # bytes; the inbox takes a little less
LARGEST_ANSWER = 3 * 1024 * 1024  # bytes: the bounds of LetterText, all of them reached
READY = b"ready"  # the child's first frame
BROKE = "It could not be taken apart within the limits of memory."


@dataclass(frozen=True)
class ChildAnswer:
    """What the child found: a reading, or a sentence that says why there is none."""

    said: LetterText | None = None
    unreadable: str = ""
    worn: bool = False  # whether the child is to be replaced: its memory or its stack was used up once


def frame(body: bytes) -> bytes:
    """Return these bytes as a frame."""
    return LENGTH.pack(len(body)) + body


def encode_words(words: Sequence[OrderWords]) -> bytes:
    """Return what orders look like as bytes: the first frame to the child."""
    return json.dumps([asdict(each) for each in words], ensure_ascii=False).encode()


def decode_words(body: bytes) -> tuple[OrderWords, ...]:
    """Return what `encode_words` wrote."""
    return tuple(OrderWords(**{name: tuple(patterns) for name, patterns in each.items()}) for each in json.loads(body))


def encode(answer: ChildAnswer) -> bytes:
    """Return an answer as bytes."""
    return json.dumps(asdict(answer), ensure_ascii=False).encode()


def decode(body: bytes) -> ChildAnswer:
    """Return the answer in these bytes; raises ValueError, KeyError or TypeError where there is none."""
    values = json.loads(body)
    said = values["said"]
    return ChildAnswer(None if said is None else _said(said), str(values["unreadable"]), bool(values["worn"]))


def _said(values: dict[str, object]) -> LetterText:
    complaint = values.pop("complaint")
    bounces = values.pop("bounces")
    if not isinstance(bounces, list):
        raise TypeError("bounces are a list")
    made = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return LetterText(
        **made,  # type: ignore[arg-type]  # as asdict wrote them
        bounces=tuple(Bounce(**each) for each in bounces),
        complaint=Complaint(**complaint) if isinstance(complaint, dict) else None,
    )
