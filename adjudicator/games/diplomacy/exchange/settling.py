"""One phase of an exchange, carried out on whatever part of a board it has: movement, retreats or adjustments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.games.diplomacy.exchange.lines import LineFault, Position
from adjudicator.games.diplomacy.exchange.order_matching import Given, Text, agrees, assign, standing, understand
from adjudicator.games.diplomacy.language.spelling import ANY_KIND
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Province, Unit, kind_of, province_at, province_of, unit_at
from adjudicator.games.diplomacy.model.editions import Rules
from adjudicator.games.diplomacy.model.orders import Build, Disband, Move, MovementOrder, Order, Retreat, Trait, Waive
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from adjudicator.games.diplomacy.model.state import Homeless
from adjudicator.games.diplomacy.resolve import contests, movement, resolve_retreats
from adjudicator.games.diplomacy.resolve.resolve_adjustments import Account
from adjudicator.games.diplomacy.resolve.resolve_adjustments import resolve as adjust

Texts = Mapping[Power, Sequence[str]]


@dataclass(frozen=True)
class Settled:
    """What came of one phase."""

    after: Position
    fates: Mapping[str, Fate]  # of every unit concerned as it stood before, of new units, and of waived builds
    unread: Mapping[Power, Sequence[str]]  # the texts that are no orders
    revealed: Mapping[Unit, Trait]  # rsp R5


def settle(rules: Rules, position: Position, texts: Texts) -> Settled:
    """Adjudicate one phase. Raises LineFault only for what a movement of `rsp` lacks: a unit's characteristic."""
    if position.stage == "M":
        return _settle_movement(rules, position, texts)
    return _settle_retreats(rules, position, texts) if position.stage == "R" else _settle_winter(rules, position, texts)


# --- movement


def _settle_movement(rules: Rules, position: Position, texts: Texts) -> Settled:
    given = assign(position.owner, texts, rules)
    traits = _traits(position, given) if rules.rule_set == "rsp" else {}
    battle = fight(rules, position.owner, given.orders, traits)
    driven = resolve_retreats.homeless(STANDARD, rules.edition, position.owner, battle, traits=traits)
    fates = battle.fates if not given.void else {**battle.fates, **_void(battle, given)}
    after = _after_movement(position, battle, driven, traits)
    return Settled(after, fates, given.unread, {unit: traits[unit] for clash in battle.clashes.values() for unit in clash})


def fight(rules: Rules, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder], traits: Mapping[Unit, Trait]) -> Battle:
    """Return the battle under the rules; every order has to be one that its unit can ever obey."""
    if rules.rule_set == "rsp":
        return contests.resolve(STANDARD, rules.edition, owner, orders, traits)
    return movement.resolve(STANDARD, rules.edition, owner, orders)


def _traits(position: Position, given: Given) -> dict[Unit, Trait]:
    traits = {**position.traits, **given.traits}
    for unit in sorted(position.owner):
        if unit not in traits:
            raise LineFault(f'{unit} has no characteristic: give it one in “characteristics”, like {{"{unit}": "Rock"}}.')
    return traits


def _void(battle: Battle, given: Given) -> dict[Unit, Fate]:
    """Return the fates of units whose every order was void; one that was driven out is dislodged all the same."""
    lost = battle.dislodged
    return {unit: Fate("void", why) for unit, why in given.void.items() if unit not in lost}


def _after_movement(position: Position, battle: Battle, driven: Sequence[Homeless], traits: Mapping[Unit, Trait]) -> Position:
    now = {
        unit: unit_at(unit, battle.moved[unit]) if unit in battle.moved else unit for unit in position.owner if unit not in battle.dislodged
    }
    after = Position(
        phase=position.phase,
        owner={now[unit]: position.owner[unit] for unit in now},
        lost={each.unit: each.power for each in driven},
        centres=position.centres,
        barred={province_of(each.unit): each.barred for each in driven if each.barred},
        contested=battle.contested,
        traits={now[unit]: traits[unit] for unit in now} if traits else {},
        lost_traits={each.unit: each.trait for each in driven if each.trait},
    )
    return _with_fall(after)


