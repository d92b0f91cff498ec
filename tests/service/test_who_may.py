"""Each act is tried by each person: who may do it is what the table says."""

import importlib
import inspect
import pkgutil
import re

from sqlmodel import Session

from adjudicator import service
from adjudicator.hosting.database_roles.grants import GRANTS, RoleName
from adjudicator.play.tournaments.formats import Swiss
from adjudicator.service.base.errors import NotAllowed, Refused
from adjudicator.service.base.rows import lock_by_uid
from adjudicator.service.handover import leaving
from adjudicator.service.matches import seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import VoteResult
from adjudicator.service.requests.acts import Act
from adjudicator.service.starting import muster
from adjudicator.service.tournaments import entering
from tests.asked import asking
from tests.harness import Harness
from tests.service.changing_hands import lend
from tests.service.tournament_play import begun, entered
from tests.service.who_may import (
    MATCH,
    NO,
    OF_ANYBODY,
    OTHERWISE,
    ROWS,
    TARGET,
    TOURNAMENT,
    VOTE,
    YES,
    Row,
    Trial,
    persons_of,
)
from tools import list_acts

_PLAYERS = ("Alice", "Bob", TARGET)
_CHANGE = re.compile(r'(UPDATE|INSERT|DELETE)(?: INTO| FROM)? "?(\w+)"?(?: SET (.*?) WHERE)?', re.S)
_REFUSED = {"tournaments.seasons.make_season"}  # which the trial itself sets up


def _matches(harness: Harness, master: str, *, plays: bool) -> dict[str, str]:
    """Make the matches of a master: one with a free seat, one that asks to confirm, one that is
    played.
    """
    wish = {"options": {"press": "private"}, "play": plays, "every_hours": 48}
    known = len(_PLAYERS) + plays
    free = Wish("diplomacy", "Open", players=known + 1, **wish)  # type: ignore[arg-type]
    full = Wish("diplomacy", "Full", players=known, muster_minutes=600, **wish)  # type: ignore[arg-type]
    played = Wish("diplomacy", "Played", players=known + 2, private=True, **wish)  # type: ignore[arg-type]
    uids = {
        "open": harness.prepare_match(free, master, *_PLAYERS),
        "full": harness.prepare_match(full, master, *_PLAYERS),
    }
    muster.advance_muster(harness.database, uids["full"], now=harness.now)
    return uids | {"running": _played(harness, played, master)}


def _played(harness: Harness, wish: Wish, master: str) -> str:
    """Begin a match whose seats have changed hands."""
    uid = harness.prepare_match(wish, master)
    with harness.database.write_tx() as session:
        match = lock_by_uid(session, uid)
        for who in (*_PLAYERS, "Charlie", "Erin"):
            seats.sit_anywhere(session, match, harness.player(who), now=harness.now, any_free=True)
    assert harness.start_match(uid)
    leaving.resign(harness.database, uid, harness.player("Erin"), now=harness.now)
    lend(harness, uid, "Charlie", "Frank", hours=30)
    return uid


def _things(harness: Harness) -> dict[str, dict[str, str]]:
    """Make what acts are tried in: by its kind, for a master who does not play and one who does."""
    for who in {*MATCH.values(), *TOURNAMENT.values()}:
        harness.player(who, guest=who == "Guest")
    format_ = Swiss(3, (2,))
    people = (*_PLAYERS, "Erin")
    cups = {
        "account": "",
        "entering": entered(harness, *people, format_=format_),
        "played": begun(harness, *people, format_=format_, wait_hours=24),
    }
    entering.leave(harness.database, cups["played"], harness.player("Erin"), now=harness.now)
    entering.leave(harness.database, cups["entering"], harness.player("Erin"), now=harness.now)
    return {
        "Dora": cups | _matches(harness, "Dora", plays=False),
        "Grace": _matches(harness, "Grace", plays=True),
    }


def _come_of(session: Session, row: Row, trial: Trial) -> str:
    """Try an act and take it back; returns what came of it."""
    known = dict(session.info)
    with session.begin_nested() as tried:
        try:
            result = row.do(trial)
            session.flush()
        except NotAllowed:
            return NO
        except Refused:
            return OTHERWISE
        finally:
            tried.rollback()
            session.expire_all()
            session.info.clear()
            session.info.update(known)
    return VOTE if isinstance(result, VoteResult) and not result.acted else YES


def _is_granted(statement: str, role: RoleName) -> bool:
    """Whether the login of a role may change on PostgreSQL what a statement changes."""
    change = _CHANGE.match(statement)
    if change is None:
        return True
    verb, table, changed = change.groups(default="")
    granted = re.search(rf"{verb}(?: \((.*?)\))?", GRANTS[table].of(role))
    columns = set(re.findall(r"(\w+)=", changed))
    return granted is not None and (not granted[1] or columns <= {*granted[1].split(", ")})


def _try_all(harness: Harness) -> tuple[dict[str, str], set[str]]:
    """Return what came of each act, and the acts that the login of the site or of the worker
    cannot do.
    """
    things, found, refused = _things(harness), {}, set()
    with harness.database.write_tx() as session, asking(harness.database) as sent:
        for row in ROWS:
            told = []
            for who in persons_of(row.thing).values():
                uid = things["Grace" if who == "Grace" else "Dora"].get(row.thing, "")
                trial = Trial(session, harness.people, uid, harness.people[who], harness.now)
                told.append(_come_of(session, row, trial))
            found[name_of(row.act)] = " ".join(told)
            if not all(_is_granted(text, role) for text, _ in sent for role in ("web", "worker")):
                refused.add(name_of(row.act))
            sent.clear()
    return found, refused


def name_of(act: Act[..., object]) -> str:
    return f"{act.do.__module__}.{act.do.__name__}".removeprefix("adjudicator.service.")


def test_each_person_may_do_what_the_table_says(harness: Harness) -> None:
    found, refused = _try_all(harness)
    assert found == {name_of(row.act): row.may for row in ROWS}
    assert refused == _REFUSED, "change what `hosting.database_roles.grants` allows"


def test_every_act_can_be_done_by_somebody() -> None:
    assert [name_of(row.act) for row in ROWS if YES not in row.may.split()] == []


def test_the_table_has_every_act() -> None:
    declared = {
        name_of(found)
        for module in pkgutil.walk_packages(service.__path__, "adjudicator.service.")
        for found in vars(importlib.import_module(module.name)).values()
        if isinstance(found, Act)
    }
    assert declared == {name_of(row.act) for row in ROWS} | set(OF_ANYBODY)


def test_the_page_names_no_argument_of_a_function() -> None:
    named = {
        name_of(row.act): [
            name
            for name in inspect.signature(row.act.do).parameters
            if f"`{name}" in list_acts.first_sentence(row.act)
        ]
        for row in ROWS
    }
    assert {act: names for act, names in named.items() if names} == {}


def test_the_page_is_current() -> None:
    assert list_acts.PAGE.read_text("utf-8") == list_acts.write_page(), "python -m tools.list_acts"
