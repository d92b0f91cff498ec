"""The events of an order of Genesis in sentences, addressed to one seat."""

from collections.abc import Sequence

from adjudicator.core.game import Event, Seat
from adjudicator.games.genesis.model import events
from adjudicator.games.genesis.model.terms import Gift
from adjudicator.games.genesis.model.view import TableView
from adjudicator.games.genesis.story.phrases import Voice, count_with_verb
from adjudicator.games.kit.words import capital, count, listing

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
    voice = Voice(view.seat)
    return tuple(capital(sentence) for event in happened if (sentence := _sentence(voice, event)))


def _sentence(voice: Voice, event: Event) -> str:
    return _start(voice, event) or _move(voice, event) or _order(voice, event) or _tomb(voice, event)


# --- the set-up


def _start(voice: Voice, event: Event) -> str:
    match event:
        case events.FirstDrawn():
            return f"{voice.seat(event.seat)} {voice.verb(event.seat, 'were', 'was')} drawn to begin."
        case events.HandThrown():
            thrown = listing([str(face) for face in event.faces], "and then")
            return f"{voice.seat(event.seat)} threw {thrown} for {voice.its(event.seat)} hand: {count(event.pyramids, 'pyramid')}."
        case events.Born():
            its = voice.its(event.seat)
            back = f"the two pyramids went back into {its} hand"
            return f"{voice.piece(event.seat, 'anubis')} was born on {event.anubis} and {its} Bastet on {event.bastet}; {back}."
    return ""


# --- moves and their effects


def _move(voice: Voice, event: Event) -> str:
    match event:
        case events.Moved():
            return f"{voice.piece(event.seat, event.piece)} moved from {event.start} to {event.end}."
        case events.Leapt():
            way = f"onto the pyramid on {event.over}" if event.end == event.over else f"over the pyramid on {event.over} to {event.end}"
            return f"{voice.piece(event.seat, 'bastet')} leapt from {event.start} {way}."
        case events.Killed():
            return f"On {event.square} {voice.piece(event.seat, event.piece)} killed {voice.piece(event.of, 'bastet')}."
        case events.TookIdea():
            return f"The idea on {event.square} became a deed: {voice.seat(event.seat)} now {_holds(voice, event.seat, event.deeds)}."
        case events.Generated():
            left = f"{count_with_verb(event.outside)} left outside the World"
            awake = ", which is awake from now on" if event.woke else ""
            return f"From the Centre {voice.piece(event.seat, 'bastet')} generated an idea on {event.square}{awake}; {left}."
        case events.Destroyed():
            back = f"now {count_with_verb(event.outside)} outside the World"
            return f"From the Centre {voice.piece(event.seat, 'bastet')} destroyed the idea on {event.square}; {back}."
        case events.MustLeave():
            return (
                f"{voice.piece(event.seat, 'bastet')} has to leave the Centre on {voice.verb(event.seat, 'your', 'its seat’s')} next turn."
            )
        case events.SitsStill():
            return _sits_still(voice, event)
    return ""


def _holds(voice: Voice, seat: Seat, deeds: int) -> str:
    return f"{voice.verb(seat, 'hold', 'holds')} {count(deeds, 'deed')}"


def _sits_still(voice: Voice, event: events.SitsStill) -> str:
    other = "your" if voice.you not in {None, event.seat} else "the other seat’s"
    still = f"{voice.seat(event.seat)} {voice.verb(event.seat, 'sit', 'sits')} still for {other} next {count(event.turns, 'turn')}"
    if not event.given_up:
        return f"{still}."
    return f"{still} and {voice.verb(event.seat, 'give', 'gives')} up the {count(event.given_up, 'turn')} still to come in a row."


# --- the other orders


def _order(voice: Voice, event: Event) -> str:
    match event:
        case events.PlacedPyramid():
            return f"{voice.seat(event.seat)} placed a pyramid on {_placed(voice, event)}."
        case events.PlacedDeed():
            return f"{voice.seat(event.seat)} placed a {'duty deed' if event.duty else 'deed'} on {_placed(voice, event)}."
        case events.Thrown():
            gift = (POSSIBLE if event.possible else IMPOSSIBLE)[event.gift]
            return f"{voice.seat(event.seat)} threw a {event.face}, {gift}."
        case events.Declined():
            declined = f"{voice.seat(event.seat)} declined to use the {event.face}"
            return f"{declined}." if event.possible else f"Nothing came of the {event.face}."
        case events.Reborn():
            return _reborn(voice, event)
        case events.Passed():
            return f"{voice.seat(event.seat)} passed."
    return ""


