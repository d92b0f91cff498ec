"""The lines of `sealed check` on witnesses: who cosigns the public log, which logs are cosigned
here, and which of them forked.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from adjudicator.hosting.databases import read_tx_at
from adjudicator.hosting.health.findings import Finding, Note, Ok, Wrong
from adjudicator.hosting.watching.log_watch import WatchFault, look_again, printable
from adjudicator.platform import db
from adjudicator.platform.config import Settings
from adjudicator.platform.words import plural
from adjudicator.seal.checkpoints import AddCheckpoint
from adjudicator.seal.notes import VerifierKey
from adjudicator.service.base.tables import WitnessDispute, WitnessedLog
from adjudicator.service.checkpoints import cosigning, witnessing
from adjudicator.service.checkpoints.cosigning import WitnessStanding
from adjudicator.service.checkpoints.peers import PeersError, read_peers

Look = Callable[[str, VerifierKey, list[str]], str]  # `look_again`, which tests give other pages


def check_witnesses(settings: Settings, look: Look = look_again) -> Iterator[Finding]:
    """Report on the witnesses and logs that the settings name; nothing if there are none or the
    database cannot be asked.
    """
    try:
        peers = read_peers(
            settings.witnesses, settings.witness_for, on_this_machine=settings.local_site
        )
    except PeersError as fault:
        yield Wrong(str(fault))
        return
    # connecting would create it
    if settings.on_sqlite and not Path(settings.database_url.removeprefix("sqlite:///")).exists():
        return
    try:
        with read_tx_at(settings.database_url) as session:
            standings, known = cosigning.list_witnesses(session), witnessing.list_witnessed(session)
            disputes = witnessing.list_disputes(session)
    except db.FAULTS:
        return
    keys = {str(each.key) for each in peers.witnesses}
    yield from (_standing(each) for each in standings if each.key in keys)
    for key in peers.logs:
        yield from _witnessed(
            key, known, [each for each in disputes if each.origin == key.name], look, settings
        )


def _standing(standing: WitnessStanding) -> Finding:
    """Return what became of one witness of this installation's log."""
    newest = plural(
        standing.newest,
        "the newest checkpoint, of {n} entry",
        "the newest checkpoint, of {n} entries",
    )
    if standing.refuses:
        return Wrong(
            f"The witness {standing.name} refuses {newest}: this log does not continue what it cosigned"
            " before. Either a backup was restored without `sealed restored`, or the log was"
            f" rewritten. What was said: {standing.trouble}"
        )
    if not standing.newest:
        return Note(f"The witness {standing.name} is asked once there is a checkpoint.")
    if standing.size >= standing.newest:
        return Ok(f"The witness {standing.name} has cosigned {newest}.")
    return Note(
        f"The witness {standing.name} has not cosigned {newest}:"
        f" {standing.trouble.rstrip('.') or 'it is asked within seconds'}."
    )


def _witnessed(
    key: VerifierKey,
    known: list[WitnessedLog],
    disputes: list[WitnessDispute],
    look: Look,
    settings: Settings,
) -> Iterator[Finding]:
    """Yield what is known of one log that is witnessed here."""
    row = next((each for each in known if each.origin == key.name), None)
    forked = next((each for each in disputes if each.proven), None)
    if forked is not None:
        sentence = (
            f"The log {key.name} has forked: its key signed checkpoints that contradict each other."
            " Keep them, tell its host, and take"
        )
        yield Wrong(f"{sentence} its key out of the settings.{_evidence(forked)}")
        return
    if row is None:
        yield Note(f"The log {key.name} has asked for no cosignature yet.")
    else:
        cosigned = plural(row.size, "{n} entry", "{n} entries")
        yield Ok(
            f"The log {key.name} is witnessed here, up to {cosigned}, last at"
            f" {row.at:%Y-%m-%d %H:%M} UTC."
        )
    yield from (_doubt(key, each, look, settings) for each in disputes)


def _doubt(key: VerifierKey, dispute: WitnessDispute, look: Look, settings: Settings) -> Finding:
    """Hold a checkpoint that came with a wrong proof against the log's own pages."""
    sentence = (
        f"A checkpoint of {key.name} came with a proof that does not lead to it from the one"
        " cosigned here"
    )
    notes = [
        str(AddCheckpoint.read(dispute.request.encode()).note),
        *([dispute.known] if dispute.known else []),
    ]
    scheme = "http" if settings.local_site and _is_local(key.name) else "https"
    try:
        why = look(f"{scheme}://{key.name}", key, notes)
    except WatchFault as fault:
        return Note(
            f"{sentence}: the log has forked, or somebody sent it a wrong proof. Its own pages do not"
            f" tell which: {fault}"
        )
    if why:
        return Wrong(
            f"{sentence}. Its own pages do not lead there either: {why} The log has"
            f" forked.{_evidence(dispute)}"
        )
    return Ok(
        f"{sentence}. The log's own pages show that it continues both, so somebody else sent a wrong"
        " proof."
    )


def _evidence(dispute: WitnessDispute) -> str:
    """Return both checkpoints, to be kept and shown to others."""
    refused = f"Refused here at {dispute.at:%Y-%m-%d %H:%M} UTC:"
    return (
        "\nCosigned here"
        f" before:\n\n{printable(dispute.known)}\n{refused}\n\n{printable(dispute.request).rstrip()}"
    )


def _is_local(origin: str) -> bool:
    return origin.partition("/")[0].partition(":")[0] in (
        "localhost",
        "127.0.0.1",
    ) or origin.startswith("[::1]")
