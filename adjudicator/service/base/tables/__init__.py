"""The tables, all to be imported from here. Only the service room reads or writes them."""

from adjudicator.service.base.tables.archive import ArchivedMatch, ArchivedSeat, ArchiveOpening, ArchiveTally
from adjudicator.service.base.tables.letters import Incoming, Letter, Mute, PressNote, PressReport
from adjudicator.service.base.tables.machines import Picture, ServiceStamp, WorkerKeys
from adjudicator.service.base.tables.matches import FormerTenure, MasterAddress, MasterNote, Match, Offer, QueueEntry, Seat, Standby
from adjudicator.service.base.tables.people import Absence, Blocked, Confirmation, Link, Player, SignedIn, Stranger
from adjudicator.service.base.tables.phases import (
    AbsenceUse,
    Attendance,
    Due,
    Envelope,
    PhaseRow,
    Proposal,
    Reading,
    ReadingNote,
    Receipt,
    Vote,
)
from adjudicator.service.base.tables.ratings import Ladder, PlayerRating, RatedPlace
from adjudicator.service.base.tables.tournaments import (
    Tournament,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
    TournamentRound,
    TournamentTable,
)

__all__ = [
    "Absence", "AbsenceUse", "ArchiveOpening", "ArchiveTally", "ArchivedMatch", "ArchivedSeat", "Attendance", "Blocked",
    "Confirmation", "Due", "Envelope", "FormerTenure", "Incoming", "Ladder", "Letter", "Link", "MasterAddress", "MasterNote",
    "Match", "Mute", "Offer", "PhaseRow", "Picture", "Player", "PlayerRating", "PressNote", "PressReport", "Proposal",
    "QueueEntry", "RatedPlace", "Reading", "ReadingNote", "Receipt", "Seat", "ServiceStamp", "SignedIn", "Standby", "Stranger",
    "Tournament", "TournamentDirector", "TournamentEntry", "TournamentNote", "TournamentRound", "TournamentTable", "Vote",
    "WorkerKeys",
]  # fmt: skip
