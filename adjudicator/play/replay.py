"""Transcripts: a match as one JSON file, played again from that file alone (no database, no
settings, no clock).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from adjudicator import catalogue
from adjudicator.core import chance
from adjudicator.core.chance import (
    CHAIN_LENGTH,
    STREAMS,
    ChanceError,
    Draw,
    ScriptedChance,
    Setting,
    StreamName,
)
from adjudicator.core.game import About, AnyGame, Seat
from adjudicator.core.jcs import NotCanonical
from adjudicator.core.options import OptionError, complete_options
from adjudicator.platform.words import join_list
from adjudicator.play import loop, seat_allocation
from adjudicator.play.loop import (
    Closed,
    Given,
    Opening,
    RecordedChance,
    Stop,
    StopReason,
    stop_at_limit,
)
from adjudicator.play.submission import (
    ParsedSubmission,
    TooLong,
    parse_submission,
    understand,
    understand_all,
    understand_plan,
)
from adjudicator.play.transcript import ChanceSource, Entry, LotLine, Transcript
from adjudicator.play.verify import compare_claims, phase_line, result_line, start_line


class TranscriptError(ValueError):
    """This file cannot be played: it is no transcript, or names something that does not exist."""


def read_transcript(plain: object) -> Transcript:
    """Return the transcript in `plain` (parsed JSON); raises TranscriptError with a sentence."""
    try:
        json.dumps(plain, ensure_ascii=False).encode()
        transcript = Transcript.model_validate(plain)
    except (UnicodeEncodeError, RecursionError) as error:
        raise TranscriptError(
            "This is no transcript: it holds text that cannot be written."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"]) or "the file"
        raise TranscriptError(f"This is no transcript: {where}: {first['msg'].lower()}.") from error
    given = [
        name
        for name in ("seed", "script", "chains")
        if getattr(transcript.chance, name) is not None
    ]
    if len(given) != 1:
        raise TranscriptError("A transcript's chance is exactly one of seed, script and chains.")
    claimed = (transcript.claims or {}).get("phases", [])
    if not isinstance(claimed, list) or not all(isinstance(claim, dict) for claim in claimed):
        raise TranscriptError("The phases that a transcript claims are a list of objects.")
    return transcript


@dataclass(frozen=True)
class PlannedText:
    """A part of a plan in a transcript: text only."""

    orders: str


@dataclass(frozen=True)
class Replayed:
    """The result of a replay."""

    output: dict[str, Any]  # what `sealed replay` prints
    differences: tuple[str, ...]  # sentences naming the phase, empty where every claim holds
    other_rules: bool  # the file was written under another version of the rules


def replay_transcript(transcript: Transcript) -> Replayed:
    """Play the match again and compare the file's claims with it; raises TranscriptError where that
    is impossible.
    """
    player = _Player(transcript)
    phases = [phase_line(player.game, closed, refused) for closed, refused in player.play()]
    output: dict[str, Any] = {
        "start": start_line(player.game, player.start, player.start_draws),
        "phases": phases,
    }
    if player.stop:
        output["stopped"] = {"after": player.stop.after, "why": player.stop.why}
    stopped = player.stop.why if player.stop else None
    output["result"] = result_line(
        player.game, player.state, stopped=stopped, conceded=player.conceded
    )
    output["chance_left"] = player.chance_left
    differences = (*player.troubles, *compare_claims(transcript.claims or {}, output))
    return Replayed(
        output, differences, transcript.rules_version != player.game.about.rules_version
    )


def replay_phases(transcript: Transcript) -> tuple[tuple[Closed[PlannedText], ...], Any]:
    """Play the match again; return its closed phases and the state it is left in. Raises
    TranscriptError where that is impossible.
    """
    player = _Player(transcript)
    return tuple(closed for closed, _ in player.play()), player.state


class _Player:
    """One replay of a transcript."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.game, self.options = _rules(transcript)
        self._script = (
            ScriptedChance(transcript.chance.script)
            if transcript.chance.script is not None
            else None
        )
        self._clients = dict(transcript.clients) | {
            each.number: each.clients for each in transcript.phases if each.number and each.clients
        }
        self._entries = list(transcript.phases)
        self.conceded = {each.seat: each.after for each in transcript.conceded}
        self.state: object = None
        self.start: object = None  # the opening position
        self.start_draws: tuple[Draw, ...] = ()
        self.where = "Start"
        self.stop: Stop | None = None  # set where the match was stopped
        self.troubles: tuple[str, ...] = (
            *_anchor_troubles(transcript.chance),
            *self._lot_troubles(transcript.lots or []),
        )

    @property
    def chance_left(self) -> int:
        return self._script.left if self._script else 0

    def chance_of(self, number: int) -> RecordedChance:
        if self._script is not None:
            self._script.next_phase()
            return self._script
        return chance.of_phase(
            _firsts(self.transcript.chance, number),
            Setting(self.transcript.match, number, self._clients.get(number)),
        )

    def _lot_troubles(self, lots: list[LotLine]) -> tuple[str, ...]:
        """Return a sentence where wishes and chance give other seats than the file says; a script
        has no such draw.
        """
        seats = self.transcript.seats
        if self._script is not None or not lots:
            return ()
        if len(lots) == len(seats):
            # under older rules nobody could wish for more, and the draw is the same
            offered = self.game.about.offered(len(seats))
            drawn = seat_allocation.draw_seats(
                [lot.wishes for lot in lots], offered, self.chance_of(0).public
            )
            if [lot.seat for lot in drawn] == [lot.seat for lot in lots]:
                return ()
        return (
            "Start: the seats were not given as the wishes and the chance of this file give them.",
        )

    def play(self) -> Iterator[tuple[Closed[PlannedText], list[str]]]:
        """Yield each closed phase and what was refused in it; raises TranscriptError where the
        chance cannot give a draw.
        """
        try:
            yield from self._play()
        except (ChanceError, NotCanonical) as error:
            raise TranscriptError(f"{self.where}: {error}.") from error

    def _play(self) -> Iterator[tuple[Closed[PlannedText], list[str]]]:
        dealt = self.chance_of(0)
        begin = self.game.start_under(self.transcript.rules_version)
        self.state = self.start = begin(tuple(self.transcript.seats), self.options, dealt)
        self.start_draws = dealt.draws
        plans: dict[Seat, tuple[PlannedText, ...]] = {}
        number = 1
        before: object = None
        last = loop.START.name
        while True:
            closed, opening = loop.advance_match(
                self.game,
                self.state,
                number=number,
                plans=plans,
                chance_of=self.chance_of,
                before=before,
                stops=self._stops,
                conceded=self.conceded,
                most=CHAIN_LENGTH,
            )
            for each in closed:
                self._skip_forced(each)
                last = each.phase.name
                yield each, []
            self.state = opening.state
            number = opening.number
            self.where = opening.phase.name
            self.stop = opening.stop
            if not opening.phase.due:
                break
            entry = self._next_entry(number)
            if entry is None:
                break
            done, plans, refused = self._close(opening, entry)
            before, self.state, number, last = done.before, done.after, number + 1, done.phase.name
            yield done, refused
        self.troubles = (*self.troubles, *self._troubles_at_the_end(last))

    def _stops(self, number: int, before: object, after: object) -> StopReason | None:
        """Stop where the file says so; where it says nothing, after the last phase that a match may
        have (ruling G9).
        """
        claimed = self.transcript.stopped
        if claimed is None:
            return stop_at_limit(number, before, after)
        if isinstance(claimed.after, int):
            here = number == claimed.after
        else:
            here = (
                number > 0 and not self._entries and self.game.phase(before).name == claimed.after
            )
        if here and not self._may_stop(claimed.why, number, before, after):
            name = self.game.phase(before).name if number else loop.START.name
            self.troubles = (
                *self.troubles,
                (
                    f"{name}: the file says that the match was stopped here ({claimed.why}), which"
                    " cannot be."
                ),
            )
        return claimed.why if here else None

    def _may_stop(self, why: StopReason, number: int, before: object, after: object) -> bool:
        if why == "phases":
            return stop_at_limit(number, before, after) is not None
        left = len(self.transcript.seats) - len(loop.out_in(self.conceded, number + 1))
        if why in ("conceded", "draw"):
            return left == 1 if why == "conceded" else self.game.about.draws == "vote"
        remaining = self.game.remaining(before, after) if number else None
        return (
            why != "nobody left"
            or left < len(self.transcript.seats)
            or (remaining is not None and len(remaining) < left)
        )

    def _troubles_at_the_end(self, last: str) -> Iterator[str]:
        if self.transcript.stopped and not self.stop:
            yield (
                f"{last}: the file says that the match was stopped after"
                f" {_phase_text(self.transcript.stopped.after)}, which it was not."
            )
        if self._entries and self.stop:
            yield f"{last}: the file goes on with orders although the match was stopped there."
        elif self._entries:
            yield f"{self.where}: the file goes on with orders although nobody owes any."

    def _next_entry(self, number: int) -> Entry | None:
        if not self._entries:
            return None
        entry = self._entries[0]
        if entry.number is not None and entry.number != number:
            raise TranscriptError(
                f"{self.where}: the file has orders for phase {entry.number} where phase {number}"
                " is open."
            )
        if entry.clients:
            self._clients[number] = entry.clients
        return self._entries.pop(0)

    def _skip_forced(self, closed: Closed[PlannedText]) -> None:
        """Skip the file's entry for a phase that was closed without waiting."""
        if not self._entries or closed.why == "ready":
            return
        entry = self._entries[0]
        if entry.number is not None:
            same = entry.number == closed.number
        else:
            same = bool(entry.orders) and all(
                self._says(closed, seat, text) for seat, text in entry.orders.items()
            )
        if same:
            self._entries.pop(0)

    def _says(self, closed: Closed[PlannedText], seat: Seat, text: str) -> bool:
        given = closed.given.get(seat)
        return (
            given is not None and self.game.parse(closed.before, seat, text).orders == given.orders
        )

    def _close(
        self, opening: Opening[PlannedText], entry: Entry
    ) -> tuple[Closed[PlannedText], dict[Seat, tuple[PlannedText, ...]], list[str]]:
        given: dict[Seat, Given[PlannedText]] = {}
        plans, refused = dict(opening.plans), []
        for seat, part in opening.adopted.items():
            given[seat] = Given(
                understand(self.game, opening.state, seat, part.orders).orders, "plan", part
            )
        for seat, text in entry.orders.items():
            if seat not in self.transcript.seats:
                raise TranscriptError(
                    f"{self.where}: there is no seat “{seat[:40]}” in this match."
                )
            submission = _parse(text, self.where)
            if seat in opening.out:
                refused.append(
                    f"{seat}: {text.strip()[:80]} - This seat conceded, so it plays its default."
                )
                continue
            if seat not in opening.phase.due:
                plans[seat] = tuple(
                    PlannedText(understand_plan(self.game, opening.state, seat, part).text)
                    for part in submission.parts
                )
                continue
            read = understand_all(self.game, opening.state, seat, submission)
            refused += [f"{seat}: {refusal.line} - {refusal.reason}" for refusal in read.refusals]
            # as in the service: where no line is understood, the earlier orders stay
            if not read.empty:
                given[seat] = Given(read.now.orders, "sealed", PlannedText(read.now.text))
                plans[seat] = tuple(PlannedText(part) for part in read.texts[1:])
        drawn = self.chance_of(opening.number)
        done = loop.close_phase(
            self.game,
            opening.state,
            number=opening.number,
            given=given,
            chance=drawn,
            out=opening.out,
        )
        return done, plans, refused


