"""Draws the rounds of a tournament again from its file alone, and compares them with what the file
says; docs/tournaments.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from itertools import chain
from typing import Any, cast, get_args

from pydantic import TypeAdapter, ValidationError

from adjudicator.core import chance
from adjudicator.core.chance import ChainChance, Setting
from adjudicator.play.tournaments.changes import Change, Results, list_results
from adjudicator.play.tournaments.formats import FORMATS, Format
from adjudicator.play.tournaments.pairing import BY_HAND, PAIRING_VERSION, pair_round
from adjudicator.play.tournaments.past import with_byes, with_given
from adjudicator.play.tournaments.records import Played, Round, TournamentError
from adjudicator.play.tournaments.standings import Ranked, TieBreak, rank_entrants

NOT_COMPARED = (
    (
        "Not compared: the anchors with those that were published before entries closed, and the"
        " points with the matches themselves."
    ),
)
MOST_ENTRANTS = 1000  # of a file; more would take long


@dataclass(frozen=True)
class TableFile:
    """A table of a round in a tournament's file: who sat in which seat, and the points as they are
    now.
    """

    entrants: tuple[int, ...]
    points: tuple[str, ...] | None = None


@dataclass(frozen=True)
class RoundFile:
    """A round in a tournament's file."""

    number: int
    element: str  # of the public chain, in hex
    pairing_version: int
    tables: tuple[TableFile, ...]
    sitting_out: tuple[int, ...]
    order: tuple[int | None, ...]
    turn: int
    entrants: tuple[int, ...] | None  # who was there to be paired
    # results that were new, or others, since the round before was paired
    changes: tuple[Change, ...] | None = None
    # points that directors had given, by entrant
    given: Mapping[int, str] = field(default_factory=dict)
    # in older files: of all tables of each earlier round, as they then were
    results: tuple[tuple[tuple[str, ...], ...], ...] | None = None

    @property
    def pairing(self) -> Round:
        """The round as it was paired."""
        tables = tuple(table.entrants for table in self.tables)
        return Round(tables, self.sitting_out, self.order, self.turn)


@dataclass(frozen=True)
class RankFile:
    """A line of the standings in a tournament's file."""

    place: int
    entrant: int
    points: str
    tables: int | None = None  # that have a result; older files may lack this and what follows
    tie_breaks: tuple[str, ...] | None = None


@dataclass(frozen=True)
class EntrantFile:
    """An entrant in a tournament's file."""

    number: int
    left: bool
    first_round: int = 1  # that the entrant could be paired for
    given: str = "0"  # points that directors have given


@dataclass(frozen=True)
class ChanceFile:
    """The chance in a tournament's file: the anchors of both chains, and once it has ended their
    first elements, in hex.
    """

    anchors: dict[str, str]
    opened: dict[str, str] | None


@dataclass(frozen=True)
class TournamentFile:
    """The members of a tournament's file that its rounds depend on; it has more."""

    id: str
    format: str
    policies: dict[str, Any]
    tie_breaks: tuple[str, ...]
    entrants: tuple[EntrantFile, ...]
    rounds: tuple[RoundFile, ...]
    standings: tuple[RankFile, ...]
    chance: ChanceFile
    # earlier pairings of rounds that were paired again, each from the element of its round
    voided: tuple[RoundFile, ...] = ()
    late: str = "no"  # "bye": who enters late has the points for sitting out of the rounds before

    def with_byes(self, history: Sequence[Played]) -> Sequence[Played]:
        """Return a history as pairing and standings look at it."""
        return (
            with_byes(history, {each.number: each.first_round for each in self.entrants})
            if self.late == "bye"
            else history
        )


@dataclass(frozen=True)
class ReplayedTournament:
    """The rounds as they were drawn again, and every difference from the file as a sentence."""

    output: dict[str, Any]
    differences: tuple[str, ...]


def is_tournament(plain: object) -> bool:
    """Whether a file is a tournament's and no transcript."""
    return isinstance(plain, Mapping) and "rounds" in plain and "entrants" in plain


