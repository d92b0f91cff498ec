"""What each role may do with each table on PostgreSQL, as `GRANT` writes it; what is not named, a
role may not do.

The owner of the tables migrates them and grants this; it runs no role. A change of what a role
reads or writes changes this table in the same commit: the tests of the site, the inbox and the
stream run under these grants.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, LiteralString, get_args

RoleName = Literal["web", "inbox", "worker", "live", "beat"]
ROLES: tuple[RoleName, ...] = get_args(RoleName)
REVISIONS = "alembic_version"  # the table by which a role knows that the tables are of its release

_ALL: LiteralString = "SELECT, INSERT, UPDATE, DELETE"


@dataclass(frozen=True)
class Access:
    """What the roles may do with one table; "" is nothing. The worker is also whoever runs the
    host's commands.
    """

    web: LiteralString = ""
    inbox: LiteralString = ""
    worker: LiteralString = ""
    live: LiteralString = ""
    beat: LiteralString = ""

    def of(self, role: RoleName) -> LiteralString:
        """Return what a role may do."""
        return {
            "web": self.web,
            "inbox": self.inbox,
            "worker": self.worker,
            "live": self.live,
            "beat": self.beat,
        }[role]


# `token` and `stop_token` are of the previous release, whose processes may run beside this one; the
# worker empties them. What the tables of matches keep of who did what is changed only as a guest
# becomes a known player (`merging`): then `player_id`.
GRANTS: Mapping[str, Access] = {
    REVISIONS: Access(web="SELECT", inbox="SELECT", worker="SELECT", live="SELECT", beat="SELECT"),
    "absence": Access(web="SELECT, INSERT, UPDATE (player_id), DELETE", worker=_ALL),
    "absenceuse": Access(web="SELECT, UPDATE (player_id)", worker=_ALL),
    "archivedmatch": Access(web="SELECT", worker=_ALL),
    "archivedseat": Access(web="SELECT, UPDATE (player_id)", worker=_ALL),
    "archiveopening": Access(web="SELECT", worker=_ALL),
    "archivetally": Access(web="SELECT", worker=_ALL),
    "attendance": Access(web="SELECT, UPDATE (player_id)", worker=_ALL),
    "blocked": Access(web="SELECT", worker="SELECT, INSERT, DELETE"),
    "confirmation": Access(
        web="SELECT (address, id), DELETE", inbox="SELECT (id, token_hash)", worker=_ALL
    ),
    "due": Access(
        web="SELECT, UPDATE (complete, handed_in_at, known_at, says), DELETE",
        worker=_ALL,
        live="SELECT (id, phase_id, known_at)",
    ),
    "envelope": Access(web="SELECT, INSERT", worker="SELECT, INSERT, DELETE"),
    "erasure": Access(web="INSERT", worker=_ALL),
    "formertenure": Access(
        web="SELECT, INSERT, UPDATE (player_id)",
        inbox="SELECT (id, token_hash, earlier_hash)",
        worker="SELECT, INSERT, UPDATE (player_id, tenure_proof), DELETE",
    ),
    "gonematch": Access(web="SELECT", worker="SELECT, INSERT"),
    "incoming": Access(
        web="SELECT",
        inbox="SELECT (id, kind, seat_id, match_id, ref, disposition, size), INSERT",
        worker=_ALL,
    ),
    "ladder": Access(web="SELECT", worker="SELECT, INSERT, UPDATE"),
    "letter": Access(
        web="SELECT, INSERT, UPDATE (address, next_try, player_id, state, tries, trouble), DELETE",
        inbox="SELECT (uid, return_hash, state)",
        worker=_ALL,
    ),
    "link": Access(web="SELECT, INSERT, UPDATE (until, used_at), DELETE", worker=_ALL),
    "logcheckpoint": Access(web="SELECT", worker="SELECT, INSERT"),
    "logcosignature": Access(web="SELECT", worker="SELECT, INSERT"),
    # deleted only with a whole match of guests
    "logentry": Access(web="SELECT", worker="SELECT, INSERT, DELETE"),
    "logplace": Access(web="SELECT", worker="SELECT, INSERT"),
    "logtile": Access(web="SELECT", worker="SELECT, INSERT, UPDATE (hashes)"),
    "logwitness": Access(web="SELECT", worker=_ALL),
    "masteraddress": Access(
        web="SELECT, INSERT, UPDATE (player_id, token_hash), DELETE",
        inbox="SELECT (id, match_id, player_id, token_hash, earlier_hash, token)",
        worker=_ALL,
    ),
    "masternote": Access(
        web="SELECT, INSERT, UPDATE (player_id, who, what)",
        worker=(
            "SELECT, INSERT, UPDATE (log_as, player_id, request_signature, signer, who, what),"
            " DELETE"
        ),
    ),
    "match": Access(
        web=(
            "SELECT, INSERT, UPDATE (again_uid, all_taken, conceded, deserted, expires_at,"
            " join_token, master_id, muster_until, name, named_after, next_days_at, paused_at,"
            " press_overseen, private, published_by, shown, status, stop_note, stopped_after,"
            " stopped_why, trouble, version, watch_token, with_people)"
        ),
        inbox="SELECT (id, master_id, version), UPDATE (version)",
        worker=_ALL,
        live=(
            "SELECT (id, uid, shown, progress, options, status, private, open_seats, made_at,"
            " table_id)"
        ),
    ),
    "mute": Access(web="SELECT, INSERT, UPDATE (player_id), DELETE", worker=_ALL),
    "offer": Access(
        web="SELECT, INSERT, UPDATE (answered_at, asker_id), DELETE",
        inbox="SELECT (id, seat_id, match_id, token_hash)",
        worker=_ALL,
    ),
    "phase": Access(
        web=(
            "SELECT, UPDATE (closes_at, deadline, due, grace_seconds, pause_capped,"
            " pause_gain_seconds, remind_at, why)"
        ),
        worker=_ALL,
        live="SELECT (id, match_id, closed_at)",
    ),
    "picture": Access(worker="SELECT, INSERT, UPDATE, DELETE"),
    "player": Access(
        web=(
            "SELECT, INSERT, UPDATE (address, bounce, bounced_at, earlier_stop_hash, erased_at,"
            " letters, master, name, name_hidden, profile, receipts, reminders, stop_hash,"
            " stop_token, zone)"
        ),
        inbox="SELECT (id, master, stop_hash, earlier_stop_hash, stop_token)",
        worker="SELECT, INSERT, UPDATE",
    ),
    "playerrating": Access(web="SELECT", worker="SELECT, INSERT, UPDATE"),
    "pressnote": Access(web="SELECT, INSERT", worker="SELECT, INSERT, UPDATE (text), DELETE"),
    "pressread": Access(web="SELECT, INSERT, UPDATE (player_id, until), DELETE", worker=_ALL),
    "pressreport": Access(web="SELECT, INSERT", worker="SELECT, INSERT, UPDATE (reason), DELETE"),
    "proposal": Access(web="SELECT, INSERT, UPDATE (outcome, was)", worker=_ALL),
    "publiclog": Access(web="SELECT", worker="SELECT, INSERT, UPDATE"),
    # `next_try`: to lock rows
    "pushbrowser": Access(
        web="SELECT, INSERT, UPDATE (next_try), DELETE", worker="SELECT, UPDATE, DELETE"
    ),
    "pushmessage": Access(web="SELECT (id, browser_id), DELETE", worker=_ALL),
    "queueentry": Access(web="SELECT, INSERT, UPDATE (player_id), DELETE", worker=_ALL),
    "ratedplace": Access(web="SELECT", worker=_ALL),
    "reading": Access(web="SELECT, INSERT, DELETE", worker="SELECT, UPDATE (answer, answered)"),
    "readingnote": Access(web="SELECT", worker="SELECT, INSERT, DELETE"),
    "receipt": Access(  # stored unsigned; the worker's signature fixes the place in the chain too
        web=(
            "SELECT, INSERT (match_id, phase_number, seat, seq, channel, at, disposition,"
            " commitments, tenure, says, complete, letter, signer, request_signature)"
        ),
        worker="SELECT, INSERT, UPDATE (head, number, prev, rejected, signature), DELETE",
    ),
    "salt": Access(
        web=(
            "SELECT, INSERT, UPDATE (at, phase_number, player_id, request_signature, seat, sealed,"
            " signer, tenure), DELETE"
        ),
        worker=_ALL,
    ),
    "seat": Access(
        web=(
            "SELECT, INSERT, UPDATE (confirmed_at, earlier_hash, invitation_hash, invitation_n,"
            " kept_for, kept_secretly, misses, next_ask_at, open_since, owner_id, player_id,"
            " returns_at, taken_at, tenure, tenure_nonce, tenure_proof, tenure_who, token,"
            " token_hash, token_n, told, wishes)"
        ),
        inbox="SELECT (id, match_id, tenure, token_hash, earlier_hash, invitation_hash, token)",
        worker=_ALL,
    ),
    "seatrequest": Access(
        web="SELECT, INSERT",
        worker="SELECT, INSERT, UPDATE (box, request_signature, signer, who, whom), DELETE",
    ),
    "sentform": Access(web="SELECT, INSERT", worker="SELECT, DELETE"),
    "servicestamp": Access(web="INSERT", inbox="INSERT", worker="SELECT, INSERT, DELETE"),
    "signedin": Access(  # the worker alone says who a session is
        web=(
            "SELECT, INSERT (token_hash, player_id, made_at, until, public, box, used_at,"
            " ended_at), UPDATE (ended_at, player_id, used_at), DELETE"
        ),
        worker=_ALL,
    ),
    "sitemark": Access(web=_ALL, worker="SELECT"),
    "standby": Access(web="SELECT, INSERT, UPDATE (player_id), DELETE", worker=_ALL),
    "stranger": Access(
        web="SELECT, INSERT, UPDATE (never_at)",
        inbox="SELECT (address_hash, token_hash, earlier_hash, token)",
        worker="SELECT, INSERT, UPDATE (earlier_hash, never_at, token, token_hash)",
    ),
    "tournament": Access(
        web=(
            "SELECT, INSERT, UPDATE (adjudged_by, adjudging, directed, ended_at, name, named_after,"
            " recheck_from, started_at, status, tell_round, told_to, undoing, wait_hours,"
            " waits_until, wish)"
        ),
        worker="SELECT, INSERT, UPDATE",
        live="SELECT (id, uid, ended_at)",
    ),
    "tournamentdecision": Access(
        web="SELECT, INSERT", worker="SELECT, INSERT, UPDATE (concerned, told_at, told_to, voided)"
    ),
    "tournamentdirector": Access(
        web="SELECT, INSERT, UPDATE (left_at, player_id)",
        worker="SELECT, INSERT, UPDATE (left_at, player_id)",
    ),
    "tournamententry": Access(
        web="SELECT, INSERT, UPDATE (granted, left_at, player_id, wishes), DELETE",
        worker="SELECT, INSERT, UPDATE (granted, left_at, player_id, wishes), DELETE",
    ),
    "tournamentnote": Access(
        web="SELECT, INSERT, UPDATE (player_id, who, what)",
        worker="SELECT, INSERT, UPDATE (player_id, who, what)",
        live="SELECT (id, tournament_id)",
    ),
    "tournamentround": Access(
        web="SELECT",
        worker="SELECT, INSERT, UPDATE (outdated), DELETE",
        live="SELECT (id, tournament_id)",
    ),
    "tournamenttable": Access(
        web="SELECT, UPDATE (corrected_by, corrected_why, points, scored_at)",
        worker=(
            "SELECT, INSERT, UPDATE (corrected_by, corrected_why, points, round_number, scored_at)"
        ),
        live="SELECT (id, tournament_id)",
    ),
    "tournamentvoid": Access(web="SELECT", worker="SELECT, INSERT"),
    "vote": Access(
        web="SELECT, INSERT, UPDATE (at, player_id, request_signature, signer, tenure, yes)",
        worker=_ALL,
    ),
    "witnessdispute": Access(web="SELECT", worker="SELECT, INSERT, UPDATE"),
    "witnessedlog": Access(web="SELECT", worker="SELECT, INSERT, UPDATE"),
    "witnessrequest": Access(
        web="SELECT, INSERT, DELETE", worker="SELECT, UPDATE (answered, status, answer)"
    ),
    "workerkeys": Access(
        web="SELECT", inbox="SELECT", worker="SELECT, INSERT, UPDATE (done_at, push_key)"
    ),
}

_ONE = re.compile(r"([A-Z]+)(?: \(([^)]*)\))?")


def read_privileges(granted: str) -> dict[str, frozenset[str] | None]:
    """Return the columns that each privilege of a grant covers, None for the whole table."""
    return {
        verb: frozenset(columns.split(", ")) if columns else None
        for verb, columns in _ONE.findall(granted)
    }
