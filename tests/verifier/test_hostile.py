"""Files that are damaged or made to break the verifier: each ends in a failure line, never in a
traceback.
"""

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import verify_match
from tests.sampling import examples
from tests.verifier.made import Json, Signer, World, played
from tests.verifier.running import broken, verify, write

WITNESS = Signer("witness")
# What a transcript adds to the log: only the rules of the game lead to it, and `sealed replay`
# checks that.
ONLY_BY_REPLAY = ("name", "refused", "events", "scores", "chance_left")
MODEST = settings(
    max_examples=examples(50, 150), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def text(
    capsys: pytest.CaptureFixture[str], folder: Path, data: bytes | str
) -> tuple[int, list[str]]:
    path = folder / "hostile.json"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    return verify(capsys, str(path))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"nothing",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xef\xbb\xbf{}",
        b'{"version": 1',
        b'"\x00"',
    ],
)
def test_what_is_no_json_breaks_the_form(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = text(capsys, tmp_path, data)
    assert (code, broken(lines), lines[-1]) == (1, {"R01"}, "BROKEN: 1 of 1 rules")


@pytest.mark.parametrize(
    "data",
    [
        "null",
        "[]",
        "3",
        '"text"',
        "{}",
        "1.5",
        "NaN",
        "-Infinity",
        "1e3",
        "9" * 10_000,
        "9007199254740992",
        '{"a":1,"a":2}',
        '"\\ud800"',
        '"e\u0301"',
        '{"\U0001f600": 1}',
        "[" + "0," * 1_000_000 + "0]",
    ],
)
def test_what_is_no_bundle_breaks_the_form(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = text(capsys, tmp_path, data)
    assert code == 1
    assert broken(lines) == {"R01"}


@pytest.mark.parametrize("nfc", ["\n\u0301", "\u0301a", '"\u0301', "\u00e9"])
def test_what_is_in_nfc_is_read_also_beside_escapes(nfc: str) -> None:
    assert verify_match.read_json(json.dumps([nfc], ensure_ascii=False).encode()) == [nfc]


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a JSON value."""
    if path:
        yield path
    for name, inner in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    ):
        yield from places(inner, (*path, name))


@cache
def good() -> tuple[str, tuple[tuple[Any, ...], ...]]:
    bundle = played().bundle(WITNESS)
    return json.dumps(bundle), tuple(places(bundle))


def within(bundle: Json, path: tuple[Any, ...]) -> Json:
    for name in path:
        bundle = bundle[name]
    return bundle


def flipped(value: Json) -> Json:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("1" if value[:1] != "1" else "2") + value[1:]
    if isinstance(value, list):
        return value[:-1] if value else ["1"]
    if isinstance(value, dict):
        return {name: value[name] for name in list(value)[1:]} if value else {"more": 1}
    return "1"


def logged(bundle: Json) -> Json:
    """Return a bundle without what only a replay finds.

    The log does not have the transcript's stories, scores, hidden draws and names of phases.
    """

    def strip(value: Json, name: str = "") -> Json:
        if isinstance(value, dict):
            return {
                inner: strip(each, inner)
                for inner, each in value.items()
                if inner not in ONLY_BY_REPLAY
            }
        if name == "draws" and isinstance(value, list):
            return [draw for draw in value if draw[:1] == ["public"]]
        return [strip(each) for each in value] if isinstance(value, list) else value

    return bundle | {"transcript": strip(bundle["transcript"])}


@MODEST
@given(data=st.data())
def test_any_value_that_is_changed_is_found(
    data: st.DataObject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, everywhere = good()
    path = data.draw(st.sampled_from(everywhere))
    bundle = json.loads(plain)
    parent = within(bundle, path[:-1])
    parent[path[-1]] = flipped(parent[path[-1]])
    code, lines = verify(capsys, write(tmp_path, "log.json", bundle))
    assert code in (0, 1)
    assert (code == 1) is (logged(bundle) != logged(json.loads(plain))), path
    assert code == 0 or lines[-1].startswith("BROKEN")


strange = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["open", "0" * 64]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@MODEST
@given(data=st.data(), value=strange)
def test_any_value_of_another_type_ends_in_a_line(
    data: st.DataObject, value: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, everywhere = good()
    path = data.draw(st.sampled_from(everywhere))
    bundle = json.loads(plain)
    within(bundle, path[:-1])[path[-1]] = value
    code, lines = verify(capsys, write(tmp_path, "log.json", bundle))
    assert code in (0, 1)
    assert lines[-1].startswith(("BROKEN", "All"))
    # No rule fails for want of a check of its form. The transcript has none: R24 compares it, and
    # any misfit breaks that rule.
    assert not any("no check (" in line and "R24" not in line for line in lines), lines


@MODEST
@given(data=st.data())
def test_a_server_that_signs_nonsense_ends_in_a_line(
    data: st.DataObject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Entries are taken out, doubled and moved, and all is signed anew: order is checked before
    anything relies on it.
    """
    world = played()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(world.bodies) - 1))
        kind, body = world.bodies.pop(at)
        for _ in range(data.draw(st.integers(0, 2))):
            world.bodies.insert(
                data.draw(st.integers(0, len(world.bodies))), (kind, copy.deepcopy(body))
            )
    if not world.bodies:
        return
    code, lines = verify(capsys, write(tmp_path, "log.json", _signed(world)))
    assert code in (0, 1)
    assert not any("no check (" in line for line in lines), lines


def _signed(world: World) -> Json:
    return world.bundle() | {"receipts": []}


