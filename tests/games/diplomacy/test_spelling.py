"""Orders in every common spelling, from the rules and from practice, in ten languages."""

import json
import re
import unicodedata
from importlib.resources import files
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.games.diplomacy.language.lexing import lex
from adjudicator.games.diplomacy.language.spelling import Said, read_line, read_order, split_orders
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.map.names import (
    names_of,
    phrase_of,
    read_meanings,
    spellings_of,
    words_of_orders,
)
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from adjudicator.games.kit.parsing import Misread

NAMES = names_of(STANDARD)


def lists(name: str) -> Any:
    """Return one of the package's lists of names and words."""
    return json.loads(
        files("adjudicator.games.diplomacy")
        .joinpath("map", "data", name)
        .read_text(encoding="utf-8")
    )


def said(text: str) -> str:
    """Return the orders of a line in canonical spelling."""
    read = read_line(text, STANDARD)
    assert isinstance(read, Said), read
    return ", ".join(str(order) for order in read.orders)


def unread(text: str) -> Misread:
    """Return why a line cannot be parsed."""
    read = read_line(text, STANDARD)
    assert isinstance(read, Misread), read
    return read


RULES = """
A Par-Bur                      A PAR - BUR
A PAR - BUR                    A PAR - BUR
a par - bur                    A PAR - BUR
army paris to burgundy         A PAR - BUR
F Nth C A Lon-Nwy              F NTH C A LON - NWY
F NTH CONVOY A LON - NWY       F NTH C A LON - NWY
F NTH CONVOYS A LON - NWY      F NTH C A LON - NWY
A Mun S A Bur                  A MUN S A BUR
A Mun S A Ber-Kie              A MUN S A BER - KIE
A Vie H                        A VIE H
F Stp(sc)-Bot                  F STP/SC - BOT
F STP/SC - BOT                 F STP/SC - BOT
A Lon-Nwy via convoy           A LON - NWY VIA
A Ser - Alb                    A SER - ALB
A Ser R Alb                    A SER R ALB
A Ser D                        A SER D
F Swe R Bal                    F SWE R BAL
Build A Par                    A PAR B
A Bud B                        A BUD B
B F Stp/nc                     F STP/NC B
Remove A Mun                   A MUN D
A Mun D                        A MUN D
FRANCE WAIVE                   FRANCE WAIVE
Rock A Pru-Sil                 Rock A PRU, A PRU - SIL
Paper F Lon H                  Paper F LON, F LON H
Rock A Pru                     Rock A PRU
R: A Pru-Sil                   Rock A PRU, A PRU - SIL
S: A Pru-Sil                   Scissors A PRU, A PRU - SIL
P: A Pru                       Paper A PRU
"""

