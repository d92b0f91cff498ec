"""Answers to the service's questions: which command a plain yes stands for, and what to write where
it stands for none.

The address that the letter came to is the authority, and says which question is answered: a vote
has an address of its own for each seat and proposal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.answering import Request, Results, failure
from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.commands.seat import ACCEPT, DECLINE, LEAVE
from adjudicator.mail.commands.starting import CONFIRM
from adjudicator.mail.consent import says_yes
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters import acknowledgements
from adjudicator.service.matches import proposals
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import Answered
from adjudicator.service.starting import muster

_ANSWERED_BEFORE = (
    "This question was answered before, or its week is over. Write the command again."
)
_CONFIRMS = (
    "Nothing was done. If it was you who asked, answer with the one word `yes`; if not, there is"
    " nothing you have to do."
)
_TAKES = (
    f"Nothing was done. `{ACCEPT.word}` on a line of its own takes the seat, `{DECLINE.word}` gives"
    " it back."
)
_MUSTERS = (
    f"Nothing was done. The one word `yes` confirms that you play; if you cannot, `{LEAVE.word}`"
    " gives your seat to somebody else."
)
_VOTES = (
    "A vote on it is a line of its own: `vote yes {kind}` or `vote no {kind}`. Nothing was done."
)


@dataclass(frozen=True)
class _Asked:
    """A question that a letter may answer."""

    command: str  # what a plain yes stands for, "" if it needs its exact line
    how: str  # what to write, for any other answer
    alone: bool  # whether a letter without commands can mean nothing else


def read_answer(
    request: Request, answered: Answered, lines: Sequence[str]
) -> tuple[list[str], Results]:
    """Return a letter's lines with the commands that its yes stands for, and the refusal of an
    answer that is none.

    Only the first line can be the yes. A line of commands is carried out in any case.
    """
    if request.claimed.target.kind == "confirmation":
        return _answer_confirmation(request, lines)
    asked, agrees = _find_question(request, answered, lines), says_yes(lines, _names(request))
    if asked is None or any(map(find_command, lines)) or not (agrees or asked.alone):
        return list(lines), Results()
    if agrees and asked.command:
        return [asked.command, *lines[1:]], Results()
    rest = list(lines[1:]) if agrees else []
    return rest, failure(lines[0] if lines else "", asked.how)


def _answer_confirmation(request: Request, lines: Sequence[str]) -> tuple[list[str], Results]:
    """Put the commands that were asked about first where a letter to a question's address says
    yes.
    """
    session, now = request.writer.session, request.writer.now
    question = acknowledgements.find_question(session, request.claimed, now)
    # an address that nobody has proved gets no line back
    shown = lines[0] if lines and question.good else ""
    if not says_yes(lines, _names(request)):
        if not question.good or any(map(find_command, lines)):
            return list(lines), Results()
        return list(lines[1:]), failure(shown, _CONFIRMS)
    if not acknowledgements.use_question(session, request.claimed, now):
        return list(lines[1:]), failure(shown, _ANSWERED_BEFORE)
    return [*question.wanted, *lines[1:]], Results()


def _names(request: Request) -> str:
    """Return the words by which the writer of a letter may sign it."""
    player = request.writer.player
    local = request.writer.address.partition("@")[0]
    return f"{local} {player.name}" if player is not None else local


def _find_question(request: Request, answered: Answered, lines: Sequence[str]) -> _Asked | None:
    """Return the question that was asked at the address which the letter came to, None if there is
    none.
    """
    writer = request.writer
    if request.claimed.target.kind in ("invitation", "offer"):
        return _Asked(ACCEPT.word, _TAKES, alone=writer.proved)
    return _find_seats_question(request, answered, lines) if writer.sitter is not None else None


def _find_seats_question(
    request: Request, answered: Answered, lines: Sequence[str]
) -> _Asked | None:
    """Return the question to a seat that a letter answers: whether its player plays, or a vote.

    The address of a vote is also that of the seat, so orders may come to it.
    """
    writer = request.writer
    if writer.sitter is None:
        return None
    if writer.votes_on is not None:
        kind = proposals.kind_of(writer.session, writer.sitter.uid, writer.votes_on)
        command = f"vote yes {kind}" if kind in proposals.BY_RULE else ""
        alone = not says_yes(lines) and _is_talk(request, lines)
        return _Asked(command, _VOTES.format(kind=kind), alone=alone) if kind else None
    if answered.nearest is not None and answered.nearest.kind == "press":
        return None
    if muster.gathers(writer.session, writer.sitter.uid):
        asks = muster.awaits(writer.session, writer.sitter.uid, writer.sitter.player.id)
        return _Asked(CONFIRM.word, _MUSTERS, alone=asks)
    return None


def _is_talk(request: Request, lines: Sequence[str]) -> bool:
    """Whether no line to a seat's address reads as an order."""
    try:
        return orders_by_letter.holds_no_order(request.writer.session, request.claimed, lines)
    except Refused:  # too long: handing the lines in refuses them for that
        return False
