"""Reports of phases: the same lines for letters and for the site, filtered by what the viewer may know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.core.game import AnyGame, Seat
from adjudicator.platform.words import display_seat, join_list
from adjudicator.play import loop
from adjudicator.play.loop import Closed, Dropped
from adjudicator.seal.commitments import SealedPart
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base import press_rules, public_keys
from adjudicator.service.base.names import name_at
from adjudicator.service.base.rows import open_phase, seats_of
from adjudicator.service.base.state import (
    Viewer,
    conceded_in,
    dump_view,
    game_of,
    hides_players,
    load_events,
    load_state,
    load_view,
    viewer_of,
)
from adjudicator.service.base.tables import Match, PhaseRow, Player
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.letters import acknowledgements, master_addresses, outbox
from adjudicator.service.letters.content import OwedOrders, PhaseSection, SealLine, StandingRow
from adjudicator.service.letters.match_content import ReportLetter, RunLetter, StuckLetter
from adjudicator.service.matches import absences, preferences
from adjudicator.service.orders.envelopes import is_inherited

NOBODY = "nobody yet"  # the name of the player of a seat that is free
INHERITED = "The player before you handed in orders for {phase}. They count until you hand in yours, and nobody can be shown them."
MOST_RETOLD = 3  # phases that a newcomer's first letter tells
MOST_UNTOLD = 60  # phases in one report; one closing writes at most 51


@dataclass(frozen=True)
class LastState:
    """The name of a match's last closed phase, and the state after it."""

    phase: str
    state: Any


def write_reports(
    session: Session, public: PublicKeys, match: Match, closed: Sequence[Closed[SealedPart]], opened: PhaseRow | None, *,
    dropped: Mapping[Seat, Dropped], now: datetime, end: LastState | None = None,
) -> None:  # fmt: skip
    """Add a report letter for every seat whose player has an address and wants letters; the caller has locked the match.

    A seat that neither acted nor owes anything now gets no report yet; its next one covers all phases since its last one.
    `dropped` holds the plans that were dropped when `opened` was opened; their text appears in sealed letters only.
    `end` is the last state where nothing is `closed`, because the match was stopped between two phases.
    """
    first = closed[0].number if closed else (match.stopped_after or 0) + 1
    last = LastState(closed[-1].phase.name, closed[-1].after) if closed else end or LastState("", None)
    rows = seats_of(session, match)
    players = {player.id: player for player in session.exec(select(Player).where(col(Player.id).in_([seat.player_id for seat in rows])))}
    names = {seat.name: _name(players.get(seat.player_id), seat.name) for seat in rows}
    concerned = [seat for seat in rows if _concerns(closed, opened, seat.name)]
    past = _not_told(session, match, concerned, first)
    silent = acknowledgements.unanswered_letters(session, match, past[0].opened_at) if past else []
    for seat in concerned:
        player, name = players.get(seat.player_id), seat.name
        untold = [row for row in past if row.number > _told(seat, first)]
        seat.told = closed[-1].number if closed else first - 1
        if player is not None and player.address is not None and player.letters and not player.house:
            notes = [dropped_note(each) for each in (*(done.dropped.get(name) for done in closed), dropped.get(name)) if each]
            notes += [*preferences.said(match, name), *press_rules.told_rules(session, match)] if first == 0 else []
            notes += absences.notes_for(session, match, opened, player.id)
            notes += [f"What the master said about it: {match.stop_note}"] if match.stop_note and opened is None else []
            notes += _unanswered_note(sum(seat.id == of and at > untold[0].opened_at for of, at in silent if untold))
            letter = _letter(match, closed, opened, viewer_of(match, name, names), untold, last=last)
            letter = replace(letter, notes=tuple(notes), zone=player.zone, player=player.name, reply_token=seat.token)
            if first == 0:
                letter = _first(match, letter, names)
            about = outbox.LetterReference(match.id, name, phase=opened.number if opened else None)
            outbox.put_letter(session, public, letter, address=player.address, now=now, player_id=player.id, about=about)


def _player(session: Session, seat: SeatRow) -> Player | None:
    return session.get(Player, seat.player_id) if seat.player_id is not None else None


def _name(player: Player | None, seat: Seat) -> str:
    return name_at(player, seat) if player is not None else NOBODY


def _first(match: Match, letter: ReportLetter, names: Mapping[Seat, str]) -> ReportLetter:
    """Return a player's first letter of a match, which also tells of press and of the anchors of chance."""
    return replace(letter, press=press_rules.press_kind(match), seats=tuple(names), anchors=match.anchors)


