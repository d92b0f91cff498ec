"""RPS Redeux hides hands and the deck."""

from tests.games.redeux.secrets import scramble
from tests.games.terms import Terms

TERMS = {"redeux": Terms(most_phases=150, scramble=scramble)}
