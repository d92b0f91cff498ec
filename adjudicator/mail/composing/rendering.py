"""The templates of letters and of rules: their environment and filters."""

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from adjudicator.core.game import Choice
from adjudicator.platform import words
from adjudicator.service.tournaments.making import list_choices
from adjudicator.service.views import game_info

TEMPLATES = Path(__file__).parents[3] / "templates"
COLUMNS = 72
SIGNATURE_FOLLOWS = "-- "  # RFC 3676: mail programs leave the text below out of answers
MOST_ON_A_LINE = 3  # sealed orders; more have a line each
MOST_LISTED = 30  # above this choices are listed as spellings only, not a line each
MOST_BEFORE_FOLDING = 30  # choices of all questions; above this long groups are shown by an example
# the first groups of a question, such as hold and move, and groups of at most 3 are always listed
UNFOLDED_GROUPS, UNFOLDED = 2, 3
MOST_SPELLED = 90  # above this only an example is shown, where the game has one
MOST_IN_ALL = 100  # of all questions of a phase; above this each kind of order is shortened
# characters, about two lines: a longer kind is shortened to its number and an example
LONGEST_KIND = 120
# Who changes a match's clock beside its masters.
OFFICES = {
    "the host": "The host of this service",
    "the service": "This service",
    "the players": "The players, by their vote,",
}
LIKE = "An order like this: "  # before the example
AGAIN = "One of the orders above."  # for choices that an earlier question of the phase has listed
_KEPT_LINES = 2000  # folded before: seats of a match share most of their lines
_TICKED = re.compile(r"`([^`]+)`")
_GLUE = "\u00a0"  # no-break space: keeps the words of an order on one line
_CODE = re.compile(r"`[^`]+`")
_LONGEST_GLUED = COLUMNS - 12  # characters, to fit below any indent


@dataclass(frozen=True)
class Guide:
    """An article of rules in both forms of a letter."""

    text: str
    html: Markup


def render_text(name: str, values: Mapping[str, object]) -> str:
    """Render `mail/<name>` without consecutive empty lines; raises jinja2.TemplateError for a fault
    or a missing value.
    """
    rendered = _environment().get_template(f"mail/{name}").render(values)
    lines = (
        line if line == SIGNATURE_FOLLOWS else line.rstrip()
        for line in rendered.strip().split("\n")
    )
    # `\n{3,}` takes four times as long, as it has no text to look for first
    return re.sub(r"\n\n\n+", "\n\n", "\n".join(lines)) + "\n"


def render_article(name: str, values: Mapping[str, object]) -> str:
    """Render an HTML fragment that site and letters share; `name` is relative to templates/. Raises
    jinja2.TemplateError.
    """
    return _environment().get_template(name).render(values)


