"""A plain yes to a question that costs nothing, in any words, and the exact line that anything else
is answered with.
"""

from adjudicator.mail.consent import says_yes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.starting import muster
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import DORA, flat, player
from tests.mail.test_votes import answered, begin, phase

GUEST = "guest@example.net"


def test_a_yes_in_other_words_is_one_and_a_limited_one_is_none() -> None:
    for said in (
        "yes",
        "YES!",
        "Yes, that was me!",
        "yes please",
        "ok",
        "OK.",
        "y",
        "I confirm",
        "“yes”",
        "Yes, it’s me",
        "Sure, I’d like to play.",
        "yes, that's right",
        "Of course!",
        "Count me in!",
        "I'm in",
        "Ja, bitte",
        "Oui merci",
        "да",
        "はい",
        "Yes I do, thank you",
        "Sure thing!",
        "yes, I’d love to",
        "Yes, happy to play",
        "sounds good",
        "Yes, let's go!",
        "approved",
        "Yes, it was me who asked.",
        "👍🏽",
        "Yes, Dora",
        "yes. Best, Dora",
        "Oui, c’était moi",
        "Sì, sono io",
        "好的",
    ):
        assert says_yes([said, "Dora"], names="dora.lee"), said
    for said in (
        "yes, but with a friend",
        "yes?",
        "> yes",
        "| yes",
        "yes and no",
        "I don’t",
        "yes if I can",
        "no",
        "that was not me",
        "I am away",
        "",
        "Yes, I am out of office until Monday",
        "yesterday",
        "thank you",
        "please",
        "ok stop",
        "I would rather not",
        "yes " * 20,
        "that is my address",
        "is it ok",
        "Do I agree",
        "Yes, Eve",
        "yes - let's talk first",
        "👎",
    ):
        assert not says_yes([said], names="dora.lee"), said
    assert not says_yes(["Hm", "yes"]), "only the first line counts"
    assert not says_yes(["yes", "but only with a friend"])


def test_a_newcomers_answer_that_is_no_yes_says_what_to_write_and_where(
    harness: MailHarness,
) -> None:
    harness.write(DORA, SERVICE, "join pyramid")
    question = harness.newest(DORA, "confirm")
    for said in ("Who is this?", "yes, but with a friend", ""):
        harness.later(minutes=1)
        harness.answer(question, said, sender="somebody@example.com")
        told = harness.newest(DORA, "answer")
        assert "If it was you who asked, answer with the one word `yes`" in flat(told), said
        assert (
            harness.reply_to(told) == harness.reply_to(question) and player(harness, DORA) is None
        ), said
    harness.answer(told, "YES, that was me!")
    assert player(harness, DORA) is not None and "A new table of Rock Paper Pyramid" in flat(
        harness.newest(DORA, "answer")
    )
    assert harness.reply_to(harness.newest(DORA, "answer")) != harness.reply_to(question)


def test_an_invitation_and_a_muster_take_a_plain_yes(harness: MailHarness) -> None:
    uid = harness.prepare_match(
        Wish("pyramid", "Table", {}, invited=(GUEST,), muster_minutes=600), ALICE, BOB
    )
    invitation = harness.newest(GUEST, "invitation")
    harness.answer(invitation, "Why me?")
    told = harness.newest(GUEST, "answer")
    assert "“Why me?”: Nothing was done. `accept` on a line of its own takes the seat" in flat(told)
    assert harness.reply_to(told) == harness.reply_to(invitation) and player(harness, GUEST) is None
    harness.answer(told, "Yes, I’d like to play")
    assert player(harness, GUEST) is not None
    muster.advance_muster(harness.database, uid, now=harness.now)
    question = harness.newest(GUEST, "gathering")
    harness.answer(question, "Yes, if I can")
    told = harness.newest(GUEST, "answer")
    assert (
        "Nothing was done. The one word `yes` confirms that you play" in flat(told)
        and "handed in" not in told.text
    )
    harness.answer(told, "Yes please!")
    assert "You confirmed your seat in Table." in flat(harness.newest(GUEST, "answer"))


def test_a_vote_on_more_time_takes_a_plain_yes_and_an_end_its_exact_line(
    harness: MailHarness,
) -> None:
    report = begin(harness)
    deadline = phase(harness).deadline
    harness.answer(report[ALICE], "extend 24h")
    time = {who: harness.newest(who, "proposal") for who in (BOB, CHARLIE)}
    harness.later(minutes=1)
    harness.answer(report[ALICE], "end match")
    harness.answer(harness.newest(CHARLIE, "proposal"), "Yes please")
    assert (
        "A vote on it is a line of its own: `vote yes end` or `vote no end`. Nothing was done."
        in answered(harness, CHARLIE)
    )
    harness.answer(harness.newest(CHARLIE, "proposal"), "vote yes")
    assert (
        "2 proposals stand; say which one you mean: `vote yes extend` or `vote yes end`."
        in answered(harness, CHARLIE)
    )
    for said in ("yes, but only one day", "I'd rather not", "No thanks"):
        harness.later(minutes=1)
        harness.answer(time[CHARLIE], said, "Charlie Brown and friends")
        assert (
            f"“{said}”: A vote on it is a line of its own: `vote yes extend` or `vote no extend`."
            in answered(harness, CHARLIE)
        )
    assert harness.letters("receipt", CHARLIE) == [], "it is not taken for orders"
    harness.answer(time[CHARLIE], "vote no")
    assert "You voted no: more time" in answered(harness, CHARLIE)
    address = harness.reply_to(time[BOB])
    assert address != harness.reply_to(report[BOB])
    harness.write("somebody@example.com", address, "Yes please!", subject="Your vote")
    assert (
        "It is agreed: more time" in answered(harness, BOB) and phase(harness).deadline != deadline
    ), "the address says which of two proposals, whatever the letter answers"
    harness.later(minutes=1)
    harness.write(BOB, address, "B3", "vote no end")
    assert "The proposal was rejected: to end the match" in flat(harness.newest(BOB, "receipt"))
    assert "B3" in harness.newest(BOB, "receipt").text, "it is the seat's address besides"
    harness.later(hours=73)
    assert harness.close(harness.uid)
    harness.write(BOB, address, "yes")
    assert "The phase of that proposal is closed by now, and nothing was changed" in answered(
        harness, BOB
    )
