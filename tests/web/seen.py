"""What others get of a match: the addresses of all pages that show it, and what the live stream
tells.
"""

from datetime import datetime, timedelta

from adjudicator.platform.db import Database
from adjudicator.service.base.shown import read_steps
from tests.web.test_security import GETS
from web.live.listeners import Limits, Listener, Listeners
from web.live.tickets import Ticket

# they show matches, too
LISTS = (
    "home.home",
    "finding.watch",
    "finding.search",
    "accounts.account",
    "accounts.data",
    "ladders.ladders",
)
FAR = {"REMOTE_ADDR": "198.51.100.7"}  # the host's own pages answer this machine alone


def pages_of(uid: str, there: dict[str, str]) -> list[str]:
    """Return the address of every page with this match, or if `there` fills no others those of this
    match and of lists with it.
    """
    here = {"done": uid, "free": uid} | there | {"uid": uid, "tried": uid}
    wanted = [
        (endpoint in LISTS, template) for endpoint, paths in GETS.items() for template in paths
    ]
    chosen = [
        template
        for listed, template in wanted
        if there or listed or "{uid}" in template or "{tried}" in template
    ]
    return list(dict.fromkeys(template.format(**here) for template in chosen))


def told_by_stream(database: Database, uid: str, now: datetime) -> str:
    """Return what a listener of the live stream is told of a match that comes now."""
    told: list[object] = []
    with database.read_tx() as session:
        steps = read_steps(session, [uid], now)
    listeners = Listeners(Limits())
    listeners.add(Listener(Ticket((uid,), now + timedelta(hours=1)), "here", told.append))
    listeners.tell(steps)
    return repr(told)
