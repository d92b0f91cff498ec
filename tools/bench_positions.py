"""Hard positions for an adjudicator of Diplomacy: long rings, and convoys that depend on each
other.
"""

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Province, Unit
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder, Support

Hard = tuple[str, Mapping[Unit, Power], Mapping[Unit, MovementOrder]]

RING = (
    "PAR",
    "BUR",
    "BEL",
    "HOL",
    "RUH",
    "KIE",
    "BER",
    "PRU",
    "LVN",
    "STP",
    "MOS",
    "SEV",
    "UKR",
    "RUM",
    "BUL",
    "GRE",
    "ALB",
    "SER",
    "BUD",
    "GAL",
    "WAR",
    "SIL",
    "BOH",
    "VIE",
    "TRI",
    "TYR",
    "MUN",
)
"""Land provinces each next to the one before; Munich is next to Burgundy, with which the ring is
closed.
"""


def hard_positions() -> Iterator[Hard]:
    """Yield each position with its name; every order is legal, and no power attacks itself."""
    yield "a ring of 26 armies", *_ring(())
    yield (
        "a ring of 26 armies, attacked from without",
        *_ring((Move("A PAR", "BUR"), Move("A MAR", "BUR"))),
    )
    yield "one army, all fleets that can convoy it", *_one("SYR", "NWY")
    yield "armies on their own convoys, no sea left empty that could carry one", *_many()
    yield "a paradox of five convoys", *_tangle()


def _army(at: Province) -> Unit:
    return f"A {at}"


def _powers(units: Sequence[Unit]) -> dict[Unit, Power]:
    return {
        unit: STANDARD.powers[number % len(STANDARD.powers)] for number, unit in enumerate(units)
    }


def _ring(others: tuple[Move, ...]) -> tuple[dict[Unit, Power], dict[Unit, MovementOrder]]:
    round_ = RING[1:]
    moves = [Move(_army(at), to) for at, to in zip(round_, (*round_[1:], round_[0]), strict=True)]
    orders: dict[Unit, MovementOrder] = {move.unit: move for move in (*moves, *others)}
    return _powers(list(orders)), orders


def _one(at: Province, to: Province) -> tuple[dict[Unit, Power], dict[Unit, MovementOrder]]:
    orders: dict[Unit, MovementOrder] = {_army(at): Move(_army(at), to)}
    for sea in sorted({sea for chain in find_chains(STANDARD, at, to) for sea in chain}):
        orders[f"F {sea}"] = Convoy(f"F {sea}", _army(at), to)
    return _powers(list(orders)), orders


def _many() -> tuple[dict[Unit, Power], dict[Unit, MovementOrder]]:
    """Return armies on every coast with a route over free seas to a coast nobody else goes to, the
    longest routes first.
    """
    coasts = [code for code, place in STANDARD.places.items() if place.kind == "coast"]
    ways = [
        (chain, at, to) for at in coasts for to in coasts for chain in find_chains(STANDARD, at, to)
    ]
    orders: dict[Unit, MovementOrder] = {}
    seas: set[Province] = set()
    ends: set[Province] = set()
    for chain, at, to in sorted(
        ways, key=lambda way: (abs(len(way[0]) - 3), sorted(way[0]), way[1:])
    ):
        if not chain & seas and at not in ends and to not in ends:
            seas |= chain
            ends |= {at, to}
            orders |= {_army(at): Move(_army(at), to)} | {
                f"F {sea}": Convoy(f"F {sea}", _army(at), to) for sea in sorted(chain)
            }
    return _powers(list(orders)), orders


def _tangle() -> tuple[dict[Unit, Power], dict[Unit, MovementOrder]]:
    """Return three convoys whose armies each cut the support of an attack on the next convoy's
    fleet: a paradox with many links.
    """
    orders: dict[Unit, MovementOrder] = {}
    for fleet, army, to, attacker, helper in (
        ("ENG", "BRE", "LON", "IRI", "LON"),
        ("NTH", "NWY", "BEL", "HEL", "BEL"),
        ("TYS", "TUN", "NAP", "WES", "NAP"),
        ("ION", "GRE", "APU", "ADR", "APU"),
        ("AEG", "SMY", "BUL", "EAS", "BUL/SC"),
    ):
        orders[f"F {fleet}"] = Convoy(f"F {fleet}", _army(army), to)
        orders[_army(army)] = Move(_army(army), to)
        orders[f"F {attacker}"] = Move(f"F {attacker}", fleet)
        orders[f"F {helper}"] = Support(f"F {helper}", f"F {attacker}", fleet)
    return _powers(list(orders)), orders