def read_tournament(plain: object) -> TournamentFile:
    """Return a tournament's file; raises TournamentError with a sentence for what is none."""
    try:
        found = TypeAdapter(TournamentFile).validate_python(plain)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise TournamentError(f"This is no tournament's file: {where}: {first['msg']}.") from error
    if found.format not in FORMATS:
        raise TournamentError(f"“{found.format[:40]}” is no format of tournaments known here.")
    if unknown := [each for each in found.tie_breaks if each not in get_args(TieBreak)]:
        raise TournamentError(
            f"“{unknown[0][:40]}” is no tie break known here; there are"
            f" {', '.join(get_args(TieBreak))}."
        )
    if undrawn := [
        each
        for each in (*found.rounds, *found.voided)
        if not BY_HAND <= each.pairing_version <= PAIRING_VERSION
    ]:
        fault = (
            "Round {number} was paired by version {version} of the rules, of which this program"
            " knows 1 to {newest}."
        )
        raise TournamentError(
            fault.format(
                number=undrawn[0].number, version=undrawn[0].pairing_version, newest=PAIRING_VERSION
            )
        )
    if len(found.entrants) > MOST_ENTRANTS:
        raise TournamentError(f"A file has at most {MOST_ENTRANTS} entrants.")
    if [each.number for each in found.rounds] != list(range(1, len(found.rounds) + 1)):
        raise TournamentError("The rounds are not numbered 1, 2, 3 in their order.")
    for row in (*found.rounds, *found.voided):
        _require_entrants(found, row)
    return found


def _require_entrants(file: TournamentFile, row: RoundFile) -> None:
    """Raise TournamentError where a round has others than the file lists, or somebody twice, or
    where the tables of a knock-out are not those of its bracket.
    """
    known = {each.number for each in file.entrants}
    tables = [table.entrants for table in row.tables]
    named = {*row.sitting_out, *row.order, *(row.entrants or ()), *chain(*tables)} - {None}
    if strange := named - known:
        raise TournamentError(
            f"Round {row.number} has an entrant {min(strange, key=str)}, whom the file does not"
            " list."
        )
    seated = [*row.sitting_out, *chain(*tables)]
    if len(set(seated)) < len(seated):
        raise TournamentError(f"Somebody sits twice in round {row.number}.")
    pairs = [set(pair) for pair in zip(row.order[::2], row.order[1::2], strict=False)]
    meetings = [pair for pair in pairs if None not in pair]
    if file.format == "knock-out" and (
        len(row.order).bit_count() != 1
        or len(meetings) != len(tables)
        or any(set(table) not in meetings for table in tables)
    ):
        raise TournamentError(f"The tables of round {row.number} are not those of its bracket.")


def replay_tournament(file: TournamentFile) -> ReplayedTournament:
    """Draw every round again and work out the standings from the results.

    1. Each round's element has to lead to the anchor that was published before anybody could enter;
       so have the first elements.
    2. Tables, seats and who sits out follow from the element, from who was there and from the
       results as they then were; so do those of void pairings.
    3. The standings follow from the results as they are now.

    Raises TournamentError where nothing can be drawn at all, as for policies that the format does
    not have.
    """
    try:
        format_ = TypeAdapter(FORMATS[file.format]).validate_python(file.policies)
    except ValidationError as error:
        raise TournamentError(f"The policies do not fit the format {file.format}.") from error
    differences, drawn = list(_check_opened(file.chance)), []
    paired_from = list_results(
        [(row.changes, row.results) for row in file.rounds],
        [len(row.tables) for row in file.rounds],
    )
    for row, results in zip(file.rounds, paired_from, strict=True):
        number = row.number
        found, difference = _draw_again(file, format_, number, results)
        differences += difference
        drawn.append(
            {
                "round": number,
                "tables": [list(table) for table in found.tables] if found else None,
                "agrees": not difference,
            }
        )
    differences += [
        difference for row in file.voided for difference in _check_void(file, format_, row)
    ]
    differences += _check_standings(file, format_)
    return ReplayedTournament(
        {"tournament": file.id, "rounds": drawn, "agrees": not differences}, tuple(differences)
    )


def _check_opened(found: ChanceFile) -> Sequence[str]:
    if found.opened is None:
        return ()
    return [
        f"The published chance of the chain {name} does not lead to its anchor."
        for name, anchor in sorted(found.anchors.items())
        if chance.chain_anchor(_bytes(found.opened.get(name, ""))).hex() != anchor
    ]


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise TournamentError(f"“{text[:20]}” is no number in hex.") from error


