"""Press between players: who may write to whom, who may read it, and who is told the writer
(diplomacy R6).
"""

import json
from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.tables import Letter, Match, Player, PressNote
from adjudicator.service.letters import bounces, outbox
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages, press_recipients
from adjudicator.service.press.messages import PressDraft
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness

ENGLAND, FRANCE, RUSSIA = "ENGLAND", "FRANCE", "RUSSIA"  # Alice, Bob, Charlie
TOLD = "Shall Burgundy stay empty?"


def press_match(harness: Harness, kind: str, **changes: Any) -> str:
    """Begin a match with this kind of press."""
    return harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("diplomacy", "Table", {"press": kind}, players=3, seating="order", **changes),
    )


def write(harness: Harness, uid: str, name: str, *to: str, text: str = TOLD) -> None:
    messages.write_press(
        harness.database, uid, harness.player(name), PressDraft(to, text), now=harness.now
    )


def page(harness: Harness, uid: str, name: str | None = None) -> messages.PressPage:
    with harness.database.read_tx() as session:
        return messages.press_page(session, uid, harness.player(name) if name else None)


def texts(harness: Harness, uid: str, name: str | None = None) -> list[str]:
    return ["\n".join(note.lines) for note in page(harness, uid, name).notes]


def letters(harness: Harness) -> dict[str, dict[str, Any]]:
    """Return what each press letter says, by its address."""
    with harness.database.read_tx() as session:
        rows = list(
            session.exec(select(Letter).where(Letter.kind == "press").order_by(col(Letter.id)))
        )
    opened = {}
    for row in rows:
        bound = f"letter:{row.uid}".encode()
        opened[row.address] = json.loads(
            harness.keyring.unwrap(row.context or b"", bound_to=bound)
        ) | {"told_seat": row.seat}
    return opened


# --- who may read


def test_private_press_is_read_by_its_writer_and_whom_it_names_only(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, FRANCE)
    assert texts(harness, uid, ALICE) == texts(harness, uid, BOB) == [TOLD]
    assert [texts(harness, uid, name) for name in (CHARLIE, MALLORY, None)] == [[], [], []]


def test_press_to_everybody_is_read_by_observers_too(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE)
    assert all(texts(harness, uid, name) == [TOLD] for name in (ALICE, BOB, CHARLIE, MALLORY, None))


def test_a_reader_is_told_the_writer_and_the_others_written_to(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, RUSSIA, FRANCE)
    note = page(harness, uid, CHARLIE).notes[0]
    assert (note.seat, note.readers, note.yours, note.phase) == (
        ENGLAND,
        (FRANCE, RUSSIA),
        False,
        1,
    )


def test_the_newest_press_stands_first(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, FRANCE, text="one")
    write(harness, uid, BOB, ENGLAND, text="two")
    assert texts(harness, uid, ALICE) == ["two", "one"]


def test_what_was_private_stays_private_when_the_match_is_over(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, FRANCE)
    _end(harness, uid)
    assert texts(harness, uid, BOB) == [TOLD]
    assert texts(harness, uid, CHARLIE) == []
    with pytest.raises(NotNow, match="over"):
        write(harness, uid, ALICE, FRANCE)


# --- anonymous


def test_nobody_but_the_writer_is_told_who_wrote_anonymous_press(harness: Harness) -> None:
    uid = press_match(harness, "anonymous-private")
    write(harness, uid, ALICE, FRANCE, RUSSIA)
    write(harness, uid, ALICE)
    for name in (BOB, CHARLIE, None):
        assert all(note.seat == "" and not note.yours for note in page(harness, uid, name).notes)
    assert [note.seat for note in page(harness, uid, ALICE).notes] == [ENGLAND, ENGLAND]


