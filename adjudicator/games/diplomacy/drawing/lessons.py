"""The pictures of the rules pages of both games: the opening, and parts of the map that show one
rule each.
"""

from dataclasses import dataclass, field, replace
from html import escape

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.diplomacy.drawing.crop import Part, cut_out, strip_ids
from adjudicator.games.diplomacy.drawing.draw import draw_board
from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.map import art
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit, province_of
from adjudicator.games.diplomacy.model.marks import KEYS
from adjudicator.games.diplomacy.model.orders import Move, MovementOrder, Trait
from adjudicator.games.diplomacy.model.state import Realm, RuleSet, Setup, State
from adjudicator.games.diplomacy.phases import stages
from adjudicator.games.diplomacy.phases.view import BoardView, look

_WIDTH, _HEIGHT = 400.0, 270.0
_PHASE = "S1902M"


@dataclass(frozen=True)
class Lesson:
    """An example of a rule: the units with their orders (`A PAR - BUR`), and a sentence that says
    the result.
    """

    orders: dict[Power, tuple[str, ...]]
    says: str
    traits: dict[Unit, Trait] = field(default_factory=dict)  # rsp

    @property
    def rule_set(self) -> RuleSet:
        """The rule set by which it is adjudicated."""
        return "rsp" if self.traits else "standard"


LESSONS = {
    "move": Lesson(
        {"FRANCE": ("A PAR - BUR", "F BRE - ENG"), "GERMANY": ("A MUN H",)},
        "The army goes from Paris to Burgundy, the fleet from Brest to the English Channel; the"
        " army in Munich holds.",
    ),
    "standoff": Lesson(
        {"FRANCE": ("A PAR - BUR",), "GERMANY": ("A MUN - BUR",)},
        "Paris and Munich both try to enter Burgundy, one as strong as the other: a standoff, and"
        " both stay where they are.",
    ),
    "support": Lesson(
        {"FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR"), "GERMANY": ("A MUN - BUR",)},
        "Marseilles supports the move from Paris to Burgundy: two against one, Paris moves in and"
        " Munich stays.",
    ),
    "cut": Lesson(
        {
            "FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR"),
            "GERMANY": ("A MUN - BUR",),
            "ITALY": ("A PIE - MAR",),
        },
        "Piedmont attacks Marseilles and cuts its support, so Paris and Munich stand off in"
        " Burgundy.",
    ),
    "dislodged": Lesson(
        {"FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR"), "GERMANY": ("A BUR H",)},
        "Paris, supported by Marseilles, dislodges the German army in Burgundy, which has to"
        " retreat.",
    ),
    "convoy": Lesson(
        {"ENGLAND": ("A YOR - DEN", "F NTH C A YOR - DEN")},
        "The fleet in the North Sea carries the army from Yorkshire to Denmark.",
    ),
    "rsp_beats": Lesson(
        {"GERMANY": ("A PRU - SIL",), "AUSTRIA": ("A GAL - SIL",)},
        "Rock beats Scissors: Prussia moves into Silesia, Galicia stays.",
        {"A PRU": "Rock", "A GAL": "Scissors"},
    ),
    "rsp_dislodges": Lesson(
        {"GERMANY": ("A PRU - SIL",), "RUSSIA": ("A SIL - PRU",)},
        "Head to head Rock beats Scissors: Prussia moves into Silesia, and the army there is"
        " dislodged.",
        {"A PRU": "Rock", "A SIL": "Scissors"},
    ),
    "rsp_defends": Lesson(
        {"GERMANY": ("A PRU - SIL",), "RUSSIA": ("A SIL - PRU",), "AUSTRIA": ("A GAL - SIL",)},
        "Scissors in Silesia keeps Paper out, and then Rock dislodges it.",
        {"A PRU": "Rock", "A SIL": "Scissors", "A GAL": "Paper"},
    ),
    "rsp_leaves": Lesson(
        {"GERMANY": ("A PRU - SIL",), "RUSSIA": ("A SIL - BOH",), "AUSTRIA": ("A GAL - SIL",)},
        "Scissors leaves Silesia for Bohemia, Paper beats Rock: Galicia moves in.",
        {"A PRU": "Rock", "A SIL": "Scissors", "A GAL": "Paper"},
    ),
    "rsp_garrison": Lesson(
        {"GERMANY": ("A PRU - SIL",), "RUSSIA": ("A SIL - PRU",), "AUSTRIA": ("A GAL - SIL",)},
        "Two Rocks stand off over Silesia, and Scissors stays between them.",
        {"A PRU": "Rock", "A SIL": "Scissors", "A GAL": "Rock"},
    ),
}


