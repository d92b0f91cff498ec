"""How house bots play: at random, or with a thought of the game's own; a bot knows what its seat's view tells, no more."""

from typing import Literal

from adjudicator.core.game import AnyGame, Pick, Seat

Skill = Literal["sensible", "random"]
SKILLS: tuple[Skill, ...] = ("sensible", "random")
TRIES = 20  # combinations of choices that may turn out not to fit together


def orders(game: AnyGame, state: object, seat: Seat, *, skill: Skill, pick: Pick) -> str:
    """Return the text a bot hands in for a due seat; `pick` returns one of several things at random, never from a match's chance."""
    view = game.view(state, seat)
    text = at_random(game, state, seat, pick) if skill == "random" else game.bot(view, game.slots(state, seat), pick)
    return "\n".join(filter(None, (text, game.vote(view))))


def at_random(game: AnyGame, state: object, seat: Seat, pick: Pick) -> str:
    """Return legal orders that answer every slot, each choice drawn alike; every other time none of an optional one; never of one aside."""
    slots = [slot for slot in game.slots(state, seat) if not slot.aside]
    for _ in range(TRIES):
        chosen = [pick(slot.choices).text for slot in slots if not slot.optional or pick((True, False))]
        read = game.parse(state, seat, "\n".join(chosen))
        if not read.refusals and not read.open:
            break
    return "\n".join(chosen)
