"""`help`: what can be written."""

from adjudicator.mail.commands.command import Done, Section, Writer, nothing_more

WORD, USAGE, MEANING, CHANGES = "help", "help", "this list", False

_ORDERS = (
    ("B3", "an order, as the game writes it, one a line; it replaces what it names, the rest stays"),
    ("THEN", "what stands below is for the phase after this one"),
    ("B3 OR W2", "the first that is legal when its time comes"),
    ("clear", "forget what you handed in for this phase before these lines"),
    ("wait", "do not close before the deadline because of me"),
    ("ready", "do not wait for me any longer"),
    ("press france:", "what stands below is for that seat, up to `end press`; `press all:` is for everybody (in matches with press)"),
    ("preview", "seal nothing, only tell what would come of these orders (in games that can be tried)"),
)


def do(writer: Writer, said: str) -> Done:
    """List the commands and the words that go with orders."""
    from adjudicator.mail.commands.run import COMMANDS

    nothing_more(said, USAGE)
    listed = tuple((command.USAGE, command.MEANING) for command in COMMANDS)
    if not writer.proved:
        more = "in answer to a match’s letter `help` lists the words that go with orders, too."
        return Done(f"What you can write stands below, a line each; {more}", (Section("What you can write", pairs=listed),))
    sections = (Section("In answer to a match’s letter", pairs=_ORDERS), Section("Anywhere, a line each", pairs=listed))
    return Done("What you can write stands below; write it above everything else in your letter.", sections)
