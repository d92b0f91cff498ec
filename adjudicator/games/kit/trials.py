"""Games in which nothing can be tried."""

from adjudicator.game import Trial


def no_trial(view: object, text: str) -> Trial | None:
    """Return None: what this game's seats do in secret decides everything, so a trial would tell nothing."""
    return None
