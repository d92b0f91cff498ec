"""Every kind of letter, stored as the JSON of its content until the letter is sent."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from adjudicator.service.letters.contents.answer_content import (
    AnswerLetter,
    ConfirmLetter,
    ReceiptLetter,
)
from adjudicator.service.letters.contents.content import LetterContent
from adjudicator.service.letters.contents.host_content import AnnouncementLetter, ProbeLetter
from adjudicator.service.letters.contents.match_content import (
    LateLetter,
    NoticeLetter,
    PressLetter,
    ProposalLetter,
    ReminderLetter,
    ReportedLetter,
    ReportLetter,
    RunLetter,
    StuckLetter,
    UnreachableLetter,
)
from adjudicator.service.letters.contents.seat_content import (
    DataLetter,
    GatheringLetter,
    InvitationLetter,
    OfferLetter,
    SeatLetter,
    SignInLetter,
    TournamentLetter,
)

_KINDS = (
    ReportLetter,
    ReceiptLetter,
    AnswerLetter,
    ConfirmLetter,
    NoticeLetter,
    ReminderLetter,
    ProposalLetter,
    PressLetter,
    InvitationLetter,
    GatheringLetter,
    SignInLetter,
    StuckLetter,
    UnreachableLetter,
    LateLetter,
    SeatLetter,
    OfferLetter,
    ReportedLetter,
    RunLetter,
    TournamentLetter,
    DataLetter,
    ProbeLetter,
    AnnouncementLetter,
)
_BY_KIND: Mapping[str, Any] = {each.KIND: each for each in _KINDS}


@cache
def _adapter(content: Any) -> TypeAdapter[LetterContent]:
    return TypeAdapter(content)


def dump_context(content: LetterContent) -> bytes:
    """Return a letter's content as JSON, without fields that have their default value."""
    own: Any = type(content)
    return _adapter(own).dump_json(content, exclude_defaults=True)


def load_context(kind: str, plain: Mapping[str, object]) -> LetterContent:
    """Return content that `dump_context` wrote, in this version or an older one. Raises KeyError
    for an unknown kind, else ValueError.
    """
    return _adapter(_BY_KIND[kind]).validate_python(plain)
