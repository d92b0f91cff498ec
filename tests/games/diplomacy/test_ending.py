"""Votes, concessions, victory, the last year, elimination and places: R5 and R6."""

from dataclasses import replace

from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.events import Conceded, Eliminated, Ended, Voted
from adjudicator.games.diplomacy.model.state import End, Homeless, State
from adjudicator.games.diplomacy.phases import ending, flow
from adjudicator.games.diplomacy.rules import DIPLOMACY
from tests.games.diplomacy.table import of_kind, opened, play, position

OTHERS = [code for code in STANDARD.centres if code not in {"VIE", "WAR"}]


def fall(units: str, centres: str, **chosen: object) -> State:
    """Return a Fall before its moves, in which no unit has an order."""
    return position("F1905M", units, centres, **chosen)


def owning(count: int) -> str:
    """Return a number of centres without units."""
    return " ".join(OTHERS[:count])


# --- victory


def test_r6_eighteen_centres_after_a_fall_win() -> None:
    state = fall("FRANCE A BUR / GERMANY A RUH", f"FRANCE {owning(18)} / GERMANY VIE WAR")
    done = play(state)
    assert done.state.end == End("victory", ("FRANCE",))
    assert of_kind(done, Ended) == [
        Ended(
            how="victory",
            winners=("FRANCE",),
            centres=dict.fromkeys(STANDARD.powers, 0) | {"FRANCE": 18, "GERMANY": 2},
        )
    ]


def test_r6_seventeen_centres_win_nothing_and_a_centre_counts_only_after_the_fall_in_which_it_is_entered() -> (
    None
):
    units, centres = "FRANCE A BOH / GERMANY A RUH", f"FRANCE {owning(17)} / GERMANY WAR"
    spring = replace(
        position("S1905M", units, centres), units={"FRANCE": ("A BOH",), "GERMANY": ("A RUH",)}
    )
    assert play(spring, FRANCE="A BOH - VIE").state.end is None
    assert play(fall(units, centres), FRANCE="A BOH H").state.end is None
    assert play(fall(units, centres), FRANCE="A BOH - VIE").state.end == End("victory", ("FRANCE",))


def test_r6_while_the_leaders_are_equal_play_goes_on() -> None:
    state = fall(
        "FRANCE A BUR / GERMANY A RUH",
        "FRANCE BRE MAR PAR / GERMANY BER KIE MUN",
        victory_centres=3,
    )
    assert play(state).state.end is None
    assert play(
        replace(state, centres={**state.centres, "FRANCE": ("BRE", "MAR", "PAR", "SPA")})
    ).state.end == End("victory", ("FRANCE",))


def test_r6_a_power_that_nobody_plays_can_stand_in_the_way_of_a_victory() -> None:
    state = fall(
        "FRANCE A BUR / GERMANY A RUH",
        "FRANCE BRE MAR PAR / GERMANY BER / ITALY NAP ROM VEN",
        seats=6,
        victory_centres=3,
    )
    assert play(state).state.end is None


def test_r5_the_centres_of_all_powers_of_a_seat_count_together() -> None:
    state = fall(
        "ENGLAND A LON / FRANCE A PAR / GERMANY A MUN",
        "ENGLAND EDI LON LVP / FRANCE BRE MAR PAR / GERMANY MUN",
        seats=2,
        victory_centres=6,
    )
    assert play(state).state.end == End("victory", ("ENGLAND",))
    assert ending.count_centres(state) == {"ENGLAND": 6, "GERMANY": 1}


# --- the last year


def test_r6_after_the_last_year_the_most_centres_win() -> None:
    done = play(
        fall("FRANCE A BUR / GERMANY A RUH", "FRANCE MAR PAR / GERMANY MUN", year_limit=1905)
    )
    result = DIPLOMACY.result(done.state)
    assert result is not None
    assert done.state.end == End("year", ("FRANCE",))
    assert [
        (seat, each.place, each.score, each.outcome) for seat, each in result.items() if each.score
    ] == [
        ("FRANCE", 1, 2, "won"),
        ("GERMANY", 2, 1, "lost"),
    ]


def test_r6_equal_ones_share_the_last_year() -> None:
    done = play(
        fall(
            "FRANCE A BUR / GERMANY A RUH / ITALY A ROM",
            "FRANCE MAR PAR / GERMANY KIE MUN / ITALY ROM",
            year_limit=1905,
        )
    )
    result = DIPLOMACY.result(done.state)
    assert result is not None
    assert (result["FRANCE"].outcome, result["GERMANY"].outcome, result["GERMANY"].place) == (
        "shared",
        "shared",
        1,
    )
    assert (result["ITALY"].place, result["AUSTRIA"].place, result["ITALY"].outcome) == (
        3,
        4,
        "lost",
    )


def test_a_year_before_the_last_one_ends_nothing() -> None:
    assert (
        play(
            fall("FRANCE A BUR / GERMANY A RUH", "FRANCE MAR PAR / GERMANY MUN", year_limit=1906)
        ).state.end
        is None
    )


