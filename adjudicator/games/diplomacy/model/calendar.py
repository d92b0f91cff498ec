"""The phases of a year: their order, their codes (`S1901M`) and their names for readers."""

import re

OPENING = "S1901M"
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_YEAR = r"((?:19|20)\d\d)"
_CODE = re.compile(rf"[SF]{_YEAR}[MR]|W{_YEAR}A", re.ASCII)
_NAME = re.compile(
    rf"(Spring|Fall|Winter)\s+{_YEAR}(?:\s+(retreats|builds))?", re.IGNORECASE | re.ASCII
)


def phase_name(phase: str) -> str:
    """Return the name of a phase: `Spring 1901`, `Spring 1901 retreats`, `Winter 1901 builds`."""
    stage = {"M": "", "R": " retreats", "A": " builds"}[phase[5]]
    return f"{SEASONS[phase[0]]} {phase[1:5]}{stage}"


def read_phase(text: str) -> str:
    """Return the code of a phase of this or the last century, written as a code or as a name; "" if
    it is neither.
    """
    match = _NAME.fullmatch(text)
    if match:
        stage = {"retreats": "R", "builds": "A"}.get(
            (match[3] or "").lower(), "A" if match[1][0] in "Ww" else "M"
        )
        text = f"{match[1][0]}{match[2]}{stage}"
    return text.upper() if _CODE.fullmatch(text.upper()) else ""


def next_phase(phase: str, *, retreats: bool) -> str:
    """Return the phase after `phase`; `retreats` says whether a movement phase is followed by
    retreats.

    Every year has a Winter. The caller skips it if nothing has to be built or removed.
    """
    season, year, stage = phase[0], int(phase[1:5]), phase[5]
    if stage == "M" and retreats:
        return f"{season}{year}R"
    if season == "S":
        return f"F{year}M"
    return f"W{year}A" if season == "F" else f"S{year + 1}M"
