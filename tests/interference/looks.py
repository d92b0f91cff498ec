"""What everybody gets of a match: every value of the service for pages and letters, and every face
of the game, as text.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlmodel import Session

from adjudicator.core.game import AnyGame, Event, Seat, may_read
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.shown import read_steps
from adjudicator.service.base.state import dump_view, load_events, load_state
from adjudicator.service.base.tables import PhaseRow
from adjudicator.service.log import salts
from adjudicator.service.press import messages
from adjudicator.service.views import export, match_list, match_page, news, votes
from adjudicator.service.views.records import match_record
from adjudicator.service.views.table import frames
from tests.cast import MALLORY
from tests.interference.remembering import reading
from tests.interference.world import MASTER, Course, World
from tests.service import listed

Look = Mapping[tuple[str, str], str]
"""What somebody gets, by who gets it and what it is."""

OBSERVER, THE_MASTER, STRANGER = "an observer", "the master", "a stranger"
OUTSIDE = (OBSERVER, THE_MASTER, STRANGER)
# closed phases whose views and events are compared; the story, the pictures and the pages are those
# of the last one
NEWEST = 3
_HASH = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{64}){1,2}(?![0-9a-f])")
_NAMES: Mapping[str, str | None] = {OBSERVER: None, THE_MASTER: MASTER, STRANGER: MALLORY}


def look_as(world: World, course: Course, seats: Sequence[Seat], outside: str) -> Look:
    """Return what other seats and people outside get: views, events and letters of all, pages of
    the first seat and of one `outside`.
    """
    phases, found = world.phases(), dict[tuple[str, str], str]()
    with reading(world.harness.database) as session:
        for seat in (*seats, None):
            who, first = f"seat {seat}" if seat else OBSERVER, seat in (seats[0], None)
            found |= {
                (who, what): text
                for what, text in _faces(course.rules, phases, seat, all_of_them=first).items()
            }
        for who, name in (
            (f"seat {seats[0]}", world.person(course, seats[0])),
            (outside, _NAMES[outside]),
        ):
            found |= {
                (who, what): text for what, text in _pages(session, world, phases, name).items()
            }
        found |= {("everybody", what): text for what, text in _shared(session, world).items()}
    names = {
        **{f"seat {seat}": world.person(course, seat) for seat in seats},
        THE_MASTER: MASTER,
        STRANGER: MALLORY,
    }
    found |= {(who, "letters"): _letters(world, name) for who, name in names.items()}
    return without_hashes(found)


def look_at_own(world: World, course: Course) -> Look:
    """Return what the actor gets: its view, what its pages say of it, its press and its letters."""
    name, own = world.person(course, course.actor), f"seat {course.actor}"
    player, now = world.harness.people[name], world.harness.now
    with reading(world.harness.database) as session:
        known = (
            news.of_match(session, world.uid, player, now=now),
            messages.press_page(session, world.uid, player),
            salts.salt_stands(session, world.uid, player),
        )
    view = dump_view(course.rules, course.rules.view(world.state(course), course.actor))
    return {
        (own, "its view"): view,
        (own, "its page"): repr(known),
        (own, "letters"): _letters(world, name),
    }


def _letters(world: World, name: str) -> str:
    return repr(
        [
            vars(each) | {"id": 0, "uid": "", "until": 0, "return_token": ""}
            for each in world.letters(name)
        ]
    )


def without_hashes(found: Look) -> Look:
    """Return a look without commitments, hashes of log entries and signatures over them, which
    differ with what their nonces hide.
    """
    return {key: _without_hashes(text) for key, text in found.items()}


@lru_cache(maxsize=500)  # pictures are long, and most looks show the same ones
def _without_hashes(text: str) -> str:
    return _HASH.sub("a hash", text)


def _faces(
    game: AnyGame, phases: list[PhaseRow], seat: Seat | None, *, all_of_them: bool
) -> dict[str, str]:
    """Return the views and events of a seat and, of the newest position, what is made of them:
    every other face of the game.

    Those are made from view and events alone, so with `all_of_them` only one seat's are compared.
    """
    found, closed = {}, [row for row in phases if row.after is not None][-NEWEST:]
    for row in closed:
        view = game.view(load_state(game, row.after), seat)
        events = [each for each in load_events(game, row) if may_read(each, seat)]
        found[f"the view of phase {row.number}"] = dump_view(game, view)
        found[f"the events of phase {row.number}"] = repr(events)
        if all_of_them and row is closed[-1]:
            found |= _made_of(game, view, events)
    state = load_state(game, phases[-1].before)
    view = game.view(state, seat)
    found |= {"the view": dump_view(game, view), "the phase": repr(game.phase(state))}
    if all_of_them:
        found |= {
            "the slots": repr(game.slots(state, seat)) if seat else "",
            "a trial": repr(game.trial(view, "")) if game.trial else "",
        }
    return found


def _made_of(game: AnyGame, view: Any, events: list[Event]) -> dict[str, str]:
    return {
        "the picture": game.draw(view),
        "the text board": game.text_board(view),
        "the story": repr(game.story(view, events)),
        "the results": repr(game.results(view, events)) if game.results else "",
    }


def _pages(
    session: Session, world: World, phases: list[PhaseRow], name: str | None
) -> dict[str, str]:
    """Return the values that the pages of a match are made of, for one viewer."""
    uid, now, player = world.uid, world.harness.now, world.harness.people[name] if name else None
    newest = phases[-2].number
    return {
        "the match": repr(match_page.match_page(session, uid, player, now=now)),
        "its newest phase": repr(match_page.phase_page(session, uid, newest, player, now=now)[1]),
        "its history": repr(match_page.history(session, uid, player, most=2)),
        "its press": repr(messages.press_page(session, uid, player)),
        "its news": repr(news.of_match(session, uid, player, now=now)),
        "its salt": repr(salts.salt_stands(session, uid, player)),
        "its votes": repr(votes.votes_of(session, uid, player, zone="UTC", now=now)),
        "the list": (
            repr(match_list.match_cards(session, player, now=now))
            if player
            else repr(match_list.all_matches(session))
        ),
    }


def _shared(session: Session, world: World) -> dict[str, str]:
    """Return what is the same for all viewers: the record, the file for other programs, the moving
    picture, the step.
    """
    match = by_uid(session, world.uid)
    record = match_record.find_match(session, world.uid)
    return {
        "the record": repr((record.tag, match_record.read_record(session, record))),
        "the saved game": (
            repr(export.export_match(session, world.uid)) if export.is_savable(match.game) else ""
        ),
        "the moving picture": frames.animate(frames.closed_boards(session, world.uid)),
        "the step": repr(read_steps(session, [world.uid], world.harness.now)),
        "the recent matches": repr(listed.recent_matches(session, now=world.harness.now)),
    }