def write_first_letter(session: Session, match: Match, seat: SeatRow, *, now: datetime) -> None:
    """Write to the player who has just got a seat of a running match: the game so far, the table, what is owed.

    The caller has locked the match. The orders of an earlier tenure are not in it.
    """
    opened, player = open_phase(session, match), session.get_one(Player, seat.player_id)
    if opened is None:
        return
    seat.told = opened.number - 1
    if player.address is None or player.house or not player.letters:
        return
    names = {row.name: _name(_player(session, row), row.name) for row in seats_of(session, match)}
    past = select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None), PhaseRow.number > 0)
    newest = list(session.exec(past.order_by(col(PhaseRow.number).desc()).limit(MOST_RETOLD)))[::-1]
    notes = [_so_far(opened.number - 1, len(newest))] if newest else []
    notes += press_rules.told_rules(session, match)
    if is_inherited(session, opened, seat):
        notes.append(INHERITED.format(phase=opened.name))
    told_to = replace(viewer_of(match, seat.name, names), seated_at=now)
    letter = _first(match, _letter(match, (), opened, told_to, newest), names)
    letter = replace(letter, newcomer=True, notes=tuple(notes), zone=player.zone, player=player.name, reply_token=seat.token)
    about = outbox.LetterReference(match.id, seat.name, phase=opened.number)
    outbox.put_letter(session, public_keys.current_keys(session), letter, address=player.address, now=now, player_id=player.id, about=about)


def _so_far(played: int, retold: int) -> str:
    """Return the note that says which phases a first letter tells."""
    if played <= retold:
        return "The game so far stands below."
    return f"{played} phases were played so far. The last {retold} stand below, all of them on the site and in the answer to `history`."


def _unanswered_note(letters: int) -> list[str]:
    """Return the note about a seat's letters that got no answer, [] if every letter got one."""
    if not letters:
        return []
    those = "A letter of yours was" if letters == 1 else f"{letters} letters of yours were"
    why = "read since your last report and not answered, as so many answers had gone to you within a day"
    return [f"{those} {why}. The page of your receipts says what became of each; `status` tells how you stand now."]


def _concerns(closed: Sequence[Closed[SealedPart]], opened: PhaseRow | None, seat: Seat) -> bool:
    """Whether a seat gets a report now: it acted, it owes orders now, or the match begins or ends."""
    if opened is None or not opened.due or not closed or closed[0].number == 0:
        return True
    return seat in opened.due or any(seat in each.phase.due for each in closed)


def _told(seat: SeatRow, first: int) -> int:
    """Return the last phase that was reported to a seat; if none is recorded, the one before `first`, the first phase closed just now."""
    return first - 1 if seat.told is None else seat.told


def _not_told(session: Session, match: Match, seats: Sequence[SeatRow], first: int) -> list[PhaseRow]:
    """Return the closed phases not yet reported to some of these seats, oldest first; at most the newest MOST_UNTOLD."""
    since = min((_told(seat, first) for seat in seats), default=first - 1)
    untold = select(PhaseRow).where(PhaseRow.match_id == match.id, PhaseRow.number > since, col(PhaseRow.closed_at).is_not(None))
    return list(session.exec(untold.order_by(col(PhaseRow.number).desc()).limit(MOST_UNTOLD)))[::-1]


def _letter(
    match: Match, closed: Sequence[Closed[SealedPart]], opened: PhaseRow | None, told_to: Viewer, untold: Sequence[PhaseRow], *,
    last: LastState = LastState("", None),
) -> ReportLetter:  # fmt: skip
    """Return a seat's report without what depends on its player: notes, time zone, name and reply token.

    Without `closed` phases, for a player who just came, there has to be an `opened` one.
    """
    game = game_of(match)
    state = load_state(game, opened.before) if opened else last.state
    seat = told_to.seat or ""
    view = told_to.view(game, state)
    running = opened is not None and bool(opened.due)
    return ReportLetter(
        match=match.name, uid=match.uid, game=game.about.title, game_key=match.game, seat=seat, player="", names=told_to.names,
        anonymous=hides_players(match), view=dump_view(game, view), board=game.text_board(view), owed=owed(game, state, opened, seat),
        planning=running, standing=standing(match, told_to), stopped=stopped(match, last.phase) if opened is None else "",
        started=any(each.number == 0 for each in closed), seals=tuple(_seal_line(each, seat) for each in closed if each.number),
        sections=tuple(section(game, row, told_to) for row in untold), notes=(),
    )  # fmt: skip


def section(game: AnyGame, row: PhaseRow, told_to: Viewer) -> PhaseSection:
    """Return a closed phase as one viewer may know it."""
    silent = {name: each["orders"] for name, each in (row.taken or {}).items() if each["how"] == "default"}
    state, events = load_state(game, row.after), load_events(game, row)
    told, results = told_to.story(game, state, events), told_to.results(game, state, events)
    before = told_to.seated_at is not None and row.closed_at is not None and row.closed_at < told_to.seated_at
    lines = [*how_it_closed(row.why or "", row.name), *silent_lines(game, silent, told_to, before_them=before)]
    return PhaseSection(row.number, row.name, (*lines, *told), results)


def how_it_closed(why: str, phase: str) -> list[str]:
    """Return the sentence for a phase that the master closed early or that left no choice (ruling G7), [] for any other."""
    if why == "master":
        return [f"{phase} was closed by the master before its deadline."]
    return [f"{phase} left nobody a choice, so it was played at once."] if why == "forced" and phase != "Start" else []


def seat_label(name: Seat) -> str:
    """Return what a seat is called in a sentence: `Seat 3`, but `France` and `Red`."""
    return f"Seat {name}" if name.isdigit() else display_seat(name)


