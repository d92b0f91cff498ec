"""Press with the master, in phases where it rests, for those who read all of it, muted, reported,
and opened at the end.
"""

import re

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.tables import Letter, Match
from adjudicator.service.handover import leaving, offers, standbys, sweeping, takeovers
from adjudicator.service.matches import masters, seats, waiting_list
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import complaints, messages, mutes
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.views import news
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness

DORA = "Dora"  # runs matches without playing
MASTER = ("master",)


def begun(harness: Harness, kind: str = "private", *, master: str = DORA, **rules: bool) -> str:
    """Begin a match of Diplomacy of Alice (England), Bob (France) and Charlie (Russia)."""
    wish = Wish(
        "diplomacy",
        "Long Table",
        {"press": kind},
        players=3,
        seating="order",
        play=master == ALICE,
        press=PressWish(**rules),
    )
    others = (BOB, CHARLIE) if master == ALICE else (ALICE, BOB, CHARLIE)
    uid = harness.prepare_match(wish, master, *others)
    assert harness.start_match(uid)
    return uid


def write(harness: Harness, uid: str, who: str, to: tuple[str, ...], text: str = "Peace?") -> None:
    messages.write_press(
        harness.database, uid, harness.player(who), PressDraft(to, text), now=harness.now
    )


def as_master(
    harness: Harness, uid: str, who: str, to: tuple[str, ...], text: str = "Be kind."
) -> None:
    messages.write_as_master(
        harness.database, uid, harness.player(who), PressDraft(to, text), now=harness.now
    )


def page(harness: Harness, uid: str, who: str | None = None) -> messages.PressPage:
    with harness.database.read_tx() as session:
        return messages.press_page(session, uid, harness.player(who) if who else None)


def read(harness: Harness, uid: str, who: str | None = None) -> list[str]:
    """Return what somebody reads, newest first, as `FRANCE: text`."""
    return [f"{note.seat}: {' / '.join(note.lines)}" for note in page(harness, uid, who).notes]


def letters(harness: Harness, kind: str = "press") -> list[str]:
    """Return the sorted addresses of all letters of a kind."""
    with harness.database.read_tx() as session:
        return sorted(
            each.partition("@")[0]
            for each in session.exec(select(Letter.address).where(Letter.kind == kind))
        )


def notes(harness: Harness, uid: str) -> list[str]:
    return [f"{note.who} {note.what}" for note in reversed(harness.page(uid).notes)]


# --- to the master and back


def test_only_writer_and_master_read_press_to_the_master(harness: Harness) -> None:
    uid = begun(harness)
    write(harness, uid, BOB, MASTER, "May I ask something?")
    assert read(harness, uid, DORA) == read(harness, uid, BOB) == ["FRANCE: May I ask something?"]
    assert read(harness, uid, ALICE) == read(harness, uid) == []
    assert letters(harness) == ["dora"] and notes(harness, uid) == []


def test_the_master_answers_one_and_everybody_is_told_to_whom_and_not_what(
    harness: Harness,
) -> None:
    uid = begun(harness)
    as_master(harness, uid, DORA, ("FRANCE",), "You may.")
    assert (
        read(harness, uid, BOB) == ["master: You may."]
        and read(harness, uid, ALICE) == []
        and letters(harness) == ["bob"]
    )
    as_master(harness, uid, DORA, (), "Happy new year!")
    assert read(harness, uid, ALICE) == read(harness, uid) == ["master: Happy new year!"]
    assert notes(harness, uid) == ["Dora wrote to France", "Dora wrote to all"]


@pytest.mark.parametrize("kind", ["none", "public", "anonymous-private"])
def test_seats_and_master_write_to_each_other_whatever_the_press(
    harness: Harness, kind: str
) -> None:
    uid = begun(harness, kind)
    write(harness, uid, BOB, MASTER, "A question.")
    as_master(harness, uid, DORA, ("FRANCE",), "An answer.")
    assert (
        read(harness, uid, BOB)
        == read(harness, uid, DORA)
        == ["master: An answer.", "FRANCE: A question."]
    )
    assert read(harness, uid, ALICE) == read(harness, uid) == []