def _placed(voice: Voice, event: events.PlacedPyramid | events.PlacedDeed) -> str:
    """Return where something was placed and how many of it are left."""
    tomb = ""
    if event.tomb is not None:
        tomb = f", a cell of {voice.its(event.seat) + ' own' if event.tomb == event.seat else voice.whose(event.tomb)} tombs"
    return f"{event.square}{tomb}; {count_with_verb(event.left)} left in hand"


def _reborn(voice: Voice, event: events.Reborn) -> str:
    bastet, seat = voice.piece(event.seat, "bastet"), voice.seat(event.seat)
    if event.way == "pyramid":
        return f"{bastet} was reborn from the pyramid on {event.square}, which went into {voice.its(event.seat)} hand."
    if event.way == "corner":
        return f"{bastet} was reborn on the corner {event.square}."
    deeds = count(len(event.returned), "deed")
    awake = f" {listing(event.woke)} {'is' if len(event.woke) == 1 else 'are'} awake from now on." if event.woke else ""
    return f"{seat} returned {deeds} to {listing(event.returned)}, and {voice.its(event.seat)} Bastet was reborn in the Centre.{awake}"


# --- tombs and the end


def _tomb(voice: Voice, event: Event) -> str:
    match event:
        case events.TombsBegan():
            return "No idea is left outside the World, so the tombs begin."
        case events.Buried():
            return _buried(voice, event)
        case events.TombsCompleted():
            return _completed(voice, event)
        case events.SeatOver():
            nothing = f"{voice.verb(event.seat, 'you', 'it')} can place nothing more"
            return f"It is over for {voice.seat(event.seat)}: both {voice.its(event.seat)} pieces are buried and {nothing}."
        case events.Ended():
            return _ended(voice, event)
    return ""


def _buried(voice: Voice, event: events.Buried) -> str:
    buried = f"{voice.piece(event.seat, event.piece)} was buried on {event.square}."
    if not event.cells:
        return buried
    return f"{buried} {capital(voice.its(event.seat))} tomb cells are {listing(event.cells)}."


def _completed(voice: Voice, event: events.TombsCompleted) -> str:
    complete = f"{voice.whose(event.seat)} tombs are complete: {listing(event.cells)} are filled."
    if event.owes is None:
        return complete
    return f"{complete} From now on {voice.seat(event.owes)} {voice.verb(event.owes, 'owe', 'owes')} a duty deed with every turn."


def _ended(voice: Voice, event: events.Ended) -> str:
    why = "as neither seat can place anything more" if event.why == "over for both" else "as all its turns are taken"
    over = f"The match is over, {why}."
    if set(event.verdicts.values()) == {"reborn"}:
        each = count(min(event.deeds.values()), "deed")
        return f"{over} Both seats are reborn with {each} each: the tombs of both are complete, and it is a draw."
    seats = sorted(event.verdicts, key=lambda seat: (event.places[seat], seat))
    return " ".join([over, *(capital(_verdict(voice, event, seat)) for seat in seats)])


def _verdict(voice: Voice, event: events.Ended, seat: Seat) -> str:
    """Return a seat's verdict and the reason for it."""
    its, lost = voice.its(seat), f"{voice.seat(seat)} {voice.verb(seat, 'have', 'has')}"
    reborn = f"{voice.seat(seat)} {voice.verb(seat, 'are', 'is')} reborn"
    match event.verdicts[seat]:
        case "reborn as winner":
            return f"{reborn} as winner: {its} tombs are complete, with {_deeds(event, seat)}."
        case "reborn":
            return f"{reborn} and {voice.verb(seat, 'have', 'has')} not lost: {its} tombs are complete, with {_deeds(event, seat)}."
        case "lost":
            return f"{lost} lost: {its} tombs are not complete."
        case "lost threefold":
            return f"{lost} lost threefold: not both of {its} pieces are buried."
        case "lost sevenfold":
            return f"{lost} lost sevenfold: {its} Bastet is not in the World."


def _deeds(event: events.Ended, seat: Seat) -> str:
    """Return the deeds of a seat compared with those of the other: `5 deeds to 3`."""
    other = next(deeds for each, deeds in event.deeds.items() if each != seat)
    return f"{count(event.deeds[seat], 'deed')} to {other}"