def test_a_reader_of_anonymous_press_is_not_told_who_else_was_written_to(harness: Harness) -> None:
    uid = press_match(harness, "anonymous-private")
    write(harness, uid, ALICE, FRANCE, RUSSIA)
    assert page(harness, uid, CHARLIE).notes[0].readers == (RUSSIA,)
    assert page(harness, uid, ALICE).notes[0].readers == (FRANCE, RUSSIA)


def test_anonymous_letters_hold_nothing_of_their_writer(harness: Harness) -> None:
    uid = press_match(harness, "anonymous-private")
    write(harness, uid, ALICE, FRANCE, RUSSIA)
    told = letters(harness)
    assert set(told) == {address(BOB), address(CHARLIE)}
    for context in told.values():
        known = json.dumps({key: value for key, value in context.items() if key != "names"})
        assert context["writer"] == "" and not any(
            word in known for word in (ENGLAND, ALICE, "alice", "Alice")
        )


def test_whoever_wrote_anonymously_stays_unnamed_when_the_match_is_over(harness: Harness) -> None:
    uid = press_match(harness, "anonymous-private")
    write(harness, uid, ALICE, FRANCE)
    _end(harness, uid)
    assert page(harness, uid, BOB).notes[0].seat == ""


def test_a_letter_of_press_that_is_held_is_not_counted_for_the_master(harness: Harness) -> None:
    uid = press_match(harness, "anonymous-private")
    with harness.database.write_tx() as session:
        before = outbox.undelivered_letters(
            session, session.exec(select(Match).where(Match.uid == uid)).one()
        )
    write(harness, uid, BOB)
    with harness.database.write_tx() as session:
        for row in session.exec(select(Letter).where(Letter.kind == "press")):
            row.state = "held"
    assert not before
    # the one to her own seat, not the one to Charlie's
    assert harness.page(uid, ALICE).held_letters == 1


def test_a_letter_of_press_that_comes_back_tells_the_master_nothing(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, CHARLIE, FRANCE)
    with harness.database.write_tx() as session:
        letter = session.exec(select(Letter).where(Letter.kind == "press")).one()
        assert bounces.bounced(
            session, Returned(True, "550 no such person"), now=harness.now, letter_uid=letter.uid
        )
        assert session.exec(select(Letter).where(Letter.kind == "unreachable")).first() is None
    assert (harness.page(uid, ALICE).held_letters, harness.page(uid, ALICE).not_reached) == (0, ())


# --- who may write, and how much


def test_without_press_nothing_can_be_written(harness: Harness) -> None:
    uid = press_match(harness, "none")
    with pytest.raises(Refused, match="without press"):
        write(harness, uid, ALICE, FRANCE)
    assert page(harness, uid, ALICE).kind == "none"