def test_a_playing_master_reads_it_as_master_and_those_who_write_are_told_so(
    harness: Harness,
) -> None:
    uid = begun(harness, master=ALICE)
    assert page(harness, uid, BOB).to_master == "It goes to the master, who plays in this match."
    write(harness, uid, BOB, MASTER)
    assert read(harness, uid, ALICE) == ["FRANCE: Peace?"] and read(harness, uid, CHARLIE) == []
    assert page(harness, uid, ALICE).to_master == "" and page(harness, uid, ALICE).as_master == (
        "ENGLAND",
        "FRANCE",
        "RUSSIA",
    )
    with pytest.raises(Refused, match="You run this match yourself"):
        write(harness, uid, ALICE, MASTER)


def test_an_anonymous_match_tells_neither_whether_the_master_plays_nor_the_master_who_does(
    harness: Harness,
) -> None:
    wish = Wish(
        "diplomacy", "Masked", {"press": "private", "anonymous": True}, players=3, play=False
    )
    uid = harness.prepare_match(wish, DORA, ALICE, BOB, CHARLIE)
    harness.start_match(uid)
    own = harness.page(uid, BOB).seat
    assert page(harness, uid, BOB).to_master == "It goes to the master, who may be playing, too."
    write(harness, uid, BOB, MASTER)
    assert read(harness, uid, DORA) == [f"{own}: Peace?"]
    told = [letter.context for letter in harness.claim_waiting() if letter.kind == "press"]
    assert told and not re.search(r"\bbob\b", str(told).casefold()), "a token may hold it"


def test_nobody_else_writes_as_master_and_the_master_only_to_seats(harness: Harness) -> None:
    uid = begun(harness)
    with pytest.raises(NotAllowed):
        as_master(harness, uid, BOB, ())
    with pytest.raises(Refused, match="has no seat"):
        as_master(harness, uid, DORA, ("SPAIN",))
    with pytest.raises(Refused, match="in a text of its own"):
        write(harness, uid, BOB, ("master", "RUSSIA"))
    with pytest.raises(NotAllowed):
        write(harness, uid, MALLORY, MASTER)
    assert notes(harness, uid) == [] and letters(harness) == []


def test_a_warning_is_a_letter_to_one_and_its_reason_is_public(harness: Harness) -> None:
    uid = begun(harness)
    with pytest.raises(Refused, match="needs a reason"):
        masters_warn(harness, uid, DORA, "france", "  ")
    with pytest.raises(NotAllowed):
        masters_warn(harness, uid, ALICE, "france", "because")
    masters_warn(harness, uid, DORA, "france", "two phases missed, see http://example.org/x")
    assert letters(harness) == ["bob"] and read(harness, uid, CHARLIE) == []
    (note,) = notes(harness, uid)
    assert note.startswith("Dora warned France: two phases missed") and "://" not in note, (
        "public notes hold no links"
    )


def masters_warn(harness: Harness, uid: str, who: str, seat: str, why: str) -> None:
    messages.warn_seat(harness.database, uid, harness.player(who), seat, why, now=harness.now)


# --- rules of press


def test_press_rests_in_short_phases_and_says_when_it_opens(harness: Harness) -> None:
    uid = begun(harness, rulebook=True)
    write(harness, uid, BOB, ("RUSSIA",))
    to_builds(harness, uid)
    assert "builds" in harness.page(uid).card.phase
    rests = (
        r"no press in retreats and builds, so nothing was sent\. It opens again after them; .* ends"
        r" on .* at the latest"
    )
    with pytest.raises(NotNow, match=rests):
        write(harness, uid, BOB, ("RUSSIA",))
    assert "no press in retreats and builds" in page(harness, uid, BOB).closed
    write(harness, uid, BOB, MASTER)
    as_master(harness, uid, DORA, ("FRANCE",))
    assert len(page(harness, uid, BOB).notes) == 3


def to_builds(harness: Harness, uid: str) -> None:
    """Take a neutral centre in autumn, so that builds follow."""
    for orders in ("F Bre - MAO", "F MAO - Por"):
        harness.order(uid, BOB, orders)
        harness.later(hours=49)
        assert harness.close(uid)


