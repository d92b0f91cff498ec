"""What an answer tells of a match that its reader made or joined: the terms, as the match's page
lists them, and the next deadlines.
"""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.platform.words import format_moment
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.tokens.references import Reference
from adjudicator.service.views import conditions
from adjudicator.service.views.conditions import Outlook, ToldTerm

ASSUMED = (
    "These times are in UTC, as no other time zone is known of you. `zone Europe/Paris` sets yours,"
    " for your letters and for the matches that you make from then on."
)
FIXED = "The hours of this match are meant in UTC, too, and stay so."


def seated(writer: Writer, uid: str, sentence: str, *, reply_to: Reference | None = None) -> Done:
    """Return the answer to who made a match or took a seat in it: a sentence, its terms, and its
    next deadlines in the reader's zone.
    """
    outlook = conditions.outlook(writer.session, uid, now=writer.now)
    sections = [ReplySection(f"The terms of {outlook.name}", _terms(outlook))]
    sections += (
        [ReplySection("The next deadlines", _deadlines(writer, outlook))]
        if outlook.deadlines
        else []
    )
    return Done(sentence, tuple(sections), uid=uid, reply_to=reply_to)


def _terms(outlook: Outlook) -> tuple[str, ...]:
    terms = (ToldTerm("Game", (outlook.game,)), *outlook.terms)
    return tuple(
        "{title}: {told}".format(
            title=each.title, told=" ".join(filter(None, (*each.told, each.meaning)))
        )
        for each in terms
    )


def _deadlines(writer: Writer, outlook: Outlook) -> tuple[str, ...]:
    now = "They come so if the match begins now and every phase takes its whole time."
    whole = "They come so if every phase takes its whole time." if outlook.begun else now
    utc = writer.zone == "UTC"
    assumed = [ASSUMED, FIXED] if utc and outlook.hours_in == "UTC" else [ASSUMED] if utc else []
    return (*(format_moment(at, writer.zone) for at in outlook.deadlines), whole, *assumed)
