"""The editions of the rules as records of policies, so that a new edition is one record (ruling
R9).
"""

from dataclasses import dataclass
from typing import Literal

from adjudicator.games.diplomacy.model.state import RuleSet, State


@dataclass(frozen=True)
class Edition:
    """The points on which the rule books differ; the numbers are issues in the Diplomacy
    Adjudicator Test Cases (DATC).
    """

    name: str
    convoy: Literal["any", "all"]  # 4.A.1: which of several ordered routes have to be intact
    # 4.A.3: when an army goes by convoy to a neighbouring coast
    neighbour: Literal["intent", "written", "swap"]
    # 4.A.2: a convoyed army does not cut a support against a fleet that convoys it (1971, XII.5)
    spares_attack_on_convoy: bool
    back_to_convoyed: bool  # 4.A.5: a retreat to where a convoyed attacker came from is allowed
    # 4.D.8: from which centres civil disorder counts its distances
    removal: Literal["owned", "home"]


EDITIONS = {
    edition.name: edition
    for edition in (
        Edition(
            "2023",
            convoy="any",
            neighbour="intent",
            spares_attack_on_convoy=False,
            back_to_convoyed=True,
            removal="owned",
        ),
        Edition(
            "1976",
            convoy="all",
            neighbour="swap",
            spares_attack_on_convoy=True,
            back_to_convoyed=False,
            removal="home",
        ),
        # 21 Winters in the recorded games of that site show that removals are counted from home
        Edition(
            "via",
            convoy="any",
            neighbour="written",
            spares_attack_on_convoy=False,
            back_to_convoyed=True,
            removal="home",
        ),
    )
}


@dataclass(frozen=True)
class Rules:
    """The rules by which a phase is adjudicated."""

    rule_set: RuleSet
    edition: Edition
    anywhere: bool = False  # option `build_anywhere`


def rules_of_match(state: State) -> Rules:
    """Return the rules of a match."""
    return Rules(state.setup.rule_set, EDITIONS[state.setup.edition], state.setup.build_anywhere)
