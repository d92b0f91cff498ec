"""What a letter says once it has been taken apart: plain values, bounded, nothing of its form left."""

from dataclasses import dataclass


class Unreadable(Exception):
    """A letter that could not be taken apart within the limits; the message is a sentence that repeats nothing of it."""


@dataclass(frozen=True)
class Bounce:
    """That one letter of ours did not arrive, as a mail server reports it."""

    address: str  # lower-case, "" where the report names none
    status: str  # as RFC 3463: `5.1.1`, "" where none was given
    final: bool  # whether it came back for good; else it is only late
    said: str  # what the server said, one line of 200 characters at most
    message_id: str  # of our letter, `<...>`, "" where the report does not show it


@dataclass(frozen=True)
class Complaint:
    """That somebody called a letter of ours spam (RFC 5965)."""

    address: str  # who, lower-case, "" where the report hides it
    message_id: str  # of our letter, "" where the report does not show it


@dataclass(frozen=True)
class LetterText:
    """A letter taken apart. Every text stands on one line without control characters; nothing is longer than its bound."""

    # What its writer wrote, in order, at most 400 of 1,000 characters: no quotes, signature, footers, greetings.
    # Empty ones stand between the paragraphs of a stretch that may be press: it names press, or nothing in it looks like an order.
    lines: tuple[str, ...]
    passed_over: tuple[str, ...]  # greetings and good-byes that were left out, at most 20: they are no orders, and nobody need be told
    sender: str  # the address of From, lower-case, "" where there is not exactly one usable one
    subject: str  # without Re: and its like
    message_id: str  # `<...>`, "" where it has none
    refers_to: tuple[str, ...]  # the letters it answers, nearest first: In-Reply-To, then References from their end; at most 20
    automatic: str  # why it is taken for written by no person, a clause: "it says Auto-Submitted: auto-replied"; "" for a person's
    bounces: tuple[Bounce, ...] = ()
    complaint: Complaint | None = None
    cut: bool = False  # whether more lines were there than are kept
    digest: str = ""  # hex; the same for the same letter delivered twice, whatever the mail servers on its way added
