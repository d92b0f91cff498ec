"""The picture of a position: the units, the marks of the last phase, and the secrets it must not
show.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from adjudicator.core.game import AnyGame, Seat
from adjudicator.games.diplomacy.drawing import inks
from adjudicator.games.diplomacy.drawing.draw import draw
from adjudicator.games.diplomacy.drawing.lessons import (
    LESSONS,
    position_after,
    rsp_rule_pictures,
    rule_pictures,
)
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.marks import homeless_mark, spot_mark, unit_mark
from adjudicator.games.diplomacy.model.state import End, Seen, State
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from tests.games.contract import faults_of_picture
from tests.games.diplomacy.table import opened, play, position

STATIC = Path(__file__).parents[3] / "web" / "static"
STYLES = (STATIC / "match.css").read_text()
SVG = "{http://www.w3.org/2000/svg}"


def picture(state: State, seat: Seat | None = None) -> str:
    """Return the picture for a seat."""
    return draw(look(state, seat))


def ids(svg: str) -> set[str]:
    """Return every id of a picture."""
    return set(re.findall(r' id="([^"]*)"', svg))


def title(svg: str, mark: str) -> str:
    """Return the title of an element."""
    element = next(each for each in ElementTree.fromstring(svg).iter() if each.get("id") == mark)
    return str(element.findtext(f"{SVG}title"))


def trail(svg: str) -> str:
    """Return the drawing of the last phase and of the units."""
    return svg[svg.index("at-coast") :]


FRANCE_AND_GERMANY = "FRANCE A PAR, A MAR / GERMANY A BUR"


def dislodged(**chosen: object) -> State:
    """Return a position in which the German army of Burgundy has to retreat."""
    start = position(
        "S1902M",
        FRANCE_AND_GERMANY,
        "FRANCE PAR MAR BRE / GERMANY MUN",
        seats=("FRANCE", "GERMANY"),
        **chosen,
    )
    return play(start, FRANCE="A PAR - BUR; A MAR S A PAR - BUR", GERMANY="A BUR H").state


# --- what can be clicked


@pytest.mark.parametrize("game", [DIPLOMACY, RSP_DIPLOMACY])
def test_every_province_coast_and_unit_can_be_clicked(game: type) -> None:
    rule_set = "standard" if game is DIPLOMACY else "rsp"
    state = opened(rule_set=rule_set)
    found = ids(picture(state))
    assert {spot_mark(rule_set, spot) for spot in STANDARD.spots} <= found
    assert {unit_mark(rule_set, unit) for units in state.units.values() for unit in units} <= found
    assert list(faults_of_picture(game, picture(state), set())) == []


def test_a_dislodged_unit_can_be_clicked_beside_the_one_that_came() -> None:
    svg = picture(dislodged())
    assert {homeless_mark("standard", "A BUR"), unit_mark("standard", "A BUR")} <= ids(svg)
    assert title(svg, homeless_mark("standard", "A BUR")) == "Germany’s army, Burgundy"
    assert title(svg, unit_mark("standard", "A BUR")) == "France’s army, Burgundy"
    assert list(faults_of_picture(DIPLOMACY, svg, set())) == []


def test_a_fleet_says_on_which_coast_it_lies() -> None:
    assert (
        title(picture(opened()), unit_mark("standard", "F STP/SC"))
        == "Russia’s fleet, St Petersburg, south coast"
    )


# --- owners


def test_an_owned_centre_is_tinted_and_a_neutral_one_is_not() -> None:
    svg = picture(position("S1902M", "FRANCE A PAR", "FRANCE BEL"))
    assert re.search(r'id="diplomacy-at-BEL"[^>]* class="france-land"', svg)
    assert re.search(r'id="diplomacy-at-HOL"[^>]* class="land"', svg)


def test_the_land_between_centres_is_paler_in_the_colour_of_most_of_them() -> None:
    svg = picture(opened())
    for code, look_ in {
        "BUR": "france-near",
        "PIE": "italy-near",
        "PRU": "germany-near",
        "ALB": "land",
        "NAF": "land",
    }.items():
        assert re.search(rf'id="diplomacy-at-{code}"[^>]* class="{look_}"', svg), code


def test_the_label_says_the_phase_and_who_has_how_many_centres() -> None:
    label = ElementTree.fromstring(picture(opened())).get("aria-label")
    assert (
        label
        and label.startswith("Diplomacy, Spring 1901: Austria 3 centres")
        and "Russia 4 centres" in label
    )


def test_the_readers_own_power_is_underlined_below_the_map() -> None:
    state = opened()
    mine, strangers = (
        len(re.findall("wax-line", picture(state, seat))) for seat in (state.realms[0].seat, None)
    )
    assert (mine, strangers) == (1, 0)


def test_the_last_picture_names_the_winner() -> None:
    state = opened()
    won = replace(state, end=End("victory", (state.realms[2].seat,)))
    assert f">{state.realms[2].powers[0].title()} won<" in picture(won)
    assert "18 centres win" not in picture(won)


# --- the last phase


def drawn_after(units: str, **orders: str) -> str:
    """Return the drawing of a phase; the seats are the powers."""
    start = position("S1902M", units, "FRANCE PAR / GERMANY MUN / ENGLAND LON", seats=tuple(orders))
    return trail(picture(play(start, **orders).state))


def test_before_the_first_phase_no_arrow_is_drawn() -> None:
    used = set(classes(picture(opened())))
    assert not used & {f"{power.lower()}-line" for power in STANDARD.powers}


def test_a_move_is_an_arrow_in_its_powers_colour() -> None:
    svg = drawn_after("FRANCE A PAR / GERMANY A MUN", FRANCE="A PAR - BUR", GERMANY="A MUN H")
    assert (
        svg.count('class="france-line"') == 1
        and "<polygon" in svg
        and "wax" not in svg.partition("<rect y=")[0]
    )


def test_a_move_that_fails_has_no_head_and_ends_in_a_burst() -> None:
    svg = drawn_after("FRANCE A PAR / GERMANY A BUR", FRANCE="A PAR - BUR", GERMANY="A BUR H")
    assert (
        svg.count('class="france-line"') == 1
        and 'class="france ink-line" fill="#3F83C4" stroke="#1F2430" stroke-width="1"' not in svg
    )
    assert svg.count("<polygon") == 2 and svg.count('class="wax"') == 1


def test_a_standoff_leaves_a_larger_burst_in_the_province() -> None:
    svg = drawn_after("FRANCE A PAR / GERMANY A MUN", FRANCE="A PAR - BUR", GERMANY="A MUN - BUR")
    assert svg.count('class="wax"') == 3


def test_a_support_is_dashed_and_marked_where_it_was_cut() -> None:
    given = svg = drawn_after(
        "FRANCE A PAR, A MAR / GERMANY A MUN",
        FRANCE="A PAR - BUR; A MAR S A PAR - BUR",
        GERMANY="A MUN H",
    )
    assert given.count('stroke-dasharray="5 3.5"') == 2 and "0-9l-9 9" not in given
    svg = drawn_after(
        "FRANCE A PAR, A MAR / GERMANY A GAS",
        FRANCE="A PAR - BUR; A MAR S A PAR - BUR",
        GERMANY="A GAS - MAR",
    )
    assert "m0-9l-9 9" in svg


def test_a_unit_supported_where_it_stands_has_a_ring() -> None:
    svg = drawn_after(
        "FRANCE A BUR, A MAR / GERMANY A MUN", FRANCE="A BUR H; A MAR S A BUR", GERMANY="A MUN H"
    )
    assert svg.count('r="19" stroke-dasharray="5 3.5"') == 2


def test_a_convoyed_army_goes_dotted_through_its_fleet_and_the_fleet_has_waves() -> None:
    svg = drawn_after(
        "ENGLAND A YOR, F NTH / GERMANY A MUN",
        ENGLAND="A YOR - DEN; F NTH C A YOR - DEN",
        GERMANY="A MUN H",
    )
    assert svg.count('stroke-dasharray=".1 5.5"') == 2 and svg.count("q2.5-3.5") == 2


def test_a_retreat_is_an_arrow_from_where_the_unit_waited() -> None:
    svg = trail(picture(play(dislodged(), GERMANY="A BUR R RUH").state))
    assert svg.count('stroke-dasharray="8 3 2 3"') == 2 and 'id="diplomacy-homeless' not in svg


def test_a_unit_that_moved_names_what_it_was_on_the_board_before() -> None:
    moved = drawn_after(
        "FRANCE A PAR, A MAR / GERMANY A MUN", FRANCE="A PAR - BUR; A MAR H", GERMANY="A MUN H"
    )
    assert (
        moved.count("data-from") == 1
        and 'id="diplomacy-unit-BUR" class="piece" data-from="diplomacy-unit-PAR"' in moved
    )
    fled = trail(picture(play(dislodged(), GERMANY="A BUR R RUH").state))
    assert (
        fled.count("data-from") == 1
        and 'id="diplomacy-unit-RUH" class="piece" data-from="diplomacy-homeless-BUR"' in fled
    )


def test_a_unit_that_is_gone_is_crossed_out() -> None:
    gone = trail(picture(play(dislodged(), GERMANY="A BUR D").state))
    assert gone.count('stroke-dasharray="3 2.5"') == 1 and gone.count('class="wax"') == 1


def test_a_build_has_a_plus_and_a_removal_a_cross() -> None:
    start = position(
        "W1902A",
        "FRANCE A SPA / GERMANY A RUH, A KIE",
        "FRANCE PAR SPA / GERMANY MUN",
        seats=("FRANCE", "GERMANY"),
    )
    svg = trail(picture(play(start, FRANCE="A PAR B", GERMANY="A RUH D").state))
    assert svg.count('class="moss"') == 1 and svg.count('stroke-dasharray="3 2.5"') == 1


# --- rsp R5: characteristics


def traits_of(svg: str) -> dict[str, str]:
    """Return the characteristic of each unit in the picture, by the unit's mark."""
    titles = re.findall(
        r'id="([^"]*-(?:unit|homeless)-[^"]*)"[^>]*><title>([^<]*); ([^<]*)</title>', svg
    )
    return {mark.rpartition("unit-")[2]: known for mark, _, known in titles}


