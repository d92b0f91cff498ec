"""Canonical bytes, tagged hashes and the chance drawn from them, against RFC 8785 and against plain
hashlib.
"""

import hashlib
import hmac
import json
import unicodedata
from collections import Counter, defaultdict, namedtuple
from datetime import datetime, timedelta, timezone
from enum import IntEnum
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core import chance
from adjudicator.core.chance import ChainChance, ChanceError, ScriptedChance, Setting
from adjudicator.core.jcs import H, NotCanonical, format_timestamp, jcs

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "seal1.json").read_text())


def ZERO() -> bytes:
    return bytes(32)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(codec="ascii")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="ascii")), inner),
)


@given(plain)
def test_canonical_json_reads_back(value: object) -> None:
    assert json.loads(jcs(value)) == value


@given(plain)
def test_canonical_json_of_plain_text_is_what_json_writes_with_sorted_keys(value: object) -> None:
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert jcs(value).decode() == written


@given(plain, st.text(), st.text())
def test_a_string_within_is_written_as_it_is_alone(value: object, inside: str, key: str) -> None:
    text, name = (unicodedata.normalize("NFC", each) for each in (inside, f"%s{key}"))
    assert jcs([{name: text}, value]) == b"[{%b:%b},%b]" % (jcs(name), jcs(text), jcs(value))


def test_kinds_of_plain_values_are_written_as_these() -> None:
    class Text(str):
        """A string."""

    pair, number = namedtuple("Pair", "a b")("x", Text("é")), IntEnum("Number", "ONE")
    assert jcs([pair, defaultdict(int, {"a": number["ONE"]})]) == '[["x","é"],{"a":1}]'.encode()


@pytest.mark.parametrize(
    "value",
    [["e\u0301"], {"a": [{"b": "e\u0301"}]}, {"e\u0301": 1}, {"a": ("\ud800",)}, {"\ud800": 1}],
)
def test_a_string_that_has_no_canonical_form_is_found_anywhere(value: object) -> None:
    with pytest.raises(NotCanonical):
        jcs(value)


@given(st.dictionaries(st.text(st.characters(codec="ascii")), st.integers(-5, 5)))
def test_the_order_of_keys_never_shows(value: dict[str, int]) -> None:
    assert jcs(value) == jcs(dict(reversed(value.items())))


def test_keys_are_sorted_by_utf16_code_units() -> None:
    assert jcs({"\U0001f600": 1, "\uff5e": 2}).decode() == '{"\U0001f600":1,"\uff5e":2}'


@pytest.mark.parametrize(
    "value", [1.5, 2**53, "e\u0301", {1: 2}, b"x", "\ud800", float("nan"), {"a": {1, 2}}]
)
def test_what_has_two_spellings_has_no_canonical_form(value: object) -> None:
    with pytest.raises(NotCanonical):
        jcs(value)


def test_a_tagged_hash_is_sha256_of_the_tag_and_the_bytes() -> None:
    assert (
        H("commit", {"b": 1, "a": None})
        == hashlib.sha256(b'sealed/1/commit\n{"a":null,"b":1}').digest()
    )


def test_a_stamp_is_utc_to_the_millisecond() -> None:
    moment = datetime(2026, 11, 24, 20, 0, 1, 999_999, tzinfo=timezone(timedelta(hours=1)))
    assert format_timestamp(moment) == "2026-11-24T19:00:01.999Z"
    with pytest.raises(ValueError, match="without a zone"):
        format_timestamp(moment.replace(tzinfo=None))


def test_an_hour_that_comes_twice_has_two_stamps() -> None:
    first = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert format_timestamp(first) == "2026-10-25T00:30:00.000Z"
    assert format_timestamp(first.replace(fold=1)) == "2026-10-25T01:30:00.000Z"


