"""The scoring systems, each with its published description, and the points that a match gives its
seats under one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from adjudicator.core.game import About, Finish
from adjudicator.play.scoring.policies import (
    BySize,
    Domination,
    Each,
    Finishes,
    Lead,
    OpenTribute,
    OwnScore,
    PerCentre,
    PerYear,
    Points,
    Policy,
    Pool,
    Ranks,
    Scaled,
    Share,
    ToSurvivors,
    ToWinner,
    Tribute,
    add_up,
    by_centres,
    by_draw,
    by_elimination,
    by_place,
)

_DIPVIS = "https://github.com/UEWBot/dipvis/blob/09b508da608e37d729d1128967c7665274dcf289/visualiser/tournament/game_scoring"
_WEBDIP = "https://github.com/kestasjk/webDiplomacy/blob/22262da95e0dd1dd60f075304054ff9be48b3498"
_WIKI = "https://world-diplomacy-wiki.fandom.com/wiki"


ALL_CENTRES = 34


@dataclass(frozen=True)
class ScoringSystem:
    """How the end of one match becomes points."""

    key: str
    name: str
    summary: str  # a sentence that says what it rewards
    formula: str
    source: str  # the address of the published description; "" of the plain ones
    solo: tuple[Policy, ...]  # what is added up where a seat won alone
    drawn: tuple[Policy, ...]  # and in all other matches
    # of all seats, with seven seats and all 34 centres owned; None: it varies
    total: int | None = None
    centres: bool = True  # whether it fits only games with supply centres


def score_match(system: ScoringSystem, finishes: Finishes) -> Points:
    """Return the exact points of every seat; nothing is rounded.

    Raises ValueError if several seats have a solo.
    """
    solos = sum(each.solo for each in finishes.values())
    if solos > 1:
        raise ValueError(f"Only one seat can win alone, not {solos}.")
    return add_up(system.solo if solos else system.drawn, finishes)


def find_span(system: ScoringSystem, seats: int) -> tuple[Fraction, Fraction | None] | None:
    """Return the most points that one seat of a match can get and the most that all can together,
    None where they can be any.

    Both are those of a match in which one seat has all 34 centres, won alone or not. The second is
    None where it varies.
    """
    if any(isinstance(policy, OwnScore) for policy in system.drawn):
        return None
    others = {f"seat {number}": Finish(number, 0, out=True) for number in range(2, seats + 1)}
    first = Finish(1, 0, centres=ALL_CENTRES, drew=True)
    ends = [
        score_match(system, {"seat 1": each} | others)
        for each in (replace(first, solo=True, drew=False), first)
    ]
    total = max(sum(points.values(), Fraction(0)) for points in ends)
    return max(max(points.values()) for points in ends), total if system.total is not None else None


def is_possible(system: ScoringSystem, points: Sequence[Fraction], legs: int) -> bool:
    """Whether a table that played so many matches could have these points; those of the game's own
    score nobody can tell.

    Where the points of all seats have one sum in every match, they have it here.
    """
    span = find_span(system, len(points))
    if span is None:
        return False
    most, total = span[0] * legs, None if span[1] is None else span[1] * legs
    if not all(0 <= each <= most for each in points):
        return False
    return total is None or sum(points) == total or (system.centres and sum(points) < total)


def usual_bye(system: ScoringSystem, seats: int, *, legs: int) -> Fraction:
    """Return the usual points for a round of sitting out, beside tables of so many seats that play
    `legs` matches.

    At tables of two those of a win, as FIDE gives them; at larger ones those of a seat where all
    seats end alike. The game's own points are not known before they are played: 0.
    """
    each = Finish(1, 0, centres=ALL_CENTRES // seats, drew=True)
    alike = {f"seat {number}": each for number in range(1, seats + 1)}
    won = {
        "seat 1": replace(each, centres=ALL_CENTRES, solo=True, drew=False),
        "seat 2": Finish(2, 0, out=True),
    }
    return legs * score_match(system, won if seats == 2 else alike)["seat 1"]


def find_system(key: str) -> ScoringSystem:
    """Return the scoring system of a key; raises KeyError if there is none."""
    return {system.key: system for system in SYSTEMS}[key]


def list_systems(about: About) -> tuple[ScoringSystem, ...]:
    """Return the scoring systems that fit a game."""
    return tuple(system for system in SYSTEMS if about.centres or not system.centres)


_C_DIPLO = (Each(1), PerCentre(1), Ranks((38, 14, 7), by_centres))

SYSTEMS: tuple[ScoringSystem, ...] = (
    ScoringSystem(
        key="wins",
        name="Wins",
        summary="Only the first place counts; equal seats share it.",
        formula="1 point, shared by all in the first place; others 0.",
        source="",
        solo=(Pool(1, "first"),),
        drawn=(Pool(1, "first"),),
        total=1,
        centres=False,
    ),
    ScoringSystem(
        key="places",
        name="Places",
        summary="Every seat that you finish before counts, and every equal one half.",
        formula=(
            "With n seats n - 1 points for the first place to 0 for the last; equal seats split"
            " theirs."
        ),
        source="",
        solo=(Ranks(None, by_place),),
        drawn=(Ranks(None, by_place),),
        total=21,
        centres=False,
    ),
    ScoringSystem(
        key="own",
        name="Own points",
        summary="The game's own score counts as it is.",
        formula="The score of the result: pips, treasure, centres.",
        source="",
        solo=(OwnScore(),),
        drawn=(OwnScore(),),
        centres=False,
    ),
    ScoringSystem(
        key="draw-size",
        name="Draw-size",
        summary="A draw is worth more the fewer share it; centres do not count.",
        formula="Solo 100, others 0. Else 100, shared equally by those in the draw.",
        source=f"{_WEBDIP}/locales/English/points.php",
        solo=(ToWinner(100),),
        drawn=(Pool(100, "draw"),),
        total=100,
    ),
    ScoringSystem(
        key="sum-of-squares",
        name="Sum of squares",
        summary="Many centres count far more than few, compared with the squares of all.",
        formula="Solo 100, others 0. Else 100 S² / sum of all S², S being the centres.",
        source="http://daanz.org/sc-squares.htm",
        solo=(ToWinner(100),),
        drawn=(Share(100, square=1),),
        total=100,
    ),
    ScoringSystem(
        key="survivors-win",
        name="Survivors-win",
        summary=(
            "A draw is shared equally, and whoever survives a solo still gets points for centres."
        ),
        formula=(
            "Solo: 100 S / sum of all S for every seat. Else 100, shared equally by those in the"
            " draw."
        ),
        source="https://webdiplomacy.net/contrib/phpBB3/viewtopic.php?p=316423",
        solo=(Share(100, centre=1),),
        drawn=(Pool(100, "draw"),),
        total=100,
    ),
    ScoringSystem(
        key="c-diplo",
        name="C-Diplo",
        summary="To top the board alone counts most, by however little.",
        formula=(
            "Solo 100, others 0. Else 1, + 1 a centre, + 38, 14, 7 for the first three by centres;"
            " equal seats split."
        ),
        source="https://world-diplomacy-database.com/php/scoring/scoring_class.php?id_scoring=5",
        solo=(ToWinner(100),),
        drawn=_C_DIPLO,
        total=100,
    ),
    ScoringSystem(
        key="c-diplo-73",
        name="C-Diplo 73",
        summary="As C-Diplo, but a solo is worth little more than a large lead.",
        formula="Solo 73, others 0. Else as C-Diplo.",
        source="https://diplomania-gen.fr/dokuwiki2/doku.php?id=scoring:system:c-diplo",
        solo=(ToWinner(73),),
        drawn=_C_DIPLO,
    ),
    ScoringSystem(
        key="c-diplo-namur",
        name="C-Diplo Namur",
        summary="As C-Diplo, but the first few centres count more, so that small powers fight on.",
        formula=(
            "Solo 85, others 0. Else as C-Diplo, + 4, 7, 9, 10, 11 for 1 to 5 centres and 12 for 6"
            " or more."
        ),
        source=f"{_DIPVIS}/cdiplo_namur.py",
        solo=(ToWinner(85),),
        drawn=(*_C_DIPLO, BySize((4, 7, 9, 10, 11, 12))),
    ),
    ScoringSystem(
        key="manorcon",
        name="ManorCon",
        summary=(
            "Many centres count more than few, and those who are out count the years they played."
        ),
        formula=(
            "P = S² + 4 S + 16 for every seat: 100 P / sum of P; out: 0.1 a year. Solo 75, others"
            " 0.1 a year."
        ),
        source="http://diplom.org/manorcon/dipscore.htm",
        solo=(ToWinner(75), PerYear(Fraction(1, 10))),
        drawn=(Share(100, square=1, centre=4, each=16), PerYear(Fraction(1, 10))),
    ),
    ScoringSystem(
        key="carnage",
        name="Carnage",
        summary="The place by centres counts; the centres themselves only break ties.",
        formula=(
            "Solo 28034, others 0. Else 7000, 6000 ... 1000 by centres, then by year of"
            " elimination, + 1 a centre; equal seats split."
        ),
        source="https://www.webdiplomacy.net/forum.php?page-thread=1&threadID=1325258",
        solo=(ToWinner(28034),),
        drawn=(Ranks((7000, 6000, 5000, 4000, 3000, 2000, 1000), by_elimination), PerCentre(1)),
        total=28034,
    ),
    ScoringSystem(
        key="tribute",
        name="Tribute",
        summary=(
            "To survive counts, and all survivors pay the one at the top, the more the larger"
            " it is."
        ),
        formula=(
            "Solo 100, others 0. Else 1 a centre, + 66 / survivors; survivors below the top T pay"
            " it T - 6, at most 66 / survivors."
        ),
        source=f"{_WIKI}/Tribute_Scoring_System",
        solo=(ToWinner(100),),
        drawn=(PerCentre(1), Pool(66, "survivors"), Tribute(1, 66, 6)),
        total=100,
    ),
    ScoringSystem(
        key="half-tribute",
        name="Half-Tribute",
        summary="As Tribute, but the top receives half, so that to survive counts more.",
        formula="As Tribute, but survivors pay (T - 6) / 2.",
        source="https://windycityweasels.org/half-tribute-scoring-system/",
        solo=(ToWinner(100),),
        drawn=(PerCentre(1), Pool(66, "survivors"), Tribute(Fraction(1, 2), 66, 6)),
        total=100,
    ),
    ScoringSystem(
        key="opentribute",
        name="OpenTribute",
        summary=(
            "To top the board with many centres counts most; the smaller a power, the more it pays,"
            " and nobody gains by eliminations."
        ),
        formula=(
            "Solo 340, others 0. Else 34 + 3 S - (T - S), out: 0; each of N at the top T gets the"
            " sum of all T - S, divided by N²."
        ),
        source="https://windycityweasels.org/opentribute-scoring-system/",
        solo=(ToWinner(340),),
        drawn=(OpenTribute(34, 3),),
    ),
    ScoringSystem(
        key="detour09",
        name="Detour09",
        summary=(
            "Centres, the place and the lead count, compared with all others; those who are out"
            " count whole years."
        ),
        formula=(
            "Solo 110. Else 1 a centre, + 2 for survivors, + the lead over the second, + 4, 3, 2, 1"
            " by centres, equal seats the lower; all scaled to 100. Out, or lost to a solo: 0.25"
            " for each of at most 8 years before that one."
        ),
        source=f"{_DIPVIS}/detour09.py",
        solo=(ToWinner(110), PerYear(Fraction(1, 4), most=8, whole=True)),
        drawn=(
            Scaled(
                100,
                (
                    PerCentre(1),
                    ToSurvivors(2),
                    Lead(gap=1),
                    Ranks((4, 3, 2, 1), by_centres, ties="lowest"),
                ),
            ),
            PerYear(Fraction(1, 4), most=8, whole=True),
        ),
    ),
    ScoringSystem(
        key="bangkok",
        name="Bangkok 2020",
        summary=(
            "To be at the top or within two centres of it counts, and so do centres and survival."
        ),
        formula=(
            "Solo 41, others 0.5 a centre. Else 1 a centre, + 3 for survivors, + 12 in shares: 3 at"
            " the top, 2 and 1 for one and two centres less; out: 0.3 a year."
        ),
        source=f"{_WIKI}/Bangkok_2020_Scoring_System",
        solo=(ToWinner(41), PerCentre(Fraction(1, 2), losers=True)),
        drawn=(PerCentre(1), ToSurvivors(3), Domination(12, 3), PerYear(Fraction(3, 10))),
    ),
    ScoringSystem(
        key="dixie",
        name="Dixie",
        summary="A small draw counts most, then centres; those outside of it count their place.",
        formula=(
            "270, 70, 50, 34, 20, 10, 0 by place, + 4 a centre; those in a draw split its first"
            " places, then centres, then the year of elimination decide."
        ),
        source="http://www.dixiecon.com/id9.html",
        solo=(Ranks((270, 70, 50, 34, 20, 10, 0), by_draw), PerCentre(4)),
        drawn=(Ranks((270, 70, 50, 34, 20, 10, 0), by_draw), PerCentre(4)),
        total=590,
    ),
    ScoringSystem(
        key="whipping",
        name="Whipping",
        summary=(
            "Centres count most, then a small number of survivors, then to top the board alone."
        ),
        formula=(
            "Solo 468. Else 10 a centre, + 60 / survivors, + 2 a centre for the only one at the"
            " top. Out, or lost to a solo: 1 a year."
        ),
        source=f"{_DIPVIS}/whipping.py",
        solo=(ToWinner(468), PerYear(1)),
        drawn=(PerCentre(10), Pool(60, "survivors"), Lead(centre=2), PerYear(1)),
    ),
    ScoringSystem(
        key="world-classic",
        name="World Classic",
        summary=(
            "Centres count most, then survival, then to top the board; whoever is out gets a point"
            " for each whole year."
        ),
        formula=(
            "Solo 420. Else 10 a centre, + 30 for survivors, + 48 shared at the top. "
            "Out, or lost to a solo: 1 for each year before that one."
        ),
        source=f"{_DIPVIS}/world_classic.py",
        solo=(ToWinner(420), PerYear(1, whole=True)),
        drawn=(PerCentre(10), ToSurvivors(30), Pool(48, "top"), PerYear(1, whole=True)),
    ),
)