def _draw_again(
    file: TournamentFile, format_: Format, number: int, results: Results | None
) -> tuple[Round | None, list[str]]:
    """Return a round as it is drawn again from these results, and the differences from the file."""
    row, element = file.rounds[number - 1], _bytes(file.rounds[number - 1].element)
    if chance.chain_anchor(element, number + 1).hex() != file.chance.anchors.get("public"):
        return None, [f"The element of round {number} does not lead to the anchor."]
    if row.entrants is None or results is None:
        return None, [
            f"Round {number} cannot be drawn again: the file does not say what it was paired from."
        ]
    history = _give(file.with_byes(_history(file, number, results)), row.given)
    draw = ChainChance(
        {"public": lambda: element, "hidden": lambda: b""}, Setting(file.id, number)
    ).public
    if row.pairing_version == BY_HAND:
        return row.pairing, []
    found = pair_round(
        format_,
        row.entrants,
        history,
        draw,
        version=row.pairing_version,
        tie_breaks=cast("tuple[TieBreak, ...]", file.tie_breaks),
    )
    if found == row.pairing:
        return found, []
    return found, [f"Round {number}: {_first_difference(found, row.pairing)}"]


def _check_void(file: TournamentFile, format_: Format, row: RoundFile) -> list[str]:
    """Draw a void pairing again, as the last round of a shorter file, and return the
    differences.
    """
    if not 1 <= row.number <= len(file.rounds) + 1:
        return [f"A void pairing is of round {row.number}, which the tournament has not."]
    rounds = (*file.rounds[: row.number - 1], row)
    results = list_results(
        [(each.changes, each.results) for each in rounds], [len(each.tables) for each in rounds]
    )[-1]
    return [
        f"The void pairing: {difference}"
        for difference in _draw_again(replace(file, rounds=rounds), format_, row.number, results)[1]
    ]


def _first_difference(found: Round | None, filed: Round) -> str:
    if found is None:
        return "the tournament was over before."
    for table, (one, other) in enumerate(zip(found.tables, filed.tables, strict=False), 1):
        if one != other:
            return f"table {table} seats {list(other)}, but the chance gives {list(one)}."
    return "it has other tables, or others sit out, than the chance gives."


def _history(file: TournamentFile, number: int, results: Results) -> list[Played]:
    """Return the rounds before one, with the results as they were when it was paired."""
    if len(results) != number - 1:
        raise TournamentError(f"Round {number} has the results of {len(results)} rounds before it.")
    return [
        Played(row.pairing, tuple(_points(points) for points in of_round))
        for row, of_round in zip(file.rounds, results, strict=False)
    ]


def _give(history: Sequence[Played], given: Mapping[int, str]) -> Sequence[Played]:
    try:
        return with_given(
            history,
            [(number, Fraction(points)) for number, points in given.items() if Fraction(points)],
        )
    except (ValueError, ZeroDivisionError) as error:
        raise TournamentError("The file has points that are no numbers.") from error


def _points(points: Sequence[str] | None) -> tuple[Fraction, ...] | None:
    try:
        return None if points is None else tuple(map(Fraction, points))
    except (ValueError, ZeroDivisionError) as error:
        raise TournamentError("The file has points that are no numbers.") from error


def _check_standings(file: TournamentFile, format_: Format) -> list[str]:
    history = [
        Played(row.pairing, tuple(_points(table.points) for table in row.tables))
        for row in file.rounds
    ]
    numbers = [each.number for each in file.entrants]
    playing = [each.number for each in file.entrants if not each.left]
    given = {each.number: each.given for each in file.entrants}
    ties = cast("tuple[TieBreak, ...]", file.tie_breaks)
    ranked = rank_entrants(format_, numbers, playing, _give(file.with_byes(history), given), ties)
    if len(ranked) != len(file.standings) or any(
        not _agrees(line, filed) for line, filed in zip(ranked, file.standings, strict=False)
    ):
        return ["The standings are not those of the results."]
    return []


def _agrees(line: Ranked, filed: RankFile) -> bool:
    """Whether a line of the file says what follows from the results."""
    return (
        (line.place, line.entrant) == (filed.place, filed.entrant)
        and (line.total,) == _points((filed.points,))
        and filed.tables in (None, line.tables)
        and (filed.tie_breaks is None or _points(filed.tie_breaks) == line.breaks)
    )


# --- what is not looked at


def unread_names(plain: Mapping[str, Any]) -> list[str]:
    """Return the members of a readable file that a replay does not look at, each once."""
    rounds = [*plain["rounds"], *plain.get("voided", ())]
    parts: tuple[tuple[str, Any, Sequence[Mapping[str, Any]]], ...] = (
        ("", TournamentFile, [plain]),
        ("entrants: ", EntrantFile, plain["entrants"]),
        ("rounds: ", RoundFile, rounds),
        ("tables: ", TableFile, [table for each in rounds for table in each["tables"]]),
        ("standings: ", RankFile, plain["standings"]),
    )
    return list(
        dict.fromkeys(
            f"{part}{name}"
            for part, kind, items in parts
            for item in items
            for name in item
            if name not in {each.name for each in fields(kind)}
        )
    )
