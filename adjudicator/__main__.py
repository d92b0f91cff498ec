"""`python -m adjudicator` is `sealed`."""

from adjudicator.cli import main

main()
