"""Commands that describe matches: `history`, `preview` of a letter's orders, and `archive` for
those that have ended.
"""

from collections.abc import Mapping, Sequence

from adjudicator.core.game import Refusal
from adjudicator.mail.commands.command import Command, Done, Writer, need_game
from adjudicator.platform import words
from adjudicator.platform.words import plural
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.matches.notes import Note
from adjudicator.service.views import game_info, match_page, trials
from adjudicator.service.views.match_page import Told
from adjudicator.service.views.records import archive_search
from adjudicator.service.views.records.archive_search import Search
from adjudicator.service.views.trials import Tried

MOST_PHASES = 40  # in one answer, the newest
MOST_NOTES = 40  # in one answer, the newest
_BEFORE, _SINCE = 0, -1  # where notes stand that were made in no closed phase
MOST_ENDED = 10  # matches of the archive in one answer
_UNPROVED_ROOM = 1_000  # characters of history in an answer to an address that nobody has proved


def _history(writer: Writer, arguments: str) -> Done:
    """Tell what happened in the match that is named, else in the match whose address was written
    to.
    """
    uid = writer.match(arguments, "history k3m7p2qrs")
    viewer = writer.player.id if writer.player else None
    name, phases = match_page.history(writer.session, uid, viewer, most=MOST_PHASES)
    noted = match_page.public_notes(writer.session, uid, viewer)[1] if writer.proved else ()
    if not phases and not noted:
        return Done(f"Nothing has happened in {name} yet.", uid=uid)
    if not writer.proved:
        newest = _newest(phases)
        sentence = (
            f"What happened last in {name} stands below; all of it is on the site, and by letter"
            " for who writes to a seat’s address."
        )
        links = (
            ((f"The history of {name}", f"/matches/{uid}/history"),)
            if len(newest) < len(phases)
            else ()
        )
        return Done(
            sentence if links else f"What happened in {name} stands below.",
            newest,
            uid=uid,
            links=links,
        )
    sections = _phases(phases, _by_phase(writer, phases, noted))
    return Done(
        (
            f"What happened in {name} stands below, the newest {len(phases)} phases."
            if len(phases) == MOST_PHASES
            else f"What happened in {name} stands below."
        ),
        sections,
        uid=uid,
    )


def _notes(writer: Writer, arguments: str) -> Done:
    """List the public notes of the match that is named, else of the match whose address was written
    to.
    """
    uid = writer.match(arguments, "notes k3m7p2qrs")
    name, noted = match_page.public_notes(
        writer.session, uid, writer.player.id if writer.player else None
    )
    if not noted:
        return Done(f"Nobody has changed anything in {name} yet.", uid=uid)
    links = ((f"The match {name}", f"/matches/{uid}"),)
    if not writer.proved:
        return Done(f"The notes of {name} are on the page of the match.", uid=uid, links=links)
    lines = tuple(_noted(writer, each) for each in reversed(noted[:MOST_NOTES]))
    sentence = (
        "The newest {n} notes of {name} stand below, all of them on its page."
        if len(noted) > MOST_NOTES
        else ""
    )
    phases = (
        sentence.format(n=MOST_NOTES, name=name)
        or f"The notes of {name} stand below: who changed what."
    )
    return Done(phases, (ReplySection("Notes", lines),), uid=uid, links=links if sentence else ())


def _noted(writer: Writer, note: Note) -> str:
    """Return a note as a line of a letter."""
    at = words.format_moment(note.at, writer.zone)
    who = f"{note.who[:1].upper()}{note.who[1:]}"
    what = note.what.removesuffix(".")
    return f"{at}: {who} {what}."


def _place_of(note: Note, phases: Sequence[Told]) -> int:
    """Return the number of the closed phase in which a note was made, else _BEFORE or _SINCE."""
    if not phases or note.at > phases[-1].closed_at:
        return _SINCE
    phase = next(each for each in phases if note.at <= each.closed_at)
    return _BEFORE if phase is phases[0] and note.at <= phase.opened_at else phase.number


def _by_phase(
    writer: Writer, phases: Sequence[Told], noted: Sequence[Note]
) -> Mapping[int, Sequence[str]]:
    """Return the notes as lines, oldest first, by what `_place_of` says; of a history that is cut
    none from before it.
    """
    found: dict[int, list[str]] = {}
    for note in reversed(noted):
        found.setdefault(_place_of(note, phases), []).append(_noted(writer, note))
    if phases and phases[0].number > 1:
        found.pop(_BEFORE, None)
    return found


