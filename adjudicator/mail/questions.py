"""Answers to the service's questions: which command a plain yes stands for, and what to write where
it stands for none.

The address that the letter came to is the authority, and says which question is answered: a vote
has an address of its own for each seat and proposal.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from adjudicator.mail.answering import Results, failure
from adjudicator.mail.commands.command import Writer
from adjudicator.mail.commands.seat import ACCEPT, DECLINE, LEAVE
from adjudicator.mail.commands.starting import CONFIRM
from adjudicator.mail.consent import says_yes
from adjudicator.mail.letter_lines import SortedLetter, SortedLine
from adjudicator.service.letters import acknowledgements
from adjudicator.service.matches import proposals
from adjudicator.service.orders import likely_orders

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
    alone: Callable[[], bool]  # whether a letter without commands can mean nothing else


def read_answer(writer: Writer, letter: SortedLetter) -> tuple[SortedLetter, Results]:
    """Return a letter with the commands that its yes stands for, and the refusal of an answer that
    is none.

    Only the first line can be the yes. A line of commands is carried out in any case.
    """
    if writer.claimed.target.kind == "confirmation":
        return _answer_confirmation(writer, letter)
    lines, question = letter.lines, _find_question(writer, letter)
    if question is None or any(line.command for line in lines):
        return letter, Results()
    agrees = _agrees(writer, letter)
    if not (agrees or question.alone()):
        return letter, Results()
    if agrees and question.command:
        return _instead(letter, question.command), Results()
    rest = _instead(letter) if agrees else replace(letter, lines=())
    return rest, failure(lines[0].text if lines else "", question.how)


def _agrees(writer: Writer, letter: SortedLetter) -> bool:
    """Whether a letter says yes; its writer may sign it by the words of the name or the address."""
    names = writer.address.partition("@")[0]
    if writer.player is not None:
        names = f"{names} {writer.player.name}"
    return says_yes([line.text for line in letter.lines], names)


def _instead(letter: SortedLetter, *commands: str) -> SortedLetter:
    """Return a letter with these commands in place of its first line."""
    return replace(letter, lines=(*map(SortedLine.read, commands), *letter.lines[1:]))


def _answer_confirmation(writer: Writer, letter: SortedLetter) -> tuple[SortedLetter, Results]:
    """Put the commands that were asked about first where a letter to a question's address says
    yes.
    """
    session, claimed, now, lines = writer.session, writer.claimed, writer.now, letter.lines
    question = acknowledgements.find_question(session, claimed, now)
    # an address that nobody has proved gets no line back
    shown = lines[0].text if lines and question.good else ""
    if not _agrees(writer, letter):
        if not question.good or any(line.command for line in lines):
            return letter, Results()
        return _instead(letter), failure(shown, _CONFIRMS)
    if not acknowledgements.use_question(session, claimed, now):
        return _instead(letter), failure(shown, _ANSWERED_BEFORE)
    return _instead(letter, *question.wanted), Results()


def _find_question(writer: Writer, letter: SortedLetter) -> _Asked | None:
    """Return the question that was asked at the address which the letter came to, None if there is
    none: an invitation, a vote, or whether a seat's player plays.
    """
    answered = writer.answered
    if writer.claimed.target.kind in ("invitation", "offer"):
        return _Asked(ACCEPT.word, _TAKES, lambda: writer.proved)
    if writer.votes_on is not None:
        kind = answered.vote
        command = f"vote yes {kind}" if kind in proposals.BY_RULE else ""
        how = _VOTES.format(kind=kind)
        return _Asked(command, how, lambda: _is_talk(writer, letter)) if kind else None
    if answered.gathers and not answered.press:
        return _Asked(CONFIRM.word, _MUSTERS, lambda: answered.awaits)
    return None


def _is_talk(writer: Writer, letter: SortedLetter) -> bool:
    """Whether no line to a seat's address reads as an order: that of a vote is also the seat's."""
    seat_id = writer.claimed.target.seat_id
    lines = [line.text for line in letter.lines]
    return seat_id is not None and likely_orders.holds_no_order(writer.session, seat_id, lines)
