"""Sentences of pages, letters and services are whole: a translator gets sentences with named
placeholders, never pieces.

The rules are read in the sources. `plural` of adjudicator/platform/words.py chooses by a number,
and `if` chooses among whole sentences. The games' own words (adjudicator/games, adjudicator/core)
are not read here, nor are the rules' articles: each is one long text.
"""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

ROOT = Path(__file__).parent.parent
_LETTER = re.compile(r"[A-Za-z]")
_ENDING = re.compile(r"(s|es|ies|th|st|nd|rd)(\W|$)")


def sources() -> list[Path]:
    games = (
        ROOT / "adjudicator" / "games",
        ROOT / "adjudicator" / "core",
        ROOT / "adjudicator" / "migrations",
    )
    found = [
        path
        for room in ("adjudicator", "web", "worker")
        for path in sorted((ROOT / room).rglob("*.py"))
    ]
    return [path for path in found if not any(path.is_relative_to(folder) for folder in games)]


def templates() -> list[Path]:
    found = [
        path for path in sorted((ROOT / "templates").rglob("*")) if path.suffix in (".html", ".txt")
    ]
    return [path for path in found if "rules" not in path.relative_to(ROOT).parts]


# --- Python


def _is_text(node: ast.expr) -> bool:
    said = (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _LETTER.search(node.value)
    )
    return bool(said) or isinstance(node, ast.JoinedStr)


def _is_whole(node: ast.expr) -> bool:
    """Whether a text is a sentence of its own, or none at all."""
    last = node.values[-1] if isinstance(node, ast.JoinedStr) else node
    return (
        isinstance(last, ast.Constant)
        and isinstance(last.value, str)
        and (not last.value or last.value.endswith("."))
    )


def _is_ending(node: ast.AST | None) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and bool(_ENDING.match(node.value))
    )


def _counts(test: ast.expr) -> bool:
    """Whether a condition asks if a number is one."""
    if not isinstance(test, ast.Compare) or not isinstance(test.comparators[0], ast.Constant):
        return False
    return test.comparators[0].value == 1 and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Gt)


def python_pieces(text: str) -> Iterator[int]:
    """Yield the lines on which a sentence is put together from pieces."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.IfExp) and _counts(node.test):
            branches = [each for each in (node.body, node.orelse) if _is_text(each)]
            if branches and not all(map(_is_whole, branches)):
                yield node.lineno
        elif isinstance(node, ast.JoinedStr):
            for held, after in zip(node.values, [*node.values[1:], None], strict=True):
                if not isinstance(held, ast.FormattedValue):
                    continue
                chosen = isinstance(held.value, ast.IfExp) and (
                    _is_text(held.value.body) or _is_text(held.value.orelse)
                )
                if chosen or _is_ending(after):
                    yield node.lineno
        elif (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_ending(node.right)
        ):
            yield node.lineno


# --- Jinja

_OPEN_TAG = re.compile(r"<[^<>]*$")


def _says(node: nodes.Node | None) -> bool:
    return (
        isinstance(node, nodes.Const)
        and isinstance(node.value, str)
        and bool(_LETTER.search(node.value))
    )


def _is_code(node: nodes.Node) -> bool:
    """Whether a text is part of an attribute or of the name of a field."""
    return (
        isinstance(node, nodes.Const)
        and isinstance(node.value, str)
        and ('="' in node.value or node.value.endswith("-"))
    )


def template_pieces(text: str) -> Iterator[int]:
    """Yield the lines on which a sentence is put together from pieces."""
    parsed = jinja2.Environment(autoescape=True).parse(text)
    for choice in parsed.find_all(nodes.CondExpr):
        test = choice.test
        counts = (
            isinstance(test, nodes.Compare)
            and isinstance(test.ops[0].expr, nodes.Const)
            and test.ops[0].expr.value == 1
        )
        if counts and (_says(choice.expr1) or _says(choice.expr2)):
            yield choice.lineno
    for glued in parsed.find_all(nodes.Concat):
        if any(map(_says, glued.nodes)) and not any(map(_is_code, glued.nodes)):
            yield glued.lineno
    for output in parsed.find_all(nodes.Output):
        yield from _chosen_within(output)


def _chosen_within(output: nodes.Output) -> Iterator[int]:
    """Yield the lines on which words are chosen in the middle of a sentence."""
    texts = [each.data if isinstance(each, nodes.TemplateData) else None for each in output.nodes]
    for number, chosen in enumerate(output.nodes):
        if not isinstance(chosen, nodes.CondExpr) or not (
            _says(chosen.expr1) or _says(chosen.expr2)
        ):
            continue
        before, after = (
            "".join(filter(None, texts[:number])),
            (texts[number + 1 :] or [""])[0] or "",
        )
        if _OPEN_TAG.search(before):
            continue  # a class or another attribute
        beside = number and texts[number - 1] is None
        if (
            beside
            or _LETTER.search(before.rpartition(">")[2])
            or _LETTER.search(after.partition("<")[0])
        ):
            yield chosen.lineno


# how a piece begins, and how the text before it ends
_GOES_ON = re.compile(r"(?!\s*[\w-]+=)(\s*[,;]|\s[a-z(]|[a-z])")
_NOT_OVER = re.compile(r"[\w,“”’)]\s*$")


def optional_pieces(text: str) -> list[int]:
    """Return the lines on which a sentence goes on, or does not, by an `if` in its middle."""
    parsed = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).parse(text)
    found = []
    for body in _bodies(parsed):
        for before, chosen in itertools.pairwise(body):
            if not isinstance(chosen, nodes.If) or not isinstance(before, nodes.Output):
                continue
            said, begins = _edge(before, -1), _edge(chosen.body[0], 0) if chosen.body else ""
            if (
                not _OPEN_TAG.search(said)
                and _NOT_OVER.search(said.rpartition(">")[2])
                and _GOES_ON.match(begins)
            ):
                found.append(chosen.lineno)
    return sorted(set(found))


def _bodies(node: nodes.Node) -> Iterator[list[nodes.Node]]:
    """Yield every list of statements of a template."""
    for name in ("body", "else_"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body
    for child in node.iter_child_nodes():
        yield from _bodies(child)


def _edge(node: nodes.Node, end: int) -> str:
    """Return the text with which a node begins (0) or ends (-1): `x` for a value, "" where it says
    nothing.
    """
    if not isinstance(node, nodes.Output) or not node.nodes:
        return ""
    part = node.nodes[end]
    return part.data if isinstance(part, nodes.TemplateData) else "x" if end else ""


# --- scripts

_CHOSEN_BY_ONE = re.compile(
    r"""[=!]==? 1 \? ["'`]|\? "" : ["'`](s|es|ies)["'`]|\? ["'`](s|es|ies)["'`] : \"\""""
)
_GLUED = re.compile(r"`\$\{[^}]+\}:? [a-z]+ [a-z]+`")  # `${words}: show it`, `${left} not read`
_FIXED_LOCALE = re.compile(r"""(Intl\.\w+|toLocale\w*)\(["'`]""")


