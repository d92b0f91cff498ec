"""A chance that picks the first of its options and records what it was asked."""


class WatchedStream:
    """One stream, which records the label and the options of each draw in order."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def pick(self, label: str, options: tuple[str, ...]) -> str:
        """Return the first of the options."""
        self.asked.append((label, options))
        return options[0]


class WatchedChance:
    """Both streams, with a record each."""

    def __init__(self) -> None:
        self.public, self.hidden = WatchedStream(), WatchedStream()
