"""A chance that is watched: it gives the first of what it is asked to pick from, and keeps what it was asked."""


class WatchedStream:
    """One stream of a chance, with the draws asked of it in order: their labels and what was picked from."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def pick(self, label: str, options: tuple[str, ...]) -> str:
        """Return the first of the options."""
        self.asked.append((label, options))
        return options[0]


class WatchedChance:
    """Both streams, watched each for itself."""

    def __init__(self) -> None:
        self.public, self.hidden = WatchedStream(), WatchedStream()
