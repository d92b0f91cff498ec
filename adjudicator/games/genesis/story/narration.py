"""The events of an order of Genesis in sentences, addressed to one seat."""

from collections.abc import Sequence

from adjudicator.core.game import Event, Seat
from adjudicator.games.genesis.model import events
from adjudicator.games.genesis.model.terms import Gift
from adjudicator.games.genesis.model.view import TableView
from adjudicator.games.genesis.story.phrases import count_with_verb, piece_name, verb_form
from adjudicator.games.kit.words import capital, count, its, listing, plural, who, whose

You = Seat | None

POSSIBLE: dict[Gift, str] = {
    "nothing": "which gives nothing",
    "rebirth": "which may bring Bastet back",
    "leap": "with which Bastet may leap",
}
IMPOSSIBLE: dict[Gift, str] = {
    "nothing": "which gives nothing",
    "rebirth": "but no rebirth is possible",
    "leap": "but no leap is possible",
}


def tell_story(view: TableView, happened: Sequence[Event]) -> tuple[str, ...]:
    """Return one or two sentences for each event; the view's own seat is addressed as you."""
    return tuple(
        capital(sentence) for event in happened if (sentence := _sentence(view.seat, event))
    )


def _sentence(you: You, event: Event) -> str:
    return _start(you, event) or _move(you, event) or _order(you, event) or _tomb(you, event)


# --- the set-up


def _start(you: You, event: Event) -> str:
    match event:
        case events.FirstDrawn():
            return (
                f"{who(you, event.seat)} {verb_form(you, event.seat, 'were', 'was')} drawn to"
                " begin."
            )
        case events.HandThrown():
            thrown = listing([str(face) for face in event.faces], "and then")
            return (
                f"{who(you, event.seat)} threw {thrown} for {its(you, event.seat)} hand:"
                f" {count(event.pyramids, 'pyramid')}."
            )
        case events.Born():
            own = its(you, event.seat)
            back = f"the two pyramids went back into {own} hand"
            return (
                f"{piece_name(you, event.seat, 'anubis')} was born on {event.anubis} and {own}"
                f" Bastet on {event.bastet}; {back}."
            )
    return ""


# --- moves and their effects


def _move(you: You, event: Event) -> str:
    match event:
        case events.Moved():
            return (
                f"{piece_name(you, event.seat, event.piece)} moved from {event.start} to"
                f" {event.end}."
            )
        case events.Leapt():
            way = (
                f"onto the pyramid on {event.over}"
                if event.end == event.over
                else f"over the pyramid on {event.over} to {event.end}"
            )
            return f"{piece_name(you, event.seat, 'bastet')} leapt from {event.start} {way}."
        case events.Killed():
            return (
                f"On {event.square} {piece_name(you, event.seat, event.piece)} killed"
                f" {piece_name(you, event.of, 'bastet')}."
            )
        case events.TookIdea():
            return (
                f"The idea on {event.square} became a deed: {who(you, event.seat)} now"
                f" {_holds(you, event.seat, event.deeds)}."
            )
        case events.Generated():
            left = f"{count_with_verb(event.outside)} left outside the World"
            awake = ", which is awake from now on" if event.woke else ""
            return (
                f"From the Centre {piece_name(you, event.seat, 'bastet')} generated an idea on"
                f" {event.square}{awake}; {left}."
            )
        case events.Destroyed():
            back = f"now {count_with_verb(event.outside)} outside the World"
            return (
                f"From the Centre {piece_name(you, event.seat, 'bastet')} destroyed the idea on"
                f" {event.square}; {back}."
            )
        case events.MustLeave():
            whose_turn = verb_form(you, event.seat, "your", "its seat’s")
            return (
                f"{piece_name(you, event.seat, 'bastet')} has to leave the Centre on {whose_turn}"
                " next turn."
            )
        case events.SitsStill():
            return _sits_still(you, event)
    return ""


def _holds(you: You, seat: Seat, deeds: int) -> str:
    return f"{verb_form(you, seat, 'hold', 'holds')} {count(deeds, 'deed')}"


def _sits_still(you: You, event: events.SitsStill) -> str:
    other = "your" if you not in {None, event.seat} else "the other seat’s"
    still = (
        f"{who(you, event.seat)} {verb_form(you, event.seat, 'sit', 'sits')} still for {other} next"
        f" {count(event.turns, 'turn')}"
    )
    if not event.given_up:
        return f"{still}."
    return (
        f"{still} and {verb_form(you, event.seat, 'give', 'gives')} up the"
        f" {count(event.given_up, 'turn')} still to come in a row."
    )


# --- the other orders


