"""Skeleton has no secrets once a phase is closed, and lasts as many rounds as there are cards."""

from tests.games.terms import Terms

TERMS = {"skeleton": Terms(most_phases=9)}
