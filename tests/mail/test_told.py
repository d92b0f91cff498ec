"""Clear letters: ready and wait, the right round, press, time zones, chance, the line beside a
subject.
"""

from collections.abc import Callable

import pytest

from adjudicator import catalogue
from adjudicator.mail.commands.recognition import COMMANDS
from adjudicator.mail.reading.bodies import markup
from adjudicator.service.base import rows
from adjudicator.service.base.tables import Player
from adjudicator.service.handover import leaving, replacing, takeovers
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.notes import SERVICE as SERVICE_DID
from adjudicator.service.matches.notes import add_note
from adjudicator.service.people import accounts
from adjudicator.service.phases import concessions
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat
from tests.mail.test_press import begun

DORA = "dora@example.net"
_ALL_HOLD = tuple(
    f"{unit} H"
    for unit in ["F Edi", "F Lon", "A Lvp", "F Kie", "A Ber", "A Mun", "A Vie", "A Bud", "F Tri"]
)


def test_a_complete_set_that_waits_says_how_to_be_ready(harness: MailHarness) -> None:
    harness.answer(begun(harness), *_ALL_HOLD)
    told = harness.newest(ALICE, "receipt")
    assert (
        "write `ready`, and Spring 1901 closes as soon as everybody did" in flat(told)
        and "You have ordered everything" in told.html
    )
    harness.later(seconds=1)
    harness.answer(told, "ready")
    assert "You are ready" in flat(harness.newest(ALICE, "answer"))


def test_a_players_own_wait_is_told(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "B3", "wait")
    told = harness.newest(ALICE, "receipt")
    assert (
        "You are not ready, as you said: Round 1 waits for you until then. Write `ready`"
        in flat(told)
        and "as you said" in told.html
    )


def test_a_plan_out_of_turn_is_not_told_that_it_is_waited_for(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="phoenix")
    waiting = next(who for who in (ALICE, BOB) if "owe orders" not in harness.newest(who).text)
    harness.answer(harness.newest(waiting, "report"), "roll")
    told = harness.newest(waiting, "receipt")
    assert (
        "It is not your turn: what you sealed is played when it comes." in flat(told)
        and "not ready" not in told.text + told.html
    )


def test_orders_for_a_closed_round_are_refused_by_its_own_name(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    first = harness.newest(ALICE, "report")
    harness.play_round("B2", "B3", "B3")
    harness.answer(first, "B3")
    told = harness.newest(ALICE, "receipt")
    assert told.subject == "[Evening Pyramid] Round 1: your orders were not taken"
    assert "Evening Pyramid, Round 1. You are seat 1" in flat(
        told
    ) and "Round 2 is open until" in flat(told)
    assert "Round 1" in told.html and "Its own letter shows the position" in told.html


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("private", "`press france:`"),
        ("public", "`press all:` and write below it; everybody"),
        ("none", ""),
    ],
)
def test_the_first_letter_of_a_match_with_press_explains_it(
    harness: MailHarness, kind: str, told: str
) -> None:
    report = begun(harness, kind)
    assert ("You can write to the others by letter" in flat(report)) == bool(told) and told in flat(
        report
    )
    assert ("You can write to the others by letter" in report.html) == bool(told)
    harness.later(hours=49)
    assert harness.close(harness.uid)
    assert "You can write to the others" not in harness.newest(ALICE, "report").text


def test_times_in_utc_for_want_of_a_zone_say_how_to_set_one(harness: MailHarness) -> None:
    harness.begin(ALICE, DORA, CHARLIE)
    report, hers = harness.newest(ALICE, "report"), harness.newest(DORA, "report")
    assert (
        "(UTC)" in hers.text
        and "`zone Europe/Paris` to set it" in flat(hers)
        and "zone Europe/Paris" in hers.html
    )
    assert "UTC" not in report.text
    harness.answer(hers, "zone UTC")
    harness.later(seconds=1)
    harness.answer(hers, "B3")
    told = harness.newest(DORA, "receipt")
    assert "(UTC)" in told.text and "zone is not known" not in flat(told)  # it was chosen