def test_rsp_R5_a_seat_sees_its_own_characteristics_and_of_others_the_last_revealed() -> None:
    state = replace(
        opened(rule_set="rsp"),
        traits={"A PAR": "Rock", "A BER": "Paper"},
        seen={"A MUN": Seen("Scissors", "S1901M")},
    )
    france = next(realm.seat for realm in state.realms if "FRANCE" in realm.powers)
    assert traits_of(picture(state, france)) == {"PAR": "Rock", "MUN": "Scissors, seen S1901M"}
    assert traits_of(picture(state)) == {"MUN": "Scissors, seen S1901M"}


# --- the site's colours


def classes(svg: str) -> Iterator[str]:
    """Yield the CSS classes in a drawing."""
    for names in re.findall(r' class="([^"]*)"', svg):
        yield from names.split()


def test_every_class_of_the_map_is_in_the_stylesheet_with_its_light_colour() -> None:
    light, dark = (
        text.split("/* --- the map of Diplomacy")[1]
        for text in (STYLES, (STATIC / "dark.css").read_text())
    )
    kit = {"sea", "sheet", "ink", "ink-line"}
    for name, colour in {**inks.FILLS, **inks.LINES}.items():
        if name not in kit:
            kind = "fill" if name in inks.FILLS else "stroke"
            assert f" .{name} {{ {kind}: {colour}; }}" in light
            assert (
                name.removesuffix("-line").upper() in inks.POWERS
                or f"\n.board .{name} {{ {kind}:" in dark
            )


