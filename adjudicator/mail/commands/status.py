"""The command `status`: how a match is, what the writer owes there, which proposals stand; or how
all matches of the writer are.
"""

from itertools import groupby

from adjudicator.core.game import Slot, Slots
from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.composing.rendering import (
    AGAIN,
    LIKE,
    MOST_IN_ALL,
    MOST_LISTED,
    MOST_SPELLED,
    already_listed,
    already_worded,
    in_short,
)
from adjudicator.platform.words import display_seat, join_list
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.matches import masters, seats
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.people import reliability
from adjudicator.service.views import match_list, match_page, votes
from adjudicator.service.views.match_list import Card
from adjudicator.service.views.match_page import MatchPage
from adjudicator.service.views.votes import ShownProposal, Voting

MOST_MATCHES = 30  # in one answer


def _status(writer: Writer, arguments: str) -> Done:
    """Describe the match that is named, else the match whose address was written to, else all
    matches of the player.
    """
    player = writer.known()
    uid = arguments.lower() or writer.here
    if uid:
        page = match_page.match_page(writer.session, uid, player.id, now=writer.now)
        if not page.seat and not page.runs:
            raise NotAllowed(
                "You have no seat in this match; its page on the site is open to everybody."
            )
        of_seat = seats.address_of(writer.session, uid, page.seat) if page.seat else None
        to = of_seat or masters.reply_address(writer.session, uid, player.id)
        return Done(
            f"How {page.card.name} stands is told below.",
            _match(writer, page),
            uid=uid,
            reply_to=to,
        )
    found = match_list.match_cards(writer.session, player.id, now=writer.now)[:MOST_MATCHES]
    if not found:
        return Done("You play in no match yet: `join` and a game’s name is the way in.")
    lines = tuple(_line(writer, card) for card in found)
    more = (
        " `status` with a match’s short name tells more of it, and its answer can be answered with"
        " orders."
    )
    own = reliability.of_player(writer.session, player.id)
    plays = (
        f" You play {own.percent} % of your phases, of the newest {own.phases}."
        if own.phases
        else ""
    )
    return Done(f"Your matches stand below.{more}{plays}", (ReplySection("Your matches", lines),))


def _line(writer: Writer, card: Card) -> str:
    head = f"{card.name} ({card.uid}), {card.game}: "
    if card.status == "ended":
        return f"{head}it is over."
    if card.status == "expired":
        return f"{head}{card.never_began[0].lower()}{card.never_began[1:]}"
    if card.status in ("making", "open"):
        free = sum(1 for seat in card.seats if not seat.player)
        return (
            f"{head}it waits for {free} more to begin." if free else f"{head}it begins in a moment."
        )
    if card.status == "stuck" or card.deadline is None:
        return f"{head}it stands still for now."
    progress = f" {card.progress.sentence}" if card.progress and card.progress.sentence else ""
    if card.paused:
        return f"{head}{card.phase}, paused; orders may be handed in, and nothing closes.{progress}"
    owed = (
        "you owe orders"
        if card.owed
        else "you are ready"
        if card.ready
        else "you are not ready"
        if card.waited_for
        else "open"
    )
    until = (
        f"in overtime until {writer.when(card.overtime_until)}"
        if card.overtime_until
        else f"until {writer.when(card.deadline)}"
    )
    return f"{head}{card.phase}, {owed}, {until}.{progress}"


def _seats(card: Card) -> tuple[str, ...]:
    """Return which seats have handed in, where the match shows it."""
    listed = (
        (("Handed in", card.progress.seats), ("Not yet", card.progress.missing))
        if card.progress
        else ()
    )
    return tuple(
        f"{title}: {join_list(list(map(display_seat, names)))}." for title, names in listed if names
    )


def _match(writer: Writer, page: MatchPage) -> tuple[ReplySection, ...]:
    player_id = writer.known().id
    lines = (_line(writer, page.card), *_seats(page.card), *_handed_in(writer, page))
    voting = votes.votes_of(
        writer.session, page.card.uid, player_id, zone=writer.zone, now=writer.now
    )
    sections = [
        ReplySection(page.card.name, lines),
        *_put_to_vote(writer, voting, seated=bool(page.seat)),
        *_sealed(writer, page),
    ]
    if page.board:
        sections.append(ReplySection("The table", board=page.board))
    slots = page.owed.slots if page.owed else ()
    short = sum(len(slot.choices) for slot in slots) > MOST_IN_ALL
    sections += [_slot(slot, slots[:place], short=short) for place, slot in enumerate(slots)]
    return tuple(sections)


