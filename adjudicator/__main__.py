"""`python -m adjudicator` is `sealed`."""

from adjudicator.hosting import loading

loading.end_with_a_sentence()  # before what takes its time to be imported
loading.collect_seldom()

from adjudicator.cli import main  # noqa: E402 the signals come first

main()
