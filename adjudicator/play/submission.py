"""The text of a submission: the words clear, ready, wait, THEN and OR (ruling G5), and the game's
own orders between them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal
from unicodedata import normalize

from adjudicator.core.game import AnyGame, Parsed, Refusal, Seat
from adjudicator.play.decoration import normalize_text, remove_decoration, strip_edges, without_note

_THEN = re.compile(r"(?<!\w)THEN(?!\w)", re.IGNORECASE)
_OR = re.compile(r"(?<!\s)\s+OR\s+", re.IGNORECASE)  # a run of blanks is tried once
_WORDS = {"clear", "ready", "wait"}
MOST_LINES = 400
MOST_PARTS = 60
MOST_CHOICES = 200
# alternatives times lines: each alternative is parsed with all the lines before it
MOST_TRIED = 5_000
LONGEST_TEXT = 20_000


class TooLong(ValueError):
    """These orders are longer than any game could need."""


@dataclass(frozen=True)
class ParsedSubmission:
    """The parts of a submission, one order text each, and the words beside them."""

    clear: bool
    says: Literal["ready", "wait"] | None
    parts: tuple[str, ...]  # the first is for the current phase; each further one follows a THEN
    then: bool = False  # whether there is a THEN, even with nothing after it

    @property
    def silent(self) -> bool:
        """Whether it neither gives nor clears orders: at most `ready` or `wait`."""
        return not (self.clear or self.then or any(self.parts))


def parse_submission(text: str) -> ParsedSubmission:
    """Split `text` into its parts; of `ready` and `wait` the last one counts. Raises TooLong with a
    sentence for the player.
    """
    _not_too_long(text)
    text = normalize_text(text)
    _not_too_long(text)
    if len(_OR.findall(text)) > MOST_CHOICES:
        raise TooLong(f"Orders may have {MOST_CHOICES} alternatives at most; nothing was changed.")
    words: list[str] = []
    kept: list[str] = []
    for line in text.splitlines():
        word = strip_edges(line.strip()).strip(".,;:!").lower()
        if word in _WORDS:
            words.append(word)
        else:
            kept.append(line)
    first, *after = split_parts("\n".join(kept))
    parts = (first, *(part for part in after if part))
    if len(parts) > MOST_PARTS:
        raise TooLong(f"A plan may reach {MOST_PARTS - 1} phases ahead; nothing was changed.")
    _not_too_many(len(_OR.findall(first)), len(first.splitlines()))
    last = next((word for word in reversed(words) if word != "clear"), None)
    return ParsedSubmission("clear" in words, _says(last), parts, then=bool(after))


def _not_too_long(text: str) -> None:
    if len(text) > LONGEST_TEXT or len(text.splitlines()) > MOST_LINES:
        raise TooLong(
            f"Orders may have {MOST_LINES} lines and {LONGEST_TEXT} characters at most; nothing was"
            " changed."
        )


def _not_too_many(choices: int, lines: int) -> None:
    if choices * lines > MOST_TRIED:
        raise TooLong(
            f"Orders with {choices} alternatives may have {MOST_TRIED // choices} lines at most;"
            " nothing was changed."
        )


def split_alternatives(line: str) -> list[str]:
    """Return the alternatives of a line, which are separated by OR."""
    return [each for each in _split(_OR, line.strip()) if each]


def split_parts(text: str) -> list[str]:
    """Return the text before the first THEN, and the text after each."""
    lines = text.splitlines()
    if not _THEN.search(text):
        return ["\n".join(lines).strip()]
    parts: list[list[str]] = [[]]
    for line in lines:
        first, *after = _split(_THEN, line)
        parts[-1].append(first)
        parts += [[each] for each in after]
    return ["\n".join(part).strip() for part in parts]


def split_at_then(text: str) -> tuple[str, str]:
    """Return the text before its first THEN, and the rest, which begins with it; "" if there is
    none.
    """
    lines = text.splitlines()
    for at, line in enumerate(lines):
        found = _THEN.search(without_note(line)[0])
        if found:
            return "\n".join([*lines[:at], line[: found.start()].rstrip()]), "\n".join(
                [line[found.start() :], *lines[at + 1 :]]
            )
    return text, ""


def _split(by: re.Pattern[str], line: str) -> list[str]:
    """Split a line but not its note, which belongs to the last piece."""
    orders, note = without_note(line)
    pieces = by.split(orders)
    pieces[-1] += note
    return pieces


def _says(word: str | None) -> Literal["ready", "wait"] | None:
    if word == "ready":
        return "ready"
    return "wait" if word == "wait" else None


@dataclass(frozen=True)
class Understood:
    """One part as its game understands it."""

    orders: tuple[object, ...]
    text: str  # canonical: one order a line
    refusals: tuple[Refusal, ...]
    remarks: tuple[str, ...]
    open: tuple[str, ...]  # the slots left unanswered
    complete: bool  # no slot is left open and no line was refused

    @property
    def left_out(self) -> tuple[Refusal, ...]:
        """The refused lines that a plan drops while the rest is followed (rsp R2)."""
        return tuple(refusal for refusal in self.refusals if refusal.unconditional)

    @property
    def followed(self) -> bool:
        """Whether it can be followed as a plan: it has an order, and every refused line is one of
        `left_out`.
        """
        return bool(self.orders) and self.left_out == self.refusals

    @property
    def settled(self) -> bool:
        """Whether it can be followed as a plan without asking the seat for anything more."""
        return self.followed and not self.open


NOTHING = Understood((), "", (), (), (), complete=False)


def understand(game: AnyGame, state: object, seat: Seat, text: str) -> Understood:
    """Read orders for the current phase; of alternatives on a line the first legal one is taken."""
    lost: list[Refusal] = []
    text = remove_decoration(text, partial(game.parse, state, seat))
    if _OR.search(text):
        text = _choose(game, state, seat, text, lost)
    parsed = game.parse(state, seat, text)
    refusals = (*parsed.refusals, *lost)
    complete = not refusals and not parsed.open
    return Understood(
        parsed.orders, _canonical(parsed), refusals, parsed.remarks, parsed.open, complete
    )


def _choose(game: AnyGame, state: object, seat: Seat, text: str, lost: list[Refusal]) -> str:
    """Return the text with the first legal alternative of each line, and add to `lost` the refusals
    of a line without any.
    """
    chosen: list[str] = []
    # the chosen lines that were not refused, so that a bad line is not parsed again for every later
    # OR
    good: list[str] = []
    for line in text.splitlines():
        alternatives = _split(_OR, line.strip())
        if len(alternatives) > 1:
            good = _not_refused(game, state, seat, good)
            line = _first_legal(game, state, seat, good, alternatives, lost)
        chosen.append(line)
        good.append(line)
    return "\n".join(chosen)


def _canonical(parsed: Parsed[object]) -> str:
    return normalize("NFC", "\n".join(str(order) for order in parsed.orders))


def _not_refused(game: AnyGame, state: object, seat: Seat, lines: list[str]) -> list[str]:
    refused = {
        refusal.line.strip() for refusal in game.parse(state, seat, "\n".join(lines)).refusals
    }
    return [line for line in lines if line.strip() not in refused]


def _first_legal(
    game: AnyGame,
    state: object,
    seat: Seat,
    before: list[str],
    alternatives: list[str],
    lost: list[Refusal],
) -> str:
    """Return the first alternative that is legal after the lines `before`; where none is, return ""
    and add the refusals to `lost`.
    """
    unconditional = [
        (each, _in_no_alternative(game.parse(state, seat, each), each)) for each in alternatives
    ]
    lost.extend(refusal for _, refusal in unconditional if refusal)
    refused: list[Refusal] = []
    for alternative in (each for each, refusal in unconditional if not refusal):
        parsed = game.parse(state, seat, "\n".join([*before, alternative]))
        if not parsed.refusals:
            return alternative
        refused.append(parsed.refusals[-1])
    lost.extend(refused)
    return ""


def _in_no_alternative(parsed: Parsed[object], text: str) -> Refusal | None:
    """Return the refusal of an alternative with a part that is never conditional (rsp R2), None for
    any other.

    A valid order has `unconditional` itself; a refused line has it in its refusal.
    """
    piece = next(
        (str(order) for order in parsed.orders if getattr(order, "unconditional", False)), ""
    )
    piece = piece or next(
        (
            refusal.understood or refusal.piece
            for refusal in parsed.refusals
            if refusal.unconditional
        ),
        "",
    )
    piece = piece.splitlines()[0] if piece else ""
    reason = (
        f"“{piece}” is never conditional, so it cannot stand beside OR; write it on a line of its"
        " own."
    )
    return Refusal.invalid(text, piece, reason) if piece else None


@dataclass(frozen=True)
class Planned:
    """One part of a plan, as far as it is understood before its phase."""

    text: str  # canonical where an order could be understood; alternatives joined by OR
    refusals: tuple[Refusal, ...]


def understand_plan(game: AnyGame, state: object, seat: Seat, text: str) -> Planned:
    """Read a part for a later phase: an order that is illegal now is kept, one that is invalid or
    ambiguous is refused.
    """
    lines: list[str] = []
    refusals: list[Refusal] = []
    for line in remove_decoration(text, partial(game.parse, state, seat)).splitlines():
        several = split_alternatives(line)
        spelled = [
            _spell(game, state, seat, each, refusals, alone=len(several) == 1) for each in several
        ]
        if any(spelled):
            lines.append(" OR ".join(spelling for spelling in spelled if spelling))
    return Planned(normalize("NFC", "\n".join(lines)), tuple(refusals))


def _spell(
    game: AnyGame, state: object, seat: Seat, text: str, refusals: list[Refusal], *, alone: bool
) -> str:
    parsed = game.parse(state, seat, text)
    unconditional = None if alone else _in_no_alternative(parsed, text)
    if unconditional:
        refusals.append(unconditional)
        return ""
    if parsed.orders and not parsed.refusals:
        return "\n".join(str(order) for order in parsed.orders)
    later = [refusal.understood for refusal in parsed.refusals if refusal.kind == "illegal"]
    if len(later) == len(parsed.refusals) and later:
        return "\n".join([*(str(order) for order in parsed.orders), *later])
    refusals.extend(refusal for refusal in parsed.refusals if refusal.kind != "illegal")
    return ""


@dataclass(frozen=True)
class Submitted:
    """A whole submission read by its game."""

    says: Literal["ready", "wait"] | None
    now: Understood
    texts: tuple[str, ...]  # canonical, one a part
    refusals: tuple[Refusal, ...]  # of all parts

    @property
    def empty(self) -> bool:
        """Whether it was refused as a whole: then it changes nothing."""
        return bool(self.refusals) and not any(self.texts)

    @property
    def complete(self) -> bool:
        """Whether no slot is open now and no line was refused, including those of the plan."""
        return self.now.complete and not self.refusals


def understand_all(
    game: AnyGame, state: object, seat: Seat, submission: ParsedSubmission
) -> Submitted:
    """Read the parts of a submission, the first for the current phase and the others as a plan.

    For a seat that is not due all of it is a plan: its first part waits for the seat's next phase.
    """
    if seat not in game.phase(state).due:
        plans = [understand_plan(game, state, seat, part) for part in submission.parts if part]
        refusals = tuple(refusal for plan in plans for refusal in plan.refusals)
        return Submitted(
            submission.says, NOTHING, tuple(plan.text for plan in plans) or ("",), refusals
        )
    now = understand(game, state, seat, submission.parts[0])
    plans = [understand_plan(game, state, seat, part) for part in submission.parts[1:]]
    refusals = (*now.refusals, *(refusal for plan in plans for refusal in plan.refusals))
    return Submitted(submission.says, now, (now.text, *(plan.text for plan in plans)), refusals)


def understand_over(
    game: AnyGame, state: object, seat: Seat, before: Sequence[str], submission: ParsedSubmission
) -> Submitted:
    """Merge a letter's submission into the texts that were sealed `before`, one for each part.

    For the current phase its orders replace those for the same thing, and the others are kept. A
    THEN replaces the whole plan, and `clear` discards everything before. For a seat that is not due
    `before` is a plan, which any order replaces whole.
    """
    fresh = understand_all(game, state, seat, submission)
    if submission.clear or not before:
        return fresh
    if seat not in game.phase(state).due:
        replaces = fresh.empty or any(fresh.texts)
        return fresh if replaces else Submitted(fresh.says, NOTHING, tuple(before), fresh.refusals)
    now = _merged(game, state, seat, before[0], submission.parts[0], fresh.now)
    planned = fresh.refusals[len(fresh.now.refusals) :]
    if fresh.empty and now.text == understand(game, state, seat, before[0]).text:
        return fresh
    plan = fresh.texts[1:] if submission.then else tuple(before[1:])
    return Submitted(fresh.says, now, (now.text, *plan), (*now.refusals, *planned))


def _merged(
    game: AnyGame, state: object, seat: Seat, before: str, text: str, fresh: Understood
) -> Understood:
    """Merge new orders into older ones: where both order the same thing, the later one counts
    (ruling G8).

    Both are read as one text, because an order may be legal only beside another, or only without
    it. An older order that the new ones make impossible is reported as refused.
    """

    both = understand(game, state, seat, "\n".join(filter(None, (before, text))))
    return Understood(
        both.orders, both.text, both.refusals, fresh.remarks, both.open, both.complete
    )
