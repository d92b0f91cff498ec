"""The terms that orders, states, events and views of Genesis share: pieces, parts of play, gifts of
the die, verdicts.
"""

from typing import Literal

Name = Literal["anubis", "bastet"]
NAMES: tuple[Name, ...] = ("anubis", "bastet")
Life = Literal["unborn", "alive", "dead", "buried"]
Part = Literal["births", "ideas", "tombs"]
"""The parts of play: the set-up; while ideas are left outside the World; after the last one was
generated.
"""

Gift = Literal["nothing", "rebirth", "leap"]
"""What a face of the die gives; the seat may be unable to use it."""
GIFTS: dict[int, Gift] = {
    1: "rebirth",
    2: "nothing",
    3: "leap",
    4: "nothing",
    5: "nothing",
    6: "leap",
}

Verdict = Literal["reborn as winner", "reborn", "lost", "lost threefold", "lost sevenfold"]
SCORES: dict[Verdict, int] = {
    "reborn as winner": 1,
    "reborn": 0,
    "lost": -1,
    "lost threefold": -3,
    "lost sevenfold": -7,
}
