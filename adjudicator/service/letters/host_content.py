"""What the letters of whoever runs the service say."""

from dataclasses import dataclass

from adjudicator.service.letters.content import LetterContent


@dataclass(frozen=True, kw_only=True)
class ProbeLetter(LetterContent):
    """Nothing but that letters arrive; never stored."""

    KIND = "probe"


@dataclass(frozen=True, kw_only=True)
class AnnouncementLetter(LetterContent):
    """What the host tells all players, or those who play now."""

    KIND = "announcement"

    title: str
    paragraphs: tuple[tuple[str, ...], ...]  # each of lines
    running: bool = False  # whether it is for those who play now
