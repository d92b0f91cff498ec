"""Masters: pausing, resuming, moving deadlines and closing now; what is refused, what is public,
and who gets notices.
"""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.tables import Letter, Match, PhaseRow, Player
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders.readiness import say_readiness
from adjudicator.service.phases import closing
from adjudicator.service.views import transcripts
from tests.harness import Harness
from tests.letters_out import claim_letter
from tests.service.commands import sealed

NAMES = ("Alice", "Bob", "Charlie")
HOURS = timedelta(hours=1)


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of three people in Round 1, due in two days; Alice is its master."""
    return harness.match(*NAMES)


def open_phase(harness: Harness, uid: str) -> PhaseRow:
    with harness.database.read_tx() as session:
        row = (
            select(PhaseRow)
            .join(Match, onclause=col(PhaseRow.match_id) == col(Match.id))
            .where(Match.uid == uid)
        )
        return session.exec(row.where(col(PhaseRow.closed_at).is_(None))).one()


def due(harness: Harness) -> list[str]:
    with harness.database.read_tx() as session:
        return closing.due_matches(session, harness.now)


def told(harness: Harness, kind: str) -> list[str]:
    """Return the sorted addresses of all letters of a kind."""
    with harness.database.read_tx() as session:
        return sorted(session.exec(select(Letter.address).where(Letter.kind == kind)))


def context(harness: Harness, kind: str) -> dict[str, object]:
    """Return the content of the newest letter of a kind."""
    with harness.database.read_tx() as session:
        newest = session.exec(
            select(Letter.id).where(Letter.kind == kind).order_by(col(Letter.id).desc())
        ).first()
    claimed = claim_letter(harness.database, harness.keyring, newest or 0, harness.now)
    assert claimed is not None
    return claimed.context


# --- pausing


def test_a_paused_match_takes_orders_and_closes_neither_at_its_deadline_nor_when_all_are_ready(
    harness: Harness, uid: str
) -> None:
    masters.pause_match(harness.database, uid, harness.people["Alice"], now=harness.now)
    harness.later(hours=49)
    answers = [harness.order(uid, name, "B3") for name in NAMES]
    assert [(each.disposition, each.closes_now) for each in answers] == [("accepted", False)] * 3
    assert not say_readiness(harness.database, uid, harness.people["Bob"], "ready", now=harness.now)
    assert (
        due(harness) == [] and not harness.close(uid) and open_phase(harness, uid).closes_at is None
    )
    page = harness.page(uid, "Bob")
    assert (
        page.card.paused
        and not page.runs
        and [(note.who, note.what) for note in page.notes]
        == [("Alice", "paused the match in Round 1")]
    )


def test_it_goes_on_with_its_deadline_moved_by_the_pause(harness: Harness, uid: str) -> None:
    before = open_phase(harness, uid).deadline
    harness.later(hours=10)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    harness.later(hours=100)
    masters.resume_match(harness.database, uid, None, now=harness.now)
    phase = open_phase(harness, uid)
    assert before is not None and phase.deadline == before + 100 * HOURS
    assert phase.closes_at == phase.deadline + timedelta(seconds=phase.grace_seconds)
    assert harness.page(uid).notes[0].who == "the host"
    assert told(harness, "notice") == sorted(2 * [f"{name.lower()}@example.org" for name in NAMES])


def test_an_hour_is_left_at_least_when_it_goes_on(harness: Harness, uid: str) -> None:
    harness.later(hours=47, minutes=59)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    harness.later(minutes=3)
    masters.resume_match(harness.database, uid, None, now=harness.now)
    assert open_phase(harness, uid).deadline == harness.now + HOURS


def test_all_having_got_ready_meanwhile_it_closes_as_it_goes_on(harness: Harness, uid: str) -> None:
    masters.pause_match(harness.database, uid, None, now=harness.now)
    for name in NAMES:
        harness.order(uid, name, "B3")
    masters.resume_match(harness.database, uid, None, now=harness.now)
    assert due(harness) == [uid] and harness.close(uid)


def test_what_came_within_the_grace_before_the_pause_stays_late_and_what_comes_during_it_is_too(
    harness: Harness, uid: str
) -> None:
    harness.later(hours=48, minutes=5)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    harness.later(hours=1)
    assert harness.order(uid, "Alice", "B3").disposition == "late"


def test_a_closing_that_was_worked_out_before_the_pause_is_not_written(
    harness: Harness, uid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES[:2]:
        harness.order(uid, name, "B3")
    work_out = closing.work_out

    def paused_meanwhile(*given: object) -> object:
        masters.pause_match(harness.database, uid, None, now=harness.now - timedelta(hours=3))
        return work_out(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(closing, "work_out", paused_meanwhile)
    harness.later(hours=49)
    assert not harness.close(uid) and open_phase(harness, uid).number == 1


# --- deadlines


def test_a_moved_deadline_is_public_and_told_in_each_readers_zone(
    harness: Harness, uid: str
) -> None:
    masters.move_deadline(
        harness.database, uid, harness.people["Alice"], 24 * HOURS, now=harness.now
    )
    phase = open_phase(harness, uid)
    assert (
        phase.deadline == harness.now + 72 * HOURS
        and phase.closes_at == phase.deadline + timedelta(minutes=10)
    )
    assert (
        harness.page(uid).notes[0].what
        == "moved the deadline of Round 1 from Wed 4 Nov 2026 12:00 (UTC) to Thu 5 Nov 2026 12:00"
        " (UTC)"
    )
    letter = context(harness, "notice")
    assert (letter["what"], letter["who"]) == ("deadline", "Alice")
    assert datetime.fromisoformat(str(letter["deadline"])) == phase.deadline
    harness.later(hours=60)
    assert due(harness) == [] and harness.order(uid, "Bob", "B3").disposition == "accepted"


def test_an_earlier_deadline_counts_from_then_on(harness: Harness, uid: str) -> None:
    masters.move_deadline(harness.database, uid, None, harness.now + HOURS, now=harness.now)
    harness.later(hours=1, minutes=9)
    assert harness.order(uid, "Alice", "B3").disposition == "late"
    harness.later(minutes=1)
    assert harness.order(uid, "Bob", "B3").disposition == "refused" and harness.close(uid)


@pytest.mark.parametrize(
    ("to", "sentence"),
    [
        (-48 * HOURS, "past"),
        (timedelta(days=59), "60 days ahead"),
        (timedelta(0) - 72 * HOURS, "past"),
    ],
)
def test_a_deadline_in_the_past_or_too_far_off_is_refused(
    harness: Harness, uid: str, to: timedelta, sentence: str
) -> None:
    before = open_phase(harness, uid)
    with pytest.raises(Refused, match=sentence):
        masters.move_deadline(harness.database, uid, None, to, now=harness.now)
    assert (
        open_phase(harness, uid).deadline == before.deadline
        and harness.page(uid).notes == ()
        and told(harness, "notice") == []
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-12-01 20:00", datetime(2026, 12, 1, 19, 0, tzinfo=UTC)),
        ("2026-12-01T20:00", datetime(2026, 12, 1, 19, 0, tzinfo=UTC)),
        ("2026-12-01T20:00+00:00", datetime(2026, 12, 1, 20, 0, tzinfo=UTC)),
        ("+24h", 24 * HOURS),
        ("-90m", -1.5 * HOURS),
        (" 2D ", 48 * HOURS),
    ],
)
def test_a_deadline_is_read_as_a_moment_of_the_readers_or_as_a_span(
    text: str, meant: datetime | timedelta
) -> None:
    assert masters.read_deadline(text, "Europe/Paris") == meant


@pytest.mark.parametrize("text", ["", "tomorrow", "+24", "24 hours", "2026-13-01", "+99999d"])
def test_what_is_no_deadline_is_quoted_with_what_would_be_one(text: str) -> None:
    with pytest.raises(Refused, match="Write the new deadline like"):
        masters.read_deadline(text, "UTC")


def test_moving_a_deadline_to_where_it_stands_changes_nothing_and_is_told_to_nobody(
    harness: Harness, uid: str
) -> None:
    target = harness.now + 72 * HOURS
    for _ in range(2):
        masters.move_deadline(
            harness.database, uid, harness.people["Alice"], target, now=harness.now, phase_number=1
        )
    assert len(harness.page(uid).notes) == 1 and len(told(harness, "notice")) == 3


def test_what_a_form_said_of_a_closed_phase_is_not_done_to_the_next_one(
    harness: Harness, uid: str
) -> None:
    harness.round(uid, [(name, "B3") for name in NAMES])
    before = open_phase(harness, uid)
    for act in (
        lambda: masters.move_deadline(
            harness.database, uid, None, 24 * HOURS, now=harness.now, phase_number=1
        ),
        lambda: masters.close_now(harness.database, uid, None, now=harness.now, phase_number=1),
    ):
        with pytest.raises(NotNow, match="nothing was changed; Round 2 is open"):
            act()
    assert open_phase(harness, uid) == before and harness.page(uid).notes == ()


# --- a master who plays


def hasten(harness: Harness, uid: str, who: str | None) -> None:
    """Shorten the phase in both ways: move its deadline to a day earlier, then close it."""
    player = harness.people[who] if who else None
    masters.move_deadline(harness.database, uid, player, -24 * HOURS, now=harness.now)
    masters.close_now(harness.database, uid, player, now=harness.now)


def test_a_master_who_plays_among_people_gives_time_and_takes_none_alone(
    harness: Harness, uid: str
) -> None:
    alice, before = harness.people["Alice"], open_phase(harness, uid)
    for act in (
        lambda: masters.move_deadline(
            harness.database, uid, alice, harness.now + HOURS, now=harness.now
        ),
        lambda: masters.close_now(harness.database, uid, alice, now=harness.now),
        lambda: masters.end_match(harness.database, uid, alice, "", now=harness.now),
    ):
        assert not act().acted, "it is only put to the vote"
    assert (
        open_phase(harness, uid) == before
        and harness.page(uid).notes == ()
        and told(harness, "notice") == []
    )
    assert told(harness, "proposal") == sorted(3 * ["bob@example.org", "charlie@example.org"])
    masters.move_deadline(harness.database, uid, alice, HOURS, now=harness.now)
    assert not harness.page(uid, "Alice").may_hasten and harness.page(uid, "Alice").runs


@pytest.mark.parametrize("who", ["Bob", "Dora", None])
def test_one_who_runs_every_match_may_hasten_only_those_of_others(
    harness: Harness, uid: str, who: str | None
) -> None:
    for name in ("Bob", "Dora"):
        harness.player(name)
        masters.appoint_master(harness.database, f"{name.lower()}@example.org", now=harness.now)
    hasten(harness, uid, who)
    assert open_phase(harness, uid).why == (None if who == "Bob" else "master")


def test_a_master_alone_against_bots_takes_nobodys_time(harness: Harness) -> None:
    uid = harness.match("Alice")
    hasten(harness, uid, "Alice")
    assert open_phase(harness, uid).why == "master"


def test_a_master_who_does_not_play_may_hasten(harness: Harness) -> None:
    uid = harness.match(
        "Alice", "Bob", "Charlie", "Dave", wish=Wish("pyramid", "Watched", {}, play=False)
    )
    hasten(harness, uid, "Alice")
    assert open_phase(harness, uid).why == "master"


def test_a_master_who_plays_sees_what_every_player_sees(harness: Harness, uid: str) -> None:
    before = harness.page(uid, "Alice")
    harness.order(uid, "Bob", "W3")
    after = harness.page(uid, "Alice")
    assert after == before, "that Bob handed in is not told to who runs the match either"
    charlie = harness.page(uid, "Charlie")
    assert (after.last, after.scores, after.phases, after.notes) == (
        charlie.last,
        charlie.scores,
        charlie.phases,
        charlie.notes,
    )


# --- closing now


def test_closed_by_the_master_what_came_before_counts_and_what_comes_after_does_not(
    harness: Harness, uid: str
) -> None:
    harness.order(uid, "Alice", "B3")
    harness.later(hours=2)
    masters.close_now(harness.database, uid, None, now=harness.now)
    assert harness.order(uid, "Bob", "B3").disposition == "refused", (
        "at the very moment is too late"
    )
    assert due(harness) == [uid] and harness.close(uid)
    story = harness.story(uid, 1)
    assert (
        story.why == "master"
        and story.lines[0] == "Round 1 was closed by the master before its deadline."
    )
    assert {each.seat: each.how for each in story.orders} == {
        "1": "sealed",
        "2": "default",
        "3": "default",
    }
    assert (
        harness.page(uid).notes[0].what == "closed Round 1 before its deadline"
        and open_phase(harness, uid).grace_seconds == 600
    )


def test_a_form_on_its_way_as_the_master_closes_still_counts(harness: Harness, uid: str) -> None:
    arrived = harness.now
    harness.later(seconds=1)
    masters.close_now(harness.database, uid, None, now=harness.now)
    now, harness.now = harness.now, arrived
    assert harness.order(uid, "Bob", "B3").disposition == "accepted"
    harness.now = now
    assert harness.close(uid) and harness.story(uid, 1).orders[1].how == "sealed"


def test_a_match_with_phases_closed_by_its_master_is_replayed_from_its_transcript(
    harness: Harness, uid: str
) -> None:
    for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        harness.order(uid, "Alice", piece)
        harness.later(hours=1)
        masters.close_now(harness.database, uid, None, now=harness.now)
        assert harness.close(uid)
    with harness.database.read_tx() as session:
        done = replay_transcript(read_transcript(transcripts.export_transcript(session, uid)))
    assert done.differences == () and len(done.output["phases"]) == 9


# --- who may, and when


def test_a_stranger_and_a_player_may_not_and_a_master_of_all_matches_may(
    harness: Harness, uid: str
) -> None:
    stranger = harness.player("Mallory")
    with pytest.raises(NotAllowed, match="no seat"):
        masters.pause_match(harness.database, uid, stranger, now=harness.now)
    with pytest.raises(NotAllowed, match="Only the master"):
        masters.close_now(harness.database, uid, stranger, now=harness.now)
    assert not masters.pause_match(
        harness.database, uid, harness.people["Bob"], now=harness.now
    ).acted
    assert masters.appoint_master(harness.database, "Mallory@example.org", now=harness.now)
    masters.pause_match(harness.database, uid, stranger, now=harness.now)
    assert harness.page(uid, "Mallory").runs and harness.page(uid).notes[0].who == "Mallory"
    masters.dismiss_master(harness.database, "mallory@example.org")
    with pytest.raises(NotAllowed):
        masters.resume_match(harness.database, uid, stranger, now=harness.now)


def test_what_makes_no_sense_is_refused_with_a_sentence(harness: Harness, uid: str) -> None:
    with pytest.raises(NotNow, match="neither paused nor stuck"):
        masters.resume_match(harness.database, uid, None, now=harness.now)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    for act in (masters.pause_match, masters.close_now):
        with pytest.raises(NotNow, match="is paused"):
            act(harness.database, uid, None, now=harness.now)
    with pytest.raises(NotNow, match="is paused"):
        masters.move_deadline(harness.database, uid, None, HOURS, now=harness.now)
    masters.resume_match(harness.database, uid, None, now=harness.now)
    harness.later(hours=48, minutes=10)
    for act in (masters.pause_match, masters.close_now):
        with pytest.raises(NotNow, match="is being closed"):
            act(harness.database, uid, None, now=harness.now)
    with pytest.raises(NotFound):
        masters.pause_match(harness.database, "nowhere", None, now=harness.now)


def test_a_stuck_match_goes_on_where_it_stood_even_if_it_was_paused(
    harness: Harness, uid: str
) -> None:
    masters.pause_match(harness.database, uid, None, now=harness.now)
    closing.mark_stuck(harness.database, uid, "a fault", now=harness.now)
    with pytest.raises(NotNow, match="stands still"):
        masters.pause_match(harness.database, uid, None, now=harness.now)
    harness.later(hours=5)
    masters.resume_match(harness.database, uid, harness.people["Alice"], now=harness.now)
    page = harness.page(uid)
    assert (page.card.status, page.card.paused) == (
        "running",
        False,
    ) and "because of a fault" in page.notes[0].what
    assert open_phase(harness, uid).deadline == harness.now + 48 * HOURS


def test_masters_of_all_matches_are_told_of_stuck_ones_unless_they_want_no_letters(
    harness: Harness, uid: str
) -> None:
    for name in ("Dora", "Emil"):
        harness.player(name)
        masters.appoint_master(harness.database, f"{name.lower()}@example.org", now=harness.now)
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.people["Emil"]).letters = False
    closing.mark_stuck(harness.database, uid, "a fault", now=harness.now)
    assert told(harness, "stuck") == ["alice@example.org", "dora@example.org"]
    assert harness.page(uid, "Dora").trouble == "a fault" and harness.page(uid, "Bob").trouble == ""


# --- the host's commands


def test_the_host_pauses_resumes_moves_and_closes_by_command(
    harness: Harness, uid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*arguments: str) -> str:
        done = sealed(*arguments, harness=harness, monkeypatch=monkeypatch)
        assert done.exit_code == 0, done.output
        return done.output

    assert "paused" in run("matches", "pause", uid) and "Round 1: paused" in run(
        "matches", "show", uid
    )
    assert "Round 1, paused" in run("matches", "list")
    harness.later(hours=2)
    assert run("matches", "resume", uid) == "The match goes on.\n"
    assert "open until 2026-11-05 14:00 UTC" in run("matches", "deadline", uid, "+24h")
    assert "open until 2026-11-05 13:30 UTC" in run("matches", "deadline", uid, "-30m")
    assert "the host moved the deadline" in run("matches", "deadline", uid, "2026-11-06 20:00")
    assert "next sweep" in run("matches", "close", uid) and harness.close(uid)
    assert (
        sealed("matches", "close", "nowhere", harness=harness, monkeypatch=monkeypatch).output
        == "Error: There is no such match here.\n"
    )


def test_masters_are_added_removed_and_listed_by_command(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*arguments: str) -> tuple[int, str]:
        done = sealed("master", *arguments, harness=harness, monkeypatch=monkeypatch)
        return done.exit_code, done.output

    assert "Nobody runs every match" in run("list")[1]
    assert run("add", "New@Example.org") == (0, "They run every match from now on.\n")
    assert run("add", "new@example.org") == (0, "They run every match already.\n")
    assert run("list") == (0, "new@example.org\n")
    assert (
        run("add", "nobody at all")[0] == 1
        and "does not read as an e-mail address" in run("add", "nobody at all")[1]
    )
    assert run("remove", "new@example.org")[0] == 0 and run("remove", "new@example.org")[0] == 1