def _put_to_vote(writer: Writer, voting: Voting, *, seated: bool) -> tuple[ReplySection, ...]:
    """List the proposals that stand, with who may vote and how, and what the player can propose."""
    several = len(voting.proposals) > 1
    lines = [
        line
        for each in voting.proposals
        for line in _proposal(writer, each, several=several, seated=seated)
    ]
    possible = (
        ("`extend 24h`", voting.extend_until is not None),
        ("`pause`", voting.may_pause),
        ("`resume`", voting.may_resume),
        ("`offer draw`", voting.may_draw),
        ("`end match`", voting.may_end),
    )
    asks = [word for word, may in possible if may]
    if asks:
        lines.append(f"You can propose: {join_list(asks, 'or')}.")
    return (ReplySection("Proposals and votes", tuple(lines)),) if lines else ()


def _proposal(
    writer: Writer, proposal: ShownProposal, *, several: bool, seated: bool
) -> tuple[str, ...]:
    """Describe a proposal as the match's page does, and say how this player votes on it; `several`:
    whether it has to be named.
    """
    reason = f" “{proposal.reason}”" if proposal.reason else ""
    sides = (("For it", proposal.agree), ("Against it", proposal.against))
    seats = "".join(
        f" {title}: {join_list(list(map(display_seat, names)))}." for title, names in sides if names
    )
    until = f" It stands until {writer.when(proposal.until)}." if proposal.until else ""
    stands = (
        f"A player proposes {proposal.what}.{reason}"
        f" {proposal.tally[0].upper()}{proposal.tally[1:]}.{seats}{until}"
    )
    kind = f" {proposal.kind}" if several else ""
    yes, no = f"`vote yes{kind}`", f"`vote no{kind}`"
    if not proposal.may_vote:
        return stands, (
            f"Your seat has no vote on it: {proposal.who_votes}."
            if seated
            else "You have no vote on it."
        )
    if proposal.voted is None:
        return stands, f"Answer {yes} or {no}."
    return stands, (
        f"You voted yes; {no} changes that."
        if proposal.voted
        else f"You voted no; {yes} changes that."
    )


def _slot(slot: Slot, before: Slots, *, short: bool) -> ReplySection:
    """List a slot's choices: with what they mean, many as spellings only, very many by an
    example.
    """
    earlier_choices = [earlier.choices for earlier in before]
    if already_listed(slot.choices, earlier_choices):
        return ReplySection(slot.title, (AGAIN,))
    if already_worded(slot.choices, earlier_choices):
        return ReplySection(slot.title, (LIKE + slot.choices[0].text,))
    if len(slot.choices) > MOST_SPELLED and slot.hint:
        return ReplySection(slot.title, (LIKE + slot.hint,))
    if short:
        return ReplySection(slot.title, tuple(in_short(slot.choices)), orders=True)
    if len(slot.choices) > MOST_LISTED:
        groups = groupby(slot.choices, key=lambda choice: choice.group)
        lines = ((group, "; ".join(each.text for each in found)) for group, found in groups)
        return ReplySection(
            slot.title,
            tuple(f"{group}: {texts}" if group else texts for group, texts in lines),
            orders=True,
        )
    return ReplySection(slot.title, pairs=tuple((each.text, each.label) for each in slot.choices))


def _handed_in(writer: Writer, page: MatchPage) -> tuple[str, ...]:
    if page.owed is None:
        return ()
    if page.owed.handed_in_at is None:
        return ("You have sealed nothing for it yet.",)
    where = "they are told below" if _of_own_seat(writer, page) else "your receipt shows them"
    return (
        f"You sealed orders on {writer.when(page.owed.handed_in_at).partition(', ')[0]}; {where}.",
    )


def _of_own_seat(writer: Writer, page: MatchPage) -> bool:
    """Whether the letter came to the address of the seat that it asks about."""
    return writer.sitter is not None and writer.sitter.uid == page.card.uid


def _sealed(writer: Writer, page: MatchPage) -> tuple[ReplySection, ...]:
    """Show what the seat sealed, where the letter came to its own address; each disclosure is
    listed with its receipts.
    """
    parts = (
        orders_by_letter.own_orders(writer.session, writer.keyring, writer.claimed, writer.now)
        if _of_own_seat(writer, page)
        else ()
    )
    if not parts:
        return ()
    lines = tuple(f"{title}: {'; '.join(text.splitlines()) or 'nothing'}" for title, text in parts)
    opened = "It was opened for this answer alone, which is listed with your receipts."
    return (ReplySection("What you have sealed", (*lines, opened), orders=True),)


STATUS = Command(
    "status",
    "status UID",
    "how your matches stand; with a match’s short name its table and what you owe there",
    _status,
    changes=False,
)