# --- draws


def test_r6_survivors_who_all_agree_draw_and_no_order_of_that_phase_is_carried_out() -> None:
    state = fall("FRANCE A BUR / GERMANY A RUH", "FRANCE MAR PAR / GERMANY MUN")
    done = play(state, FRANCE="A BUR - BEL; DRAW", GERMANY="DRAW")
    assert done.state.end == End("draw", ("FRANCE", "GERMANY"))
    assert done.state.units == state.units
    result = DIPLOMACY.result(done.state)
    assert result is not None
    assert (result["FRANCE"].outcome, result["GERMANY"].place, result["ITALY"].outcome) == (
        "drew",
        1,
        "lost",
    )


def test_r6_a_vote_stands_until_it_is_taken_back() -> None:
    state = fall("FRANCE A BUR / GERMANY A RUH", "FRANCE PAR / GERMANY MUN")
    first = play(state, FRANCE="DRAW")
    assert of_kind(first, Voted) == [Voted(draw=("FRANCE",), missing=("GERMANY",))]
    assert first.state.voted == ("FRANCE",)
    assert of_kind(play(first.state, FRANCE="A BUR H"), Voted) == []
    assert play(first.state, GERMANY="DRAW").state.end == End("draw", ("FRANCE", "GERMANY"))
    second = play(first.state, FRANCE="NO DRAW", GERMANY="DRAW")
    assert (second.state.end, second.state.voted) == (None, ("GERMANY",))


def test_of_several_votes_the_last_counts() -> None:
    state = fall("FRANCE A BUR / GERMANY A RUH", "FRANCE PAR / GERMANY MUN")
    assert play(state, FRANCE="NO DRAW; DRAW", GERMANY="DRAW; NO DRAW").state.voted == ("FRANCE",)


def test_the_vote_of_who_is_eliminated_is_gone() -> None:
    state = fall(
        "FRANCE A BOH, A GAS / GERMANY A RUH / AUSTRIA F ADR",
        "FRANCE PAR / GERMANY MUN / AUSTRIA VIE",
    )
    assert play(replace(state, voted=("AUSTRIA", "FRANCE")), FRANCE="A BOH - VIE").state.voted == (
        "FRANCE",
    )


def test_a_power_with_nothing_but_a_unit_that_may_retreat_is_still_in_the_match_and_asked_for_a_draw() -> (
    None
):
    state = position("F1901R", "FRANCE A BUR / GERMANY A MUN", "FRANCE PAR / GERMANY MUN")
    state = replace(state, homeless=(Homeless("A RUH", "ITALY", "A MUN", "MUN", ("BEL",)),))
    assert ending.survivors(state) == ending.voters(state) == ("FRANCE", "GERMANY", "ITALY")


def test_who_is_eliminated_is_no_longer_asked_for_a_draw() -> None:
    state = fall(
        "FRANCE A BOH, A GAS / GERMANY A RUH / AUSTRIA F ADR",
        "FRANCE PAR / GERMANY MUN / AUSTRIA VIE",
    )
    agreed = replace(state, voted=("FRANCE", "GERMANY"))
    assert play(agreed, FRANCE="A BOH - VIE").state.end == End("draw", ("FRANCE", "GERMANY"))


def test_a_survivor_without_a_unit_is_not_asked_and_shares_the_draw() -> None:
    state = position(
        "S1905M", "FRANCE A BUR / GERMANY A RUH", "FRANCE PAR / GERMANY MUN / ITALY SER"
    )
    assert play(state, FRANCE="DRAW", GERMANY="DRAW").state.end == End(
        "draw", ("FRANCE", "GERMANY", "ITALY")
    )


# --- concessions


def test_r6_who_concedes_is_out_its_orders_count_no_more_and_its_units_hold() -> None:
    done = play(opened(), FRANCE="CONCEDE; A PAR - BUR", GERMANY="A MUN - RUH")
    assert of_kind(done, Conceded) == [Conceded(seat="FRANCE", powers=("FRANCE",))]
    assert "A PAR" in done.state.units["FRANCE"] and "A RUH" in done.state.units["GERMANY"]
    assert "FRANCE" not in flow.seats_due(done.state)
    assert "A PAR" in play(done.state, FRANCE="A PAR - BUR").state.units["FRANCE"]


def test_r6_the_last_seat_left_after_concessions_wins() -> None:
    done = play(opened(2), ENGLAND="CONCEDE", GERMANY="A MUN - RUH")
    assert done.state.end == End("conceded", ("GERMANY",))
    result = DIPLOMACY.result(done.state)
    assert result is not None
    assert (result["GERMANY"].outcome, result["ENGLAND"].outcome, result["ENGLAND"].place) == (
        "won",
        "lost",
        2,
    )