def rule_pictures() -> dict[str, str]:
    """Return the pictures of the rules page of `standard` by name: `map` is the opening, the others
    are lessons.
    """
    return _pictures("standard")


def rsp_rule_pictures() -> dict[str, str]:
    """Return the pictures of the rules page of `rsp` by name."""
    return _pictures("rsp")


def _pictures(rule_set: RuleSet) -> dict[str, str]:
    opening = draw_board(_opening())
    whole = Part(
        0, 0, art.load_art(STANDARD.name).size.width, art.load_art(STANDARD.name).size.height
    )
    drawn = {
        name: _picture(lesson) for name, lesson in LESSONS.items() if lesson.rule_set == rule_set
    }
    return {
        "map": _framed(
            rule_set, whole, "The map, with the units of Spring 1901.", strip_ids(opening)
        ),
        **drawn,
    }


def position_after(lesson: Lesson) -> BoardView:
    """Return an observer's view after the orders of a lesson, with all characteristics."""
    orders = {power: tuple(map(_order, texts)) for power, texts in lesson.orders.items()}
    after = stages.carry_out(_position(lesson), orders, ScriptedChance(())).state
    return replace(look(after, None), traits=after.traits, homeless=after.homeless, seen={})


def _opening() -> BoardView:
    return look(
        _state("standard", {power: STANDARD.opening[power] for power in STANDARD.powers}), None
    )


def _position(lesson: Lesson) -> State:
    units = {
        power: tuple(sorted(_order(order).unit for order in orders))
        for power, orders in lesson.orders.items()
    }
    return replace(_state(lesson.rule_set, units), traits=lesson.traits)


def _state(rule_set: RuleSet, units: dict[Power, tuple[Unit, ...]]) -> State:
    edition = "2023" if rule_set == "standard" else "1976"
    setup = Setup(
        rule_set,
        edition,
        STANDARD.victory_centres,
        year_limit=0,
        build_anywhere=False,
        unplayed="disorder",
    )
    return State(
        setup, tuple(Realm(power, (power,)) for power in units), _PHASE, units, STANDARD.homes
    )


def _order(text: str) -> MovementOrder:
    read = read_canonical(text)
    if read is None:
        raise ValueError(f"{text} is not written as orders are.")
    return read


def _picture(lesson: Lesson) -> str:
    view, part = position_after(lesson), _part(lesson)
    shapes = art.load_art(STANDARD.name).shapes
    codes = tuple(
        code
        for code, shape in shapes.items()
        if part.holds(shape.code) and part.holds(shape.centre or shape.code)
    )
    return _framed(lesson.rule_set, part, lesson.says, cut_out(draw_board(view, codes), part))


def _part(lesson: Lesson) -> Part:
    """Return the part of the map around everything a lesson names."""
    drawn = art.load_art(STANDARD.name)
    orders = [_order(order) for orders in lesson.orders.values() for order in orders]
    places = [drawn.shapes[province_of(order.unit)].unit for order in orders] + [
        drawn.at(each.to) for each in orders if isinstance(each, Move)
    ]
    x = (min(at.x for at in places) + max(at.x for at in places)) / 2
    y = (min(at.y for at in places) + max(at.y for at in places)) / 2
    return Part(max(0.0, x - _WIDTH / 2), max(0.0, y - _HEIGHT / 2), _WIDTH, _HEIGHT)


def _framed(rule_set: RuleSet, part: Part, says: str, content: str) -> str:
    label = escape(says, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {KEYS[rule_set]}"'
        f' viewBox="{part.box}" role="img" aria-label="{label}"><title>{label}</title>{content}</svg>'
    )