def test_what_the_map_draws_has_a_class_that_the_page_can_recolour() -> None:
    used = set(classes(picture(dislodged()))) - {"board", "diplomacy", "piece", "at-coast"}
    assert [name for name in sorted(used) if f".{name} " not in STYLES] == []


def test_the_letters_of_the_powers_differ() -> None:
    assert len({power[0] for power in inks.POWERS}) == len(inks.POWERS) == len(STANDARD.powers)


# --- the whole


def test_the_opening_fits_into_110_kilobytes() -> None:
    assert len(picture(opened())) < 110_000


def test_the_picture_does_not_depend_on_the_order_of_stored_keys() -> None:
    state = opened()
    turned = replace(
        state,
        units=dict(reversed(state.units.items())),
        centres=dict(reversed(state.centres.items())),
    )
    assert list(state.units) != list(turned.units)
    assert picture(state) == picture(turned)


@pytest.mark.parametrize(
    ("game", "pictures"), [(DIPLOMACY, rule_pictures), (RSP_DIPLOMACY, rsp_rule_pictures)]
)
def test_the_rule_pictures_have_no_ids_and_no_faults(
    game: AnyGame, pictures: Callable[[], dict[str, str]]
) -> None:
    for svg in pictures().values():
        assert list(faults_of_picture(game, svg, set())) == []
        assert " id=" not in svg and f'class="board {game.about.key}"' in svg


@pytest.mark.parametrize(
    ("name", "moved", "homeless"),
    [
        ("standoff", (), ()),
        ("support", ("A BUR",), ()),
        ("cut", (), ()),
        ("dislodged", ("A BUR",), ("A BUR",)),
        ("convoy", ("A DEN",), ()),
        ("rsp_beats", ("A SIL",), ()),
        ("rsp_dislodges", ("A SIL",), ("A SIL",)),
        ("rsp_defends", ("A SIL",), ("A SIL",)),
        ("rsp_leaves", ("A BOH", "A SIL"), ()),
        ("rsp_garrison", (), ()),
    ],
)
def test_a_rule_picture_shows_what_it_says(
    name: str, moved: tuple[str, ...], homeless: tuple[str, ...]
) -> None:
    after, before = position_after(LESSONS[name]), position_after(LESSONS[name]).last
    assert before is not None
    new = {(power, unit) for power, units in after.units.items() for unit in units} - {
        (power, unit) for power, units in before.units.items() for unit in units
    }
    assert {unit for _, unit in new} == set(moved)
    assert tuple(each.unit for each in after.homeless) == homeless
