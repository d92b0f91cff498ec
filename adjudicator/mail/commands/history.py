"""`history`: what happened in a match, phase by phase."""

from collections.abc import Sequence

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.views import match_page
from adjudicator.service.views.match_page import Told

WORD, USAGE, MEANING, CHANGES = "history", "history UID", "what happened in a match so far (in a match’s letters just `history`)", False
_ROOM = 1_000  # characters of an answer to an address that nobody has proved
MOST = 40  # phases in one answer, the newest


def do(writer: Writer, said: str) -> Done:
    """Tell the story of the match whose address was written to, or of the one that is named."""
    uid = said.lower() or (writer.sitter.uid if writer.sitter else "")
    if not uid:
        raise Refused("It needs the match’s short name, as `status` tells it: `history k3m7p2qrs`.")
    name, told = match_page.history(writer.session, uid, writer.player.id if writer.player else None, most=MOST)
    if not told:
        return Done(f"Nothing has happened in {name} yet.", uid=uid)
    if not writer.proved:
        newest = _newest(told)
        sentence = f"What happened last in {name} stands below; all of it is on the site, and by letter for who writes to a seat’s address."
        links = ((f"The history of {name}", f"/matches/{uid}/history"),) if len(newest) < len(told) else ()
        return Done(sentence if links else f"What happened in {name} stands below.", newest, uid=uid, links=links)
    sections = _sections(told)
    return Done(
        f"What happened in {name} stands below, the newest {len(told)} phases."
        if len(told) == MOST
        else f"What happened in {name} stands below.",
        sections,
        uid=uid,
    )


def _sections(told: Sequence[Told]) -> tuple[ReplySection, ...]:
    return tuple(ReplySection(each.name, each.lines or ("Nothing to tell.",)) for each in told)


def _newest(told: Sequence[Told]) -> tuple[ReplySection, ...]:
    """Return the newest phases that a short answer has room for, one at least."""
    sections = _sections(told)
    first = len(sections) - 1
    while first and sum(len(line) for section in sections[first - 1 :] for line in section.lines) < _ROOM:
        first -= 1
    return sections[first:]
