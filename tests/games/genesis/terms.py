"""Genesis has no secrets."""

from tests.games.terms import Terms

TERMS = {"genesis": Terms(most_phases=60)}
