"""Commands that explain: `help` what can be written, `rules` how a game is played."""

import re
from collections.abc import Sequence

from adjudicator.core.game import Slot, Slots
from adjudicator.mail.commands.command import Command, Done, Writer, need_game
from adjudicator.mail.commands.directing.acts import DIRECTING
from adjudicator.mail.commands.directing.making import explain_making
from adjudicator.mail.commands.joining.wanted import explain_words
from adjudicator.mail.composing.rendering import MOST_BEFORE_FOLDING, group_choices
from adjudicator.platform.words import join_list
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.views import game_info, match_page

_OF_JOIN = re.compile(r"(?:join(?: [\w-]{1,20})?|tournaments?)?", re.IGNORECASE)
_WHOLE = (
    "Once you play, `rules` in answer to any letter of your match brings all of them by letter."
)
_ORDER = "an order, as the game writes it, one a line; it replaces what it names, the rest stays"
_EITHER = "the first that is legal when its time comes"
_MORE = (
    "in answer to a match’s letter `help` explains each of them, also the words that go with"
    " orders."
)
# words that a newcomer is told the meaning of
_FIRST = frozenset({"accept", "decline", "rules", "status", "zone", "stop", "help"})
MOST_OF_A_KIND = 200  # orders that are listed of one
_ORDERS = (
    ("THEN", "what stands below is for the phase after this one"),
    ("clear", "forget what you handed in for this phase before these lines"),
    ("wait", "do not close before the deadline because of me"),
    ("ready", "do not wait for me any longer"),
    (
        "press france:",
        (
            "what stands below is for that seat, up to `end press`; `press all:` is for everybody"
            " (in matches with press)"
        ),
    ),
    ("press master:", "what stands below is for the match’s master alone"),
    (
        "preview",
        "seal nothing, only tell what would come of these orders (in games that can be tried)",
    ),
)


def _help(writer: Writer, arguments: str) -> Done:
    """List the commands and the words that go with orders; with `join` and a game the words that
    may follow these.
    """
    from adjudicator.mail.commands.recognition import COMMANDS, MASTERS

    if arguments.lower().startswith("tournament"):
        return _explain_directing(writer)
    if arguments:
        return _explain_joining(writer, arguments.lower().split()[1:])
    usual = [command for command in COMMANDS if command not in DIRECTING]
    if not writer.proved:
        return _help_shortly(usual)
    listed = tuple((command.usage, command.meaning) for command in usual)
    masters = tuple((command.usage, command.meaning) for command in MASTERS)
    slots = _slots(writer)
    sections = (
        *_choices(slots),
        ReplySection("In answer to a match’s letter", pairs=(*_examples(slots), *_ORDERS)),
        ReplySection("Anywhere, a line each", pairs=listed),
        _games(),
        ReplySection(
            "If you run the match (elsewhere with its short name: `pause k3m7p2qrs`)", pairs=masters
        ),
    )
    return Done(
        "What you can write stands below; write it above everything else in your letter.", sections
    )


def _explain_directing(writer: Writer) -> Done:
    """List what directors of tournaments write; to an address that is not proved without the
    meanings.
    """
    if not writer.proved:
        return Done(
            "Directors of a tournament write"
            f" {join_list([f'`{each.usage}`' for each in DIRECTING], 'or')}."
        )
    lines = tuple(f"{each.usage}: {each.meaning}" for each in DIRECTING)
    sections = (
        ReplySection("Directing a tournament", lines),
        ReplySection("A new tournament", (explain_making(),)),
    )
    return Done("What directors of a tournament can write stands below.", sections)


def _help_shortly(commands: Sequence[Command]) -> Done:
    """List the games and all commands for a newcomer, and say of the first ones that one needs what
    they do.
    """
    commands_told = tuple(
        (command.usage, command.meaning) for command in commands if command.word in _FIRST
    )
    others = "; ".join(
        command.usage
        for command in commands
        if command.word not in {*_FIRST, "join"} and not command.seated
    )
    sections = (
        _games(),
        ReplySection("What you can write", pairs=commands_told),
        ReplySection("And also", (others,), orders=True),
    )
    return Done(f"What you can write stands below, a line each; {_MORE}", sections)


