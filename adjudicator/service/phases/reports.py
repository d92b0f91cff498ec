"""Reports of phases, filtered by what the viewer may know.

A closing stores what might change until the letter is sent; `posting.report_telling` adds the rest
from the rows of the phases.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.core.game import Seat
from adjudicator.platform.words import join_list, plural
from adjudicator.play import loop
from adjudicator.play.loop import Closed, Dropped
from adjudicator.seal.commitments import SealedPart
from adjudicator.seal.crypto import Keyring, PublicKeys
from adjudicator.service.base import press_rules
from adjudicator.service.base.names import name_at
from adjudicator.service.base.rows import open_phase, players_of, seats_of
from adjudicator.service.base.state import (
    Viewer,
    about_of,
    conceded_in,
    game_of,
    hides_players,
    load_view,
    viewer_of,
)
from adjudicator.service.base.storing import add_at_end
from adjudicator.service.base.tables import Match, PhaseRow, Player, Receipt
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.letters import acknowledgements, outbox
from adjudicator.service.letters.contents.content import OwedOrders, SealLine, StandingRow
from adjudicator.service.letters.contents.match_content import (
    ReportRows,
    RunLetter,
    StoredReport,
    StuckLetter,
)
from adjudicator.service.log.bodies import opened_receipts
from adjudicator.service.log.entries import opened_tenure
from adjudicator.service.log.receipt_chains import receipts_of_words, signed_body
from adjudicator.service.matches import absences, preferences, tenures
from adjudicator.service.orders.envelopes import is_inherited
from adjudicator.service.posting.phase_digests import PhaseDigests
from adjudicator.service.posting.phase_sections import seat_label
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import of_seat

NOBODY = "nobody yet"  # the name of the player of a seat that is free
INHERITED = (
    "The player before you handed in orders for {phase}. They count until you hand in yours, and"
    " nobody can be shown them."
)
MOST_RETOLD = 3  # phases that a newcomer's first letter tells
MOST_UNTOLD = 60  # phases in one report; one closing writes at most 51


def write_reports(
    session: Session,
    keyring: Keyring,
    match: Match,
    closed: Sequence[Closed[SealedPart]],
    opened: PhaseRow | None,
    *,
    dropped: Mapping[Seat, Dropped],
    now: datetime,
    rows: list[PhaseRow] | None = None,
    end: str = "",
    stopped_in: PhaseRow | None = None,
) -> None:
    """Add a report letter for every seat whose player has an address and wants letters; the caller
    has locked the match.

    A seat that neither acted nor owes anything now gets no report yet; its next one covers all
    phases since its last one. `dropped` holds the plans that were dropped when `opened` was opened;
    their text appears in sealed letters only. `rows` are those of `closed`, where the caller has
    them. Where nothing is `closed`, because the match was stopped in a phase, `stopped_in` is that
    phase, and `end` names the one before.
    """
    first = closed[0].number if closed else (match.stopped_after or 0) + 1
    last = closed[-1].phase.name if closed else end
    seats = seats_of(session, match)
    players: dict[int | None, Player] = {each.id: each for each in players_of(session, match)}
    names = {seat.name: _name(players.get(seat.player_id), seat.name) for seat in seats}
    concerned = [seat for seat in seats if _concerns(closed, opened, seat.name)]
    with session.no_autoflush:  # nothing that is asked for was changed just now
        since = min((_last_reported(seat, first) for seat in concerned), default=first - 1)
        past = rows if rows is not None and since == first - 1 else _not_told(session, match, since)
        words = receipts_of_words(session, match, past) if match.sealing and past else []
        counts = opened_receipts(keyring, match, past) if match.sealing else []
        moved = absences.uses_in(session, match, opened)
        silent = (
            acknowledgements.unanswered_letters(session, match, past[0].opened_at) if past else []
        )
    still_open = opened or stopped_in
    shown = (
        _Shown(still_open, after=False) if still_open is not None else _Shown(past[-1], after=True)
    )
    for seat in concerned:
        player, name = players.get(seat.player_id), seat.name
        untold = [row for row in past if row.number > _last_reported(seat, first)]
        seat.told = closed[-1].number if closed else first - 1
        if (
            player is not None
            and player.address is not None
            and player.letters
            and not player.house
        ):
            notes = [
                dropped_note(each)
                for each in (*(done.dropped.get(name) for done in closed), dropped.get(name))
                if each
            ]
            notes += (
                [
                    *preferences.said(match, name),
                    *press_rules.told_rules(session, match, inside=True),
                ]
                if first == 0
                else []
            )
            notes += absences.notes_for(session, match, opened, moved, player.id)
            notes += (
                [f"The reason that was given: {match.stop_note}"]
                if match.stop_note and opened is None
                else []
            )
            notes += _unanswered_note(
                sum(seat.id == of and at > untold[0].opened_at for of, at in silent if untold)
            )
            letter = _letter(
                match,
                closed,
                opened,
                viewer_of(match, name, names),
                shown,
                untold,
                last=last,
                notes=tuple(notes),
                zone=player.zone,
                player=player.name,
                reply_token=of_seat(match, seat),
                proofs=_proofs(session, keyring, match, untold, seat, counts, words),
                **_of_first(match, names) if first == 0 else {},
            )
            about = outbox.LetterReference(
                match.id, name, phase=opened.number if opened else None, tenure=seat.tenure
            )
            report = outbox.make_letter(
                session,
                keyring.public,
                letter,
                match,
                player,
                address=player.address,
                now=now,
                about=about,
            )
            add_at_end(session, report)


def _proofs(
    session: Session,
    keyring: Keyring,
    match: Match,
    phases: Sequence[PhaseRow],
    seat: SeatRow,
    counts: Sequence[Mapping[str, Any]],
    words: Sequence[Receipt],
) -> Mapping[str, Any] | None:
    """Return what opens, for one seat alone, its tenure and its counts of receipts in the log; None
    in a match without a log.

    Of all seats' `counts`, and receipts of `words`, it has this tenure's for the phases that are
    told; those of words come in no letter of their own.
    """
    if not match.sealing:
        return None
    tenure = opened_tenure(session, keyring, match, seat) if seat.tenure_nonce is not None else None
    numbers, whose = {phase.number for phase in phases}, (seat.name, seat.tenure)
    opened = [
        each
        for each in counts
        if (each["seat"], each["tenure"]) == whose and each["phase"] in numbers
    ]
    own = [row for row in words if (row.seat, row.tenure) == whose and row.phase_number in numbers]
    receipts = [
        {"body": signed_body(row, match.uid), "signature": (row.signature or b"").hex()}
        for row in own
    ]
    return {"opened": opened, "tenure": tenure} | ({"receipts": receipts} if receipts else {})


def _player(session: Session, seat: SeatRow) -> Player | None:
    return session.get(Player, seat.player_id) if seat.player_id is not None else None


def _name(player: Player | None, seat: Seat) -> str:
    return name_at(player, seat, inside=True) if player is not None else NOBODY


def _of_first(match: Match, names: Mapping[Seat, str]) -> dict[str, Any]:
    """Return what only a player's first letter of a match tells: the aim of the game, press and the
    anchors of chance.
    """
    return {
        "press": press_rules.press_kind(match),
        "seats": tuple(names),
        "anchors": match.anchors,
        "options": dict(match.options) if match.sealing else None,
        "aim": about_of(match).aim,
    }


def write_first_letter(session: Session, match: Match, seat: SeatRow, *, now: datetime) -> None:
    """Write to the player who has just got a seat of a running match: the game so far, the table,
    what is owed.

    The caller has locked the match. The orders of an earlier tenure are not in it.
    """
    opened, player = open_phase(session, match), session.get_one(Player, seat.player_id)
    if opened is None:
        return
    seat.told = opened.number - 1
    if player.address is None or player.house or not player.letters:
        return
    names = {row.name: _name(_player(session, row), row.name) for row in seats_of(session, match)}
    past = select(PhaseRow).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None), PhaseRow.number > 0
    )
    newest = session.exec(past.order_by(col(PhaseRow.number).desc()).limit(MOST_RETOLD)).all()[::-1]
    notes = [_so_far(opened.number - 1, len(newest))] if newest else []
    notes += press_rules.told_rules(session, match, inside=True)
    if is_inherited(session, opened, seat):
        notes.append(INHERITED.format(phase=opened.name))
    told_to = replace(viewer_of(match, seat.name, names), seated_at=now)
    letter = _letter(
        match,
        (),
        opened,
        told_to,
        _Shown(opened, after=False),
        newest,
        newcomer=True,
        back=tenures.sat_before(session, seat, player.id),
        notes=tuple(notes),
        zone=player.zone,
        player=player.name,
        reply_token=of_seat(match, seat),
        **_of_first(match, names),
    )
    about = outbox.LetterReference(match.id, seat.name, phase=opened.number)
    outbox.write_to(session, player, letter, now=now, about=about)


def _so_far(played: int, retold: int) -> str:
    """Return the note that says which phases a first letter tells."""
    if played <= retold:
        return "The game so far stands below."
    return (
        f"{played} phases were played so far. The last {retold} stand below, all of them on the"
        " site and in the answer to `history`."
    )


def _unanswered_note(letters: int) -> list[str]:
    """Return the note about a seat's letters that got no answer, [] if every letter got one."""
    if not letters:
        return []
    those = plural(
        letters,
        "A letter of yours was read since your last report and not answered, as so many answers had"
        " gone to you within a day.",
        "{n} letters of yours were read since your last report and not answered, as so many answers"
        " had gone to you within a day.",
    )
    return [
        f"{those} The page of your receipts says what became of each; `status` tells how you stand"
        " now."
    ]


