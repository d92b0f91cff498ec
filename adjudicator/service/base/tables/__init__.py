"""The tables, all to be imported from here. Only the service room reads or writes them.

A table is made when it is first imported, together with those of its module and those that they
refer to: a process that needs few starts sooner, and takes less memory.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sqlmodel import SQLModel

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from adjudicator.service.base.tables.archive import *  # noqa: F403
    from adjudicator.service.base.tables.letters import *  # noqa: F403
    from adjudicator.service.base.tables.machines import *  # noqa: F403
    from adjudicator.service.base.tables.matches import *  # noqa: F403
    from adjudicator.service.base.tables.people import *  # noqa: F403
    from adjudicator.service.base.tables.phases import *  # noqa: F403
    from adjudicator.service.base.tables.public_log import *  # noqa: F403
    from adjudicator.service.base.tables.ratings import *  # noqa: F403
    from adjudicator.service.base.tables.sealing import *  # noqa: F403
    from adjudicator.service.base.tables.tournaments import *  # noqa: F403

_TABLES = {
    "archive": "ArchivedMatch ArchivedSeat ArchiveOpening ArchiveTally",
    "letters": "Incoming Letter Mute PressNote PressRead PressReport",
    "machines": "Picture ServiceStamp SiteMark WorkerKeys",
    "matches": "FormerTenure GoneMatch MasterAddress MasterNote Match Offer QueueEntry Seat Standby",
    "people": "Absence Blocked Confirmation Erasure Link Player PushBrowser PushMessage SentForm"
    " SignedIn Stranger",
    "phases": "AbsenceUse Attendance Due Envelope PhaseRow Proposal Reading ReadingNote Vote",
    "public_log": "LogCheckpoint LogCosignature LogPlace LogTile LogWitness PublicLog"
    " WitnessDispute WitnessedLog WitnessRequest",
    "ratings": "Ladder PlayerRating RatedPlace",
    "sealing": "LogEntry Receipt Salt SeatRequest",
    "tournaments": "Tournament TournamentDecision TournamentDirector TournamentEntry"
    " TournamentNote TournamentRound TournamentTable TournamentVoid",
}
_MODULES = {table: module for module, tables in _TABLES.items() for table in tables.split()}


def all_tables() -> "MetaData":
    """Return the schema, for who goes through all tables."""
    for module in _TABLES:
        import_module(f"{__name__}.{module}")
    return SQLModel.metadata


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type[SQLModel]:
        if name not in _MODULES:
            raise AttributeError(f"there is no table {name}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
