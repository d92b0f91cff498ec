"""Validates retreats (R2), builds, removals and waives (R3) one at a time; `ordering/counting`
checks the number of builds.
"""

from adjudicator.games.diplomacy.language.spelling import ANY_KIND
from adjudicator.games.diplomacy.map.geography import (
    Power,
    Unit,
    World,
    kind_of,
    province_at,
    province_of,
    the_place,
)
from adjudicator.games.diplomacy.matching.unit_lookup import Fault, Field, describe_unit, spell_unit
from adjudicator.games.diplomacy.model.orders import Build, Disband, Move, Retreat, Waive
from adjudicator.games.diplomacy.model.state import Homeless
from adjudicator.games.diplomacy.resolve.resolve_adjustments import Account
from adjudicator.games.kit.words import capital, count, listing

# --- retreats


def judge_retreat(field: Field, order: Move | Retreat) -> Retreat | Fault:
    """Return the retreat of a dislodged unit with its coast, or why it is not allowed."""
    each = field.position.homeless[order.unit]
    code = province_at(order.to)
    spots = [spot for spot in each.retreats if spot == order.to] or [
        spot for spot in each.retreats if province_at(spot) == code
    ]
    if len(spots) == 1 and order.to in (spots[0], code):
        return Retreat(order.unit, spots[0])
    if order.to == code and spots:
        names = listing([the_place(field.world, spot) for spot in spots], "or")
        like = tuple(str(Retreat(order.unit, to)) for to in spots)
        return Fault(
            order.to, f"It is not said which coast: {names}.", like, "ambiguous", "not allowed"
        )
    ways = (
        *(
            str(Retreat(order.unit, to))
            for to in (*spots, *(to for to in each.retreats if to not in spots))
        ),
        str(Disband(order.unit)),
    )
    reason = (
        f"{capital(describe_unit(order.unit))} may not retreat to"
        f" {the_place(field.world, order.to)}: {_why_not(field, each, code)}."
    )
    return Fault(order.to, reason, ways, why="not allowed")


def _why_not(field: Field, each: Homeless, code: str) -> str:
    if not any(province_at(spot) == code for spot in field.world.reach[each.unit]):
        return "it is not next to it"
    if code == each.barred:
        return "its attacker came from there"
    if any(province_of(unit) == code for unit in field.position.owner):
        return "a unit stands there"
    return (
        "a standoff left it vacant"
        if code in field.position.contested
        else "it cannot reach that coast"
    )


# --- builds and removals


def judge_build(field: Field, order: Build, written: Power | None) -> Build | Fault:
    """Return a build with its kind of unit and coast, or why it is not allowed; `written` is the
    power that the line names.
    """
    code = province_of(order.unit)
    power = field.position.centres.get(code)
    if power not in field.powers:
        return Fault(spell_unit(order.unit), _not_owned(field, code))
    if written not in (None, power):
        reason = (
            f"{field.world.places[code].name} is {power.capitalize()}’s supply centre, not"
            f" {str(written).capitalize()}’s."
        )
        return Fault(str(written), reason, (spell_unit(str(order)),))
    what = field.accounts[power]
    if what.due <= 0:
        return Fault(spell_unit(str(order)), _none_due(what))
    if code not in what.sites:
        return Fault(spell_unit(order.unit), _no_site(field, what, code))
    unit = only_unit(field.world, order.unit)
    return Build(unit, order.trait) if unit in what.buildable else _which(order, what)


def only_unit(world: World, written: Unit) -> Unit:
    """Return the one possible unit that `written` can mean, without a kind or coast; `written` if
    there are several or none.
    """
    alike = [unit for unit in world.units_in.get(province_of(written), ()) if _fits(written, unit)]
    return alike[0] if len(alike) == 1 else written


def _which(order: Build, what: Account) -> Fault:
    """Return the question which unit is meant, or a refusal that says what can be built there."""
    possible = [unit for unit in what.buildable if province_of(unit) == province_of(order.unit)]
    alike = [unit for unit in possible if _fits(order.unit, unit)]
    like = tuple(str(Build(unit, order.trait)) for unit in alike or possible)
    names = listing([f"{unit} B" for unit in alike or possible], "or")
    if alike:
        return Fault(spell_unit(order.unit), f"This can be {names}.", like, "ambiguous")
    return Fault(spell_unit(order.unit), f"What can be built there is {names}.", like)


def _fits(written: Unit, unit: Unit) -> bool:
    same_kind = kind_of(written) in (kind_of(unit), ANY_KIND)
    return same_kind and (kind_of(unit) == "A" or "/" not in written or written[2:] == unit[2:])


def _not_owned(field: Field, code: str) -> str:
    place = field.world.places[code]
    return (
        f"{place.name} is not your supply centre."
        if place.centre
        else f"{place.name} is no supply centre; nothing is built there."
    )


def _none_due(what: Account) -> str:
    power, units, centres = (
        what.power.capitalize(),
        count(len(what.units), "unit"),
        count(len(what.owned), "supply centre"),
    )
    if len(what.owned) > len(what.units):
        return f"{power} has no empty home supply centre to build in."
    return f"{power} has {units} and {centres}, so nothing is built."


def _no_site(field: Field, what: Account, code: str) -> str:
    name = field.world.places[code].name
    if code in what.occupied:
        return f"A unit stands in {name}, so nothing can be built there."
    return (
        f"{name} is no home supply centre of {what.power.capitalize()}; units are built at home"
        " only."
    )


def judge_removal(field: Field, order: Disband) -> Disband | Fault:
    """Return the removal of an own unit, or why no removal is due."""
    what = field.accounts[field.owner[order.unit]]
    if what.due < 0:
        return order
    units, centres = count(len(what.units), "unit"), count(len(what.owned), "supply centre")
    return Fault(
        str(order), f"{what.power.capitalize()} has {units} and {centres}, so no unit has to go."
    )


def judge_waive(field: Field, order: Waive, written: Power | None) -> Waive | Fault:
    """Return the waive with its power, or why it has no build to waive; `written` is the power that
    the line names.
    """
    building = [power for power in field.powers if field.accounts[power].due > 0]
    power = order.power or written
    if power and power not in field.powers:
        return Fault(power, f"You do not play {power.capitalize()}.")
    if (power and power not in building) or not building:
        return Fault(
            "WAIVE",
            f"{power.capitalize() if power else 'You'} {'has' if power else 'have'} no build that"
            " could be waived.",
        )
    if not power and len(building) > 1:
        names = listing([each.capitalize() for each in building], "or")
        return Fault(
            "WAIVE",
            f"It is not said whose build: {names}.",
            tuple(str(Waive(each)) for each in building),
            "ambiguous",
        )
    return Waive(power or building[0])