def _concerns(closed: Sequence[Closed[SealedPart]], opened: PhaseRow | None, seat: Seat) -> bool:
    """Whether a seat gets a report now: it acted, it owes orders now, or the match begins or
    ends.
    """
    if opened is None or not opened.due or not closed or closed[0].number == 0:
        return True
    return seat in opened.due or any(seat in each.phase.due for each in closed)


def _last_reported(seat: SeatRow, first: int) -> int:
    """Return the last phase that was reported to a seat; if none is recorded, the one before
    `first`, the first phase closed just now.
    """
    return first - 1 if seat.told is None else seat.told


def any_untold(seats: Sequence[SeatRow], number: int) -> bool:
    """Whether a seat has not been told of a phase before that of this number."""
    return any(_last_reported(seat, number) < number - 1 for seat in seats)


def _not_told(session: Session, match: Match, since: int) -> list[PhaseRow]:
    """Return the closed phases after the phase `since`, oldest first; at most the newest
    MOST_UNTOLD.
    """
    session.flush()
    untold = select(PhaseRow).where(
        PhaseRow.match_id == match.id, PhaseRow.number > since, col(PhaseRow.closed_at).is_not(None)
    )
    return list(session.exec(untold.order_by(col(PhaseRow.number).desc()).limit(MOST_UNTOLD)))[::-1]


