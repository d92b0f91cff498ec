"""Shares a worker process's time: matches go first, but letters get a turn after PLAY_SECONDS."""

PLAY_SECONDS = 2.0  # of closings and house bots; then letters are posted for two seconds and read for two


class Turns:
    """Counts the seconds that this process has spent on matches since the letters' last turn."""

    def __init__(self) -> None:
        self._played = 0.0

    def count_played(self, seconds: float) -> bool:
        """Add the seconds of a match's task; returns whether the letters have a turn, and then counts from zero."""
        self._played += seconds
        if self._played < PLAY_SECONDS:
            return False
        self._played = 0.0
        return True
