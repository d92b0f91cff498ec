"""How a match ended, in sentences: who won and why, the last score, the pot."""

from collections.abc import Sequence

from adjudicator.core.game import Seat
from adjudicator.games.kit.words import capital, count, listing, scores_text, who, whose
from adjudicator.games.phoenix.model.events import Ended
from adjudicator.games.phoenix.story.phrases import everybody


def ended(you: Seat | None, event: Ended, *, give_away: bool = False) -> str:
    """Return the end of the match in sentences addressed to `you`; `give_away` decides what counts at the limit."""
    score = f"The last score: {scores_text(you, event.scores)}."
    return " ".join(filter(None, (_won(you, event, give_away=give_away), _pot(you, event), score)))


def winners(event: Ended) -> tuple[Seat, ...]:
    """Return every winning seat."""
    return tuple(seat for side in event.winners for seat in side)


def _won(you: Seat | None, event: Ended, *, give_away: bool) -> str:
    seats = winners(event)
    names, has, wins = everybody(you, seats), *_verbs(you, seats)
    win = "share the victory" if len(event.winners) > 1 else wins
    if event.why == "survivor":
        return f"The match is over after turn {event.turn}: {names} alone {has} Birds on the grid and {win}{_bonus(you, event)}."
    if event.why == "given-away":
        return f"The match is over after turn {event.turn}: {names} {has} every Bird in the Ashes and {win}{_bonus(you, event)}."
    most = "most Birds in the Ashes" if give_away else "the highest score"
    return f"The match is over, as the limit is reached with turn {event.turn}: {names} {has} {most} and {win}."


def _verbs(you: Seat | None, seats: Sequence[Seat]) -> tuple[str, str]:
    return ("have", "win") if len(seats) > 1 or you in seats else ("has", "wins")


def _bonus(you: Seat | None, event: Ended) -> str:
    entered = list(event.bonus)
    if len(event.winners) > 1:
        return " (3 points each)"
    return " (3 points)" if list(event.winners) == [tuple(entered)] else f" (3 points, added to {whose(you, entered[0])} score)"


def _pot(you: Seat | None, event: Ended) -> str:
    if not event.shares and not event.pot:
        return ""
    shares = [
        f"{who(you, seat)} {'take' if seat == you else 'takes'} {count(chips, 'chip')}" for seat, chips in event.shares.items() if chips
    ]
    left = f"{event.pot} {'stays' if event.pot == 1 else 'stay'} in the pot" if event.pot else ""
    if not shares:
        return f"Too few chips for everybody to have one: {left}."
    return capital(f"{listing(shares)} out of the pot{'; ' + left if left else ''}.")


def brief(you: Seat | None, event: Ended) -> str:
    """Return the end in a few words: `Red wins as the last on the grid.`"""
    seats = winners(event)
    won = "share the victory" if len(event.winners) > 1 else _verbs(you, seats)[1]
    why = {"survivor": "as the last on the grid", "given-away": "with every Bird in the Ashes", "limit": "at the turn limit"}[event.why]
    return f"{everybody(you, seats)} {won} {why}."
