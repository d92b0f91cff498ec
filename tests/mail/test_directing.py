"""Tournaments made and directed by letter: each act a line, and where `join redeux 4` leads."""

import re

from adjudicator.mail.commands.directing.acts import usage
from adjudicator.mail.commands.recognition import find_command
from adjudicator.play.tournaments.formats import League, RoundRobin, Swiss
from adjudicator.service.tournaments.directing.acts import ACTS
from adjudicator.service.tournaments.records import format_of
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat
from tests.mail.test_tournaments import entrants
from tests.service.tournament_play import advance, begun, entered, notes, row, tables

DORA = "dora@example.org"


def direct(harness: MailHarness, *lines: str, sender: str = DORA) -> str:
    """Write lines, confirm them where they are asked about, and return the answer."""
    outcome = harness.write(sender, SERVICE, *lines)
    if outcome.disposition == "asked":
        harness.answer(harness.newest(sender, "confirm"), "yes")
    return flat(harness.newest(sender, "answer"))


def test_every_act_is_written_as_its_usage_says() -> None:
    for act in ACTS:
        found = find_command(usage(act, "k3m7p2qrs"))
        assert found is not None and found[0].word == f"{act.word} tournament", act.word
        assert act.pattern.fullmatch(act.follows), act.word


def test_a_tournament_is_made_begun_decided_and_ended_by_letter(harness: MailHarness) -> None:
    harness.player(ALICE), harness.player(BOB)
    answer = direct(
        harness,
        "make tournament genesis swiss rounds=2 ties=beaten,opponents wait=0 turn_limit=10 name:"
        " Winter cup",
    )
    made = re.search(r"Winter cup is made; its short name is (\w{9})\.", answer)
    assert made is not None, answer
    uid = made[1]
    for act in ACTS:
        assert usage(act, uid) in answer and act.meaning in answer, "no column is too narrow"
    tournament = row(harness, uid)
    assert format_of(tournament) == Swiss(2, (2,), 1) and tournament.tie_breaks == [
        "beaten",
        "opponents",
    ]
    assert tournament.wish["options"]["turn_limit"] == 10 and tournament.closes_at is not None
    advance(harness, uid)
    for who in (ALICE, BOB, CHARLIE):
        direct(harness, f"join tournament {uid}", sender=who)
    assert "Entrant 3 is not paired any more." in direct(
        harness, f"remove tournament {uid} entrant 3: no show"
    )
    assert entrants(harness, uid) == [harness.player(ALICE), harness.player(BOB)]
    assert "took you out of this tournament: no show" in flat(harness.newest(CHARLIE, "tournament"))
    assert "Only a director" in direct(harness, f"begin tournament {uid}", sender=ALICE)
    assert "The entries are closed" in direct(harness, "begin tournament Winter cup")
    advance(harness, uid)
    table = f"tournament {uid} round 1 table 1:"
    for lines in (
        {
            f"decide {table} 10 : 0 because Bob was away": "10 : 0 sure because Bob was away",
            f"decide {table} 1 : 0 because REASON": "Write your reason in place of REASON",
            f"decide tournament {uid} table 1": (
                "It is written `decide tournament NAME round 2 table 1: 1 : 0 because Bob was away`"
            ),
            f"close tournament {uid} round 9: late": "That round is over already",
        },
        {
            f"wait tournament {uid} 1": "waits for 1 hour.",
            f"wait tournament {uid} 24": "waits for 24 hours",
            f"decide {table} 1 – 0 because Bob was away": (
                "is decided: 1 : 0. What follows waits until"
            ),
            f"correct tournament {uid} round 1, table 1 ½ 0,5 because: it was misread": (
                "is decided: 1/2 : 1/2."
            ),
            f"go on tournament {uid}": "What waited goes on",
        },
        {
            f"appoint tournament {uid} entrant 1": "Entrant 1 directs the tournament, too.",
            f"dismiss tournament {uid} entrant 1": "Entrant 1 directs the tournament no more.",
            f"end tournament {uid}: snow": "The tournament is over.",
            f"stop directing tournament {uid}": "You direct the tournament no more.",
        },
    ):
        answer = direct(harness, *lines)
        for line, said in lines.items():
            assert said in answer, line
    assert tables(harness, uid)[0].points == ["1/2", "1/2"] and row(harness, uid).status == "ending"
    assert "ended the tournament: snow" in " / ".join(notes(harness))


def test_terms_of_a_new_tournament_are_read_or_refused_with_what_is_possible(
    harness: MailHarness,
) -> None:
    for words, said in (
        ("redeux round robin cycles=2 match-rounds=5 name: Cup", RoundRobin(2)),
        ("genesis league division=4 moving=1 name: Cup", League(4, 1, 1, 5)),
        ("pyramid mixer name: Cup", "rounds at tables of 3"),
        ("genesis swiss", "It needs a game, and the tournament’s name"),
        ("genesis mixer pairs name: Cup", "Each table plays 2 matches at once"),
        ("genesis swiss late name: Cup", "After `make tournament genesis` may stand a word"),
        ("genesis swiss sitting=-1 name: Cup", "Sitting out gives 0 to 9,999 points"),
        ("genesis swiss ties=luck name: Cup", "choose opponents, beaten, head-to-head"),
        ("genesis swiss rounds=many name: Cup", "write a whole number, as in `rounds=5`"),
        ("genesis swiss house name: Cup", "House bots do not enter"),
        ("pyramid knock-out name: Cup", "is not played by two"),
        ("genesis swiss visit www.example.org name: Cup", "no question may repeat it"),
    ):
        answer = direct(harness, f"make tournament {words}")
        if isinstance(said, str):
            assert said in answer, words
        else:
            made = re.search(r"its short name is (\w{9})\.", answer)
            assert made is not None and format_of(row(harness, made[1])) == said, words


def test_what_is_no_table_leads_to_tournaments(harness: MailHarness) -> None:
    uid = entered(harness, BOB)
    for line, said in (
        ("join redeux 4", "`make tournament redeux round robin name: Our cup` makes one"),
        ("join redeux 8", "A table of RPS Redeux has 2 seats"),
        (
            "join phoenix tournament",
            "`make tournament phoenix mixer rounds=1 legs=3 name: Our cup`",
        ),
        ("join genesis pair", f"Some take entries: `join tournament {uid}`."),
        ("Is there a phoenix tournament?", "`join phoenix tournament`"),
        ("join tournament redeux", "`make tournament redeux round robin name: Our cup`"),
        ("I want to play redeux with 5 players", "If you mean `join redeux 5`"),
        ("redeux 8", "If you mean `join redeux 8`"),
        ("I want to play phoenix with 3 players", "If you mean `join phoenix`"),
    ):
        who = f"stranger{len(harness.came_in())}@example.org"
        harness.write(who, SERVICE, line)
        assert said in flat(harness.newest(who, "answer")), line


def test_help_tells_directors_what_they_can_write(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "help tournament")
    answer = flat(harness.newest(DORA, "answer"))
    for act in ACTS:
        assert usage(act) in answer, act.word


def test_whoever_says_yes_by_letter_directs_a_tournament_without_director(
    harness: MailHarness,
) -> None:
    uid = begun(harness, ALICE, BOB, CHARLIE)
    direct(harness, f"stop directing tournament {uid}")
    letter = harness.newest(ALICE, "tournament")
    assert f"direct tournament {uid}" in letter.text
    assert "You direct the tournament." in direct(harness, f"direct tournament {uid}", sender=ALICE)
