"""Rock Paper Pyramid hides red pieces only."""

from tests.games.pyramid.secrets import scramble
from tests.games.terms import Terms

TERMS = {"pyramid": Terms(most_phases=10, scramble=scramble, hiding={"red": True})}