PEOPLE = """
A Par -> Bur                               A PAR - BUR
A Par → Bur                                A PAR - BUR
A Par ==> Bur                              A PAR - BUR
A Par – Bur                                A PAR - BUR
A Par—Bur                                  A PAR - BUR
A Par > Bur                                A PAR - BUR
the army in Paris moves to Burgundy        A PAR - BUR
A Par - Bur;                               A PAR - BUR
Army Paris attacks Burgundy.               A PAR - BUR
A PAR M BUR                                A PAR - BUR
A. Par.-Bur.                               A PAR - BUR
A Par-Bur!                                 A PAR - BUR
France: A Par-Bur                          A PAR - BUR
French army Paris - Burgundy               A PAR - BUR
A Vie holds                                A VIE H
A Vie stands                               A VIE H
Army Vienna to hold                        A VIE H
A Mun supports A Bur                       A MUN S A BUR
A Mun supports A Bur to hold               A MUN S A BUR
A Mun S A Bur H                            A MUN S A BUR
A Mun supports the army in Burgundy        A MUN S A BUR
A Mun S French A Bur - Ruh                 A MUN S A BUR - RUH
A Mun supports A Berlin to Kiel            A MUN S A BER - KIE
F Spa/nc S F Mao - Gas                     F SPA/NC S F MAO - GAS
F Mao - Spa (n)                            F MAO - SPA/NC
F Mao - Spain (s.c.)                       F MAO - SPA/SC
F Mao - Spa nc                             F MAO - SPA/NC
F Mao-Spa-nc                               F MAO - SPA/NC
F Con - Bulgaria, east coast               F CON - BUL/EC
F Con - Bul (east coast)                   F CON - BUL/EC
A Con - Bul/ec                             A CON - BUL
fleet st petersburg south coast holds      F STP/SC H
F St. Petersburg (north coast) - Norway    F STP/NC - NWY
F St Pete/nc H                             F STP/NC H
build fleet st petersburg north coast      F STP/NC B
F Mid-Atlantic Ocean - North Africa        F MAO - NAF
F Mid Atlantic-N Africa                    F MAO - NAF
F mid-nat                                  F MAO - NAO
F Gulf of Lyons - Gulf of Lyon             F LYO - LYO
F GOL - Tyrrhenian Sea                     F LYO - TYS
F Nrg - Nor                                F NWG - NWY
F Eng Ch - Belg                            F ENG - BEL
F Heligoland - Den                         F HEL - DEN
A Lon-Nth-Nwy                              A LON - NWY VIA
A Lon - Nwy via Nth                        A LON - NWY VIA
A Lon via convoy to Nwy                    A LON - NWY VIA
A Lon - Nwy (via convoy)                   A LON - NWY VIA
A Lon - Nwy by convoy                      A LON - NWY VIA
F Nth convoys A London to Norway           F NTH C A LON - NWY
F Nth C A Lon-Nth-Nwy                      F NTH C A LON - NWY
F Nth transports A Lon - Nwy               F NTH C A LON - NWY
A Ser retreats to Alb                      A SER R ALB
A Ser R - Alb                              A SER R ALB
A Ser disbands                             A SER D
Disband A Ser                              A SER D
A Ser destroyed                            A SER D
builds A Bud                               A BUD B
France waives                              FRANCE WAIVE
France: waive build                        FRANCE WAIVE
Rock: A Pru - Sil                          Rock A PRU, A PRU - SIL
R A Pru - Sil                              Rock A PRU, A PRU - SIL
A Pru - Sil (Rock)                         Rock A PRU, A PRU - SIL
Rock A Par B                               Rock A PAR B
Build Rock A Par                           Rock A PAR B
Build R: A Par                             Rock A PAR B
B S: F Stp/nc                              Scissors F STP/NC B
Scissors F Nth C A Lon-Nwy                 Scissors F NTH, F NTH C A LON - NWY
draw                                       DRAW
vote draw                                  DRAW
Yes to a draw                              DRAW
no draw                                    NO DRAW
Vote no                                    NO DRAW
concede                                    CONCEDE
I resign                                   CONCEDE
"""

ABROAD = """
Armee München nach Tirol                   A MUN - TYR
A Muenchen - Boehmen                       A MUN - BOH
Flotte Kiel hält                           F KIE H
A München unterstützt A Berlin nach Preußen  A MUN S A BER - PRU
A PREUSSEN - LIVLAND                       A PRU - LVN
F Nordsee konvoiert A London nach Norwegen  F NTH C A LON - NWY
A London nach Norwegen per Konvoi          A LON - NWY VIA
F Spanien (Südküste) - Westliches Mittelmeer  F SPA/SC - WES
Stein A München - Tirol                    Rock A MUN, A MUN - TYR
Armée Paris à Bourgogne                    A PAR - BUR
armée Marseille soutient armée Paris vers Gascogne  A MAR S A PAR - GAS
flotte Manche - Mer du Nord                F ENG - NTH
F Golfe du Lion - Espagne (côte sud)       F LYO - SPA/SC
A Belgique - Pays-Bas                      A BEL - HOL
Ejército Múnich hacia Borgoña              A MUN - BUR
flota Canal de la Mancha mantiene          F ENG H
A Nápoles apoya a A Roma - Apulia          A NAP S A ROM - APU
armata Monaco - Boemia                     A MUN - BOH
esercito Venezia appoggia A Roma - Toscana  A VEN S A ROM - TUS
flotta Mar Tirreno - Golfo del Leone       F TYS - LYO
A Viena - Galícia                          A VIE - GAL
Exército Moscovo apoia A Varsóvia          A MOS S A WAR
Армия Москва - Севастополь                 A MOS - SEV
А Мос - Укр                                A MOS - UKR
армия Варшава поддерживает А Вена - Галиция  A WAR S A VIE - GAL
Флот Санкт-Петербург (южное побережье) - Ботнический залив  F STP/SC - BOT
флот Чёрное море стоит                     F BLA H
leger Parijs naar Bourgondië               A PAR - BUR
vloot Noordzee - Ierse Zee                 F NTH - IRI
armé Sverige till Norge                    A SWE - NWY
flotta Östersjön - Bottenviken             F BAL - BOT
armia Śląsk wspiera A Monachium - Czechy   A SIL S A MUN - BOH
armia Warszawa - Galicja                   A WAR - GAL
"""


