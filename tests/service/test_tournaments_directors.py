"""Letters to directors: what stalls, what is ready, what has ended, and who has left."""

from datetime import timedelta

from adjudicator.play.tournaments.formats import KnockOut, Swiss
from adjudicator.service.base.tables import Letter
from adjudicator.service.erasure import erasing
from adjudicator.service.tournaments import advancing, entering, making
from adjudicator.service.tournaments.results import deciding
from adjudicator.service.tournaments.results.deciding import decide_table
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness
from tests.service.tournament_play import (
    DIRECTOR,
    advance,
    begun,
    entered,
    matches,
    play_match,
    play_round,
    tables,
)

FOUR = (ALICE, BOB, CHARLIE, MALLORY)


def told(harness: Harness, who: str = DIRECTOR) -> list[tuple[str, str]]:
    """Return the titles and texts of letters about tournaments that wait for somebody, and take
    away all that wait.
    """
    found = [each for each in harness.claim_waiting() if each.kind == "tournament"]
    with harness.database.write_tx() as session:
        for each in found:
            session.delete(session.get_one(Letter, each.id))
    return [
        (each.context["title"], " ".join(each.context["lines"]))
        for each in found
        if each.address == address(who)
    ]


def test_directors_are_told_what_they_have_to_look_at(harness: Harness) -> None:
    uid, dora = (
        begun(harness, *FOUR, format_=Swiss(2), round_days=5, wait_hours=24),
        harness.player(DIRECTOR),
    )
    waiting = [each for each in harness.claim_waiting() if each.kind == "tournament"]
    assert {
        each.context["takes_part"] for each in waiting if each.address == address(DIRECTOR)
    } == {False}, "who does not take part cannot leave"
    assert [each.context["title"] for each in waiting if each.address == address(DIRECTOR)] == [
        "Round 1 is paired"
    ]
    making.add_director(harness.database, uid, dora, harness.player("Hugo"), now=harness.now)
    making.add_director(harness.database, uid, dora, harness.player(ALICE), now=harness.now)
    assert [(title, "`help tournament`" in text) for title, text in told(harness, "Hugo")] == [
        ("You are a director", True)
    ]
    harness.later(days=6)
    advance(harness, uid)
    (title, text), *_ = told(harness, "Hugo")
    assert title == "Round 1 stalls" and text.startswith(
        "The days of round 1 are over, without a result of table 1 ("
    )
    for number in (1, 2):
        decide_table(
            harness.database, uid, dora, (1, number), ("1", "0"), reason="away", now=harness.now
        )
    (title, text), *_ = told(harness, "Hugo")
    assert title == "Round 1 is ready" and "until you let it go on" in text
    decide_table(harness.database, uid, dora, (1, 1), ("0", "1"), reason="misread", now=harness.now)
    told(harness)
    entering.leave(harness.database, uid, harness.player(BOB), now=harness.now)
    assert told(harness) == [
        (
            "A player has left",
            "Bob has left the tournament. The next rounds are paired without that player.",
        )
    ]
    deciding.go_on(harness.database, uid, dora, now=harness.now)
    advance(harness, uid)
    titles = [title for title, _ in told(harness, ALICE)]
    assert "Round 1 is over" in titles and "Round 2 is paired" not in titles, (
        "who takes part has the letter of all entrants"
    )
    erasing.erase_player(harness.database, harness.people.pop(MALLORY), now=harness.now)
    ((title, text),) = told(harness)
    assert (title, text.partition(".")[0]) == (
        "A player has left",
        "Entrant 4 has left the tournament",
    )
    advancing.end_tournament(harness.database, uid, dora, "snow", now=harness.now)
    ((title, text),) = told(harness, "Hugo")
    assert title == "The tournament is over" and text.startswith(
        "A director ended it: snow. Its results are provisional until"
    )


def test_entrants_are_told_why_a_tournament_is_over_and_who_left_how_the_last_match_ended(
    harness: Harness,
) -> None:
    dora = harness.player(DIRECTOR)
    for case, reason in (("cancelled", "nobody wants it"), ("played out", "")):
        uid = (entered if reason else begun)(harness, *FOUR, format_=KnockOut())
        told(harness)
        if reason:
            advancing.end_tournament(harness.database, uid, dora, reason, now=harness.now)
        else:
            play_round(harness, uid)
            final = tables(harness, uid)[-1].entrants
            for number in (1, 2, 3, 4):  # who left without a match is told nothing
                if number != final[0]:
                    left = harness.player(FOUR[number - 1])
                    entering.leave(harness.database, uid, left, now=harness.now)
            play_match(harness, matches(harness, uid)[2, 1].uid)
        told(harness)
        advance(harness, uid)
        found = [each for each in harness.claim_waiting() if each.kind == "tournament"]
        people = {each.address for each in found} - {address(DIRECTOR)}
        wanted = FOUR if reason else [FOUR[number - 1] for number in final]
        assert people == {address(who) for who in wanted}, case
        why = f"A director ended the tournament: {reason}." if reason else "which is played out."
        lines = [str(each.context["lines"]) for each in found if each.address in people]
        assert all(why in of_one for of_one in lines), case


def test_directors_are_told_of_an_end_that_nobody_decided(harness: Harness) -> None:
    few = entered(harness, ALICE, format_=Swiss(2), closes_at=harness.now + timedelta(days=1))
    harness.later(days=2)
    advance(harness, few)
    assert told(harness) == [
        (
            "The tournament is over",
            "Its entries have closed, but too few had entered, so it is over.",
        )
    ]
    uid = begun(harness, *FOUR, format_=Swiss(1))
    told(harness)
    play_round(harness, uid)
    ((title, text),) = told(harness)
    assert title == "The tournament is over" and text.startswith(
        "All of its rounds are played, so it is over. Its results are provisional"
    )
