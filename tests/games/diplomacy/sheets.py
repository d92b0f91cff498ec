"""Positions and shortcuts for the tests of parsing."""

from dataclasses import replace

from adjudicator.core.game import Parsed, Refusal
from adjudicator.games.diplomacy.model.orders import Order
from adjudicator.games.diplomacy.model.state import Homeless, State
from adjudicator.games.diplomacy.ordering.parsing import parse
from tests.games.diplomacy.table import opened, position

START = opened()
RSP = opened(rule_set="rsp")
SEA = position(
    "F1902M", "ENGLAND F NTH, F EDI / FRANCE A BEL, F ENG, F MAO, F SPA/NC / GERMANY A MUN, F KIE"
)
WINTER = position(
    "W1901A",
    "FRANCE A BUR, A MAR, F MAO / GERMANY A BER, A DEN, A HOL, F KIE / RUSSIA A MOS",
    "FRANCE BEL BRE MAR PAR SPA / GERMANY BER KIE MUN / RUSSIA MOS SEV STP WAR",
)
ROUT = replace(
    position("S1902R", "FRANCE A BUR / GERMANY A MUN / AUSTRIA A SER, F TRI"),
    homeless=(
        Homeless("A BUR", "GERMANY", "A PAR", "PAR", ("BEL", "RUH")),
        Homeless("F BUL/SC", "TURKEY", "A SER", "SER", ("AEG", "CON")),
        Homeless("F MAO", "ENGLAND", "F NAO", "NAO", ("IRI", "SPA/NC", "SPA/SC")),
    ),
    contested=("PIC",),
)


def read(text: str, state: State = START, seat: str = "FRANCE") -> Parsed[Order]:
    """Parse a text."""
    return parse(state, seat, text)


def good(text: str, state: State = START, seat: str = "FRANCE") -> str:
    """Return the orders of a faultless text in canonical spelling."""
    parsed = read(text, state, seat)
    assert parsed.refusals == ()
    return ", ".join(str(order) for order in parsed.orders)


def refused(text: str, state: State = START, seat: str = "FRANCE") -> Refusal:
    """Return the one refusal of a text that gives no order."""
    parsed = read(text, state, seat)
    assert parsed.orders == () and len(parsed.refusals) == 1, parsed
    return parsed.refusals[0]