def _games() -> ReplySection:
    """List the games, each with the line that takes a seat."""
    return ReplySection(
        "The games", pairs=tuple((f"join {about.key}", about.title) for about in game_info.games())
    )


def _explain_joining(writer: Writer, names: list[str]) -> Done:
    """List the words that may follow `join` and a game; to an address that is not proved without
    their meanings.
    """
    about = game_info.about(need_game(names[0] if names else game_info.games()[0].key))
    title, pairs = f"After join {about.key}", tuple(explain_words(about))
    if not writer.proved:
        words = join_list([f"`{word}`" for word, _ in pairs if "//" not in word], "or")
        return Done(
            f"{title} may stand {words}. In answer to a match’s letter `help join {about.key}`"
            " explains each of them."
        )
    return Done(
        f"The words that may follow `join {about.key}` are below.",
        (ReplySection(title, pairs=pairs),),
    )


def _slots(writer: Writer) -> Slots:
    """Return what the seat that was written to owes."""
    owed = (
        match_page.match_head(writer.session, writer.sitter.uid, writer.sitter.player.id).owed
        if writer.sitter
        else None
    )
    return owed.slots if owed else ()


def _examples(slots: Slots) -> tuple[tuple[str, str], ...]:
    """Return how orders are written: with examples that the writer's seat can give now, else in
    words.
    """
    texts = [choice.text for slot in slots[:1] for choice in slot.choices[:2]]
    one, other = (texts[0], texts[-1]) if texts else ("an order", "another")
    return ((one, _ORDER), (f"{one} OR {other}", _EITHER))


def _choices(slots: Slots) -> tuple[ReplySection, ...]:
    """List all orders that the seat can give, where its letters show only an example of each
    kind.
    """
    if sum(len(slot.choices) for slot in slots) <= MOST_BEFORE_FOLDING:
        return ()
    return tuple(
        ReplySection(f"{slot.title}: all orders", _lines(slot), orders=True)
        for slot in slots
        if slot.choices
    )


def _lines(slot: Slot) -> tuple[str, ...]:
    groups = group_choices(slot.choices)
    sections = (
        (heading, "; ".join(choice.text for choice in found[:MOST_OF_A_KIND]))
        for heading, found in groups
    )
    return tuple(f"{heading}: {texts}" if heading else texts for heading, texts in sections)


def _rules(writer: Writer, arguments: str) -> Done:
    """Send the rules of the game that is named, else of the match whose address was written to."""
    here = next((each.game for each in (writer.sitter, writer.kept, writer.run) if each), "")
    key, *rest = arguments.lower().split() or [here]
    if here and key in game_info.about(here).languages:
        key, rest = here, [key]
    about = game_info.about(game_info.named(key) or key or need_game(key))
    language = " ".join(rest) or about.languages[0]
    if language not in about.languages:
        raise Refused(
            f"The rules of {about.title} are written in {', '.join(about.languages)};"
            f" “{language[:40]}” is not among them."
        )
    if not writer.proved:
        path = f"/rules/{about.key}" + (f"/{language}" if language != about.languages[0] else "")
        return Done(
            f"The rules of {about.title} are on the site. {_WHOLE}",
            links=((f"The rules of {about.title}", path),),
        )
    return Done(
        f"The rules of {about.title} stand below.", rules_of=game_info.article(about.key, language)
    )


HELP = Command(
    "help",
    "help",
    "this list; `help join phoenix` lists what a new match of that game can have, `help tournament`"
    " what directors of tournaments write",
    _help,
    more=_OF_JOIN,
    of_game=True,
    changes=False,
)
RULES = Command(
    "rules",
    "rules pyramid",
    "the rules of a game, and how its orders are written; `rules genesis ru` in Russian",
    _rules,
    of_game=True,
    changes=False,
)