def silent_lines(game: AnyGame, silent: Mapping[Seat, str], told_to: Viewer, *, before_them: bool = False) -> list[str]:
    """Return a sentence for every seat that handed in nothing (ruling G3); `silent` holds what was played for each.

    `before_them`: whether another player had the reader's seat then.
    """
    lines = []
    for name, orders in silent.items():
        own, player = name == told_to.seat, told_to.names.get(name, "")
        you = "The player before you" if before_them else "You"
        who = you if own else f"{seat_label(name)} ({player})" if player not in ("", seat_label(name)) else seat_label(name)
        whom = "that seat" if not own else "your seat" if before_them else "you"
        played = f": {', '.join(orders.splitlines())}" if told_to.sees_orders(game, name) else ""
        lines.append(f"{who} handed in no orders in time, so the game’s default was played for {whom}{played}.")
    return lines


def dropped_note(dropped: Dropped) -> str:
    """Return a letter's note about a dropped plan, or a dropped order of one (ruling G5)."""
    text = ", ".join(dropped.text.splitlines())
    if dropped.alone:
        return f"Of your plan for {dropped.phase}, {text} was left out; the rest of it stands. {dropped.reason}"
    return f"Your plan for {dropped.phase} ({text}) was dropped, with all that came after it. {dropped.reason}"


def dropped_line(phase: str) -> str:
    """Return the site's note about a dropped plan; its text was sealed and is in no row, so only the letter quotes it."""
    return f"Your plan for {phase} could not be followed any more; it was dropped, with all that came after it."


def _seal_line(closed: Closed[SealedPart], seat: Seat) -> SealLine:
    given = closed.given.get(seat)
    part = given.part if given else None
    return SealLine(closed.number, closed.phase.name, given.how if given else "", part.commitment if part else "")


def owed(game: AnyGame, state: Any, phase: PhaseRow | None, seat: Seat) -> OwedOrders | None:
    """Return what a seat owes in an open phase, None if it owes nothing; picture marks are removed, as letters do not use them."""
    if phase is None or phase.deadline is None or seat not in phase.due:
        return None
    slots = tuple(replace(slot, choices=tuple(replace(choice, marks=()) for choice in slot.choices)) for slot in game.slots(state, seat))
    return OwedOrders(phase.name, phase.number, phase.deadline, phase.deadline + timedelta(seconds=phase.grace_seconds), slots)


def standing(match: Match, told_to: Viewer) -> tuple[StandingRow, ...] | None:
    """Return the final standing, best first, None while the match goes on."""
    if match.result is None:
        return None
    rows = [StandingRow(seat, told_to.names.get(seat, ""), **each) for seat, each in match.result.items()]
    return tuple(sorted(rows, key=lambda row: (row.place, row.seat)))


def stopped(match: Match, last: str) -> str:
    """Return the sentences that say why a match was stopped after its last phase, and who conceded; "" where neither happened.

    Of a running match they tell only who conceded.
    """
    gone = [seat_label(seat) for seat in conceded_in(match)]
    sentence = loop.stop_sentence(match.stopped_why, last) if match.status == "ended" else ""
    so = " and comes last" if len(gone) == 1 else " and come last"
    return " ".join(filter(None, (sentence, f"{join_list(gone)} conceded{so if sentence or match.result else ''}." if gone else "")))


def picture(game_key: str, view: str) -> str:
    """Return the SVG of a view that a letter's context carries."""
    game = catalogue.game(game_key)
    return game.draw(load_view(game, view))


def tell_master(session: Session, public: PublicKeys, match: Match, trouble: str, *, now: datetime) -> None:
    """Write to the master of a stuck match and to the masters of all matches, except to those who want no letters."""
    about = outbox.LetterReference(match.id)
    for each in session.exec(select(Player).where((col(Player.id) == match.master_id) | col(Player.master).is_(True))):
        if each.address is not None and each.letters:
            token = master_addresses.reply_token(session, match, each.id or 0)
            letter = StuckLetter(
                match=match.name, uid=match.uid, game_key=match.game, zone=each.zone, trouble=trouble, reply_token=token
            )  # fmt: skip
            outbox.put_letter(session, public, letter, address=each.address, now=now, player_id=each.id, about=about)


def welcome_master(session: Session, match: Match, *, now: datetime) -> None:
    """Write to a master who does not play that the seats can be taken; that letter's address takes the master's commands."""
    master = session.get_one(Player, match.master_id)
    plays = any(seat.player_id == master.id for seat in seats_of(session, match))
    if plays or master.address is None or not master.letters or match.table_id is not None:  # a tournament has a page for its directors
        return
    letter = RunLetter(
        match=match.name, uid=match.uid, game_key=match.game, game=game_of(match).about.title, zone=master.zone,
        reply_token=master_addresses.reply_token(session, match, master.id or 0),
    )  # fmt: skip
    about = outbox.LetterReference(match.id)
    outbox.put_letter(session, public_keys.current_keys(session), letter, address=master.address, now=now, player_id=master.id, about=about)
