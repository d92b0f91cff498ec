"""Whose turn it is in one worker process: matches are played before letters are read and posted, but never for long."""

PLAY_SECONDS = 2.0  # of closings and house bots, then letters are posted for two seconds and read for two


class Turns:
    """Counts how long this process has played matches since letters had their turn."""

    def __init__(self) -> None:
        self._played = 0.0

    def count_played(self, seconds: float) -> bool:
        """Count what a task of matches took; returns whether it is the letters' turn, from which it counts anew."""
        self._played += seconds
        if self._played < PLAY_SECONDS:
            return False
        self._played = 0.0
        return True
