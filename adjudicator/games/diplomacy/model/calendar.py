"""The phases of a year: their order, their codes (`S1901M`) and their names for readers."""

OPENING = "S1901M"
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}


def phase_name(phase: str) -> str:
    """Return the name of a phase: `Spring 1901`, `Spring 1901 retreats`, `Winter 1901 builds`."""
    stage = {"M": "", "R": " retreats", "A": " builds"}[phase[5]]
    return f"{SEASONS[phase[0]]} {phase[1:5]}{stage}"


def next_phase(phase: str, *, retreats: bool) -> str:
    """Return the phase after `phase`; `retreats` says whether a movement phase is followed by retreats.

    Every year has a Winter. The caller skips it if nothing has to be built or removed.
    """
    season, year, stage = phase[0], int(phase[1:5]), phase[5]
    if stage == "M" and retreats:
        return f"{season}{year}R"
    if season == "S":
        return f"F{year}M"
    return f"W{year}A" if season == "F" else f"S{year + 1}M"