def _with_fall(after: Position) -> Position:
    """Return the position with the centres as they are taken at the end of a Fall, that is once nobody is dislodged any more."""
    if after.phase[0] != "F" or after.lost:
        return after
    taken = {province_of(unit): power for unit, power in after.owner.items() if STANDARD.places[province_of(unit)].centre}
    return replace(after, centres={**after.centres, **taken})


# --- retreats


def _settle_retreats(rules: Rules, position: Position, texts: Texts) -> Settled:
    homeless = waiting(position)
    given: dict[Unit, Retreat | Disband] = {}
    void: dict[Unit, Fate] = {}
    unread: dict[Power, list[str]] = {}
    for power, text in ((power, text) for power, lines in texts.items() for text in lines):
        read = understand(text)
        if not read.orders:
            unread.setdefault(power, []).append(text)
        unit = standing(position.lost, read.unit) if read.unit else None
        own = position.lost.get(unit or "") == power and agrees(position.lost, read)
        order = _retreat(homeless, unit, read.orders) if own else None
        if order:
            given[order.unit] = _better(homeless, given.get(order.unit), order)
        elif unit:
            void[unit] = Fate("void", "not possible")
    fates = resolve_retreats.resolve(list(homeless.values()), given)
    return Settled(_after_retreats(position, given, fates), {**void, **fates}, unread, {})


def waiting(position: Position) -> dict[Unit, Homeless]:
    """Return the dislodged units of a position, each with the spots where it may go as far as the position tells (R2)."""
    closed = {province_of(unit) for unit in position.owner} | position.contested
    return {unit: _homeless(position, unit, closed) for unit in sorted(position.lost)}


def _homeless(position: Position, unit: Unit, closed: set[Province]) -> Homeless:
    barred = position.barred.get(province_of(unit))
    spots = resolve_retreats.open_to(STANDARD, unit, closed, barred)
    return Homeless(unit, position.lost[unit], "", barred, spots, position.lost_traits.get(unit))


def _retreat(homeless: Mapping[Unit, Homeless], unit: Unit | None, orders: Sequence[Order]) -> Retreat | Disband | None:
    """Return what a homeless unit is to do; a move is a retreat, and the only coast there is need not be named.

    A line that changes a characteristic is no retreat (rsp R3).
    """
    order = orders[0] if len(orders) == 1 else None
    if unit is None or not isinstance(order, Retreat | Disband | Move):
        return None
    if isinstance(order, Disband):
        return Disband(unit)
    spots = homeless[unit].retreats
    goal = province_at(order.to) if kind_of(unit) == "A" else order.to
    near = [spot for spot in spots if province_at(spot) == goal]
    return Retreat(unit, near[0] if len(near) == 1 else goal)


def _better(homeless: Mapping[Unit, Homeless], old: Retreat | Disband | None, new: Retreat | Disband) -> Retreat | Disband:
    """Return which of two orders for a unit counts: the last that is allowed."""
    allowed = isinstance(new, Disband) or new.to in homeless[new.unit].retreats
    return new if allowed or old is None else old


def _after_retreats(position: Position, given: Mapping[Unit, Retreat | Disband], fates: Mapping[Unit, Fate]) -> Position:
    homes: dict[Unit, Unit] = {}
    for unit, order in given.items():
        if isinstance(order, Retreat) and fates[unit].result == "retreated":
            homes[unit] = unit_at(unit, order.to)
    carried = {homes[unit]: trait for unit, trait in position.lost_traits.items() if unit in homes}
    return _with_fall(
        Position(
            phase=position.phase,
            owner={**position.owner, **{home: position.lost[unit] for unit, home in homes.items()}},
            centres=position.centres,
            traits={**position.traits, **carried},
        )
    )


