"""Rules drawn across a letter, below which some programs put the quoted letter without a word
(`<hr>`).
"""

import re
from collections.abc import Collection, Sequence

from adjudicator.mail.reading.headers import Correspondents
from adjudicator.mail.reading.reply_heads import announcement_length, is_marked
from adjudicator.mail.reading.signatures import RULE

DRAWN = "\U0010fff4"  # a rule of HTML; a private character, which no line keeps
_OURS = re.compile(
    r"\W{0,3}(?:Sealed Orders(?:,?\s+\W{0,2}https?://.{0,200})?\W{0,3}|The keys of this service"
    r" have the fingerprint\b.{0,80})"
)
_FAR = 600  # lines in which the end of our letter is looked for
_MOST = 6  # rules of a letter that are examined


class DrawnRules:
    """The rules in the lines of a letter; `places` are those of HTML."""

    def __init__(
        self, lines: Sequence[str], places: Collection[int], known: Correspondents
    ) -> None:
        self._lines, self._places, self._known = lines, places, known
        self._left = _MOST

    def quotes_below(self, at: int) -> bool:
        """Whether a rule is drawn here and our letter follows it, without an announcement or marks:
        its last lines are below.
        """
        if self._left == 0 or not (at in self._places or RULE.fullmatch(self._lines[at])):
            return False
        self._left -= 1
        below = range(at + 1, min(at + 1 + _FAR, len(self._lines)))
        end = next(
            (
                place
                for place in below
                if is_marked(self._lines[place]) or _OURS.fullmatch(self._lines[place])
            ),
            None,
        )
        if end is None or is_marked(self._lines[end]):
            return False
        return not any(
            announcement_length(self._lines, place, self._known) for place in range(at + 1, end)
        )