HOSTS = """
The army at Marseilles support move to Burgundy from Paris.  A MAR S ? PAR - BUR
The army at Munich support hold to Ruhr.   A MUN S ? RUH
The fleet at the North Sea convoy to Norway from London.  F NTH C ? LON - NWY
The army at London move to Norway via convoy  A LON - NWY VIA
The fleet at Mid-Atlantic Ocean support move to Spain (North Coast) from Gascony  F MAO S ? GAS - SPA/NC
Army Paris support move Bur from Mar       A PAR S ? MAR - BUR
Armee München unterstützt Burgund von Paris  A MUN S ? PAR - BUR
Army moves to Burgundy from Paris          A PAR - BUR
Army moves to Norway from London via convoy  A LON - NWY VIA
F retreats to Gascony from Brest           F BRE R GAS
A PAR è BUR                                A PAR - BUR
A PAR \uf0e0 BUR                           A PAR - BUR
A PAR \uf0e8 BUR                           A PAR - BUR
A PAR ➡\ufe0f BUR                          A PAR - BUR
A PARーBUR                                 A PAR - BUR
A PAR ー> BUR                              A PAR - BUR
A PAR － ＞ BUR                            A PAR - BUR
A PAR ― BUR                                A PAR - BUR
A PAR ~ BUR                                A PAR - BUR
Ａ ＰＡＲ －＞ ＢＵＲ                       A PAR - BUR
Armata Roma è ferma                        A ROM H
"""

ALIASES = """
ADR adriatic                       AEG aegean                            BAL baltic            BAR barents
BER berl                           BLA black|bs                          BUL bulg              BUR burg|burgandy
EAS emed|east|eastern|eastmed|ems|eme|emd|eas med                        ENG channel|ech|eng ch|enc
GAL galacia                        GAS gasc                              LYO gol|gulfofl|lyon|gulf of lyons|lyons
BOT gob|both|gulfofb|bothnia       HEL helgoland|heligoland|helg         ION ionian            IRI irish|irs
LVP livp|lpl                       LVN livo|lvo|lva|livon                MAR mars              PIE pid
MAO midatlanticocean|midatlantic|mid|mat                                 NAO nat|na            NAF nora|n afr
NTH norsea|nts|ns                  NWY nor                               NWG norwegian|norwsea|nrg|norg|nws
POR port                           PRU prus                              RUM romania           SER serb
SEV sevastapol|sevast|seva         SKA skagerrack|skag                   TUS tusc              YOR york|yonkers
SPA spn                            STP stpete|st. petersburg|st.petersburg                     VIE vien
TYR tyl|trl|tyo|tyrol              TYS tyrr|tyrrhenian|tyn|tyh|tyrhh
WES wmed|west|western|westmed|wms|wme|wmd|west med|wes med|western med
BUL/EC bul/nc|bul(nc)|bulgaria/nc  SPA/SC spn/sc|spa/wc|spn(sc)|spa (south coast)
STP/NC stpete/nc|stpete(nc)|st. petersburg/nc                            SPA/NC spn/nc|spn(nc)
"""
"""The other names that the research package, the Judges and jDip have for places."""


def table(text: str) -> list[tuple[str, str]]:
    """Return the pairs of a table with at least two spaces between its columns."""
    rows = (row.rsplit("  ", 1) for row in text.strip().splitlines())
    return [(written.strip(), canonical.strip()) for written, canonical in rows]


@pytest.mark.parametrize(("written", "canonical"), table(RULES))
def test_every_spelling_of_the_rules_is_read(written: str, canonical: str) -> None:
    assert said(written) == canonical
    assert said(written.upper()) == said(written.lower()) == canonical


@pytest.mark.parametrize(("written", "canonical"), table(PEOPLE))
def test_orders_are_read_as_people_write_them(written: str, canonical: str) -> None:
    assert said(written) == canonical


@pytest.mark.parametrize(("written", "canonical"), table(HOSTS))
def test_orders_are_read_as_other_hosts_and_programs_write_them(
    written: str, canonical: str
) -> None:
    assert said(written) == canonical


def test_every_alias_of_other_hosts_is_read() -> None:
    for entry in re.split(r"\s{2,}|\n", ALIASES.strip()):
        spot, _, names = entry.partition(" ")
        for name in names.split("|"):
            assert said(f"F {name} H") == f"F {spot} H", name
            assert said(f"F {name.upper()} H") == f"F {spot} H", name


def test_every_name_may_be_written_in_one_word() -> None:
    for words, code in NAMES.stated.items():
        assert (
            NAMES.stated.get(("".join(words),), code) == code
            or ("".join(words),) in words_of_orders()
        ), words
    assert said("F EnglishChannel - NorthSea") == "F ENG - NTH"


