"""The story of a pick in sentences, for one reader."""

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.core.game import Event, Seat
from adjudicator.games.kit.words import capital, scores_text, who, whose
from adjudicator.games.redeux.state import (
    Answered,
    Drew,
    Ended,
    Played,
    PrimaryOver,
    Reshuffled,
    RiskBegan,
    Showing,
)
from adjudicator.games.redeux.view import TableView, round_name, what_beat_what

TIMES = {1: "once", 2: "twice in a row"}


def tell_story(view: TableView, events: Sequence[Event]) -> tuple[str, ...]:
    """Return the sentences of each event; the view's own seat is addressed as you."""
    return tuple(capital(sentence) for event in events for sentence in _sentences(view.seat, event))


def _sentences(you: Seat | None, event: Event) -> tuple[str, ...]:
    match event:
        case Played():
            return _played(you, event)
        case Reshuffled():
            return (
                (
                    f"The deck was empty: the {event.cards} cards of the discard were shuffled and"
                    " are the deck now."
                ),
            )
        case Drew():
            return (f"{who(you, event.seat)} drew {event.card} from the deck.",)
        case PrimaryOver():
            return _primary_over(you, event)
        case Answered():
            return (_answered(you, event),)
        case RiskBegan():
            return (
                (
                    "The Risk Rounds begin: each hand is 3 rock, 3 paper and 3 scissors again, the"
                    f" deck has {event.deck} cards, and {event.target} points win."
                ),
            )
        case Ended():
            return (_ended(you, event),)
    return ()


# --- a pick


def _played(you: Seat | None, event: Played) -> tuple[str, ...]:
    showing = event.showing
    if showing.winner is None:
        return (_tied(you, showing),)
    scores = scores_text(
        you, {seat: event.scores[seat] for seat in _winner_first(showing.cards, showing.winner)}
    )
    opening = (
        _chance_sentence(you, showing, showing.winner)
        if showing.named
        else what_beat_what(you, showing)
    )
    if not any(showing.bets.values()):
        return (f"{opening}.", f"{scores}.") if showing.named else (f"{opening}: {scores}.",)
    if showing.named:
        return (f"{opening}.", f"{_paid(you, showing)}.", f"{scores}.")
    return (f"{opening}: {_paid(you, showing)}.", f"{scores}.")


def _tied(you: Seat | None, showing: Showing) -> str:
    lapse = "; the bets lapse" if any(showing.bets.values()) else ""
    row = f" for the {_ordinal(showing.ties)} time in a row" if showing.ties > 1 else ""
    return (
        f"{what_beat_what(you, showing)}, so {round_name(showing)} is tied{row} and done"
        f" again{lapse}."
    )


def _ordinal(number: int) -> str:
    """Return `third`, and from the eleventh on `21st`."""
    words = (
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
    )
    if number <= len(words):
        return words[number - 1]
    ending = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def _chance_sentence(you: Seat | None, showing: Showing, winner: Seat) -> str:
    times = TIMES.get(showing.ties, f"{showing.ties} times in a row")
    return (
        f"{what_beat_what(you, showing)}; {round_name(showing)} was tied {times}, so chance named"
        f" its winner: {who(you, winner)}"
    )


def _paid(you: Seat | None, showing: Showing) -> str:
    """Return the results of both bets, the winner's first."""
    return ", ".join(
        part
        for seat in _winner_first(showing.cards, showing.winner)
        if (part := _payment(you, seat, showing))
    )


def _winner_first(seats: Iterable[Seat], winner: Seat | None) -> list[Seat]:
    return sorted(seats, key=lambda seat: seat != winner)


def _payment(you: Seat | None, seat: Seat, showing: Showing) -> str:
    bet, gain = showing.bets[seat], showing.gains[seat]
    if seat == showing.winner:
        return (
            f"{who(you, seat)} bet {bet} and won {gain}"
            if bet
            else f"{who(you, seat)} won {gain} without a bet"
        )
    return f"{who(you, seat)} bet {bet} and lost {bet}" if bet else ""


# --- between the parts, and the end


def _primary_over(you: Seat | None, event: PrimaryOver) -> tuple[str, ...]:
    won = f"{who(you, event.winner)} won the Primary game, {_result(event.scores, event.winner)}."
    if not event.asks:
        return (won,)
    question = "each seat is asked" if you is None else "you are both asked"
    return (won, f"Now {question} whether to go on to the Risk Rounds; one no ends the match here.")


def _answered(you: Seat | None, event: Answered) -> str:
    seats = sorted(event.answers, key=lambda seat: (seat != you, seat))
    words = ["yes" if event.answers[seat] else "no" for seat in seats]
    if len(set(words)) == 1:
        sentence = (
            f"{who(you, seats[0])} and {who(you, seats[1])} both said {words[0]} to the Risk Rounds"
        )
    else:
        sentence = (
            f"{who(you, seats[0])} said {words[0]} to the Risk Rounds and {who(you, seats[1])} said"
            f" {words[1]}"
        )
    return f"{sentence}, so the match {'goes on' if set(words) == {'yes'} else 'ends here'}."


WHY = {
    "primary": "There are no Risk Rounds in this match",
    "declined": "The Primary game decides",
    "target": "{owner} score reached {bound}",
    "limit": "{bound} picks of the Risk Rounds are over, and the scores differ",
}


def _ended(you: Seat | None, event: Ended) -> str:
    reason = WHY[event.why].format(owner=whose(you, event.winner), bound=event.bound)
    return (
        f"{capital(reason)}: {who(you, event.winner)} won the match,"
        f" {_result(event.scores, event.winner)}."
    )


def _result(scores: Mapping[Seat, int], winner: Seat) -> str:
    """Return `100 to 40`."""
    return " to ".join(str(scores[seat]) for seat in _winner_first(scores, winner))