class _Shown:
    """The phase whose state reports show, after it or before it; the hashes of all that they
    tell.
    """

    def __init__(self, phase: PhaseRow, *, after: bool) -> None:
        self.phase, self.after, self._digests = phase, after, PhaseDigests()

    def rows(self, match: Match, phases: Sequence[PhaseRow], told_to: Viewer) -> ReportRows:
        """Return what a report of these closed phases is told from."""
        digests = self._digests.of_report(match.uid, self.phase, after=self.after, phases=phases)
        numbers = tuple(row.number for row in phases)
        return ReportRows(
            self.phase.number,
            self.after,
            numbers,
            digests,
            told_to.orders_open,
            told_to.all_open,
            told_to.seated_at,
        )


def _letter(
    match: Match,
    closed: Sequence[Closed[SealedPart]],
    opened: PhaseRow | None,
    told_to: Viewer,
    shown: _Shown,
    phases: Sequence[PhaseRow],
    *,
    last: str = "",
    **of_player: Any,
) -> StoredReport:
    """Return a seat's report, with what depends `of_player`: notes, time zone, name, reply token.

    `phases` are the closed phases in it. Without `closed` phases, for a player who just came, there
    has to be an `opened` one.
    """
    game, seat = game_of(match), told_to.seat or ""
    return StoredReport(
        match=match.name,
        uid=match.uid,
        game=game.about.title,
        game_key=match.game,
        seat=seat,
        names=told_to.names,
        anonymous=hides_players(match),
        owed=owed(opened, seat),
        planning=opened is not None and bool(opened.due),
        standing=standing(match, told_to),
        stopped=stopped(match, last) if opened is None else "",
        started=any(each.number == 0 for each in closed),
        seals=tuple(_seal_line(each, seat) for each in closed if each.number),
        rows=shown.rows(match, phases, told_to),
        again=opened is None and match.table_id is None,
        deserted=match.deserted and match.paused_at is not None,
        **of_player,
    )


