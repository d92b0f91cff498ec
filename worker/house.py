"""House bots: for now they choose at random among the legal orders; they never draw from a match's own chance."""

import secrets

from adjudicator.game import Slots


def random_orders(slots: Slots) -> str:
    """Return one legal order for every slot, each drawn alike."""
    return "\n".join(secrets.choice(slot.choices).text for slot in slots)