def _phases(told: Sequence[Told], noted: Mapping[int, Sequence[str]]) -> tuple[ReplySection, ...]:
    """Return a section for each phase, with its notes below what happened in it."""
    phases = [
        ReplySection(
            each.name, (*(each.lines or ("Nothing to tell.",)), *noted.get(each.number, ()))
        )
        for each in told
    ]
    before, since = tuple(noted.get(_BEFORE, ())), tuple(noted.get(_SINCE, ()))
    return (
        *([ReplySection("Before the first phase", before)] if before else ()),
        *phases,
        *([ReplySection("Since then" if told else "Notes", since)] if since else ()),
    )


def _newest(phases: Sequence[Told]) -> tuple[ReplySection, ...]:
    """Return the newest phases that fit into a short answer, at least one."""
    sections = _phases(phases, {})
    first = len(sections) - 1
    while (
        first
        and sum(len(line) for section in sections[first - 1 :] for line in section.lines)
        < _UNPROVED_ROOM
    ):
        first -= 1
    return sections[first:]


# --- preview


def _preview(writer: Writer, arguments: str) -> Done:
    """Try `arguments`, the other lines of the letter, as orders in the open phase of the match whose
    address was written to.
    """
    if writer.sitter is None:
        raise Refused(
            "It needs a match: write it in answer to one of its letters, with the orders that you"
            " want to try."
        )
    board = trials.of_seat(writer.session, writer.sitter.uid, writer.sitter.player.id)
    if not arguments:
        raise Refused("It tries the orders that stand in the same letter, and there are none.")
    try:
        tried = board.tried(arguments)
    except TooLong as fault:
        raise Refused(str(fault)) from fault
    return Done(
        f"Your orders for {board.name} were only tried, and nothing was sealed.",
        _tried(tried),
        view=tried.view,
    )


def _tried(tried: Tried) -> tuple[ReplySection, ...]:
    refused = tuple(_not_tried(refusal) for refusal in tried.refusals)
    sections = [ReplySection("What was not tried", refused)] if refused else []
    story = (*tried.remarks, *tried.lines) or (() if refused else ("Nothing would happen.",))
    sections += [ReplySection("What would come of it", story)] if story else []
    sections += [ReplySection("The table then", board=tried.board)] if tried.lines else []
    return tuple(sections)


def _not_tried(refusal: Refusal) -> str:
    possible = f" Possible: {', '.join(refusal.remedies[:6])}." if refusal.remedies else ""
    return f"“{refusal.line[:80]}”: {refusal.reason}{possible}"


def _archive(writer: Writer, arguments: str) -> Done:
    """List the newest ended public matches of a game; to an address that is not proved only where
    the archive is.
    """
    game = need_game(arguments)
    title = game_info.about(game).title
    place = (f"The archive of {title}", f"/archive?game={game}")
    if not writer.proved:
        return Done(f"The ended matches of {title} are on the site.", links=(place,))
    found = archive_search.find_matches(writer.session, Search(game), most=MOST_ENDED).lines
    if not found:
        return Done(f"No public match of {title} has ended yet.")
    links = tuple(
        (
            plural(
                each.phases,
                "{name}, {result}, {n} phase",
                "{name}, {result}, {n} phases",
                name=each.name,
                result=each.result,
            ),
            f"/matches/{each.uid}",
        )
        for each in found
    )
    return Done(
        f"The newest matches of {title} that have ended are on the site.", links=(*links, place)
    )


ARCHIVE = Command(
    "archive",
    "archive diplomacy",
    "the newest matches of a game that have ended",
    _archive,
    of_game=True,
    changes=False,
)
HISTORY = Command(
    "history",
    "history UID",
    "what happened in a match so far (in a match’s letters just `history`)",
    _history,
    changes=False,
)
NOTES = Command(
    "notes",
    "notes UID",
    "who changed what in a match: warnings, deadlines, new players (in a match’s letters just"
    " `notes`)",
    _notes,
    changes=False,
)
PREVIEW = Command(
    "preview",
    "preview",
    "what would come of the orders in the same letter, everybody else doing nothing or what you"
    " write for them; nothing is sealed",
    _preview,
    tries=True,
    changes=False,
)
