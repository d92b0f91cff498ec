"""Commands that describe a match: `status` as it is, `history` as it was, `preview` as a letter's orders would make it."""

from collections.abc import Sequence
from itertools import groupby

from adjudicator.core.game import Refusal, Slot, Slots
from adjudicator.mail.commands.command import Command, Done, Writer, require_nothing_more
from adjudicator.mail.composing.rendering import AGAIN, LIKE, MOST_IN_ALL, MOST_LISTED, MOST_SPELLED, already_listed, in_short
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import NotAllowed, Refused
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.matches import seats
from adjudicator.service.views import match_list, match_page, trials
from adjudicator.service.views.match_list import Card
from adjudicator.service.views.match_page import MatchPage, Told
from adjudicator.service.views.trials import Tried

MOST_MATCHES = 30  # in one answer
MOST_PHASES = 40  # in one answer, the newest
_UNPROVED_ROOM = 1_000  # characters of history in an answer to an address that nobody has proved


def _status(writer: Writer, said: str) -> Done:
    """Describe the match that is named, else the match whose address was written to, else all matches of the player."""
    player = writer.known()
    uid = said.lower() or (writer.sitter.uid if writer.sitter else "")
    if uid:
        page = match_page.match_page(writer.session, uid, player.id)
        if not page.seat:
            raise NotAllowed("You have no seat in this match; its page on the site is open to everybody.")
        token = seats.token_of(writer.session, uid, page.seat)
        return Done(f"How {page.card.name} stands is told below.", _match(writer, page), uid=uid, reply_token=token)
    found = match_list.match_cards(writer.session, player.id)[:MOST_MATCHES]
    if not found:
        return Done("You play in no match yet: `join` and a game’s name is the way in.")
    lines = tuple(_line(writer, card) for card in found)
    more = " `status` with a match’s short name tells more of it, and its answer can be answered with orders."
    return Done(f"Your matches stand below.{more}", (ReplySection("Your matches", lines),))


def _line(writer: Writer, card: Card) -> str:
    head = f"{card.name} ({card.uid}), {card.game}: "
    if card.status == "ended":
        return f"{head}it is over."
    if card.status in ("making", "open"):
        free = sum(1 for seat in card.seats if not seat.player)
        return f"{head}{f'it waits for {free} more to begin' if free else 'it begins in a moment'}."
    if card.status == "stuck" or card.deadline is None:
        return f"{head}it stands still for now."
    if card.paused:
        return f"{head}{card.phase}, paused; orders may be handed in, and nothing closes."
    owed = "you owe orders" if card.owed else "you are ready" if card.ready else "open"
    return f"{head}{card.phase}, {owed}, until {writer.when(card.deadline)}."


def _match(writer: Writer, page: MatchPage) -> tuple[ReplySection, ...]:
    sections = [ReplySection(page.card.name, (_line(writer, page.card), *_handed_in(writer, page))), *_sealed(writer, page)]
    if page.board:
        sections.append(ReplySection("The table", board=page.board))
    slots = page.owed.slots if page.owed else ()
    short = sum(len(slot.choices) for slot in slots) > MOST_IN_ALL
    sections += [_slot(slot, slots[:place], short=short) for place, slot in enumerate(slots)]
    return tuple(sections)


def _slot(slot: Slot, before: Slots, *, short: bool) -> ReplySection:
    """List a slot's choices: with what they mean, many as spellings only, very many by an example."""
    if already_listed((each.text for each in slot.choices), ([each.text for each in earlier.choices] for earlier in before)):
        return ReplySection(slot.title, (AGAIN,))
    if len(slot.choices) > MOST_SPELLED and slot.hint:
        return ReplySection(slot.title, (LIKE + slot.hint,))
    if short:
        return ReplySection(slot.title, tuple(in_short(slot.choices)), orders=True)
    if len(slot.choices) > MOST_LISTED:
        groups = groupby(slot.choices, key=lambda choice: choice.group)
        told = ((group, "; ".join(each.text for each in found)) for group, found in groups)
        return ReplySection(slot.title, tuple(f"{group}: {texts}" if group else texts for group, texts in told), orders=True)
    return ReplySection(slot.title, pairs=tuple((each.text, each.label) for each in slot.choices))


def _handed_in(writer: Writer, page: MatchPage) -> tuple[str, ...]:
    if page.owed is None:
        return ()
    if page.owed.handed_in_at is None:
        return ("You have handed in nothing for it yet.",)
    where = "they are sealed, and told below" if _of_own_seat(writer, page) else "they are sealed, and your receipt shows them"
    return (f"You handed in orders on {writer.when(page.owed.handed_in_at).partition(', ')[0]}; {where}.",)


