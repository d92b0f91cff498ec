"""When a match ends, and the final verdicts, scores and places (R12, R13)."""

from dataclasses import replace
from typing import Literal

from adjudicator.core.game import Result, Standing
from adjudicator.games.genesis.model.events import Ended
from adjudicator.games.genesis.model.state import State, verdicts
from adjudicator.games.genesis.model.terms import SCORES
from adjudicator.games.genesis.resolve.execution import Course
from adjudicator.games.kit.ranking import places


def end_if_over(course: Course, *, for_both: bool) -> Course:
    """Return the course, with the end of the match entered if it is over for both seats or the turn
    limit is reached.
    """
    state = course.state
    limit = bool(state.turn_limit) and state.taken >= 2 * state.turn_limit
    if not (for_both or limit):
        return course
    ended = Ended(
        why="over for both" if for_both else "turn limit",
        verdicts=verdicts(state),
        deeds={side.seat: state.counted(side.seat) for side in state.sides},
        places={seat: each.place for seat, each in standing(state).items()},
    )
    return course.then(replace(state, over=True), ended)


def standing(state: State) -> Result:
    """Return each seat's standing if the match ended now."""
    scores = {seat: SCORES[verdict] for seat, verdict in verdicts(state).items()}
    return {
        seat: Standing(at, scores[seat], _outcome(scores[seat]))
        for seat, at in places(scores).items()
    }


def _outcome(score: int) -> Literal["won", "drew", "lost"]:
    return "won" if score > 0 else "lost" if score < 0 else "drew"
