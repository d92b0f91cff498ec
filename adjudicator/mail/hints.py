"""Sentences that name the line to send: where a letter says in plain words what it wants, and where
a line resembles a command.
"""

import calendar
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from adjudicator.core.game import Refusal
from adjudicator.mail.commands.absence import ABSENCE
from adjudicator.mail.commands.command import Writer
from adjudicator.mail.commands.help_ import HELP, RULES
from adjudicator.mail.commands.masters import DEADLINE
from adjudicator.mail.commands.recognition import guess_command
from adjudicator.mail.commands.seat import LEAVE
from adjudicator.mail.commands.tenure import RESIGN
from adjudicator.mail.commands.votes import EXTEND
from adjudicator.mail.intents import Intent, find_intent
from adjudicator.service.starting import muster
from adjudicator.service.views import game_info, letter_context

_HELP = f"`{HELP.word}` lists what you can write."
_NO_ORDER = "It is no order."
_ALONE = "on a line of its own"
_DAYS = "|".join(day.lower() for day in calendar.day_name)
_UNTIL = re.compile(rf"\b(?:until|till|to|by|on|before)(?: next)? ({_DAYS})\b")
_MORE_WORDS = 3  # than the nearest order has, in a line that is a sentence
_USUAL = timedelta(days=7)  # of an absence that names no last day


def hint_refusals(writer: Writer, refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """Return the refused lines of a letter, those that are plain sentences or resemble a command
    with the line to send.

    A sentence may run over several lines; then the first of them has the hint.
    """
    talk = [each.line for each in refusals if each.kind == "invalid"]
    intents = {line: found for line in talk if (found := find_intent([line]))}
    if talk and not intents and (whole := find_intent(talk)):
        intents = {talk[0]: whole}
    return tuple(_hint(writer, each, intents.get(each.line)) for each in refusals)


def _hint(writer: Writer, refusal: Refusal, intent: Intent | None) -> Refusal:
    if refusal.kind != "invalid":
        return refusal
    meant = guess_command(refusal.line)
    if meant:
        return replace(
            refusal,
            reason=(
                f"It is no order, but it looks like the command `{meant}`, which is written"
                " just so."
            ),
            remedies=(),
        )
    sentence = describe_intent(writer, intent) if intent is not None else ""
    if sentence:
        return replace(refusal, reason=f"{_NO_ORDER} {sentence}", remedies=())
    if _is_near(refusal):
        return refusal
    return replace(refusal, reason=f"{refusal.reason} {_HELP}", remedies=())


def _is_near(refusal: Refusal) -> bool:
    """Whether a refused line may be a misspelt order: one of the remedies has about as many
    words.
    """
    return any(
        len(refusal.line.split()) <= len(each.split()) + _MORE_WORDS for each in refusal.remedies
    )


def describe_lines(writer: Writer, lines: Sequence[str]) -> str:
    """Return the sentence that names what to send where these lines say in plain words what their
    writer wants, else "".
    """
    intent = find_intent(lines)
    return describe_intent(writer, intent) if intent is not None else ""


def describe_intent(writer: Writer, intent: Intent) -> str:
    """Return the sentence that names the line to send, "" where no line does what is asked for."""
    match intent.kind:
        case "resign":
            return _describe_leaving(writer)
        case "extend":
            return _describe_time(writer, intent.hours)
        case "absence":
            first, last = _days(writer, intent)
            return (
                f"If you are away, `{ABSENCE.word} {first} to {last}`, with your own days and"
                f" {_ALONE}, moves deadlines past them."
            )
        case "help":
            return _HELP
        case "tournament":
            game = intent.game or game_info.games()[0].key
            return (
                f"`make tournament {game} name: Our cup`, {_ALONE}, makes one that you direct;"
                " `help tournament` lists what its directors write."
            )
        case "rules":
            rules = f"{RULES.word} {intent.game}" if intent.game else RULES.word
            return (
                f"`{rules}`, {_ALONE}, brings the rules of the game."
                if intent.game or writer.here
                else f"`{RULES.usage}`, {_ALONE}, brings the rules of that game."
            )
        case _:
            games = ", ".join(about.key for about in game_info.games())
            return (
                f"`join {intent.game or game_info.games()[0].key}`, {_ALONE}, takes a seat; the"
                f" games are {games}."
            )


def _describe_leaving(writer: Writer) -> str:
    """Name the line that gives up a seat, which stays the player's as long as that line is not
    written.
    """
    sitter = writer.sitter
    if sitter is None:
        seat = f"`{RESIGN.word}` and the name of your seat, or with `{LEAVE.word}` before it begins"
        return (
            "Your seats stay yours. To give one up for good, answer a letter of its match with"
            f" {seat}."
        )
    if muster.gathers(writer.session, sitter.uid):
        return f"Your seat stays yours; `{LEAVE.word}`, {_ALONE}, gives it back."
    return (
        f"Your seat stays yours; `{RESIGN.word} {sitter.seat.lower()}`, {_ALONE}, gives it up for"
        " good."
        if _runs(writer)
        else ""
    )


def _describe_time(writer: Writer, hours: int) -> str:
    if writer.run is not None:
        return f"`{DEADLINE.word} +{hours}h`, {_ALONE}, moves the deadline."
    if writer.sitter is None:
        return (
            f"To ask for more time, answer a letter of the match with `{EXTEND.word} {hours}h`,"
            f" {_ALONE}."
        )
    return (
        f"`{EXTEND.word} {hours}h`, {_ALONE}, asks for more time, on which the others vote."
        if _runs(writer)
        else ""
    )


def _runs(writer: Writer) -> bool:
    """Whether the match of the seat that was written to has an open phase."""
    return (
        bool(writer.here)
        and letter_context.describe_match(writer.session, writer.here).phase is not None
    )


def _days(writer: Writer, intent: Intent) -> tuple[date, date]:
    """Return today and the day of the week that the sentence names, else a week later."""
    today = writer.now.astimezone(ZoneInfo(writer.zone)).date()
    found = _UNTIL.search(intent.sentence)
    if found is None:
        return today, today + _USUAL
    ahead = (list(map(str.lower, calendar.day_name)).index(found[1]) - today.weekday()) % 7
    return today, today + timedelta(days=ahead or 7)