def test_the_first_letter_to_each_seat_holds_the_anchors_of_chance(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    with harness.database.read_tx() as session:
        anchors = rows.by_uid(session, harness.uid).anchors
    assert anchors is not None and set(anchors) == {"public", "hidden"}
    for who in (ALICE, BOB, CHARLIE):
        report = harness.newest(who, "report")
        assert all(
            f"\n  {anchor}\n" in report.text and f">{anchor}<" in report.html
            for anchor in anchors.values()
        )
    harness.play_round("B2", "B3", "B3")
    assert anchors["public"] not in harness.newest(ALICE, "report").text


def test_lists_of_letters_show_a_sentence_beside_the_subject_that_no_reply_repeats(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "B3")
    for letter in (report, harness.newest(ALICE, "receipt")):
        before, _, after = letter.html.partition("-- Answer above this line --")
        assert "Round 1 is open until" in before or "You are ready" in before
        assert (
            after
            and "Round 1 is open until"
            not in markup.html_to_text(letter.html).text.partition("Answer above")[0]
        )


def test_who_chose_utc_is_told_apart_from_who_chose_nothing(harness: MailHarness) -> None:
    player = harness.player(DORA)
    with harness.database.write_tx() as session:
        assert accounts.set_zone(session, player, "UTC") == "Etc/UTC"
    with harness.database.read_tx() as session:
        assert session.get_one(Player, player).zone == "Etc/UTC"


def test_what_is_typed_stands_in_html_as_code_and_in_text_between_ticks(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "raedy <b>")
    told = harness.newest(ALICE, "receipt")
    assert (
        "the command `ready`" in flat(told)
        and "`" not in told.html
        and ">ready</span>" in told.html
        and "<b>" not in told.html
    )


def test_first_and_last_letters_say_what_a_reader_needs_then(harness: MailHarness) -> None:
    assert all(
        about.aim.startswith("The aim: ") and about.aim.endswith(".") for about in catalogue.ABOUTS
    )
    harness.begin(ALICE, BOB, CHARLIE)
    first = harness.newest(ALICE, "report")
    harness.answer(first, "nonsense")
    refused = harness.newest(ALICE, "receipt")
    masters.end_match(
        harness.database, harness.uid, None, "It is late", now=harness.later(minutes=1)
    )
    assert harness.close(harness.uid)
    last = harness.newest(ALICE, "report")
    assert "The match is over" in last.subject
    cases = (
        ("the aim", first, "The aim: to keep pieces with more pips", True),
        ("the rules by mail", first, "`rules` in answer to this letter brings all rules", True),
        ("no next match yet", first, "`again`", False),
        ("the next match", last, "Answer with `again` to play the next match", True),
        ("the aim once", last, "The aim:", False),
        (
            "no seal of refused orders",
            refused,
            "Nothing was sealed by it. The attached receipt.json says so",
            True,
        ),
        ("nothing to keep of refused orders", refused, "Keep this letter", False),
    )
    for case, letter, told, there in cases:
        html = " ".join(markup.html_to_text(letter.html).text.split())
        assert (told in flat(letter)) == there and (told.replace("`", "") in html) == there, case
    assert harness.answer(last, "again").disposition == "commands" and "The next match is" in flat(
        harness.newest(ALICE, "answer")
    )


def test_help_to_a_stranger_names_every_game_and_command_and_is_not_cut(
    harness: MailHarness,
) -> None:
    harness.write(DORA, SERVICE, "help")
    letter = harness.newest(DORA, "answer")
    told = flat(letter)
    wanted = [*(f"join {about.key} {about.title}" for about in catalogue.ABOUTS)]
    wanted += [command.usage for command in COMMANDS if not command.seated]
    assert [each for each in wanted if each not in told] == []
    assert "This answer is short" not in told and len(letter.text) < 3_000


def test_questions_of_the_same_words_are_spelled_once(harness: MailHarness) -> None:
    harness.begin(*(f"p{number}@example.net" for number in range(6)), ALICE, game="rsp-diplomacy")
    told = harness.newest(ALICE, "report")
    spelled = [
        told.text.count(f"{word} ")
        for word in ("  Rock A", "  Scissors A", "  Paper A", "An order like this: Rock")
    ]
    assert told.text.count("its characteristic") == told.html.count("its characteristic") >= 3
    assert (
        sum(spelled[:3]) <= 3
        and spelled[3]
        == told.html.count("An order like this")
        == told.text.count("its characteristic") - 1
    )


def test_who_takes_a_seat_over_is_told_each_order_once(harness: MailHarness) -> None:
    """Where results do not tell what conflicts bring to light, the story stays instead."""
    for game, kept, left in (
        ("diplomacy", "A Mar-Bur", "to Burgundy"),
        ("rsp-diplomacy", "to Burgundy", "A Mar-Bur"),
    ):
        uid = harness.begin(ALICE, BOB, game=game)
        for who in (ALICE, BOB):
            harness.order(uid, who, "A Mar - Bur")
        harness.later(hours=49)
        assert harness.close(uid)
        seat = next(row.name for row in harness.seats(uid) if row.player_id == harness.player(BOB))
        harness.answer(harness.newest(BOB, "report"), f"resign {seat}")
        takeovers.take_seat(
            harness.database,
            uid,
            harness.player(f"new-{game}@example.net"),
            now=harness.later(minutes=1),
        )
        told = (
            flat(harness.newest(f"new-{game}@example.net", "report"))
            .partition(" Spring 1901 ")[2]
            .partition(" The table ")[0]
        )
        assert kept in told and left not in told and "default was played for" in told, (
            f"{game}: {told}"
        )


def _note(harness: MailHarness, what: str) -> None:
    with harness.database.write_tx() as session:
        match = rows.lock_by_uid(session, harness.uid)
        add_note(session, match, harness.later(seconds=1), SERVICE_DID, what)


def test_notes_are_in_the_first_report_and_listed_by_letter_with_their_phase(
    harness: MailHarness,
) -> None:
    wish = Wish("pyramid", "Evening Pyramid", {}, players=3, grace_minutes=10)
    uid = harness.uid = harness.prepare_match(wish, ALICE, BOB, CHARLIE)
    _note(harness, "gave the match 9 more days to fill")
    harness.later(minutes=1)
    harness.start_match(uid)
    report = harness.newest(BOB, "report")
    assert "The service gave the match 9 more days to fill. " in flat(report)
    harness.answer(report, "history", "notes")
    told = flat(harness.newest(BOB, "answer"))
    line = "Sun 22 Nov 14:00 (New York): The service gave the match 9 more days to fill."
    assert told.count(line) == 2 and "Nothing has happened" not in told
    _note(harness, "warned nobody")
    harness.play_round("B2", "B3", "B3")
    _note(harness, "moved the deadline of Round 2.")
    report = harness.newest(BOB, "report")
    before = "What of this was urgent came in a letter of its own before."
    assert f"The service warned nobody. {before}" in flat(report)
    assert "9 more days" not in report.text
    harness.answer(report, "history")
    told = flat(harness.newest(BOB, "answer"))
    places = [
        told.index(each)
        for each in (
            "Before the first phase",
            line,
            " Round 1 ",
            "The service warned nobody.",
            "Since then",
            "The service moved the deadline of Round 2.",
        )
    ]
    assert places == sorted(places), told
    harness.answer(report, "notes")
    assert "The service moved the deadline of Round 2. " in flat(harness.newest(BOB, "answer"))


def test_the_report_of_a_match_that_paused_itself_names_no_deadline(harness: MailHarness) -> None:
    uid = harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Evening Pyramid", {}, players=3, misses=1)
    )
    harness.later(hours=49)
    assert harness.close(uid)
    told = harness.newest(ALICE, "report")
    assert told.subject == "[Evening Pyramid] Round 2: the match is paused"
    html = " ".join(markup.html_to_text(told.html).text.split())
    for case, text in (("text", flat(told)), ("html", html)):
        assert (
            "Every player has gone, so the match is paused." in text
            and "Orders for Round 2, once the match goes on" in text
        ), case
        assert (
            "you owe orders by" not in text
            and "Orders for Round 2 by" not in text
            and "Round 2 is open until" not in text
        ), case
    assert [
        part
        for part in harness.message(told.name).walk()
        if part.get_content_type() == "text/calendar"
    ] == []


