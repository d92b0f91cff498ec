"""The tables, all to be imported from here. Only the service room reads or writes them."""

from adjudicator.service.base.tables.archive import ArchivedMatch, ArchivedSeat, ArchiveOpening, ArchiveTally, GoneMatch
from adjudicator.service.base.tables.letters import Incoming, Letter, Mute, PressNote, PressRead, PressReport
from adjudicator.service.base.tables.machines import Picture, ServiceStamp, SiteMark, WorkerKeys
from adjudicator.service.base.tables.matches import FormerTenure, MasterAddress, MasterNote, Match, Offer, QueueEntry, Seat, Standby
from adjudicator.service.base.tables.people import (
    Absence,
    Blocked,
    Confirmation,
    Erasure,
    Link,
    Player,
    PushBrowser,
    PushMessage,
    SentForm,
    SignedIn,
    Stranger,
)
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
from adjudicator.service.base.tables.public_log import (
    LogCheckpoint,
    LogCosignature,
    LogPlace,
    LogTile,
    LogWitness,
    PublicLog,
    WitnessDispute,
    WitnessedLog,
    WitnessRequest,
)
from adjudicator.service.base.tables.ratings import Ladder, PlayerRating, RatedPlace
from adjudicator.service.base.tables.sealing import LogEntry, Salt, SeatRequest
from adjudicator.service.base.tables.tournaments import (
    Tournament,
    TournamentDecision,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
    TournamentRound,
    TournamentTable,
    TournamentVoid,
)

__all__ = [
    "Absence", "AbsenceUse", "ArchiveOpening", "ArchiveTally", "ArchivedMatch", "ArchivedSeat", "Attendance", "Blocked",
    "Confirmation", "Due", "Envelope", "Erasure", "FormerTenure", "GoneMatch", "Incoming", "Ladder", "Letter", "Link",
    "LogCheckpoint", "LogCosignature", "LogEntry", "LogPlace", "LogTile", "LogWitness", "MasterAddress", "MasterNote", "Match",
    "Mute", "Offer", "PhaseRow", "Picture", "Player", "PlayerRating", "PressNote", "PressRead", "PressReport", "Proposal",
    "PublicLog", "PushBrowser", "PushMessage", "QueueEntry", "RatedPlace", "Reading", "ReadingNote", "Receipt", "Salt", "Seat",
    "SeatRequest", "SentForm", "ServiceStamp", "SignedIn", "SiteMark", "Standby", "Stranger", "Tournament", "TournamentDecision",
    "TournamentDirector", "TournamentEntry",
    "TournamentNote", "TournamentRound", "TournamentTable", "TournamentVoid", "Vote", "WitnessDispute", "WitnessRequest", "WitnessedLog",
    "WorkerKeys",
]  # fmt: skip
