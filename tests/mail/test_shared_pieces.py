"""Pieces that letters share in a process: a letter has the same text whatever was composed before
it, and never waits for a picture.
"""

import base64
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.mail.composing import pictures, rendering
from adjudicator.mail.composing.compose import compose_letter
from adjudicator.mail.composing.pictures import show_view
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches.creation import Wish
from tests.databases import new_sqlite
from tests.mail.mail_harness import EVENING, MailHarness
from tests.sampling import sample

PEOPLE = [
    f"{name}@example.org" for name in ("alice", "bob", "charlie", "dora", "emil", "fay", "gus")
]
HIDING = {"redeux": 2, "phoenix": 2, "genesis": 2, "rsp-diplomacy": 7}  # seats by game

Forget = Callable[[], None]


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch) -> Forget:
    """Return what empties everything that a process keeps of letters."""

    def empty() -> None:
        monkeypatch.setattr(pictures, "_kept", ByteCache(pictures.KEPT))
        monkeypatch.setattr(pictures, "_of_views", ByteCache(pictures.KEPT))
        pictures._drawer.cache_clear()
        for kept in (rendering.wrap, rendering.wrap_orders, rendering.unbroken):
            kept.cache_clear()

    empty()
    return empty


def reports(
    harness: MailHarness, game: str, seats: int, *, phases: int
) -> list[list[LetterToSend]]:
    """Return the reports of a match whose seats say nothing, for each of its first phases."""
    harness.match(*PEOPLE[:seats], wish=Wish(game, "Table", {}, players=seats))
    told = [harness.claim_waiting()]
    for _ in range(phases - 1):
        harness.later(days=8)
        with harness.database.read_tx() as session:
            uid = str(session.connection().exec_driver_sql("SELECT uid FROM match").scalar_one())
        harness.close(uid)
        told.append([each for each in harness.claim_waiting() if each.kind == "report"])
    return told


@pytest.mark.parametrize("game", sample(tuple(HIDING), 1))
def test_no_piece_crosses_between_seats_that_see_different_things(
    game: str, tmp_path: Path, forget: Forget
) -> None:
    with MailHarness(new_sqlite(tmp_path / "match.sqlite3"), tmp_path) as harness:
        rounds = reports(harness, game, HIDING[game], phases=3 if HIDING[game] == 2 else 2)
        letters = [letter for told in rounds for letter in told]
        alone = {}
        for letter in letters:
            forget()
            alone[letter.uid] = compose_letter(harness.settings, letter).content
        for order in (letters, letters[::-1], letters):
            assert all(
                compose_letter(harness.settings, letter).content == alone[letter.uid]
                for letter in order
            )
    assert any(
        len(told) > 1 and len({shown(letter) for letter in told}) == len(told) for told in rounds
    ), "each seat sees its own"


@pytest.mark.parametrize("game", sample(tuple(HIDING), 1))
def test_a_seat_is_shown_the_picture_of_its_own_view_alone(
    game: str, tmp_path: Path, forget: Forget
) -> None:
    with MailHarness(new_sqlite(tmp_path / "match.sqlite3"), tmp_path) as harness:
        letters = [
            letter for told in reports(harness, game, HIDING[game], phases=2) for letter in told
        ]
    for letter in letters:
        show_view(game, str(letter.context["view"]))
    kept = {letter.uid: shown(letter) for letter in letters}
    for letter in letters:
        forget()
        assert shown(letter) == kept[letter.uid]


def shown(letter: LetterToSend) -> bytes:
    return base64.b64decode(
        show_view(str(letter.context["game_key"]), str(letter.context["view"])).encoded
    )


def test_seats_of_a_game_without_secrets_share_one_picture(
    tmp_path: Path, forget: Forget, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, draw = list[str](), pictures.draw_png
    monkeypatch.setattr(pictures, "draw_png", lambda svg: drawn.append(svg) or draw(svg))  # type: ignore[func-returns-value]
    with MailHarness(new_sqlite(tmp_path / "match.sqlite3"), tmp_path) as harness:
        assert harness.now == EVENING
        (told,) = reports(harness, "diplomacy", 7, phases=1)
    assert len({shown(letter) for letter in told}) == 1 and len(told) == 7
    assert len({letter.context["view"] for letter in told}) == 1, (
        "nor is the map put together twice"
    )
    assert len(drawn) == 1


def posted(harness: MailHarness) -> list[EmailMessage]:
    harness.post_all()
    return [
        harness.message(row.uid)
        for row in harness.rows()
        if row.kind == "report" and row.state == "sent"
    ]


def png_of(message: EmailMessage) -> bool:
    return any(part.get_content_type() == "image/png" for part in message.walk())


def test_a_report_that_has_waited_goes_out_as_text_and_link_instead_of_being_drawn(
    tmp_path: Path, forget: Forget
) -> None:
    with MailHarness(new_sqlite(tmp_path / "match.sqlite3"), tmp_path) as harness:
        uid = harness.begin(*PEOPLE[:3])
        harness.later(seconds=46)
        for message in posted(harness):
            html = message.get_body(("html",))
            assert not png_of(message) and html is not None
            told = html.get_content()
            assert (
                "No piece is played yet." in told
                and f'href="https://orders.example.org/matches/{uid}"' in told
            )


def test_a_report_that_has_waited_shows_what_is_drawn_already(
    tmp_path: Path, forget: Forget
) -> None:
    with MailHarness(new_sqlite(tmp_path / "match.sqlite3"), tmp_path) as harness:
        harness.match(*PEOPLE, wish=Wish("diplomacy", "Table", {}, players=7))
        first, *_ = harness.rows()
        compose_letter(harness.settings, harness.claim_row(first))
        harness.later(seconds=46)
        told = posted(harness)
    assert len(told) == 6 and all(map(png_of, told))


def test_a_report_in_time_and_one_that_is_tried_again_are_drawn(
    tmp_path: Path, forget: Forget
) -> None:
    with MailHarness(new_sqlite(tmp_path / "match.sqlite3"), tmp_path) as harness:
        harness.begin(*PEOPLE[:3])
        retried, *_ = harness.rows()
        harness.claim_row(retried)
        told = posted(harness)
        assert len(told) == 2 and all(map(png_of, told))
        harness.later(minutes=3)
        assert len(posted(harness)) == 3 and all(map(png_of, posted(harness)))