def test_without_that_rule_press_goes_on_in_builds(harness: Harness) -> None:
    uid = begun(harness)
    to_builds(harness, uid)
    write(harness, uid, BOB, ("RUSSIA",))
    assert read(harness, uid, CHARLIE) == ["FRANCE: Peace?"]


def test_a_declared_reader_reads_all_press_gets_copies_and_cannot_play(harness: Harness) -> None:
    uid = begun(harness, overseen=True)
    write(harness, uid, ALICE, ("FRANCE",), "Our secret.")
    assert (
        read(harness, uid, DORA) == ["ENGLAND: Our secret."]
        and read(harness, uid, CHARLIE) == read(harness, uid) == []
    )
    assert letters(harness) == ["bob", "dora"]
    told = (
        "Dora, who runs this match and does not play, reads all of its press, also what goes to"
        " single seats."
    )
    assert harness.page(uid).overseen == harness.page(uid, BOB).overseen == told
    reports = [letter.context for letter in harness.claim_waiting() if letter.kind == "report"]
    assert len(reports) == 3 and all(told in letter["notes"] for letter in reports)  # type: ignore[operator]


def test_who_joins_is_told_who_reads_and_the_reader_can_take_no_seat(harness: Harness) -> None:
    wish = Wish(
        "diplomacy",
        "School",
        {"press": "private"},
        players=3,
        play=False,
        press=PressWish(overseen=True),
    )
    uid = harness.prepare_match(wish, DORA)
    with pytest.raises(NotAllowed, match="You read all press of this match"):
        seats.take_seat(harness.database, uid, harness.player(DORA), now=harness.now)
    with harness.database.write_tx() as session:
        assert "Dora, who runs this match and does not play, reads" in seats.take_seat(
            session, uid, harness.player(BOB), now=harness.now
        )


def test_the_reader_gets_no_seat_by_the_waiting_list(harness: Harness) -> None:
    wish = Wish(
        "diplomacy",
        "School",
        {"press": "private"},
        players=3,
        play=False,
        press=PressWish(overseen=True),
    )
    uid = harness.prepare_match(wish, DORA, ALICE, BOB, CHARLIE)
    with pytest.raises(NotAllowed, match="You read all press of this match"):
        waiting_list.wait_for_seat(harness.database, uid, harness.player(DORA), now=harness.now)


def test_who_is_offered_a_seat_of_a_running_match_is_told_who_reads(harness: Harness) -> None:
    uid, told = begun(harness, overseen=True), "Dora, who runs this match and does not play, reads"
    standbys.stand_by(harness.database, harness.player(MALLORY), now=harness.now, game="diplomacy")
    leaving.resign(harness.database, uid, harness.player(BOB), now=harness.now)
    sweeping.tend_seats(harness.database, uid, now=harness.now)
    letter = next(letter.context for letter in harness.claim_waiting() if letter.kind == "offer")
    with harness.database.read_tx() as session:
        page = offers.offer_of_token(session, str(letter["token"]))
    assert told in str(letter["press"]) and told in str(page.press)


def test_masters_of_all_matches_do_not_read_what_the_declared_reader_reads(
    harness: Harness,
) -> None:
    uid = begun(harness, overseen=True)
    masters.appoint_master(harness.database, "mallory@example.org", now=harness.now)
    write(harness, uid, ALICE, ("FRANCE",))
    assert read(harness, uid, MALLORY) == []


