"""`python -m adjudicator` is `sealed`."""

from adjudicator.platform import interrupts

interrupts.end_with_a_sentence()  # before what takes its time to be imported

from adjudicator.cli import main  # noqa: E402 the signals come first

main()