def script_pieces(text: str) -> list[int]:
    """Return the lines on which a plural is made by hand, or a locale is written down that the
    document does not have.
    """
    lines = enumerate(text.splitlines(), start=1)
    return [
        number
        for number, line in lines
        if _CHOSEN_BY_ONE.search(line) or _GLUED.search(line) or _FIXED_LOCALE.search(line)
    ]


# --- the tests


def test_no_sentence_in_python_is_put_together_from_pieces() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): sorted(set(python_pieces(path.read_text("utf-8"))))
        for path in sources()
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_sentence_of_a_template_is_put_together_from_pieces() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): sorted(set(template_pieces(path.read_text("utf-8"))))
        for path in templates()
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_sentence_of_a_template_goes_on_by_an_if() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): optional_pieces(path.read_text("utf-8"))
        for path in templates()
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "You get it{% if known %} and a letter tells you{% endif %}.",
        "No match {% if game %}of this game {% endif %}runs.",
    ],
)
def test_sentences_that_go_on_by_an_if_are_found(line: str) -> None:
    assert optional_pieces(line) == [1]


@pytest.mark.parametrize(
    "line",
    [
        "You get it.{% if known %} A letter tells you.{% endif %}",
        "<li{% if mine %} class='mine'{% endif %}>{% if late %}late{% endif %}",
    ],
)
def test_sentences_that_are_over_before_an_if_are_let_be(line: str) -> None:
    assert optional_pieces(line) == []


def test_scripts_choose_sentences_by_the_language_of_the_page() -> None:
    scripts = [
        path
        for path in sorted((ROOT / "web" / "static").glob("*.js"))
        if not path.name.startswith("htmx")
    ]
    assert len(scripts) > 8
    assert {
        path.name: script_pieces(path.read_text("utf-8"))
        for path in scripts
        if script_pieces(path.read_text("utf-8"))
    } == {}


@pytest.mark.parametrize(
    "line",
    [
        """`${n} seat${n === 1 ? "" : "s"}`""",
        """n === 1 ? "one match" : `${n} matches`""",
        """new Intl.DateTimeFormat("en-GB", {})""",
        """at.toLocaleString('de')""",
        """button(`${told.words}: show it`)""",
        """label(`${(total.textContent = left)} not read`)""",
    ],
)
def test_pieces_in_scripts_are_found(line: str) -> None:
    assert script_pieces(line) == [1]


@pytest.mark.parametrize(
    "line",
    [
        """f"{n} seat{'s' if n != 1 else ''}" """,
        """f"{n} {'seat is' if n == 1 else 'seats are'} free" """,
        """f"You {'share' if tied else 'have'} place {place}." """,
        """name + "s" """,
        """f"{number}th" """,
        """"the match" if len(found) == 1 else f"{len(found)} matches" """,
    ],
)
def test_pieces_in_python_are_found(line: str) -> None:
    assert list(python_pieces(line.strip()))


@pytest.mark.parametrize(
    "line",
    [
        """plural(n, "{n} seat is free", "{n} seats are free")""",
        """"You have one." if n == 1 else f"You have {n}." """,
        """f"<a{' hidden' * closed}>" """,
    ],
)
def test_whole_sentences_in_python_are_let_be(line: str) -> None:
    assert list(python_pieces(line.strip())) == []


@pytest.mark.parametrize(
    "line",
    [
        """{{ n }} {{ "seat" if n == 1 else "seats" }}""",
        """{{ "A match of " ~ game ~ "." }}""",
        """<p>Wait for the {{ "end" if late else "deadline" }}</p>""",
        """<p>{{ phase }}{{ ", paused" if paused }}</p>""",
    ],
)
def test_pieces_in_templates_are_found(line: str) -> None:
    assert list(template_pieces(line))


@pytest.mark.parametrize(
    "line",
    [
        """{{ plural(n, "{n} seat", "{n} seats") }}""",
        """{{ "A match of {game}.".format(game=game) }}""",
        """<p>{% if late %}Wait for the end{% else %}Wait for the deadline{% endif %}</p>""",
        """<h1>{{ "Sealed." if taken else "Not taken." }}</h1>""",
        """<li class="seat{{ ' yours' if mine }}">Seat</li>""",
    ],
)
def test_whole_sentences_in_templates_are_let_be(line: str) -> None:
    assert list(template_pieces(line)) == []