@pytest.mark.parametrize(
    ("kind", "rules", "plays", "why"),
    [
        ("private", {"overseen": True}, True, "Who reads all press cannot play"),
        ("anonymous-private", {"opened": True}, False, "Anonymous press is not opened"),
        ("none", {"rulebook": True}, False, "A match without press"),
    ],
)
def test_rules_that_contradict_each_other_are_refused(
    harness: Harness, kind: str, rules: dict[str, bool], plays: bool, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        begun(harness, kind, master=ALICE if plays else DORA, **rules)


@pytest.mark.parametrize("opened", [False, True])
def test_press_to_single_seats_is_opened_at_the_end_only_if_the_match_was_made_so(
    harness: Harness, opened: bool
) -> None:
    uid = begun(harness, opened=opened)
    write(harness, uid, ALICE, ("FRANCE",), "Our secret.")
    write(harness, uid, ALICE, MASTER, "Between us.")
    with harness.database.write_tx() as session:
        session.exec(select(Match).where(Match.uid == uid)).one().status = "ended"
    assert (
        read(harness, uid)
        == read(harness, uid, CHARLIE)
        == (["ENGLAND: Our secret."] if opened else [])
    )


# --- mute


def test_a_muted_seat_is_neither_read_nor_written_to_and_its_player_notices_nothing(
    harness: Harness,
) -> None:
    uid = begun(harness)
    mute(harness, uid, BOB, "england")
    mute(harness, uid, BOB, "ENGLAND")
    write(harness, uid, ALICE, ("FRANCE",), "Listen!")
    write(harness, uid, ALICE, (), "All of you!")
    assert read(harness, uid, BOB) == [] and letters(harness) == ["charlie"]
    assert [note.readers for note in page(harness, uid, ALICE).notes] == [(), ("FRANCE",)]
    assert mark(harness, uid, BOB).press == "" and page(harness, uid, BOB).muted == ("ENGLAND",)
    assert page(harness, uid, ALICE).muted == page(harness, uid, DORA).muted == ()
    mute(harness, uid, BOB, "england", mute=False)
    assert read(harness, uid, BOB) == ["ENGLAND: All of you!", "ENGLAND: Listen!"]


def mute(harness: Harness, uid: str, who: str, seat: str, *, mute: bool = True) -> None:
    mutes.mute_seat(harness.database, uid, harness.player(who), seat, mute=mute)


def mark(harness: Harness, uid: str, who: str) -> news.Mark:
    with harness.database.read_tx() as session:
        return news.of_match(session, uid, harness.player(who), now=harness.now).mark


def test_what_a_muted_seat_writes_as_master_is_still_read(harness: Harness) -> None:
    uid = begun(harness, master=ALICE)
    mute(harness, uid, BOB, "england")
    as_master(harness, uid, ALICE, ("FRANCE",), "Rules first.")
    assert read(harness, uid, BOB) == ["master: Rules first."] and letters(harness) == ["bob"]


def test_who_cannot_be_muted(harness: Harness) -> None:
    uid, hidden, quiet = begun(harness), begun(harness, "anonymous-private"), begun(harness, "none")
    for where, who, seat, why in (
        (uid, BOB, "france", "your own seat"),
        (uid, BOB, "master", "has no seat"),
        (uid, MALLORY, "france", "You have no seat"),
        (hidden, BOB, "england", "muting a seat would tell who wrote what"),
        (quiet, BOB, "england", "without press"),
    ):
        with pytest.raises(Refused, match=why):
            mute(harness, where, who, seat)


# --- report


def report(
    harness: Harness, uid: str, who: str, why: str = "It is rude", note: str | None = None
) -> None:
    note = page(harness, uid, who).notes[0].ref if note is None else note
    complaints.report_text(harness.database, uid, harness.player(who), note, why, now=harness.now)


def reports(harness: Harness, uid: str, who: str) -> list[str]:
    player = harness.player(who)
    with harness.database.read_tx() as session:
        found = complaints.list_reports(session, uid, player)
    return [f"{each.reporter} on {each.text.seat or 'somebody'}: {each.reason}" for each in found]


def test_a_report_goes_to_the_master_with_its_reason_once(harness: Harness) -> None:
    uid = begun(harness)
    write(harness, uid, ALICE, ("FRANCE",), "You fool!")
    report(harness, uid, BOB)
    with pytest.raises(NotNow, match="You reported this text before"):
        report(harness, uid, BOB, "again")
    assert reports(harness, uid, DORA) == ["FRANCE on ENGLAND: It is rude"] and letters(
        harness, "reported"
    ) == ["dora"]
    assert (
        reports(harness, uid, ALICE) == reports(harness, uid, BOB) == []
        and notes(harness, uid) == []
    )
    (told,) = [letter.context for letter in harness.claim_waiting() if letter.kind == "reported"]
    assert (told["lines"], told["reason"], told["reporter"]) == (
        ["You fool!"],
        "It is rude",
        "FRANCE",
    )


def test_reports_on_a_match_whose_master_plays_go_to_those_who_run_every_match(
    harness: Harness,
) -> None:
    uid = begun(harness, master=ALICE)
    write(harness, uid, ALICE, ("FRANCE",), "You fool!")
    with pytest.raises(NotNow, match="write to the host"):
        report(harness, uid, BOB)
    masters.appoint_master(harness.database, "mallory@example.org", now=harness.now)
    report(harness, uid, BOB)
    assert letters(harness, "reported") == ["mallory"] and reports(harness, uid, ALICE) == []
    assert len(reports(harness, uid, MALLORY)) == 1


def test_a_master_who_left_the_seat_is_told_of_no_report_on_what_they_wrote_there(
    harness: Harness,
) -> None:
    uid = begun(harness, master=ALICE)
    write(harness, uid, ALICE, ("FRANCE",), "You fool!")
    harness.later(minutes=2)
    leaving.resign(harness.database, uid, harness.player(ALICE), now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player(MALLORY), now=harness.now)
    with pytest.raises(NotNow, match="write to the host"):
        report(harness, uid, BOB)
    harness.later(minutes=2)
    write(harness, uid, MALLORY, ("FRANCE",), "You, too!")
    report(harness, uid, BOB)
    assert letters(harness, "reported") == ["alice"] and reports(harness, uid, ALICE) == [
        "FRANCE on ENGLAND: It is rude"
    ]


def test_a_report_of_anonymous_press_does_not_tell_who_wrote_it(harness: Harness) -> None:
    uid = begun(harness, "anonymous-private")
    write(harness, uid, ALICE, ("FRANCE", "RUSSIA"), "You fool!")
    report(harness, uid, BOB)
    assert reports(harness, uid, DORA) == ["FRANCE on somebody: It is rude"]
    (told,) = [letter.context for letter in harness.claim_waiting() if letter.kind == "reported"]
    assert (
        told["writer"] == ""
        and told["readers"] == ["FRANCE"]
        and "ENGLAND" not in str(told)
        and "RUSSIA" not in str(told)
    )


def test_what_somebody_may_not_read_cannot_be_reported(harness: Harness) -> None:
    uid, other = begun(harness), begun(harness)
    write(harness, uid, ALICE, ("FRANCE",), "Our secret.")
    note = page(harness, uid, BOB).notes[0].ref
    for where, who, fault in (
        (uid, CHARLIE, NotFound),
        (other, BOB, NotFound),
        (uid, MALLORY, NotAllowed),
        (uid, ALICE, Refused),
    ):
        with pytest.raises(fault):
            report(harness, where, who, note=note)
    with pytest.raises(Refused, match="needs a reason"):
        report(harness, uid, BOB, " ", note)
    assert letters(harness, "reported") == []


def test_a_text_is_named_to_each_reader_without_telling_what_others_write(harness: Harness) -> None:
    uid = begun(harness)
    write(harness, uid, ALICE, ("FRANCE",), "One.")
    write(harness, uid, ALICE, ("RUSSIA",), "Hidden.")
    write(harness, uid, ALICE, ("FRANCE",), "Two.")
    refs = [note.ref for note in page(harness, uid, BOB).notes]
    assert [ref.partition(".")[2] for ref in refs] == ["1", "0"]
    report(harness, uid, BOB, "It is rude", refs[0])
    dora = harness.player(DORA)
    with harness.database.read_tx() as session:
        (found,) = complaints.list_reports(session, uid, dora)
    assert found.text.lines == ("Two.",)
    for ref in (
        "",
        "1",
        "x.y",
        "9" * 40 + ".0",
        refs[0].partition(".")[0] + ".7",
        "9999999999999999.0",
    ):
        with pytest.raises(NotFound):
            report(harness, uid, BOB, note=ref)
