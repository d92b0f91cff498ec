"""`status`: how one's matches stand, and what is owed by when."""

from itertools import groupby

from adjudicator.core.game import Slot, Slots
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.composing.rendering import AGAIN, LIKE, MOST_IN_ALL, MOST_LISTED, MOST_SPELLED, in_short, listed
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.matches import seats
from adjudicator.service.views import match_list, match_page
from adjudicator.service.views.match_list import Card
from adjudicator.service.views.match_page import MatchPage

WORD, USAGE, MEANING, CHANGES = (
    "status",
    "status UID",
    "how your matches stand; with a match’s short name its table and what you owe there",
    False,
)
MOST = 30  # matches in one answer


def do(writer: Writer, said: str) -> Done:
    """Tell of the match whose address was written to, or of the one that is named, or of all."""
    player = writer.known()
    uid = said.lower() or (writer.sitter.uid if writer.sitter else "")
    if uid:
        page = match_page.match_page(writer.session, uid, player.id)
        if not page.seat:
            raise NotAllowed("You have no seat in this match; its page on the site is open to everybody.")
        token = seats.token_of(writer.session, uid, page.seat)
        return Done(f"How {page.card.name} stands is told below.", _match(writer, page), uid=uid, reply_token=token)
    found = match_list.match_cards(writer.session, player.id)[:MOST]
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
    """List a slot's choices: with what they mean, as spellings only where they are many, by an example where they are very many."""
    if listed((each.text for each in slot.choices), ([each.text for each in earlier.choices] for earlier in before)):
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
    """Whether the letter came to the secret address of the seat that it asks about."""
    return writer.sitter is not None and writer.sitter.uid == page.card.uid


def _sealed(writer: Writer, page: MatchPage) -> tuple[ReplySection, ...]:
    """Tell what the seat sealed, where the letter came to its own address; each time is listed to it as a reading."""
    parts = writer.sealed() if writer.sealed is not None and _of_own_seat(writer, page) else ()
    if not parts:
        return ()
    told = tuple(f"{title}: {'; '.join(text.splitlines()) or 'nothing'}" for title, text in parts)
    opened = "It was opened for this answer alone, which is listed with your receipts."
    return (ReplySection("What you have sealed", (*told, opened), orders=True),)