def _phase_text(phase: int | str) -> str:
    return f"phase {phase}" if isinstance(phase, int) else phase


def _parse(text: str, where: str) -> ParsedSubmission:
    try:
        return parse_submission(text)
    except TooLong as error:
        raise TranscriptError(f"{where}: {error}") from error


def _rules(transcript: Transcript) -> tuple[AnyGame, dict[str, Any]]:
    try:
        game = catalogue.game(transcript.game)
        options = complete_options(game.about, transcript.options, players=len(transcript.seats))
    except (catalogue.UnknownGame, OptionError) as error:
        raise TranscriptError(str(error)) from error
    newest = game.about.rules_version
    if not 1 <= transcript.rules_version <= newest:
        fault = (
            "It was written under version {given} of the rules of {game}, of which this program"
            " knows 1 to {newest}."
        )
        raise TranscriptError(
            fault.format(given=transcript.rules_version, game=game.about.title, newest=newest)
        )
    if not game.about.has_seats(transcript.seats, transcript.rules_version):
        raise TranscriptError(_possible_seats(game.about, transcript.rules_version))
    unknown = set(transcript.stopped.among or () if transcript.stopped else ()) - set(
        transcript.seats
    )
    if unknown:
        raise TranscriptError(
            "The match was stopped among seats that it does not have:"
            f" {', '.join(sorted(unknown))[:80]}."
        )
    _check_concessions(transcript, game)
    return game, dict(options)


