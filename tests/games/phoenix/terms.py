"""RPS Phoenix has no secrets."""

from tests.games.terms import Terms

TERMS = {"phoenix": Terms(most_phases=60)}