@pytest.mark.parametrize(("written", "canonical"), table(ABROAD))
def test_orders_are_read_in_other_languages(written: str, canonical: str) -> None:
    assert said(written) == said(unicodedata.normalize("NFD", written)) == canonical


@pytest.mark.parametrize(
    "name",
    ["Múnich", "España", "Preußen", "Śląsk", "Dänemark", "Östersjön", "Moscú", "Çonstantinople"],
)
def test_accents_may_be_left_out(name: str) -> None:
    plain = unicodedata.normalize(
        "NFKD", name.replace("ß", "ss").replace("Ł", "L").replace("ą", "a")
    )
    assert (
        lex("".join(sign for sign in plain if sign.isascii()), STANDARD)[0].means
        == lex(name, STANDARD)[0].means
        != name
    )


def test_an_umlaut_may_be_written_with_an_e() -> None:
    assert [
        lex(name, STANDARD)[0].means for name in ("Muenchen", "Boehmen", "Daenemark", "Rumaenien")
    ] == ["MUN", "BOH", "DEN", "RUM"]


# --- the lists of names


def test_no_name_means_two_provinces_and_no_word_of_orders_two_things() -> None:
    """`read_meanings` would raise ValueError."""
    names = lists("names.json")
    assert set(names["provinces"]) == set(STANDARD.places)
    assert set(NAMES.stated.values()) == set(STANDARD.places)
    assert read_meanings(names["coasts"]) and read_meanings(names["powers"]) and words_of_orders()
    with pytest.raises(ValueError, match="paris is both PAR and LON"):
        read_meanings({"PAR": {"fr": "Paris"}, "LON": {"fr": "London|Paris"}})


def test_no_name_of_a_province_is_a_word_of_orders_a_coast_or_a_power() -> None:
    for others in (words_of_orders(), NAMES.coasts, NAMES.powers):
        assert not set(NAMES.stated) & set(others)
    assert not set(NAMES.provinces) & set(words_of_orders())


def test_a_hyphen_between_two_names_is_a_move_though_both_together_are_a_third_name() -> None:
    """A hyphen of a move is never taken for one inside a name: `A Mar - Egeo`, and `F Mar Egeo`."""
    together = [
        (one, other)
        for one, other in product(NAMES.stated, NAMES.stated)
        if one + other in NAMES.stated
    ]
    assert (("mar",), ("egeo",)) in together
    for one, other in together:
        assert [word.kind for word in lex(f"A {' '.join(one)} - {' '.join(other)}", STANDARD)] == [
            "K",
            "P",
            "-",
            "P",
        ], one + other
        assert [word.kind for word in lex(f"{' '.join(one)} {' '.join(other)}", STANDARD)] == ["P"]


@pytest.mark.parametrize("code", STANDARD.places)
def test_every_name_of_a_province_is_read_as_it_alone_and_in_an_order(code: str) -> None:
    names = [
        phrase_of(STANDARD.places[code].name),
        *(words for words, place in NAMES.stated.items() if place == code),
    ]
    for words in names:
        assert said(f"F {' '.join(words)} H") == f"F {code} H"


def test_every_word_of_orders_is_read_in_every_language() -> None:
    shapes = {
        "hold": "A PAR {} ",
        "to": "A PAR {} BUR",
        "support": "A PAR {} A BUR",
        "convoy": "F NTH {} A LON - NWY",
        "via": "A LON - NWY {}",
        "retreat": "A PAR {} BUR",
        "disband": "{} A PAR",
        "build": "{} A PAR",
        "waive": "{}",
        "draw": "{}",
        "no draw": "{}",
        "concede": "{}",
        "Rock": "{} A PAR",
        "Scissors": "{} A PAR",
        "Paper": "{} A PAR",
        "A": "{} PAR H",
        "F": "{} BRE H",
    }
    kinds = {
        "to": "move",
        "Rock": "change",
        "Scissors": "change",
        "Paper": "change",
        "A": "hold",
        "F": "hold",
        "draw": "vote",
        "no draw": "vote",
        "via": "move",
    }
    for meaning, shape in shapes.items():
        for word in (
            word for words in lists("words.json")[meaning].values() for word in words.split("|")
        ):
            read = read_line(shape.format(word), STANDARD)
            assert isinstance(read, Said), (word, read)
            assert read.orders[-1].kind == kinds.get(meaning, meaning), word


def test_names_may_be_shortened_as_long_as_one_province_is_meant() -> None:
    assert said("A Bulg - Serb") == "A BUL - SER"
    assert said("А Пар-Бур") == "A PAR - BUR"


# --- errors