def test_r6_the_last_seat_left_wins_whatever_it_voted_and_all_are_told() -> None:
    done = play(opened(2), ENGLAND="CONCEDE", GERMANY="DRAW")
    assert done.state.end == End("conceded", ("GERMANY",))
    assert [event.winners for event in of_kind(done, Ended)] == [("GERMANY",)]


def test_r6_where_all_that_are_left_concede_in_one_phase_they_draw() -> None:
    first = play(opened(3), FRANCE="CONCEDE")
    done = play(first.state, ENGLAND="CONCEDE", RUSSIA="CONCEDE")
    result = DIPLOMACY.result(done.state)
    assert result is not None
    assert {seat: each.outcome for seat, each in result.items()} == {
        "ENGLAND": "drew",
        "FRANCE": "lost",
        "RUSSIA": "drew",
    }


def test_who_conceded_is_not_asked_for_a_draw_and_has_no_part_in_it() -> None:
    first = play(opened(3), FRANCE="CONCEDE")
    assert play(first.state, ENGLAND="DRAW", RUSSIA="DRAW").state.end == End(
        "draw", ("ENGLAND", "RUSSIA")
    )


def test_who_conceded_does_not_win_the_last_year() -> None:
    state = fall(
        "FRANCE A BUR / GERMANY A RUH / ITALY A ROM",
        "FRANCE MAR PAR / GERMANY MUN / ITALY ROM",
        year_limit=1905,
    )
    assert play(state, FRANCE="CONCEDE").state.end == End("year", ("GERMANY", "ITALY"))


# --- elimination


def test_a_power_with_neither_unit_nor_centre_is_eliminated() -> None:
    done = play(
        fall("FRANCE A BOH / GERMANY A RUH", "FRANCE PAR / GERMANY MUN / AUSTRIA VIE"),
        FRANCE="A BOH - VIE",
    )
    assert of_kind(done, Eliminated) == [Eliminated(power="AUSTRIA")]
    assert ending.survivors(done.state) == ("FRANCE", "GERMANY")


def test_a_power_with_a_centre_and_no_unit_is_still_in_the_match() -> None:
    assert ending.survivors(fall("FRANCE A BUR", "FRANCE PAR / GERMANY MUN")) == (
        "FRANCE",
        "GERMANY",
    )


def test_the_last_seat_with_anything_left_wins_with_few_centres() -> None:
    state = fall(
        "ENGLAND A PIC, F NTH / GERMANY F ADR / ITALY A ROM",
        "ENGLAND LON / GERMANY PAR / ITALY ROM",
        seats=2,
    )
    done = play(state, ENGLAND="A PIC - PAR")
    assert done.state.end == End("alone", ("ENGLAND",))
    assert len(of_kind(done, Ended)) == 1


def test_where_nobody_has_anything_left_all_who_had_share_the_end() -> None:
    done = play(fall("ENGLAND F NTH / GERMANY F BAL", "", seats=2))
    assert done.state.end == End("alone", ("ENGLAND", "GERMANY"))


def test_who_sits_there_alone_from_the_start_plays_on() -> None:
    state = position("F1901M", "FRANCE A PAR, A GAS", "FRANCE BRE PAR", seats=("FRANCE",))
    assert play(state, FRANCE="A PAR - BUR").state.phase == "S1902M"
    assert play(state, FRANCE="CONCEDE").state.end == End("conceded", ("FRANCE",))


# --- G9 and R11: a match that is stopped


def test_R11_a_stopped_match_is_judged_as_after_the_last_year() -> None:
    state = fall(
        "FRANCE A BUR / GERMANY A RUH / ITALY A VEN",
        "FRANCE BRE MAR PAR / GERMANY VIE WAR / ITALY NAP ROM VEN",
    )
    at_the_limit = play(replace(state, setup=replace(state.setup, year_limit=1905))).state
    standing = ending.standing(play(state).state)
    assert standing == DIPLOMACY.result(at_the_limit)
    assert {seat: each.outcome for seat, each in standing.items() if each.place == 1} == {
        "FRANCE": "shared",
        "ITALY": "shared",
    }


def test_R11_who_conceded_does_not_win_by_standing_still() -> None:
    state = replace(
        fall("FRANCE A BUR / GERMANY A RUH", f"FRANCE {owning(9)} / GERMANY VIE WAR"),
        conceded=("FRANCE",),
    )
    standing = ending.standing(state)
    assert (standing["GERMANY"].outcome, standing["GERMANY"].place, standing["FRANCE"].place) == (
        "won",
        1,
        2,
    )


def test_R11_only_a_phase_that_ends_a_year_says_who_remains() -> None:
    state = replace(
        fall("FRANCE A BUR / GERMANY A RUH", "FRANCE PAR / GERMANY MUN"), conceded=("AUSTRIA",)
    )
    spring = replace(state, phase="S1905M")
    assert DIPLOMACY.remaining(spring, play(spring).state) is None
    assert DIPLOMACY.remaining(state, play(state).state) == ("FRANCE", "GERMANY")