def _of_own_seat(writer: Writer, page: MatchPage) -> bool:
    """Whether the letter came to the address of the seat that it asks about."""
    return writer.sitter is not None and writer.sitter.uid == page.card.uid


def _sealed(writer: Writer, page: MatchPage) -> tuple[ReplySection, ...]:
    """Show what the seat sealed, where the letter came to its own address; each disclosure is listed with its receipts."""
    parts = writer.sealed() if writer.sealed is not None and _of_own_seat(writer, page) else ()
    if not parts:
        return ()
    told = tuple(f"{title}: {'; '.join(text.splitlines()) or 'nothing'}" for title, text in parts)
    opened = "It was opened for this answer alone, which is listed with your receipts."
    return (ReplySection("What you have sealed", (*told, opened), orders=True),)


# --- history


def _history(writer: Writer, said: str) -> Done:
    """Tell what happened in the match that is named, else in the match whose address was written to."""
    uid = said.lower() or (writer.sitter.uid if writer.sitter else "")
    if not uid:
        raise Refused("It needs the match’s short name, as `status` tells it: `history k3m7p2qrs`.")
    name, told = match_page.history(writer.session, uid, writer.player.id if writer.player else None, most=MOST_PHASES)
    if not told:
        return Done(f"Nothing has happened in {name} yet.", uid=uid)
    if not writer.proved:
        newest = _newest(told)
        sentence = f"What happened last in {name} stands below; all of it is on the site, and by letter for who writes to a seat’s address."
        links = ((f"The history of {name}", f"/matches/{uid}/history"),) if len(newest) < len(told) else ()
        return Done(sentence if links else f"What happened in {name} stands below.", newest, uid=uid, links=links)
    sections = _phases(told)
    return Done(
        f"What happened in {name} stands below, the newest {len(told)} phases."
        if len(told) == MOST_PHASES
        else f"What happened in {name} stands below.",
        sections,
        uid=uid,
    )


def _phases(told: Sequence[Told]) -> tuple[ReplySection, ...]:
    return tuple(ReplySection(each.name, each.lines or ("Nothing to tell.",)) for each in told)


def _newest(told: Sequence[Told]) -> tuple[ReplySection, ...]:
    """Return the newest phases that fit into a short answer, at least one."""
    sections = _phases(told)
    first = len(sections) - 1
    while first and sum(len(line) for section in sections[first - 1 :] for line in section.lines) < _UNPROVED_ROOM:
        first -= 1
    return sections[first:]


# --- preview


def _preview(writer: Writer, said: str) -> Done:
    """Try the other lines of the letter as orders in the open phase of the match whose address was written to."""
    require_nothing_more(said, PREVIEW.usage)
    if writer.sitter is None:
        raise Refused("It needs a match: write it in answer to one of its letters, with the orders that you want to try.")
    board = trials.of_seat(writer.session, writer.sitter.uid, writer.sitter.player.id)
    if not writer.talk:
        raise Refused("It tries the orders that stand in the same letter, and there are none.")
    try:
        tried = board.tried("\n".join(writer.talk))
    except TooLong as fault:
        raise Refused(str(fault)) from fault
    return Done(f"Your orders for {board.name} were only tried, and nothing was sealed.", _tried(tried), view=tried.view)


def _tried(tried: Tried) -> tuple[ReplySection, ...]:
    refused = tuple(_not_tried(refusal) for refusal in tried.refusals)
    told = [ReplySection("What was not tried", refused)] if refused else []
    story = (*tried.remarks, *tried.lines) or (() if refused else ("Nothing would happen.",))
    told += [ReplySection("What would come of it", story)] if story else []
    told += [ReplySection("The table then", board=tried.board)] if tried.lines else []
    return tuple(told)


def _not_tried(refusal: Refusal) -> str:
    possible = f" Possible: {', '.join(refusal.remedies[:6])}." if refusal.remedies else ""
    return f"“{refusal.line[:80]}”: {refusal.reason}{possible}"


STATUS = Command("status", "status UID", "how your matches stand; with a match’s short name its table and what you owe there", _status)
HISTORY = Command("history", "history UID", "what happened in a match so far (in a match’s letters just `history`)", _history)
PREVIEW = Command(
    "preview",
    "preview",
    "what would come of the orders in the same letter, everybody else doing nothing or what you write for them; nothing is sealed",
    _preview,
)
