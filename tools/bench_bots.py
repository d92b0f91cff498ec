"""The strength of house bots: shares of the first place against named opponents, and the slowest
choice.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from adjudicator import catalogue
from adjudicator.core.game import AnyGame
from adjudicator.core.options import OptionValue
from tools.bench_diplomacy_bots import bench_diplomacy_bots
from tools.duels import play_duel
from tools.playing import Player, bot_player, play_steps
from tools.pyramid_plans import PLANS, plan_player

Say = Callable[[str], None]

SENSIBLE, GREEDY, RANDOM = bot_player("sensible"), bot_player("greedy"), bot_player("random")


@dataclass(frozen=True)
class Duel:
    """One line of figures: one player against others of another kind."""

    game: str
    label: str
    one: Player
    others: Player
    matches: int
    players: int = 0  # the fewest
    options: dict[str, OptionValue] = field(default_factory=dict)


DUELS = (
    *(
        Duel("phoenix", "thinks ahead against greedy ones", SENSIBLE, GREEDY, 60, players)
        for players in (2, 3, 4)
    ),
    *(
        Duel(
            "redeux",
            f"thinks ahead against a greedy one, {part}",
            SENSIBLE,
            GREEDY,
            400,
            options={"risk": risk},
        )
        for part, risk in (
            ("Primary game", "never"),
            ("with Risk Rounds", "always"),
            ("Risk Rounds as both like", "ask"),
        )
    ),
    Duel("genesis", "thinks ahead against a greedy one", SENSIBLE, GREEDY, 32),
    Duel("genesis", "greedy against one that thinks ahead", GREEDY, SENSIBLE, 32),
    Duel("pyramid", "thinks ahead against two greedy ones", SENSIBLE, GREEDY, 300),
    Duel("pyramid", "greedy against two that think ahead", GREEDY, SENSIBLE, 300),
    Duel("pyramid", "random against two that think ahead", RANDOM, SENSIBLE, 300),
)
PLAN_MATCHES = 100
REBIRTHS = 20


def bench_bots(say: Say) -> None:
    """Print the shares of every duel, and of random opponents in every game; takes about ten
    minutes.
    """
    for duel in (*DUELS, *(against_random(game) for game in catalogue.every_game())):
        game = catalogue.game(duel.game)
        tally = play_duel(
            game, duel.one, duel.others, duel.matches, players=duel.players, options=duel.options
        )
        seats = duel.players or min(game.about.seats)
        say(
            f"{game.about.title}, {seats} seats, {duel.label}: first in {tally.share:.0%} of"
            f" {duel.matches}, by luck {1 / seats:.0%}; at most {tally.slowest:.0f} ms a choice"
        )
    say(
        f"Genesis, two that think ahead: both buried and their tombs complete in {count_rebirths()}"
        f" of {REBIRTHS}"
    )
    for name, plan in PLANS.items():
        tally = play_duel(catalogue.game("pyramid"), plan_player(plan), SENSIBLE, PLAN_MATCHES)
        say(
            f"Rock Paper Pyramid, “{name}” against two that think ahead: first in {tally.share:.0%}"
            f" of {PLAN_MATCHES}"
        )
    bench_diplomacy_bots(say)


def count_rebirths() -> int:
    """Return in how many of the matches of two strong bots of Genesis both complete their tombs."""
    game = catalogue.game("genesis")
    table = dict.fromkeys(game.about.seats[2], SENSIBLE)
    ends = [
        [*play_steps(game, game.about.seats[2], table, f"ends {number}")][-1].state
        for number in range(REBIRTHS)
    ]
    return sum(all(side.buried and side.completed for side in state.sides) for state in ends)


def against_random(game: AnyGame) -> Duel:
    """Return the duel of the strongest bot against random ones, with the fewest players."""
    return Duel(game.about.key, "thinks ahead against random ones", SENSIBLE, RANDOM, 20)