def _possible_seats(about: About, rules_version: int) -> str:
    """Return the sentence that says which seats a match of this game has."""
    if about.palette and rules_version >= about.palette_since:
        numbers = join_list(list(map(str, sorted(about.seats))), "or")
        names = ", ".join(about.palette)
        return f"{about.title} is played by {numbers} of the seats {names}, in this order."
    return (
        f"{about.title} is played by the seats"
        f" {' or '.join(', '.join(seats) for seats in about.seats.values())}."
    )


def _check_concessions(transcript: Transcript, game: AnyGame) -> None:
    """Raise TranscriptError where the file names concessions that cannot be."""
    gone = [each.seat for each in transcript.conceded]
    if gone and game.about.concede:
        raise TranscriptError(
            f"In {game.about.title} a seat concedes by its orders: {game.about.concede}."
        )
    if (
        len(set(gone)) < len(gone)
        or not set(gone) <= set(transcript.seats)
        or len(gone) >= len(transcript.seats)
    ):
        raise TranscriptError(
            "Each seat that conceded is named once, and one seat at least is left."
        )


def _firsts(source: ChanceSource, number: int) -> dict[StreamName, bytes]:
    """Return the first elements of the chains that a phase draws from."""
    if source.chains is not None:
        chains = next((each for each in source.former if number < each.until), source.chains)
        return {"public": bytes.fromhex(chains.public), "hidden": bytes.fromhex(chains.hidden)}
    seed = bytes.fromhex(source.seed or "")
    return {stream: chance.first_element(seed, stream) for stream in STREAMS}


def _anchor_troubles(source: ChanceSource) -> tuple[str, ...]:
    """Return a sentence for every chain whose end is not the one published before the match."""
    wrong = [
        name
        for chains in (*source.former, *([source.chains] if source.chains is not None else []))
        for name in STREAMS
        if chains.anchors is not None
        and chains.anchors.get(name)
        != chance.chain_anchor(bytes.fromhex(getattr(chains, name))).hex()
    ]
    return tuple(
        f"Start: the {name} chance of this file is not the one that was fixed before the match."
        for name in dict.fromkeys(wrong)
    )
