"""Diplomacy has no secrets; Rock, Scissors, Paper Diplomacy hides characteristics."""

from tests.games.diplomacy.secrets import scramble
from tests.games.terms import Terms

TERMS = {
    "diplomacy": Terms(most_phases=12),
    "rsp-diplomacy": Terms(most_phases=12, scramble=scramble),
}