def render_page(name: str, values: Mapping[str, object]) -> str:
    """Render `mail/<name>` as HTML with inlined styles; media queries stay in a style sheet."""
    import css_inline  # 20 ms that a command or a process that writes no letter saves

    return css_inline.inline(
        render_text(name, values), keep_at_rules=True, load_remote_stylesheets=False
    )


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=jinja2.select_autoescape(("html",), default=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= {
        "moment": words.format_moment,
        "until": words.format_distance,
        "after": lambda at, earlier: words.format_duration((at - earlier).total_seconds()),
        "lasting": words.format_duration,
        "called": words.display_seat,
        "as_seat": words.seat_phrase,
        "listing": list_parts,
        "paragraph": lambda sentences: " ".join(filter(None, sentences)),
        "capital": lambda text: text[:1].upper() + text[1:],
        "coded": coded,
        "wrap": wrap,
        "number": words.format_number,
        "wrap_orders": wrap_orders,
        "unbroken": unbroken,
        "ordinal": words.ordinal,
        "grouped": group_choices,
    }
    environment.globals |= {
        "MOST_ON_A_LINE": MOST_ON_A_LINE,
        "MOST_LISTED": MOST_LISTED,
        "MOST_SPELLED": MOST_SPELLED,
        "plural": write_plural,
        "language_tag": words.language_tag,
        "LIKE": LIKE,
        "AGAIN": AGAIN,
        "listed": already_listed,
        "worded": already_worded,
        "MOST_IN_ALL": MOST_IN_ALL,
        "in_short": in_short,
        "folds": folds,
        "in_one": in_one,
        "MOST_BEFORE_FOLDING": MOST_BEFORE_FOLDING,
        "OFFICES": OFFICES,
    }
    return environment


@jinja2.pass_eval_context
def write_plural(
    within: jinja2.nodes.EvalContext, number: int, one: str, other: str, **values: Any
) -> str:
    """Return `words.plural` of a template's own sentence; in HTML its values are escaped."""
    if within.autoescape:
        one, other = Markup(one), Markup(other)  # noqa: S704 our own sentences
    return words.plural(number, one, other, **values)


@jinja2.pass_eval_context
def list_parts(within: jinja2.nodes.EvalContext, parts: Iterable[str]) -> str:
    """Return `a, b and c`; in HTML the parts are escaped unless they are HTML."""
    if within.autoescape:
        return Markup(words.join_list([str(escape(each)) for each in parts]))  # noqa: S704 escaped before
    return words.join_list(list(parts))


def coded(sentence: str) -> Markup:
    """Return a sentence as HTML, text between backticks in a fixed-width font."""
    return Markup(_TICKED.sub(r'<span class="code">\1</span>', str(escape(sentence))))  # noqa: S704 escaped before


@lru_cache(_KEPT_LINES, typed=True)
def wrap(line: str, indent: int = 0, hang: int | None = None) -> str:
    """Return one line of text folded to 72 columns, indented by `indent` spaces, its further lines
    by `hang`.

    What stands between backticks, a command to copy, stays on one line.
    """
    first, rest = " " * indent, " " * (indent if hang is None else hang)
    glued = _CODE.sub(lambda found: _glue(found[0]), line)
    folded = textwrap.fill(
        glued, COLUMNS, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
    return folded.replace(_GLUE, " ")


def _glue(text: str) -> str:
    return text.replace(" ", _GLUE) if len(text) <= _LONGEST_GLUED else text


@lru_cache(_KEPT_LINES, typed=True)
def wrap_orders(line: str, indent: int = 0, hang: int | None = None, by: str = "; ") -> str:
    """Return a line `Move: A PAR - BUR; A PAR - PIC` folded as by `wrap`, but never within an order
    that fits on a line.
    """
    heading, colon, orders = line.rpartition(": ")
    return wrap(f"{heading}{colon}{by.join(map(_glue, orders.split(by)))}", indent, hang)


@lru_cache(_KEPT_LINES, typed=True)
def unbroken(line: str, by: str = "; ") -> Markup:
    """Return a line `Move: A PAR - BUR; A PAR - PIC` as HTML that breaks only between its
    orders.
    """
    heading, colon, orders = line.rpartition(": ")
    return Markup("%s%s%s") % (
        heading,
        colon,
        Markup(by).join(Markup('<span class="one">%s</span>') % each for each in orders.split(by)),  # noqa: S704 a constant
    )


def folds(place: int, found: Sequence[Choice], total: int) -> bool:
    """Whether the group at this place of a question is shown by an example; `total` counts the
    choices of all questions.
    """
    return total > MOST_BEFORE_FOLDING and place >= UNFOLDED_GROUPS and len(found) > UNFOLDED


def in_one(heading: str, found: Sequence[Choice]) -> str:
    """Return a group of orders as their number and an example."""
    return (
        f"{heading}: {len(found)} in all, such as {found[0].text}"
        if heading
        else f"{len(found)} in all, such as {found[0].text}"
    )


def group_choices(choices: Iterable[Choice]) -> list[tuple[str, list[Choice]]]:
    """Return choices by heading, in their original order; a heading that every label repeats is
    left empty.
    """
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.group, []).append(choice)
    return [
        ("" if all(each.label.startswith(name) for each in found) else name, found)
        for name, found in groups.items()
    ]


def in_short(choices: Iterable[Choice]) -> list[str]:
    """Return a line for each kind of order: `Move: A PAR - BUR; A PAR - PIC`, or their number and
    an example.
    """
    lines = []
    for heading, found in group_choices(choices):
        joined = "; ".join(choice.text for choice in found)
        spelled = f"{heading}: {joined}" if heading else joined
        lines.append(spelled if len(joined) <= LONGEST_KIND else in_one(heading, found))
    return lines


def already_listed(choices: Sequence[Choice], before: Iterable[Sequence[Choice]]) -> bool:
    """Whether one of the questions `before`, each as its choices, has listed all these orders
    already.
    """
    wanted = {choice.text for choice in choices}
    return any(wanted <= {choice.text for choice in each} for each in before)


def already_worded(choices: Sequence[Choice], before: Iterable[Sequence[Choice]]) -> bool:
    """Whether an earlier question asked for one of the same words, with which each order begins:
    `Rock A ROM`, `Rock A VEN`.
    """
    words_of = [choice.label for choice in choices]
    begin = all(choice.text.startswith(f"{choice.label} ") for choice in choices)
    return (
        bool(choices)
        and begin
        and any(words_of == [choice.label for choice in each] for each in before)
    )


# --- rules of a game


@cache
def render_rules(name: str) -> Guide:
    """Return the site's article `genesis` or `genesis.ru` without its pictures; raises NotFound,
    jinja2.TemplateNotFound.
    """
    # slow to import, and few letters hold rules
    from adjudicator.mail.composing.articles import article_text

    tournaments = list_choices(game_info.about(name.partition(".")[0]))
    article = render_article(
        f"web/rules/{name}.html", {"pictures": defaultdict(str), "tournaments": tournaments}
    )
    lines = (
        (
            line.rstrip()
            if _is_laid_out(line)
            else wrap(line.strip(), hang=2 * line.lstrip().startswith("* "))
        )
        for line in article_text(article).splitlines()
    )
    return Guide("\n".join(lines).strip(), Markup(article))  # noqa: S704 our own template


def _is_laid_out(line: str) -> bool:
    """Whether a line must not be folded: a row of a table, or an example of orders."""
    return "  " in line.strip() or line.startswith("    ")
