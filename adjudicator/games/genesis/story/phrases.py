"""The phrases that the story, the picture and the text board of Genesis share."""

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.state import Piece
from adjudicator.games.genesis.model.terms import Name, Part, Verdict
from adjudicator.games.genesis.model.view import Moment, SideView, TableView
from adjudicator.games.kit.words import count, listing, plural, whose

PIECES: dict[Name, str] = {"anubis": "Anubis", "bastet": "Bastet"}
PARTS: dict[Part, str] = {"births": "", "ideas": "Before the tombs", "tombs": "Tombs"}
TO_DO: dict[Moment, str] = {
    "birth": "to give birth",
    "turn": "to play",
    "thrown": "to use the throw",
    "over": "",
}
VERDICTS: dict[Verdict, str] = {
    "reborn as winner": "reborn as winner",
    "reborn": "reborn, not lost",
    "lost": "lost: tombs not complete",
    "lost threefold": "lost threefold: not both pieces buried",
    "lost sevenfold": "lost sevenfold: no Bastet in the World",
}
GIFT_WORDS = {
    "nothing": "it gives nothing",
    "rebirth": "Bastet may be reborn",
    "leap": "Bastet may leap",
}


def piece_name(you: Seat | None, seat: Seat, name: Name) -> str:
    """Return `your Bastet` or `seat 1’s Bastet`."""
    return f"{whose(you, seat)} {PIECES[name]}"


def verb_form(you: Seat | None, seat: Seat, own: str, other: str) -> str:
    """Return the form of a verb after a seat: `own` after `you`, else `other`."""
    return own if seat == you else other


def count_with_verb(number: int) -> str:
    """Return `none is`, `1 is`, `2 are`."""
    return f"{number or 'none'} {'is' if number < 2 else 'are'}"


def turn_title(view: TableView) -> str:
    """Return the phase's name, for a turn with the turn limit: `Turn 12 of 150`."""
    return (
        f"{view.phase} of {2 * view.turn_limit}"
        if view.moment == "turn" and view.turn_limit
        else view.phase
    )


def ending_sentence(view: TableView) -> str:
    """Return the outcome of a match that is over."""
    best = {
        of.seat: of.verdict for of in view.sides if of.verdict in {"reborn as winner", "reborn"}
    }
    if len(best) == 2 and set(best.values()) == {"reborn"}:
        return "Both seats are reborn: a draw."
    winner = next((seat for seat, verdict in best.items() if verdict == "reborn as winner"), None)
    if winner:
        return f"{'You are' if winner == view.seat else f'Seat {winner} is'} reborn as winner."
    return "One seat is reborn, and nobody as winner." if best else "Both seats have lost."


def part_title(view: TableView) -> str:
    """Return the part of play, "" during the births and after the end."""
    return "" if view.moment == "over" else PARTS[view.part]


def sleeping_corners(view: TableView) -> str:
    """Return which corners sleep: `The corners a1 and e1 sleep`; "" where none does."""
    if not view.asleep:
        return ""
    corners = listing(view.asleep)
    return plural(len(view.asleep), f"The corner {corners} sleeps", f"The corners {corners} sleep")


def place_text(piece: Piece) -> str:
    """Return where a piece is: `on b2`, `buried on a1`, `dead`, `not yet born`."""
    if piece.life == "alive":
        return f"on {piece.square}"
    return (
        f"buried on {piece.square}"
        if piece.buried
        else {"unborn": "not yet born"}.get(piece.life, "dead")
    )


def to_do(view: TableView, side: SideView) -> list[str]:
    """Return a phrase for each thing a seat has to do or owes, its turn first; after the end, its
    verdict.
    """
    if view.moment == "over":
        return [VERDICTS[side.verdict]]
    found = [TO_DO[view.moment]] if view.turn == side.seat else []
    if view.sits == side.seat:
        found.append(f"sits still for {count(view.sits_for, 'turn')}")
    if side.must_leave:
        found.append("must leave the Centre")
    if side.owes_deed:
        found.append("owes a duty deed")
    if side.over:
        found.append("can place nothing more")
    return found


def tombs_text(side: SideView) -> str:
    """Return the progress of a seat's tombs, "" unless both pieces are buried."""
    if side.completed:
        return "tombs complete"
    return (
        f"{len(side.filled)} of {len(side.tomb_cells)} tomb cells filled" if side.tomb_cells else ""
    )


def hand_text(side: SideView) -> str:
    """Return what a seat holds: `3 pyramids and 1 deed in hand`."""
    if not side.pyramids and not side.deeds:
        return "nothing in hand"
    return f"{held_text(side.pyramids, 'pyramid')} and {held_text(side.deeds, 'deed')} in hand"


def held_text(number: int, one: str) -> str:
    """Return `no deeds`, `1 deed`, `2 deeds`."""
    return count(number, one) if number else f"no {one}s"


def dipole_text(side: SideView) -> str:
    """Return where a seat's pieces are: `Anubis on b2, Bastet dead`."""
    return ", ".join(f"{PIECES[piece.name]} {place_text(piece)}" for piece in side.pieces)