def test_the_chain_runs_from_the_first_element_to_the_anchor() -> None:
    value = first = bytes(range(32))
    chain = [value]
    for _ in range(4096):
        chain.append(value := hashlib.sha256(b"sealed/1/seed\n" + value).digest())
    assert chance.chain_anchor(first) == chain[4096]
    assert [chance.chain_element(first, phase) for phase in (0, 7, 4095)] == [
        chain[4095],
        chain[4088],
        chain[0],
    ]


def test_a_phase_beyond_the_chain_has_no_chance() -> None:
    with pytest.raises(ChanceError, match="beyond"):
        chance.chain_element(bytes(32), 4096)


def test_a_draw_is_the_first_word_of_its_block_that_favours_nobody() -> None:
    key, setting = bytes(32), Setting("m", 3)
    bound = b'{"beacon":null,"block":0,"clients":null,"label":"roll","match":"m","phase":3,"stream":"public"}'
    block = hmac.digest(key, b"sealed/1/dice\n" + bound, "sha256")
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    expected = next(word for word in words if word < 2**32 - 2**32 % 6) % 6 + 1
    assert (
        ChainChance({"public": lambda: key, "hidden": lambda: key}, setting).public.die("roll", 6)
        == expected
    )


def test_a_label_is_drawn_once_and_the_order_of_draws_changes_nothing() -> None:
    def fresh() -> ChainChance:
        return ChainChance({"public": ZERO, "hidden": ZERO}, Setting("m", 1))

    one, other = fresh(), fresh()
    first = one.public.die("a", 6), one.public.shuffle("b", "RPS")
    second = other.public.shuffle("b", "RPS"), other.public.die("a", 6)
    assert first == second[::-1]
    with pytest.raises(ChanceError, match="twice"):
        one.public.die("a", 6)


def test_shuffles_are_fair() -> None:
    counted = Counter(
        ChainChance({"public": ZERO, "hidden": ZERO}, Setting("m", number)).public.shuffle(
            "deal", "RPS"
        )
        for number in range(6000)
    )
    assert len(counted) == 6
    assert all(abs(count - 1000) < 150 for count in counted.values())


def test_the_names_of_a_script_may_be_in_any_case_and_are_told_as_the_rules_write_them() -> None:
    script = ScriptedChance(["RED", ["Paper", "ROCK"]])
    assert script.public.pick("first", ["Red", "Blue"]) == "Red"
    assert script.hidden.shuffle("deck", ["rock", "paper"]) == ("paper", "rock")
    assert [draw.value for draw in script.draws] == ["Red", ("paper", "rock")]


def test_a_script_gives_what_it_says_and_refuses_what_cannot_be() -> None:
    script = ScriptedChance([6, "B2", ["S", "P", "R"], 7])
    assert (
        script.public.die("d", 6),
        script.hidden.pick("p", ["B1", "B2"]),
        script.public.shuffle("s", "RPS"),
    ) == (
        6,
        "B2",
        ("S", "P", "R"),
    )
    assert script.left == 1
    with pytest.raises(ChanceError, match="from 1 to 6"):
        script.public.die("e", 6)


@pytest.mark.parametrize(
    "vector", VECTORS["draws"], ids=lambda vector: str(vector["setting"]["phase"]) + vector["label"]
)
def test_published_vectors_of_draws(vector: dict[str, object]) -> None:
    firsts = {name: bytes.fromhex(value) for name, value in VECTORS["chains"]["firsts"].items()}
    drawn = chance.of_phase(firsts, Setting(**vector["setting"])).public  # type: ignore[arg-type]
    found = (
        drawn.die(vector["label"], vector["die"])
        if "die" in vector
        else list(drawn.shuffle(vector["label"], vector["shuffle"]))
    )  # type: ignore[arg-type]
    assert found == vector["value"]


def test_published_vectors_of_chains_and_hashes() -> None:
    for name, value in VECTORS["chains"]["firsts"].items():
        assert chance.chain_anchor(bytes.fromhex(value)).hex() == VECTORS["chains"]["anchors"][name]
    for vector in VECTORS["hashes"]:
        assert H(vector["tag"], vector["value"]).hex() == vector["hash"]