def _seat_letters(harness: MailHarness) -> list[tuple[str, str]]:
    """Post what waits, and return to whom letters about seats went, with their subjects."""
    before = {each.uid for each in harness.rows() if each.state == "sent"}
    harness.post_all()
    posted = [
        each for each in harness.rows() if each.kind in ("seat", "notice") and each.state == "sent"
    ]
    return [
        (each.address, found.subject.partition("] ")[2].partition(": Round")[0])
        for each in posted
        if each.uid not in before and (found := harness.mailbox.letter(each.uid)) is not None
    ]


def test_what_changes_a_match_at_once_is_told_to_everybody_at_once(harness: MailHarness) -> None:
    """A master who does not play reads it as well; who did it, or is told otherwise, gets none."""
    wish = Wish("pyramid", "Evening Pyramid", {}, play=False, players=3, misses=1)
    uid = harness.uid = harness.prepare_match(wish, DORA, ALICE, BOB, CHARLIE)
    harness.start_match(uid)
    harness.post_all()
    ids = {who: harness.player(who) for who in (ALICE, BOB, CHARLIE, DORA, "erin@example.net")}
    erin = "erin@example.net"
    report = {who: harness.newest(who, "report") for who in (ALICE, BOB, CHARLIE)}

    def reject() -> None:
        harness.answer(report[ALICE], "extend 24h")
        harness.answer(report[BOB], "vote no")
        harness.answer(report[CHARLIE], "vote no")

    def pause() -> None:
        for ask in ("pause", "resume"):
            for who in (ALICE, BOB):
                harness.answer(report[who], ask)

    def master(act: Callable[..., object], seat: str) -> object:
        return act(harness.database, uid, ids[DORA], seat, "never answers", now=harness.now)

    def take(who: str) -> object:
        return takeovers.take_seat(harness.database, uid, ids[who], now=harness.now)

    def come_back() -> None:
        for who in (ALICE, BOB):
            harness.order(uid, who, "B3")
        harness.later(hours=73)
        assert harness.close(uid)  # Erin's seat opens, which the reports tell
        harness.post_all()
        leaving.come_back(harness.database, uid, ids[erin], now=harness.later(minutes=1))

    cases: tuple[tuple[str, Callable[[], object], set[str], str], ...] = (
        ("a rejected proposal", reject, {ALICE, BOB, DORA}, "A proposal was rejected"),
        (
            "a warning",
            lambda: master(messages.warn_seat, "2"),
            {ALICE, CHARLIE},
            "Seat 2 was warned",
        ),
        (
            "a seat opened by the master",
            lambda: master(replacing.replace_player, "3"),
            {ALICE, BOB},
            "Seat 3 looks for a new player",
        ),
        ("a new player", lambda: take(erin), {ALICE, BOB, DORA}, "Seat 3 has a new player"),
        ("a pause of the players", pause, {ALICE, BOB, DORA, erin}, "The match is paused"),
        ("a player who is back", come_back, {ALICE, BOB, DORA}, "Seat 3 has its player back"),
        (
            "a player who resigns",
            lambda: leaving.resign(harness.database, uid, ids[BOB], now=harness.now),
            {ALICE, DORA, erin},
            "Seat 2 looks for a new player",
        ),
        ("one who left", lambda: take(BOB), {ALICE, DORA, erin}, "Seat 2 has its player back"),
        (
            "a concession",
            lambda: concessions.concede(harness.database, uid, ids[erin], now=harness.now),
            {ALICE, BOB, DORA},
            "Seat 3 conceded",
        ),
    )
    for case, act, readers, subject in cases:
        harness.later(minutes=1)
        act()
        letters = _seat_letters(harness)
        whom = sorted(who for who, title in letters if title == subject)
        assert whom == sorted(readers), f"{case}: {letters}"
        if case in ("a new player", "one who left"):
            assert len(letters) == len(readers), f"{case}: one letter to each, {letters}"
    own, told = harness.newest(BOB, "report"), harness.newest(DORA, "seat")
    assert "] You are seat 2 again: you owe orders by " in own.subject
    assert "You are" not in told.text and "Seat 3 conceded in Round 2." in flat(told)


