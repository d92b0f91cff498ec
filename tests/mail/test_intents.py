"""Plain sentences: what they ask for, and the line to send that they are answered with. Nothing is
carried out from them.
"""

import re

from adjudicator import catalogue
from adjudicator.core.options import complete_options
from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.intents import find_intent, guess_wish
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import DORA, flat, player
from tools.playing import chance_of

MEANT = {
    "Can I have two more days please?": "extend 48",
    "Could we get a bit more time?": "extend 24",
    "Please extend the deadline by 12 hours": "extend 12",
    "we need another day": "extend 24",
    "I will be on holiday until Sunday": "absence",
    "I’m away till Friday": "absence",
    "I won't be able to move until Monday": "absence",
    "I quit": "resign",
    "Sorry, I'd rather give up.": "resign",
    "I have to leave this match": "resign",
    "I don’t want to play any more": "resign",
    "What games do you have?": "games",
    "Is there a list of games?": "games",
    "I would like to play RPS Phoenix with two friends please": "join phoenix",
    "my friend told me about your diplomacy games. Can I join one?": "join diplomacy",
    "I want to play RSP Diplomacy": "join rsp-diplomacy",
    "Count me in!": "join",
    "How does this work?": "help",
    "I don't understand": "help",
    "I will not quit": "",
    "You should quit": "",
    "I leave Paris to you": "",
    "I play chess all day": "",
    "A Par - Bur": "",
    "Hello": "",
    "Is it possible to extend by a day?": "extend 24",
    "I can't make it in time": "extend 24",
    "Can the deadline be moved?": "extend 24",
    "I need until Sunday": "extend 24",
    "two days more please": "extend 48",
    "On holiday until Sunday": "absence",
    "I have no internet until Friday": "absence",
    "I am not available next week": "absence",
    "I'm busy until Thursday": "absence",
    "I'll be back Monday": "absence",
    "I am done with this game": "resign",
    "I want out": "resign",
    "I don't have time for this any more": "resign",
    "Someone else can have my seat": "resign",
    "Tell me about your games": "games",
    "What can I play here?": "games",
    "What are the rules of Genesis?": "rules genesis",
    "Please explain the rules": "rules",
    "We are three friends and want to play Phoenix": "join phoenix",
    "Are there any open games?": "join",
    "Let's play Redeux": "join redeux",
    "I want to make a tournament of Redeux": "tournament redeux",
    "Could you organise a small league?": "tournament",
    "join the game of Phoenix": "join phoenix",
    "How do I play?": "help",
    "What is this?": "help",
    "I won't give up Munich": "",
    "I like your extension of the front": "",
    "My army is out of Paris": "",
}
UNANSWERED = (  # in letters of strangers
    "We would like to offer you our new game development services",
    "I want to join your team of sales experts and grow your business fast",
    "Can I play you our new song? https://songs.example",
    "Would you like to play our casino games?",
    "I am away until Sunday",
    "I quit",
)


def meant(line: str) -> str:
    found = find_intent([line])
    return (
        ""
        if found is None
        else f"{found.kind} {found.hours if found.kind == 'extend' else found.game}".strip()
    )


def test_plain_sentences_mean_what_they_say() -> None:
    for line, kind in MEANT.items():
        assert meant(line).removesuffix(" ") == kind, line
    wrapped = find_intent(["I would like to play RPS", "Phoenix with two friends"])
    assert wrapped is not None and (wrapped.kind, wrapped.game) == ("join", "phoenix")
    for line in UNANSWERED:
        assert guess_wish([line]) == "", line


def test_no_game_takes_a_plain_sentence_for_an_order() -> None:
    for game in catalogue.every_game():
        players, seats = max(game.about.seats.items())
        state = game.start(
            seats,
            complete_options(game.about, {}, players=players),
            chance_of("plain sentences", 0),
        )
        for line in (each for each, kind in MEANT.items() if kind):
            parsed = game.parse(state, seats[0], line)
            assert not parsed.orders and {each.kind for each in parsed.refusals} == {"invalid"}, (
                f"{game.about.key}: {line}"
            )


def test_a_player_is_told_the_line_to_send_and_nothing_else_happens(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    said = {
        "Can I have two more days please?": (
            "It is no order. `extend 48h`, on a line of its own, asks for more time, on which"
        ),
        "I will be on holiday until Sunday": (
            "`absence 2026-11-22 to 2026-11-29`, with your own days and on a line of its own,"
        ),
        "I quit": (
            "It is no order. Your seat stays yours; `resign 1`, on a line of its own, gives it up"
            " for good."
        ),
        "What games do you have?": (
            "`join pyramid`, on a line of its own, takes a seat; the games are pyramid, redeux"
        ),
        "How does this work?": "It is no order. `help` lists what you can write.",
        "We would like to organise a cup": (
            "`make tournament pyramid name: Our cup`, on a line of its own, makes one that you"
        ),
        "Where are the rules?": "It is no order. `rules`, on a line of its own, brings the rules",
        "My dog ate all of my pyramids": (
            "is neither a colour nor a size. `help` lists what you can write."
        ),
    }
    harness.answer(report, *said)
    told = flat(harness.newest(ALICE, "receipt"))
    for line, sentence in said.items():
        assert f"“{line}”: " in told and sentence in told, line
    for line in re.findall("`(.+?)`", told):
        assert find_command(line), line
    assert harness.seats(harness.uid)[0].player_id == harness.player(ALICE)
    assert "Nearest to it" not in told, "a sentence is near no order"
    harness.answer(report, "Blak 3")
    assert "lists what you can write" not in flat(harness.newest(ALICE, "receipt")), (
        "orders that are near are the remedy"
    )
    harness.write(ALICE, SERVICE, "Could we have", "two more days, please?")
    assert "To ask for more time, answer a letter of the match with `extend 48h`" in flat(
        harness.newest(ALICE, "answer")
    )


def test_a_stranger_is_told_the_line_to_send_once_a_day_and_a_program_never(
    harness: MailHarness,
) -> None:
    harness.write(
        "robot@example.net", SERVICE, "What games do you have?", Auto_Submitted="auto-replied"
    )
    assert harness.post_all() == 0
    for number, (line, told) in enumerate(
        {
            "I would like to play RPS Phoenix with two friends please": (
                "If you mean `join phoenix`, write just that on a line of its own"
            ),
            "my friend told me about your diplomacy games. Can I join one?": (
                "If you mean `join diplomacy`, write just that"
            ),
            "What games do you have?": "The games are pyramid, redeux",
            "Count me in!": "`join pyramid`, on a line of its own, takes a seat.",
            "What are the rules of Genesis?": "If you mean `rules genesis`, write just that",
        }.items()
    ):
        who = f"{number}{DORA}"
        assert harness.write(who, SERVICE, line).disposition == "empty", line
        assert told in flat(harness.newest(who, "answer")), line
        assert harness.write(who, SERVICE, f"{line} Please!").disposition == "discarded", line
        assert player(harness, who) is None