def test_a_game_without_the_option_has_no_press(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    with pytest.raises(Refused, match="without press"):
        write(harness, uid, ALICE)


def test_public_press_is_to_everybody_only(harness: Harness) -> None:
    uid = press_match(harness, "public")
    with pytest.raises(Refused, match="public"):
        write(harness, uid, ALICE, FRANCE)
    write(harness, uid, ALICE)
    assert texts(harness, uid) == [TOLD]
    assert page(harness, uid, ALICE).to == ()


@pytest.mark.parametrize("kind", ["public", "private", "anonymous-private"])
def test_a_stranger_cannot_write(harness: Harness, kind: str) -> None:
    uid = press_match(harness, kind)
    with pytest.raises(NotAllowed):
        write(harness, uid, MALLORY)


def test_who_writes_to_the_own_seat_or_to_none_of_the_match_is_told_so(harness: Harness) -> None:
    uid = press_match(harness, "private")
    with pytest.raises(Refused, match="your own seat"):
        write(harness, uid, ALICE, ENGLAND, ENGLAND)
    with pytest.raises(Refused, match=r"TURKEY.*France or Russia"):
        write(harness, uid, ALICE, "TURKEY")
    assert texts(harness, uid, ALICE) == []


def test_a_seat_writes_forty_times_a_day_at_most(harness: Harness) -> None:
    uid = press_match(harness, "private")
    for _ in range(messages.MOST_A_DAY):
        write(harness, uid, ALICE, FRANCE)
    with pytest.raises(NotNow, match="40 times"):
        write(harness, uid, ALICE, RUSSIA)
    write(harness, uid, BOB, ENGLAND)
    harness.later(hours=24, seconds=1)
    write(harness, uid, ALICE, RUSSIA)


def test_a_text_is_kept_without_what_cannot_be_seen(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(
        harness,
        uid,
        ALICE,
        FRANCE,
        text="\n\nDear\u00a0France,\r\n\n\n\n  come\x00 \u202ewest\tnow\n \n",
    )
    assert texts(harness, uid, BOB) == ["Dear France,\n\ncome west now"]


@pytest.mark.parametrize("text", ["", " \n\x00\u2800\n"])
def test_nothing_is_not_sent(harness: Harness, text: str) -> None:
    uid = press_match(harness, "private")
    with pytest.raises(Refused, match="Write something"):
        write(harness, uid, ALICE, FRANCE, text=text)


def test_a_text_of_eight_thousand_characters_is_sent_and_a_longer_one_is_not(
    harness: Harness,
) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, FRANCE, text="x" * 8_000)
    with pytest.raises(Refused, match="8,001 characters"):
        write(harness, uid, ALICE, FRANCE, text="x" * 8_001)
    assert len(texts(harness, uid, BOB)) == 1


# --- letters


def test_every_reader_gets_a_letter_and_nobody_else(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, FRANCE)
    assert set(letters(harness)) == {address(BOB)}
    write(harness, uid, ALICE)
    assert set(letters(harness)) == {address(BOB), address(CHARLIE)}


def test_who_wants_no_letters_and_house_bots_get_none(harness: Harness) -> None:
    uid = harness.match(
        ALICE,
        BOB,
        wish=Wish("diplomacy", "Table", {"press": "private"}, players=3, house=1, seating="order"),
    )
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.player(BOB)).letters = False
    write(harness, uid, ALICE)
    assert letters(harness) == {}
    assert texts(harness, uid, BOB) == [TOLD]


def _end(harness: Harness, uid: str) -> None:
    with harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        match.status = "ended"


def test_press_is_kept_with_its_phase(harness: Harness) -> None:
    uid = press_match(harness, "private")
    write(harness, uid, ALICE, FRANCE)
    with harness.database.read_tx() as session:
        row = session.exec(select(PressNote)).one()
    assert (row.seat, row.readers, row.phase_number, row.at) == (ENGLAND, [FRANCE], 1, harness.now)


# --- whom a line names


NAMES = press_recipients.named(
    {"ENGLAND": ("ENGLAND", "GERMANY"), "FRANCE": ("FRANCE", "ITALY"), "3": ("3",)}
)


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("france", ("FRANCE",)),
        ("France, England and seat 3", ("FRANCE", "ENGLAND", "3")),
        ("fr & eng", ("FRANCE", "ENGLAND")),
        ("italy france", ("FRANCE",)),
        ("to Germany:", ("ENGLAND",)),
        ("everybody", ()),
    ],
)
def test_seats_are_named_by_themselves_by_what_they_play_or_by_a_beginning(
    text: str, seats: tuple[str, ...]
) -> None:
    assert press_recipients.read_recipients(text, NAMES) == seats


def test_a_name_that_is_not_known_is_quoted_with_the_nearest_that_is() -> None:
    with pytest.raises(Refused, match=r"“frnace” has no seat.*`press france:`"):
        press_recipients.read_recipients("england frnace", NAMES)
    with pytest.raises(Refused, match="`press all:`"):
        press_recipients.read_recipients(" : ", NAMES)


def test_a_sentence_that_begins_like_press_names_nobody() -> None:
    assert not press_recipients.looks_meant("on, I say", NAMES)
    assert press_recipients.looks_meant("frnace", NAMES)
