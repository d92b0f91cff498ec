"""Letters are sent in time: the delay from a letter's commit to its acceptance is bounded by the
letter's urgency.

Time in which faults prevented sending does not count, nor does the cost of the letter's own
attempts: a pause after each refusal, a lease after each interruption. The bounds here are the
promise; they are not read from the code under test.
"""

from collections.abc import Iterable, Iterator, Sequence

from sqlmodel import Session

from adjudicator.service.base.tables import Letter
from tests.simulation import leaps
from tests.simulation.scene import Check, Scene

ASKED_FOR, NEWS, REPORT = 90.0, 120.0, 240.0  # seconds
RECOVERY = 65.0  # seconds after a fault: a process restarts within 20 s, a sweep runs every 30 s
LEASE = 120.0  # seconds that the letter of a killed worker waits
# after each refusal; the last one repeats
PAUSES = (10.0, 60.0, 300.0, 900.0, 1800.0, 3600.0, 2 * 3600.0, 4 * 3600.0, 6 * 3600.0)
_LINK_PAUSE = 120.0  # at most, for a sign-in link
_WORKERS = ("worker 1", "worker 2")

Span = tuple[float, float]


def longest_pause(letter: Letter) -> float:
    """Return the longest pause in seconds between a letter's attempts."""
    if (
        letter.kind in ("signin", "confirm")
        or letter.receipt_id is not None
        or letter.incoming_id is not None
    ):
        return ASKED_FOR
    return REPORT if letter.kind == "report" else NEWS


def allowed(letter: Letter) -> float:
    """Return the longest delay of a letter in seconds, the pauses between attempts included."""
    pauses = [PAUSES[min(number, len(PAUSES) - 1)] for number in range(letter.tries - 1)]
    if letter.kind == "signin":
        pauses = [min(pause, _LINK_PAUSE) for pause in pauses]
    return longest_pause(letter) * max(letter.tries, 1) + sum(max(pause, LEASE) for pause in pauses)


def uncovered_seconds(since: float, until: float, excused: Iterable[Span]) -> float:
    """Return the seconds of a span that lie outside all excused spans, which may overlap."""
    left = until - since
    for start, end in unite_spans(excused):
        left -= max(0.0, min(end, until) - max(start, since))
    return left


def unite_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the union of spans as disjoint spans in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def intersect_spans(one: Iterable[Span], other: Iterable[Span]) -> list[Span]:
    """Return the intersection of two sets of spans."""
    pairs = (
        (max(a[0], b[0]), min(a[1], b[1])) for a in unite_spans(one) for b in unite_spans(other)
    )
    return [(start, end) for start, end in pairs if start < end]


def excused_spans(troubled: Iterable[Span], out: Sequence[tuple[str, float, float]]) -> list[Span]:
    """Return the spans in which nobody could send: faults with their recovery, and times without a
    running worker.
    """
    idle = [[(start, end) for slot, start, end in out if slot == worker] for worker in _WORKERS]
    return unite_spans(
        [*((start, end + RECOVERY) for start, end in troubled), *intersect_spans(*idle)]
    )


def letters_go_out_in_time(_: Session, scene: Scene) -> Iterator[str]:
    """Each accepted letter was accepted in time, unless clocks were stepped or leapt, or its
    address was failing.
    """
    if scene.world.fired["step"] or any(scene.world.fired[kind] for kind in leaps.KINDS):
        return
    spans, lost = excused_spans(scene.world.troubled, scene.world.out), lost_addresses(scene)
    taken: dict[str, float] = {}
    for each in scene.sink.taken:
        taken.setdefault(each.uid, each.at)
    for letter in scene.letters:
        at = taken.get(letter.uid)
        if at is None or letter.address in lost:
            continue
        if letter.uid not in scene.ledger.written:
            yield f"nobody saw when the {letter.kind} {letter.uid} was written"
            continue
        waited = uncovered_seconds(scene.ledger.written[letter.uid], at, spans)
        if waited > allowed(letter):
            yield (
                f"the {letter.kind} {letter.uid} waited for {waited:.0f} s, faults set aside, and"
                f" may for {allowed(letter):.0f}"
            )


def lost_addresses(scene: Scene) -> set[str]:
    """Return the addresses that failed for a while; letters to them are held."""
    address = {letter.uid: letter.address for letter in scene.letters}
    returned = {each.letter for each in scene.ledger.sent_back if each.final} | scene.sink.refused
    return {address[uid] for uid in returned if uid in address} | {scene.sink.full}


CHECKS: tuple[Check, ...] = (letters_go_out_in_time,)
