"""What a page says aloud, in one sentence, to those who hear it: the outcome of what they did,
instead of the part of the page.
"""

from collections.abc import Mapping
from textwrap import shorten

from adjudicator.platform.words import plural
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.views.match_page import MatchPage
from adjudicator.service.views.trials import Spelled
from web.matches.match_page import ActionResult
from web.matches.trials import Sandbox
from web.words import choice_labels

LONGEST = 160  # characters of a sentence


def say_match(page: MatchPage, result: ActionResult) -> str:
    """Return what the page of a match says as it takes the place of another, "" where it shows an
    alert instead.
    """
    if result.sentence or result.question:
        return ""
    sentences = (
        _say_answer(result.answer, choice_labels(page.owed))
        if result.answer
        else _say_standing(page)
    )
    ready = _say_ready(result.answer) if result.answer else ""
    return shorten(" ".join((sentences, ready)), LONGEST, placeholder=" …")


def _say_ready(answer: Acknowledgement) -> str:
    """Return whether the seat counts as ready, "" where nobody waits for it."""
    if answer.disposition == "refused" or answer.in_time or answer.closes_now or not answer.due:
        return ""
    return "You are ready." if answer.ready else "You are not ready."


def _say_answer(answer: Acknowledgement, labels: Mapping[str, str]) -> str:
    phase, orders = answer.phase_name, answer.parts[0].orders if answer.parts else ()
    if answer.disposition == "refused":
        return f"Not taken: {answer.reason}"
    if answer.refusals:
        one = "Sealed for {phase}, and {n} line was not taken."
        other = "Sealed for {phase}, and {n} lines were not taken."
        return plural(len(answer.refusals), one, other, phase=phase)
    if answer.open_slots:
        one = "Sealed for {phase}, and {n} choice is still to make."
        other = "Sealed for {phase}, and {n} choices are still to make."
        return plural(len(answer.open_slots), one, other, phase=phase)
    words = labels.get(orders[0], orders[0]) if len(orders) == 1 else ""
    if answer.closes_now and words:
        return (
            f"Sealed for {phase}: {words}; everybody is ready, and the phase is being opened now."
        )
    if answer.closes_now:
        one = (
            "Sealed for {phase}: {n} order; everybody is ready, and the phase is being opened now."
        )
        other = (
            "Sealed for {phase}: {n} orders; everybody is ready, and the phase is being opened now."
        )
        return plural(len(orders), one, other, phase=phase)
    if words:
        return f"Sealed for {phase}: {words}."
    return plural(
        len(orders),
        "Sealed for {phase}: {n} order.",
        "Sealed for {phase}: {n} orders.",
        phase=phase,
    )


def _say_standing(page: MatchPage) -> str:
    over = page.last[-1].name if page.last and page.last[-1].number else ""
    if page.card.status == "ended":
        return "The match is over."
    if page.card.status != "running":
        return ""
    if page.owed is None and over:
        return f"{over} is over; {page.card.phase} is open, and you owe nothing now."
    if page.owed is None:
        return f"The match has begun; {page.card.phase} is open, and you owe nothing now."
    if page.owed.handed_in_at:
        if page.owed.ready:
            return f"Your orders for {page.owed.phase} are sealed, and you are ready."
        return f"Your orders for {page.owed.phase} are sealed, and you are not ready."
    if over:
        return f"{over} is over; you owe orders for {page.owed.phase}."
    return f"The match has begun; you owe orders for {page.owed.phase}."


def say_trial(sandbox: Sandbox) -> str:
    """Return what a trial says once it was made, "" where it shows an alert instead."""
    if sandbox.tried is None or sandbox.sentence:
        return ""
    if sandbox.tried.refusals:
        one = "Only tried, nothing was sealed; {n} line could not be tried."
        return plural(
            len(sandbox.tried.refusals),
            one,
            "Only tried, nothing was sealed; {n} lines could not be tried.",
        )
    one = "Only tried, nothing was sealed: {n} sentence below tells what would come of it."
    return plural(
        len(sandbox.tried.lines),
        one,
        "Only tried, nothing was sealed: {n} sentences below tell what would come of it.",
    )


def say_spelled(spelled: Spelled) -> str:
    """Return what the box in which orders are spelled says of them."""
    if spelled.refusals:
        return plural(
            len(spelled.refusals), "{n} line was not understood.", "{n} lines were not understood."
        )
    return plural(len(spelled.orders), "{n} order was understood.", "{n} orders were understood.")
