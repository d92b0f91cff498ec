"""`help`: what can be written."""

from adjudicator.mail.commands.command import Done, Section, Writer, nothing_more
from adjudicator.service import pages

WORD, USAGE, MEANING, CHANGES = "help", "help", "this list", False

_ORDER = "an order, as the game writes it, one a line; it replaces what it names, the rest stays"
_EITHER = "the first that is legal when its time comes"
_ORDERS = (
    ("THEN", "what stands below is for the phase after this one"),
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
    sections = (
        Section("In answer to a match’s letter", pairs=(*_examples(writer), *_ORDERS)),
        Section("Anywhere, a line each", pairs=listed),
    )
    return Done("What you can write stands below; write it above everything else in your letter.", sections)


def _examples(writer: Writer) -> tuple[tuple[str, str], ...]:
    """Return how orders are written, by those that the writer's seat can give now; else in words."""
    owed = pages.match_page(writer.session, writer.sitter.uid, writer.sitter.player.id).owed if writer.sitter else None
    texts = [choice.text for slot in owed.slots[:1] for choice in slot.choices[:2]] if owed else []
    one, other = (texts[0], texts[-1]) if texts else ("an order", "another")
    return ((one, _ORDER), (f"{one} OR {other}", _EITHER))