# --- adjustments


def _settle_winter(rules: Rules, position: Position, texts: Texts) -> Settled:
    fates: dict[str, Fate] = {}
    unread: dict[Power, list[str]] = {}
    owner: dict[Unit, Power] = {}
    traits: dict[Unit, Trait] = dict(position.traits)
    for power in STANDARD.powers:
        account = _account(rules, position, power)
        given = _adjustments(rules, account, texts.get(power, ()), fates, unread)
        settled = adjust(account, given)
        for order, fate in zip(given, settled.fates, strict=True):
            _note(fates, order, fate)
        fates |= dict.fromkeys(settled.removed, Fate("disbanded", "civil disorder"))
        owner |= dict.fromkeys(settled.units, power)
        traits |= _named(given, settled.fates)
    left = {unit: trait for unit, trait in traits.items() if unit in owner}
    return Settled(Position(phase=position.phase, owner=owner, centres=position.centres, traits=left), fates, unread, {})


def _named(given: Sequence[Build | Disband | Waive], fates: Sequence[Fate]) -> dict[Unit, Trait]:
    """Return the characteristics that orders name for units they built; a void build changes nothing (rsp R2, R3)."""
    pairs = zip(given, fates, strict=True)
    return {order.unit: order.trait for order, fate in pairs if isinstance(order, Build) and order.trait and fate.result == "built"}


def _account(rules: Rules, position: Position, power: Power) -> Account:
    return Account(
        world=STANDARD,
        edition=rules.edition,
        power=power,
        owned=tuple(sorted(code for code, holder in position.centres.items() if holder == power)),
        units=tuple(sorted(unit for unit, holder in position.owner.items() if holder == power)),
        occupied=frozenset(province_of(unit) for unit in position.owner),
        anywhere=rules.anywhere,
    )


def _adjustments(
    rules: Rules, account: Account, texts: Sequence[str], fates: dict[str, Fate], unread: dict[Power, list[str]]
) -> list[Build | Disband | Waive]:
    """Return the orders of one power as written; what is no order of a Winter is void at once."""
    given: list[Build | Disband | Waive] = []
    own = dict.fromkeys(account.units, account.power)
    for text in texts:
        read = understand(text)
        order = _adjustment(rules, account, own, read)
        if order:
            given.append(order)
        elif read.unit:
            fates.setdefault(read.unit, Fate("void", "not possible"))
        if not read.orders:
            unread.setdefault(account.power, []).append(text)
    return given


def _adjustment(rules: Rules, account: Account, own: Mapping[Unit, Power], read: Text) -> Build | Disband | Waive | None:
    """Return what a text builds, removes or waives for this power; None where the line is refused (R3)."""
    order = read.orders[0] if len(read.orders) == 1 else None
    if read.power not in (None, account.power):
        return None
    if isinstance(order, Waive):
        return Waive(account.power)
    if isinstance(order, Disband):
        return Disband(standing(own, order.unit)) if agrees(own, read) else None
    if isinstance(order, Build) and (order.trait is None or rules.rule_set == "rsp"):
        return Build(_only_kind(order.unit), order.trait)
    return None


def _only_kind(unit: Unit) -> Unit:
    """Return the unit that a build without a kind means where only one can stand there; else `unit` itself."""
    possible = [each for each in STANDARD.units if province_of(each) == province_of(unit)]
    return possible[0] if kind_of(unit) == ANY_KIND and len(possible) == 1 else unit


def _note(fates: dict[str, Fate], order: Build | Disband | Waive, fate: Fate) -> None:
    """Write down a fate; where one unit or power has several orders, those that did something come first (`FRANCE WAIVE 2`)."""
    name = order.unit if not isinstance(order, Waive) else str(order)
    if isinstance(order, Waive):
        number = sum(key.startswith(name) for key in fates)
        name = f"{name} {number + 1}" if number else name
    if name not in fates or fates[name].result == "void":
        fates[name] = fate
