"""`history`: what happened in a match, phase by phase."""

from adjudicator.mail.commands.command import Done, Section, Writer
from adjudicator.service import pages
from adjudicator.service.errors import Refused

WORD, USAGE, MEANING, CHANGES = "history", "history UID", "what happened in a match so far (in a match’s letters just `history`)", False
MOST = 40  # phases in one answer, the newest


def do(writer: Writer, said: str) -> Done:
    """Tell the story of the match whose address was written to, or of the one that is named."""
    uid = said.lower() or (writer.sitter.uid if writer.sitter else "")
    if not uid:
        raise Refused("It needs the match’s short name, as `status` tells it: `history k3m7p2qrs`.")
    name, told = pages.history(writer.session, uid, writer.player.id if writer.player else None, most=MOST)
    if not told:
        return Done(f"Nothing has happened in {name} yet.", uid=uid)
    if not writer.proved:
        sentence = (
            f"{name} has {len(told)} closed phases; what happened is on the site. `history` in answer to one of its letters tells it all."
        )
        return Done(sentence, uid=uid, links=((f"The history of {name}", f"/matches/{uid}/history"),))
    sections = tuple(Section(each.name, each.lines or ("Nothing to tell.",)) for each in told)
    return Done(
        f"What happened in {name} stands below, the newest {len(told)} phases."
        if len(told) == MOST
        else f"What happened in {name} stands below.",
        sections,
        uid=uid,
    )
