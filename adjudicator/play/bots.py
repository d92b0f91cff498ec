"""The orders of house bots of three strengths; a bot knows only what its seat may know."""

from collections.abc import Mapping
from typing import Literal

from adjudicator.core.game import AnyGame, Pick, Seat

Skill = Literal["sensible", "greedy", "random"]
# the strongest first; the first is the default
SKILLS: tuple[Skill, ...] = ("sensible", "greedy", "random")
WORDINGS: Mapping[Skill, str] = {
    "sensible": "they think ahead",
    "greedy": "they take the most they can get at once",
    "random": "they move at random",
}
TRIES = 20  # combinations of choices that are tried until one has no refusal and no open slot


def find_skill(name: str | None) -> Skill:
    """Return the strength of this name, the default one for any other text."""
    return next((skill for skill in SKILLS if skill == name), SKILLS[0])


def choose_orders(game: AnyGame, state: object, seat: Seat, *, skill: Skill, pick: Pick) -> str:
    """Return the text that a bot submits for a due seat; `pick` chooses at random, never from a
    match's chance.
    """
    view = game.view(state, seat)
    if skill == "random":
        text = choose_at_random(game, state, seat, pick)
    else:
        bot = game.greedy if skill == "greedy" and game.greedy else game.bot
        text = bot(view, game.slots(state, seat), pick)
    return "\n".join(filter(None, (text, game.vote(view))))


def choose_at_random(game: AnyGame, state: object, seat: Seat, pick: Pick) -> str:
    """Return orders picked uniformly; skip an optional slot half the time; never fill an `aside`
    slot.
    """
    slots = [slot for slot in game.slots(state, seat) if not slot.aside]
    for _ in range(TRIES):
        chosen = [
            pick(slot.choices).text for slot in slots if not slot.optional or pick((True, False))
        ]
        read = game.parse(state, seat, "\n".join(chosen))
        if not read.refusals and not read.open:
            break
    return "\n".join(chosen)
