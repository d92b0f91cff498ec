"""Makes tournaments. Their chance is fixed by the worker before anybody can enter."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction

from sqlmodel import Session

from adjudicator.core import codec
from adjudicator.core.game import About
from adjudicator.platform import entropy, wakeups
from adjudicator.platform.words import join_list
from adjudicator.play.scoring.systems import list_systems, usual_bye
from adjudicator.play.tournaments.formats import (
    FORMATS,
    MOST_ROUNDS,
    Format,
    KnockOut,
    League,
    Mixer,
    RoundRobin,
    Swiss,
    count_rounds,
)
from adjudicator.play.tournaments.standings import TieBreak
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import PlayerName, clean_chosen, holds_name
from adjudicator.service.base.rows import by_uid, hold_player
from adjudicator.service.base.state import ANONYMOUS, MatchChains
from adjudicator.service.base.tables import Player, Tournament, TournamentDirector
from adjudicator.service.matches.creation import Wish, add_match, find_game, new_uid
from adjudicator.service.matches.terms.record import USUAL_MISSES
from adjudicator.service.requests.acts import act, act_once
from adjudicator.service.tournaments.records import (
    appoint,
    directors_of,
    entry_numbered,
    find_tournament,
    lock_to_direct,
    note_tournament,
    require_not_final,
)
from adjudicator.service.tournaments.telling.directors import TournamentNews, write_to

# so that the names of its matches, which end in their round and table, are not too long
LONGEST_NAME = 36
# rounds of a Swiss or a mixer, which search for their pairs
MOST_PAIRED, MOST_CYCLES, MOST_LEGS = 50, 10, 7
MOST_SITTING_OUT = 9_999  # points
SMALLEST_DIVISION, LARGEST_DIVISION = 3, 30
MOST_ROUND_DAYS = 3 * 365
LATEST_CLOSING = timedelta(days=365)
STALLED = {  # what happens to who stalls
    "wait": "A director decides.",
    "adjudge": "When the days of a round are over, its open matches end as they are.",
    "substitute": (
        "A seat that misses two phases in a row looks for a new player; the points go to who"
        " entered."
    ),
    "bot": (
        "A house bot plays on for a seat that misses two phases in a row; the points go to who"
        " entered."
    ),
}
LATE = {  # whether players enter between rounds
    "no": "Nobody enters once it has begun.",
    "zero": "Players enter between rounds, with no points for the rounds before.",
    "bye": "Players enter between rounds, with the points for sitting out of each round before.",
}


_STORED = "scoring legs round_days stalled late wait_hours closes_at"  # of a wish as they are
MOST_WAIT_HOURS = 14 * 24
REPLACED = ("substitute", "bot")  # of STALLED, those where somebody else plays on


@dataclass(frozen=True)
class TournamentWish:
    """The form of a new tournament."""

    name: str
    format: Format
    # how its matches are made; who plays, where, and for whom seats are kept is up to the
    # tournament
    matches: Wish
    scoring: str = "wins"  # key of a scoring system
    tie_breaks: tuple[TieBreak, ...] = ()
    legs: int = 1  # matches that one table plays at once, each with everybody one seat further on
    # when entries close by themselves; None: a director closes them
    closes_at: datetime | None = None
    round_days: int | None = None  # after which a table without a result counts as stalled
    stalled: str = "wait"  # key in STALLED
    late: str = "no"  # key in LATE
    wait_hours: int = 24  # that a pairing waits after a result that a director typed


@act_once
def make_tournament(
    session: Session, director_id: int, wish: TournamentWish, *, now: datetime
) -> str:
    """Make a tournament and return its public name; people can enter once the worker has fixed its
    chance.

    A form that is sent again returns the first one. Raises Refused with a sentence that names the
    error; then nothing was stored.
    """
    hold_player(session, director_id)
    director = session.get_one(Player, director_id)
    name = clean_chosen(wish.name, longest=LONGEST_NAME, field="name")
    if not name:
        raise Refused("Give the tournament a name.", field="name")
    about = find_game(wish.matches.game).about
    sizes = _check_format(about, wish.format)
    _check_terms(about, wish, now)
    matches = _with_misses(wish)
    for size in sizes:
        timetable = _try_match(
            session, director_id, table_wish(matches, name=name, seats=size), now=now
        )
        # in the director's zone of today, for all rounds
        matches = replace(matches, timetable=timetable)
    key = next(key for key, kind in FORMATS.items() if isinstance(wish.format, kind))
    tournament = Tournament(
        uid=new_uid(),
        name=name,
        game=wish.matches.game,
        format=key,
        policies=codec.dump(FORMATS[key], wish.format),
        named_after=director_id if holds_name(name, director.name) else None,
        tie_breaks=list(wish.tie_breaks),
        wish=codec.dump(Wish, matches),
        made_at=now,
        **{name: getattr(wish, name) for name in _STORED.split()},
    )
    session.add(tournament)
    wakeups.wake(session, wakeups.ADVANCE, tournament.uid)
    session.flush()
    session.add(TournamentDirector(tournament_id=tournament.id, player_id=director_id))
    return tournament.uid


def _with_misses(wish: TournamentWish) -> Wish:
    """Return what the matches are made with: seats open after missed phases where they are
    replaced, and never else.
    """
    misses = (wish.matches.misses or USUAL_MISSES) if wish.stalled in REPLACED else 0
    return replace(wish.matches, misses=misses, first_miss=wish.matches.first_miss and misses > 0)


def table_wish(wish: Wish, *, name: str, seats: int) -> Wish:
    """Return what one match of a tournament is made with: nobody plays yet, and seats are given in
    the order of the table.
    """
    return replace(
        wish,
        name=name,
        players=seats,
        play=False,
        house=0,
        invited=(),
        wishes=(),
        private=False,
        open_seats=True,
        bots=True,
        seating="order",
        muster_minutes=None,
        expire_days=None,
    )


def _try_match(session: Session, director_id: int, wish: Wish, *, now: datetime) -> str:
    """Make a match and take it back; returns its timetable with its zone. Raises Refused where none
    could be made with the wish.
    """
    trial = session.begin_nested()
    match = by_uid(session, add_match(session, director_id, wish, now=now))
    anonymous, timetable = bool(match.options.get(ANONYMOUS)), match.timetable or ""
    trial.rollback()
    if anonymous:
        raise Refused(
            "Everybody can see who meets whom in a tournament, so its matches cannot be anonymous.",
            field="options",
        )
    return timetable


@dataclass(frozen=True)
class TournamentChoices:
    """What tournaments of a game can be."""

    game: str  # its key
    formats: tuple[str, ...]  # keys of `FORMATS`
    sizes: tuple[int, ...]  # seats of a table
    legs: int  # the most matches that a table plays at once


def list_choices(about: About) -> TournamentChoices:
    """Return what tournaments of a game can be, in any of which a match of it can be played."""
    formats = tuple(
        key
        for key, kind in FORMATS.items()
        if 2 in about.seats or kind not in (RoundRobin, KnockOut)
    )
    return TournamentChoices(
        about.key, formats, tuple(sorted(number for number in about.seats if number > 1)), MOST_LEGS
    )


def _check_format(about: About, wanted: Format) -> tuple[int, ...]:
    """Return the sizes of the tables of a format; raises Refused where a game cannot be played in
    it.
    """
    if isinstance(wanted, RoundRobin | KnockOut):
        if 2 not in about.seats:
            raise Refused(
                f"This format has tables of two, but {about.title} is not played by two.",
                field="format",
            )
        if isinstance(wanted, RoundRobin) and not 1 <= wanted.cycles <= MOST_CYCLES:
            raise Refused(f"A round robin has 1 to {MOST_CYCLES} cycles.", field="format")
        return (2,)
    if isinstance(wanted, League):
        _check_league(wanted)
    if not 1 <= wanted.rounds <= MOST_PAIRED:
        raise Refused(f"A tournament has 1 to {MOST_PAIRED} rounds.", field="rounds")
    possible = list_choices(about).sizes
    if (
        isinstance(wanted, Mixer | Swiss)
        and wanted.best is not None
        and not 1 <= wanted.best <= wanted.rounds
    ):
        raise Refused("Of the rounds, one to all can count.", field="best")
    if isinstance(wanted, Swiss) and not 0 <= wanted.sitting_out <= MOST_SITTING_OUT:
        raise Refused(f"Sitting out gives 0 to {MOST_SITTING_OUT:,} points.", field="sitting_out")
    if isinstance(wanted, Swiss) and wanted.top and wanted.top not in possible:
        raise Refused(
            f"A top table of {about.title} has {join_list(list(map(str, possible)), 'or')} seats.",
            field="top",
        )
    if not wanted.sizes or not set(wanted.sizes) <= set(possible):
        numbers = join_list([str(number) for number in possible], "or")
        raise Refused(
            f"A table of {about.title} has {numbers} seats; choose of these.", field="sizes"
        )
    return wanted.sizes


def _check_league(wanted: League) -> None:
    if not SMALLEST_DIVISION <= wanted.size <= LARGEST_DIVISION or wanted.size < wanted.least:
        raise Refused(
            f"A division has {SMALLEST_DIVISION} to {LARGEST_DIVISION} entrants, and at least a"
            " table of them.",
            field="division",
        )
    if not 0 <= 2 * wanted.moving <= wanted.size:
        raise Refused(
            f"From a division of {wanted.size}, at most {wanted.size // 2} can go up and as many"
            " down.",
            field="moving",
        )
    if not 1 <= wanted.cycles <= MOST_CYCLES or count_rounds(wanted, wanted.size + 1) > MOST_ROUNDS:
        raise Refused(
            f"A season has at most {MOST_ROUNDS} rounds: choose smaller divisions, or fewer times.",
            field="cycles",
        )


def _check_terms(about: About, wish: TournamentWish, now: datetime) -> None:
    systems = [system.key for system in list_systems(about)]
    if wish.scoring not in systems:
        raise Refused(
            f"{about.title} can be scored by {join_list(systems, 'or')}.", field="scoring"
        )
    if not 1 <= wish.legs <= MOST_LEGS:
        raise Refused(f"A table plays 1 to {MOST_LEGS} matches at once.", field="legs")
    if wish.closes_at is not None and not now < wish.closes_at <= now + LATEST_CLOSING:
        raise Refused("Entries close at a moment within the next year.", field="closes_at")
    if wish.round_days is not None and not 1 <= wish.round_days <= MOST_ROUND_DAYS:
        raise Refused(
            f"A round lasts 1 to {MOST_ROUND_DAYS} days, or without a limit.", field="round_days"
        )
    check_wait(wish.wait_hours)
    if wish.stalled not in STALLED:
        raise Refused(
            f"What happens to who stalls is {join_list(list(STALLED), 'or')}.", field="stalled"
        )
    if wish.stalled == "adjudge" and wish.round_days is None:
        raise Refused(
            "Give a round its days, so that its open matches can end when they are over.",
            field="round_days",
        )
    if wish.late not in LATE:
        raise Refused(f"Who comes late enters {join_list(list(LATE), 'or')}.", field="late")
    if wish.late != "no" and not isinstance(wish.format, Mixer | Swiss):
        raise Refused("Only in a Swiss or a mixer can players enter between rounds.", field="late")
    if wish.late == "bye" and not isinstance(wish.format, Swiss):
        raise Refused(
            "Only a Swiss has points for sitting out, which late entrants could get.", field="late"
        )


def check_wait(hours: int) -> None:
    """Raise Refused for hours that no pairing can wait after a decided result."""
    if not 0 <= hours <= MOST_WAIT_HOURS:
        raise Refused(
            f"After a decided result the next pairing waits 0 to {MOST_WAIT_HOURS} hours.",
            field="wait_hours",
        )


def usual_sitting_out(about: About, scoring: str, sizes: Sequence[int], legs: int) -> Fraction:
    """Return the usual points for sitting out in a Swiss; 0 for a scoring or sizes that are refused
    anyway.
    """
    system = next((each for each in list_systems(about) if each.key == scoring), None)
    return (
        Fraction(0)
        if system is None or not sizes or min(sizes) < 2
        else usual_bye(system, min(sizes), legs=legs)
    )


def fewest_entries(wanted: Format) -> int:
    """Return how many entries a tournament of this format needs."""
    return min(wanted.sizes) if isinstance(wanted, Mixer | Swiss | League) else 2


def fix_chance(tournament: Tournament, keyring: Keyring) -> bool:
    """Fix the chance of a new tournament and publish what commits to it, in a tournament that the
    caller has locked; once.

    Returns whether this call did.
    """
    made = tournament.status == "making"
    if made:
        chains = MatchChains.fresh(entropy.token_bytes(32), entropy.token_bytes(32))
        tournament.anchors, tournament.wrapped_chains, tournament.sealing = (
            chains.anchors,
            chains.keep(keyring, tournament.uid),
            1,
        )
        tournament.status = "entering"
    return made


@act
def add_director(
    session: Session, uid: str, director_id: int, player_id: int, *, now: datetime
) -> None:
    """Let another player direct a tournament too. Idempotent. Raises NotAllowed for others than its
    directors, NotNow once its results are final.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    require_not_final(tournament, now)
    player = session.get(Player, player_id)
    if player is None or player.house:
        raise Refused("Only a person can direct a tournament.", field="player")
    if player_id not in directors_of(session, tournament):
        hold_player(session, player_id)
        appoint(session, tournament, player_id)
        note_tournament(session, tournament, now, who, "named another director")
        note_tournament(session, tournament, now, PlayerName(player), "became a director")
        sentence = (
            "Another director made you a director of this tournament. Its page has all that"
            " directors do; `help tournament` lists it."
        )
        write_to(
            session, tournament, player, TournamentNews("You are a director", [sentence]), now=now
        )


@act
def make_entrant_director(
    session: Session, uid: str, director_id: int, number: int, *, now: datetime
) -> None:
    """Let the player of an entry direct a tournament too; as `add_director`, and raises Refused for
    a number without an entry.
    """
    add_director(
        session,
        uid,
        director_id,
        entry_numbered(session, find_tournament(session, uid), number).player_id,
        now=now,
    )