@pytest.mark.parametrize(
    ("option", "data"),
    [
        ("--receipt", b"no json"),
        ("--receipt", b"[[[[[1]]]]]"),
        ("--receipt", b'{"receipt": {"phase": 1}}'),
        ("--receipt", b'{"receipt": [], "parts": 3, "signature": {}}'),
        ("--receipt", b"[" * 50_000),
        ("--letter", b""),
        ("--letter", b"\xff\x00" * 500),
        ("--letter", b"Sealed-Head: match=a; index=99999999999999999999; hash=1\n\n"),
        ("--letter", b"{}"),
        ("--letter", b'{"match": 1, "head": {}}'),
        ("--letter", b"{" * 5000),
        ("--letter", b"Content-Disposition: attachment; filename=seal.json\n\n[1]"),
        (
            "--letter",
            (
                b"Content-Type: application/json; name*=bad''%ff\nContent-Disposition: attachment;"
                b" filename*=x'y'%00\n\n[1]"
            ),
        ),
        ("--checkpoint", b""),
        ("--checkpoint", b"origin\n5\nAAAA\n"),
        ("--checkpoint", b"{}"),
        ("--checkpoint", b'{"checkpoint": []}'),
        ("--checkpoint", "origin\n5\n!!\n\n\u2014 origin AAAA\n".encode()),
        ("--checkpoint", b'{"checkpoint": null}'),
        ("--checkpoint", "origin\n\u0665\nAAAA\n\n\u2014 origin AAAA\n".encode()),
        ("--checkpoint", b"\xff"),
    ],
)
def test_hostile_evidence_is_named(
    option: str, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evidence").write_bytes(data)
    code, lines = verify(
        capsys,
        write(tmp_path, "log.json", json.loads(good()[0])),
        option,
        str(tmp_path / "evidence"),
    )
    assert code == 1
    expected = {"--receipt": "R15", "--letter": "R20", "--checkpoint": "R22"}[option]
    assert expected in broken(lines), lines


@pytest.mark.parametrize("option", ["log.json", "--receipt", "--letter", "--checkpoint"])
def test_a_file_of_200_mb_is_not_even_read(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(200_000_000)
    bundle = write(tmp_path, "log.json", json.loads(good()[0]))
    code, lines = verify(
        capsys, *([str(large)] if option == "log.json" else [bundle, option, str(large)])
    )
    assert code == 2
    assert lines[-1].endswith(f"{large} is larger than 32000000 bytes")


DEEP = [
    b"[" * 31_000_000,
    b'{"a":' * 6_000_000,
    b"[" * 900 + b"1" + b"]" * 900,
    b'{"entries":' * 900 + b"1" + b"}" * 900,
]
ODD = [
    b'{"match":"a","match":"b"}',
    b'{"n":' + b"9" * 100_000 + b"}",
    b'{"n":-9007199254740993}',
    b'{"n":1e400}',
    b'{"n":"\\udc00"}',
    b'{"\\ud800":1}',
    b'{"n":NaN}',
    b'{"n":"\xff"}',
    b"[" + b"[]," * examples(300_000, 1_500_000) + b"[]]",
]


@pytest.mark.parametrize("data", [*DEEP, *ODD], ids=range(len(DEEP) + len(ODD)))
@pytest.mark.parametrize(
    ("option", "rule"),
    [("", "R01"), ("--receipt", "R15"), ("--letter", "R20"), ("--checkpoint", "R22")],
)
def test_nesting_numbers_names_and_halves_of_characters_end_in_a_line(
    option: str, rule: str, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hostile.json").write_bytes(data)
    bundle = write(tmp_path, "log.json", json.loads(good()[0]))
    arguments = (
        [bundle, option, str(tmp_path / "hostile.json")]
        if option
        else [str(tmp_path / "hostile.json")]
    )
    code, lines = verify(capsys, *arguments)
    assert (code, broken(lines)) == (1, {rule}), lines
    assert len(lines) < 60 and all(len(line) <= 400 for line in lines)


def test_a_field_that_is_missing_breaks_the_form_though_it_may_be_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    del world.find("open", 0)["deadline"]
    code, lines = verify(capsys, write(tmp_path, "log.json", world.bundle()))
    assert (code, broken(lines)) == (1, {"R01"})
    assert "BROKEN       R01 at entry 1 (open)" in lines


def test_a_bundle_of_deep_values_within_its_form_ends_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A state may be any value, so nesting there is no matter of form."""
    deep: Json = 1
    for _ in range(400):
        deep = [deep]
    world = played()
    world.find("result", 2)["state"]["state"] = deep
    code, lines = verify(capsys, write(tmp_path, "log.json", world.bundle()))
    assert (code, broken(lines)) == (1, {"R12"})


def test_a_file_that_is_not_there_is_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(capsys, str(tmp_path / "none.json"))[0] == 2
    code, lines = verify(
        capsys,
        write(tmp_path, "log.json", json.loads(good()[0])),
        "--letter",
        str(tmp_path / "none.eml"),
    )
    assert code == 2
    assert lines[-1].endswith(
        f"error: argument --letter: {tmp_path}/none.eml: No such file or directory"
    )


def test_the_report_shows_no_control_characters_and_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    world.find("tenure")["seat"] = "\x1b[2J" + "x" * 10_000
    world.find("deadline")["phase"] = 4000
    for _ in range(200):
        world.add("end", time="2026-11-24T20:00:00.000Z", result={}, stopped=None)
    code, lines = verify(capsys, write(tmp_path, "log.json", _signed(world)))
    assert code == 1
    assert len(lines) < 100
    assert all(line.isprintable() and len(line) <= 400 for line in lines)