@pytest.mark.parametrize(
    ("text", "piece", "kind", "like"),
    [
        ("A Paaris - Bur", "Paaris", "invalid", ("A PAR - Bur",)),
        ("A Par - Burgindy", "Burgindy", "invalid", ("A Par - BUR",)),
        ("F Edi - norwai", "norwai", "invalid", ("F Edi - NWY", "F Edi - NAF", "F Edi - NWG")),
        ("A Livonia - Liv", "Liv", "ambiguous", ("A Livonia - LVN", "A Livonia - LVP")),
        ("A Par holdss", "holdss", "invalid", ("A Par holds",)),
        ("A Liv - Stp", "Liv", "ambiguous", ("A LVN - Stp", "A LVP - Stp")),
        ("F North - Nwy", "North", "ambiguous", ("F NAF - Nwy", "F NAO - Nwy", "F NTH - Nwy")),
        ("F Bre/nc H", "Bre/nc", "invalid", ("F BRE H",)),
        ("F Mao - Spa(ec)", "Spa/ec", "invalid", ("F Mao - SPA/NC", "F Mao - SPA/SC")),
        ("F Mao - Spa ec", "Spa/ec", "invalid", ("F Mao - SPA/NC", "F Mao - SPA/SC")),
        ("A Par Bur", "A Par Bur", "invalid", ("A PAR - BUR",)),
        ("A Par", "A Par", "invalid", ("A Par H",)),
        ("A Par - Bur A Mar H", "A Par - Bur A Mar H", "invalid", ()),
        ("Rock Paper A Par H", "Rock Paper A Par H", "ambiguous", ()),
        ("Rock waive", "Rock", "invalid", (" WAIVE",)),
        ("S S S", "S S S", "invalid", ()),
    ],
)
def test_what_cannot_be_read_names_the_piece_and_what_was_probably_meant(
    text: str, piece: str, kind: str, like: tuple[str, ...]
) -> None:
    read = unread(text)
    assert (read.piece, read.kind, read.like) == (piece, kind, like)
    assert read.reason.endswith(".")


def test_a_unit_without_its_kind_is_not_read_without_a_board() -> None:
    assert isinstance(read_order("Par - Bur", STANDARD), Misread)
    assert isinstance(read_order("Rock A Par - Bur", STANDARD), Misread)
    assert read_order("A Par - Bur", STANDARD) == Move("A PAR", "BUR")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "A Par-Bur, A Mar S A Par-Bur; F Bre-Mao",
            ("A Par-Bur", " A Mar S A Par-Bur", " F Bre-Mao"),
        ),
        ("A Par-Bur. F Bre-Mao", ("A Par-Bur", " F Bre-Mao")),
        ("F St. Petersburg, south coast - Bot", ("F St. Petersburg, south coast - Bot",)),
        ("1) A Par-Bur", ("A Par-Bur",)),
        ("- A Par-Bur", ("A Par-Bur",)),
        ("* Par-Bur, Mar-Spa", ("Par-Bur", " Mar-Spa")),
        ("France:", ()),
        ("  ---  ", ()),
        ("", ()),
    ],
)
def test_several_orders_may_stand_on_a_line_and_headings_say_nothing(
    line: str, parts: tuple[str, ...]
) -> None:
    assert split_orders(line, STANDARD) == parts


# --- any text

UNITS = st.sampled_from(STANDARD.units)
PLACES = st.sampled_from(tuple(STANDARD.places))
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, UNITS),
    st.builds(Move, UNITS, PLACES, st.booleans()),
    st.builds(Support, UNITS, UNITS, st.none() | PLACES),
    st.builds(Convoy, UNITS, UNITS, PLACES),
    st.builds(Retreat, UNITS, PLACES),
    st.builds(Disband, UNITS),
    st.builds(Build, UNITS, st.sampled_from((None, "Rock", "Scissors", "Paper"))),
    st.builds(Waive, st.sampled_from(STANDARD.powers)),
)


@given(ORDERS)
def test_every_order_reads_back_from_its_canonical_text(order: Order) -> None:
    assert read_order(str(order), STANDARD) == order


WORDS = st.sampled_from(
    [" ".join(words) for words in (*words_of_orders(), *NAMES.stated, *NAMES.coasts)]
    + list("-/():,.;?>")
)


@given(st.text(max_size=80), st.lists(WORDS, max_size=8))
def test_no_text_raises(text: str, words: list[str]) -> None:
    for each in (text, " ".join(words), text.join(words)):
        for part in split_orders(each, STANDARD):
            read = read_line(part, STANDARD)
            assert isinstance(read, Said) or read.reason.endswith(".")


def test_one_spelling_of_a_name_is_itself() -> None:
    assert spellings_of("Île-de-France") == (("ile", "de", "france"),)
