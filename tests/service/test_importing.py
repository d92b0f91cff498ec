"""Matches that were played elsewhere: adjudicated again, once each, read only; a bad file gets a
sentence.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlmodel import select

from adjudicator.cli import sealed
from adjudicator.games.diplomacy.exchange.exchange import answer_line, rules_of
from adjudicator.games.diplomacy.exchange.lines import LineFault
from adjudicator.games.diplomacy.exchange.records import read_records
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.platform.config import current_settings
from adjudicator.platform.errors import HostFault
from adjudicator.service.archive import importing
from adjudicator.service.archive.importing import ImportedMatch
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import ArchivedMatch, ArchivedSeat, Letter, Match, RatedPlace
from tests.cast import ALICE
from tests.harness import Harness
from tests.service.test_archive import archive_all, rows

ORDERS = (
    (
        "S1901M",
        {
            "ENGLAND": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
            "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
        },
    ),
    (
        "F1901M",
        {
            "ENGLAND": ["A YOR - NWY VIA", "F NTH C A YOR - NWY"],
            "FRANCE": ["A MAR - SPA", "F BRE - MAO"],
        },
    ),
    ("W1901A", {"ENGLAND": ["F LON B"], "FRANCE": ["A MAR B"]}),
    ("S1902M", {"FRANCE": ["A BUR - MUN"]}),
)


def lines() -> list[dict[str, Any]]:
    """Return a match as another program keeps it: each phase with the position that came of it."""
    before: dict[str, Any] = {
        "units": {power: list(units) for power, units in STANDARD.opening.items()},
        "dislodged": {},
        "centres": {power: list(homes) for power, homes in STANDARD.homes.items()},
    }
    found: list[dict[str, Any]] = []
    for phase, orders in ORDERS:
        line = answer_line(
            rules_of("diplomacy", "via"),
            {"game": "one", "phase": phase, "before": before, "orders": orders},
        )
        found.append(line)
        before = line["after"]
    return found


def put(harness: Harness, values: list[dict[str, Any]], **told: Any) -> list[ImportedMatch]:
    given = {"name": "", "players": {}} | told
    return [
        importing.import_match(harness.database, record, **given, now=harness.now)
        for record in read_records(values)
    ]


def test_a_record_becomes_an_ended_match_with_its_phases_once(harness: Harness) -> None:
    (done,) = put(harness, lines(), name="An old game", players={"FRANCE": "Ann"})
    assert done.new and done.phases == 4 and done.differences == ()
    (again,) = put(harness, lines(), name="Another name")
    assert (again.uid, again.new) == (done.uid, False) and len(rows(harness, Match)) == 1
    page = harness.page(done.uid)
    assert page.card.name == "An old game" and "because its record ends there" in page.stopped
    assert [phase.name for phase in page.phases] == [
        "Start",
        "Spring 1901",
        "Fall 1901",
        "Winter 1901 builds",
        "Spring 1902",
    ]
    assert {face.name: face.player for face in page.card.seats}["FRANCE"] == "Ann"
    assert "F LON - NTH" in str(harness.story(done.uid, 1).orders).upper() and harness.story(
        done.uid, 1
    ).picture.startswith("<svg")
    assert rows(harness, Letter) == [] and rows(harness, RatedPlace) == []
    assert archive_all(harness) == [done.uid]
    (entry,) = rows(harness, ArchivedMatch)
    assert (entry.imported, entry.people, entry.result, entry.lot) == (True, True, "stopped", None)
    assert {seat.seat: seat.named for seat in rows(harness, ArchivedSeat) if seat.named} == {
        "FRANCE": "ann"
    }


def test_what_differs_from_the_record_is_on_the_page(harness: Harness) -> None:
    values = lines()
    values[1]["after"]["units"]["FRANCE"] = ["A BUR", "A GAS", "F MAO"]
    (done,) = put(harness, values)
    told = "differs from the record in Fall 1901: France has A SPA here, France has A GAS there"
    assert done.differences == (f"{told}.",)
    assert told in [note.what for note in harness.page(done.uid).notes]


def test_records_of_several_games_and_saved_games_are_read(harness: Harness) -> None:
    other = [
        (
            {**line, "game": "two", "orders": {}}
            if line["phase"] == "S1902M"
            else {**line, "game": "two"}
        )
        for line in lines()
    ]
    first, second = put(harness, [*lines(), *other])
    assert first.uid != second.uid and (first.phases, second.phases) == (4, 3)
    state = {
        "name": "S1901M",
        "units": {power: list(units) for power, units in STANDARD.opening.items()},
        "centers": dict(STANDARD.homes),
    }
    saved = {
        "id": "x",
        "phases": [{"name": "S1901M", "state": state, "orders": dict(ORDERS[0][1])}],
    }
    (third,) = put(harness, [json.loads(json.dumps(saved))])
    assert third.phases == 1 and len({first.uid, second.uid, third.uid}) == 3


def test_names_are_only_those_of_the_importer(harness: Harness) -> None:
    values = [{**line, "game": "Mallory", "players": {"FRANCE": "Mallory"}} for line in lines()]
    (done,) = put(harness, values)
    assert "Mallory" not in str(harness.page(done.uid)) and not any(
        seat.named for seat in harness.seats(done.uid)
    )
    for wrong in (
        {"players": {"SPAIN": ALICE}},
        {"name": "x" * 100},
        {"name": "see example.org/now"},
    ):
        with pytest.raises(Refused):
            put(harness, lines(), **wrong)


WRONG: tuple[tuple[Any, str], ...] = (
    (3, "has to be a phase"),
    ({"phases": []}, "list of “phases”"),
    ({"phases": "x"}, "list of “phases”"),
    ({"phase": "S1901M", "before": {}, "orders": {"FRANCE": ["A PAR H"]}}, "begin in Spring 1901"),
    ({**lines()[0], "phase": "Z1"}, "The phase is"),
    ({**lines()[0], "orders": {"SPAIN": ["A PAR H"]}}, "is no power"),
    ({**lines()[0], "orders": {"FRANCE": ["A PAR H"] * 101}}, "more or longer orders"),
    ({**lines()[0], "orders": {"FRANCE": ["A PAR H" * 50]}}, "more or longer orders"),
    ({**lines()[0], "orders": {}}, "needs orders"),
    ({**lines()[0], "after": {"units": {"FRANCE": ["A XYZ"]}}}, "which no unit is called"),
    ({"game": "rsp-diplomacy", "phases": [{}]}, "Only matches of Diplomacy"),
)


@pytest.mark.parametrize(("value", "sentence"), WRONG)
def test_a_wrong_record_gets_a_sentence(value: Any, sentence: str) -> None:
    with pytest.raises(LineFault, match=sentence):
        list(read_records([value]))
    with pytest.raises(LineFault, match="only once"):
        list(read_records([lines()[0], lines()[0]]))


def test_the_command_imports_files_and_tells_what_is_wrong(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    current_settings.cache_clear()  # another test of this process may have read others
    request.addfinalizer(current_settings.cache_clear)
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(json.dumps(line) for line in lines()))
    run = CliRunner().invoke(sealed, ["import", str(good), str(good), "--player", "france=Ann"])
    assert (
        run.exit_code == 0
        and "4 phases, all as in the record." in run.output
        and "1 of 2 matches are new." in run.output
    ), run.output
    with Harness(sqlite_url) as harness, harness.database.read_tx() as session:
        assert len(session.exec(select(Match)).all()) == 1
    dice, text = random.Random(1), good.read_text()
    for _ in range(60):
        at, what = (
            dice.randrange(len(text)),
            dice.choice(["", "\0", "[" * 3000, '"', "é", "9" * 400, "}", "null"]),
        )
        bad.write_text(text[:at] + what + text[at + dice.randrange(30) :])
        run = CliRunner().invoke(sealed, ["import", str(bad)])
        assert run.exit_code == 0 or isinstance(run.exception, (HostFault, SystemExit)), (
            run.exception,
            at,
            what,
        )
    written = [json.dumps(line) for line in lines()]
    odd = [json.dumps({**line, "orders": {"SPAIN": ["A PAR H"]}}) for line in lines()]
    for content, told in (
        (b"\xff\xfe{", "no text in UTF-8"),
        (
            "\n".join([written[0], "", written[1], "{", written[2]]).encode(),
            "line 4, column 2: this is no JSON",
        ),
        (
            json.dumps(lines()[0], indent=1).replace('"orders":', '"orders"').encode(),
            "line 83, column 11: this is no JSON",
        ),
        (
            "\n".join([written[0], "", odd[1], *written[2:]]).encode(),
            "line 3: “SPAIN” in “orders” is no power",
        ),
        (
            "\n".join([*written, "5"]).encode(),
            f"line {len(written) + 1}: Each line has to be a phase",
        ),
        (
            "\n".join([*written[:2], "", written[1]]).encode(),
            "line 4: A record has each phase only once, and ",
        ),
        (
            json.dumps({**lines()[0], "after": 3}).encode(),
            "“after” has to be an object",
        ),
        (
            json.dumps({**lines()[0], "after": {"units": {"FRANCE": [3]}}}).encode(),
            "In “after”: What FRANCE has in “units”",
        ),
    ):
        bad.write_bytes(content)
        fault = CliRunner().invoke(sealed, ["import", str(bad)]).exception
        assert isinstance(fault, HostFault) and told in str(fault), (content, fault)