def dropped_note(dropped: Dropped) -> str:
    """Return a letter's note about a dropped plan, or a dropped order of one (ruling G5)."""
    text = ", ".join(dropped.text.splitlines())
    if dropped.alone:
        return (
            f"Of your plan for {dropped.phase}, {text} was left out; the rest of it stands."
            f" {dropped.reason}"
        )
    return (
        f"Your plan for {dropped.phase} ({text}) was dropped, with all that came after it."
        f" {dropped.reason}"
    )


def dropped_line(phase: str) -> str:
    """Return the site's note about a dropped plan; its text was sealed and is in no row, so only
    the letter quotes it.
    """
    return (
        f"Your plan for {phase} could not be followed any more; it was dropped, with all that came"
        " after it."
    )


def _seal_line(closed: Closed[SealedPart], seat: Seat) -> SealLine:
    given = closed.given.get(seat)
    part = given.part if given else None
    return SealLine(
        closed.number,
        closed.phase.name,
        given.how if given else "",
        part.commitment if part else "",
    )


def owed(phase: PhaseRow | None, seat: Seat) -> OwedOrders | None:
    """Return what a seat owes in an open phase, without the choices; None if it owes nothing."""
    if phase is None or phase.deadline is None or seat not in phase.due:
        return None
    return OwedOrders(
        phase.name,
        phase.number,
        phase.deadline,
        phase.deadline + timedelta(seconds=phase.grace_seconds),
    )


def standing(match: Match, told_to: Viewer) -> tuple[StandingRow, ...] | None:
    """Return the final standing, best first, None while the match goes on."""
    if match.result is None:
        return None
    rows = [
        StandingRow(seat, told_to.names.get(seat, ""), **each)
        for seat, each in match.result.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.place, row.seat)))


def stopped(match: Match, last: str) -> str:
    """Return the sentences that say why a match was stopped after its last phase, and who conceded;
    "" where neither happened.

    Of a running match they tell only who conceded.
    """
    gone = [seat_label(seat) for seat in conceded_in(match)]
    sentence = loop.stop_sentence(match.stopped_why, last) if match.status == "ended" else ""
    if not gone:
        return sentence
    if not sentence and not match.result:
        return f"{join_list(gone)} conceded."
    conceded = plural(
        len(gone),
        "{seats} conceded and comes last.",
        "{seats} conceded and come last.",
        seats=join_list(gone),
    )
    return f"{sentence} {conceded}" if sentence else conceded


def picture(game_key: str, view: str) -> str:
    """Return the SVG of a view that a letter's context carries; it depends on the two arguments
    alone.
    """
    game = catalogue.game(game_key)
    return game.draw(game.letter_view(load_view(game, view)))


def tell_master(
    session: Session, public: PublicKeys, match: Match, trouble: str, *, now: datetime
) -> None:
    """Write to the master of a stuck match and to the masters of all matches, except to those who
    want no letters.
    """
    about = outbox.LetterReference(match.id)
    for each in session.exec(
        select(Player).where((col(Player.id) == match.master_id) | col(Player.master).is_(True))
    ):
        if each.address is not None and each.letters:
            token = master_addresses.reply_address(session, match, each.id or 0)
            letter = StuckLetter(
                match=match.name,
                uid=match.uid,
                game_key=match.game,
                zone=each.zone,
                trouble=trouble,
                reply_token=token,
            )
            outbox.write_to(session, each, letter, now=now, about=about, keys=public)


def welcome_master(session: Session, match: Match, *, now: datetime) -> None:
    """Write to a master who does not play that the seats can be taken; that letter's address takes
    the master's commands.
    """
    master = session.get_one(Player, match.master_id)
    plays = any(seat.player_id == master.id for seat in seats_of(session, match))
    # a tournament has a page for its directors
    if plays or master.address is None or not master.letters or match.table_id is not None:
        return
    letter = RunLetter(
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        game=about_of(match).title,
        zone=master.zone,
        reply_token=master_addresses.reply_address(session, match, master.id or 0),
    )
    about = outbox.LetterReference(match.id)
    outbox.write_to(session, master, letter, now=now, about=about)