def test_who_comes_back_to_a_seat_is_called_no_new_player(harness: MailHarness) -> None:
    begun(harness, "private")
    uid = harness.uid
    seat = next(row.name for row in harness.seats(uid) if row.player_id == harness.player(BOB))
    messages.write_press(
        harness.database,
        uid,
        harness.player(ALICE),
        PressDraft((seat,), "Are you here?"),
        now=harness.later(minutes=1),
    )
    harness.answer(harness.newest(BOB, "report"), f"resign {seat}")
    takeovers.take_seat(harness.database, uid, harness.player(BOB), now=harness.later(minutes=1))
    told = harness.newest(ALICE, "notice")
    assert " has its player back: " in told.subject and (
        "A player who left it before is back in " in flat(told)
        and "can read the press that was written to it" in flat(told)
    )
    moved = harness.newest(CHARLIE, "notice")
    assert "Whoever takes over a seat gets a whole phase" in flat(moved)
    own = harness.newest(BOB, "report")
    assert " again: you owe orders by" in own.subject and " again. " in flat(own)
    for letter in (told, moved, own):
        html = " ".join(markup.html_to_text(letter.html).text.split())
        assert "new player" not in flat(letter) + html + letter.subject
    assert {"a player who left it before"} == {
        note.who for note in harness.page(uid).notes if "the press that was written" in note.what
    }
    assert "for the player who is back" in harness.page(uid).notes[0].what