def _order(you: You, event: Event) -> str:
    match event:
        case events.PlacedPyramid():
            return f"{who(you, event.seat)} placed a pyramid on {_placed(you, event)}."
        case events.PlacedDeed():
            return (
                f"{who(you, event.seat)} placed a {'duty deed' if event.duty else 'deed'} on"
                f" {_placed(you, event)}."
            )
        case events.Thrown():
            gift = (POSSIBLE if event.possible else IMPOSSIBLE)[event.gift]
            return f"{who(you, event.seat)} threw a {event.face}, {gift}."
        case events.Declined():
            declined = f"{who(you, event.seat)} declined to use the {event.face}"
            return f"{declined}." if event.possible else f"Nothing came of the {event.face}."
        case events.Reborn():
            return _reborn(you, event)
        case events.Passed():
            return f"{who(you, event.seat)} passed."
    return ""


def _placed(you: You, event: events.PlacedPyramid | events.PlacedDeed) -> str:
    """Return where something was placed and how many of it are left."""
    tomb = ""
    if event.tomb is not None:
        tomb = (
            ", a cell of"
            f" {its(you, event.seat) + ' own' if event.tomb == event.seat else whose(you, event.tomb)}"
            " tombs"
        )
    return f"{event.square}{tomb}; {count_with_verb(event.left)} left in hand"


def _reborn(you: You, event: events.Reborn) -> str:
    bastet, seat = piece_name(you, event.seat, "bastet"), who(you, event.seat)
    if event.way == "pyramid":
        return (
            f"{bastet} was reborn from the pyramid on {event.square}, which went into"
            f" {its(you, event.seat)} hand."
        )
    if event.way == "corner":
        return f"{bastet} was reborn on the corner {event.square}."
    deeds = count(len(event.returned), "deed")
    woke = plural(len(event.woke), "is awake from now on.", "are awake from now on.")
    awake = f" {listing(event.woke)} {woke}" if event.woke else ""
    return (
        f"{seat} returned {deeds} to {listing(event.returned)}, and {its(you, event.seat)} Bastet"
        f" was reborn in the Centre.{awake}"
    )


# --- tombs and the end


def _tomb(you: You, event: Event) -> str:
    match event:
        case events.TombsBegan():
            return "No idea is left outside the World, so the tombs begin."
        case events.Buried():
            return _buried(you, event)
        case events.TombsCompleted():
            return _completed(you, event)
        case events.SeatOver():
            nothing = f"{verb_form(you, event.seat, 'you', 'it')} can place nothing more"
            return (
                f"It is over for {who(you, event.seat)}: both {its(you, event.seat)} pieces are"
                f" buried and {nothing}."
            )
        case events.Ended():
            return _ended(you, event)
    return ""


def _buried(you: You, event: events.Buried) -> str:
    buried = f"{piece_name(you, event.seat, event.piece)} was buried on {event.square}."
    if not event.cells:
        return buried
    return f"{buried} {capital(its(you, event.seat))} tomb cells are {listing(event.cells)}."


def _completed(you: You, event: events.TombsCompleted) -> str:
    complete = f"{whose(you, event.seat)} tombs are complete: {listing(event.cells)} are filled."
    if event.owes is None:
        return complete
    return (
        f"{complete} From now on {who(you, event.owes)} {verb_form(you, event.owes, 'owe', 'owes')}"
        " a duty deed with every turn."
    )


def _ended(you: You, event: events.Ended) -> str:
    why = (
        "as neither seat can place anything more"
        if event.why == "over for both"
        else "as all its turns are taken"
    )
    over = f"The match is over, {why}."
    if set(event.verdicts.values()) == {"reborn"}:
        each = count(min(event.deeds.values()), "deed")
        return (
            f"{over} Both seats are reborn with {each} each: the tombs of both are complete, and it"
            " is a draw."
        )
    seats = sorted(event.verdicts, key=lambda seat: (event.places[seat], seat))
    return " ".join([over, *(capital(_verdict(you, event, seat)) for seat in seats)])


def _verdict(you: You, event: events.Ended, seat: Seat) -> str:
    """Return a seat's verdict and the reason for it."""
    own, lost = its(you, seat), f"{who(you, seat)} {verb_form(you, seat, 'have', 'has')}"
    reborn = f"{who(you, seat)} {verb_form(you, seat, 'are', 'is')} reborn"
    match event.verdicts[seat]:
        case "reborn as winner":
            return f"{reborn} as winner: {own} tombs are complete, with {_deeds(event, seat)}."
        case "reborn":
            return (
                f"{reborn} and {verb_form(you, seat, 'have', 'has')} not lost: {own} tombs are"
                f" complete, with {_deeds(event, seat)}."
            )
        case "lost":
            return f"{lost} lost: {own} tombs are not complete."
        case "lost threefold":
            return f"{lost} lost threefold: not both of {own} pieces are buried."
        case "lost sevenfold":
            return f"{lost} lost sevenfold: {own} Bastet is not in the World."


def _deeds(event: events.Ended, seat: Seat) -> str:
    """Return the deeds of a seat compared with those of the other: `5 deeds to 3`."""
    other = next(deeds for each, deeds in event.deeds.items() if each != seat)
    return f"{count(event.deeds[seat], 'deed')} to {other}"
