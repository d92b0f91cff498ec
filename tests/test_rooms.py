"""The import rules: which room may import which, checked in the source."""

import ast
import collections
import graphlib
import sys
from functools import cache
from pathlib import Path

import pytest

from adjudicator import catalogue

ROOT = Path(__file__).parent.parent
# What each folder imports from its siblings, none of which imports it back.
ARROWS: dict[str, dict[str, tuple[str, ...]]] = {
    "adjudicator/service": {
        "base": (),
        "calendars": (),
        "archive": ("base",),
        "checkpoints": ("base",),
        "ratings": ("base",),
        "tokens": ("base",),
        "letters": ("base", "tokens"),
        "requests": ("base", "tokens"),
        "posting": ("base", "tokens", "letters"),
        "people": ("base", "tokens", "letters", "requests"),
        "matches": ("base", "calendars", "tokens", "letters", "requests", "people"),
        "starting": ("base", "letters", "requests", "people", "matches"),
        "press": ("base", "tokens", "letters", "requests", "matches"),
        "tournaments": ("base", "letters", "requests", "people", "matches"),
        "log": ("base", "tokens", "letters", "requests", "matches"),
        "orders": ("base", "tokens", "letters", "requests", "people", "matches", "log"),
        "upkeep": ("base", "checkpoints", "matches", "log"),
        "phases": (
            "base",
            "tokens",
            "letters",
            "requests",
            "posting",
            "people",
            "matches",
            "starting",
            "log",
            "orders",
        ),
        "handover": ("base", "tokens", "letters", "requests", "people", "matches", "phases"),
        "views": (
            "base",
            "archive",
            "checkpoints",
            "ratings",
            "letters",
            "requests",
            "posting",
            "people",
            "matches",
            "starting",
            "press",
            "tournaments",
            "log",
            "orders",
            "phases",
        ),
        "erasure": ("base", "requests", "people", "matches", "tournaments", "handover"),
    },
    "adjudicator/games/diplomacy": {
        "map": (),
        "model": ("map",),
        "resolve": ("map", "model"),
        "language": ("map", "model"),
        "matching": ("map", "model", "resolve", "language"),
        "phases": ("map", "model", "resolve", "matching"),
        "ordering": ("map", "model", "resolve", "language", "matching", "phases"),
        "story": ("map", "model", "phases"),
        "exchange": ("map", "model", "resolve", "matching", "phases"),
        "bot": ("map", "model", "resolve", "language", "phases", "ordering"),
        "drawing": ("map", "model", "language", "phases", "story"),
    },
    "adjudicator/games/genesis": {
        "model": (),
        "resolve": ("model",),
        "story": ("model",),
        "language": ("model", "resolve"),
        "drawing": ("model", "story"),
    },
    "adjudicator/games/phoenix": {
        "model": (),
        "story": ("model",),
        "resolve": ("model", "story"),
        "drawing": ("model", "story"),
        "language": ("model", "resolve"),
    },
    "adjudicator": {
        "core": (),
        "platform": (),
        "games": ("core",),
        "play": ("core", "platform"),
        "seal": ("core", "platform"),
        "service": ("core", "platform", "play", "seal"),
        "mail": ("core", "platform", "play", "seal", "service"),
        "migrations": ("platform", "service"),
        "hosting": ("platform", "seal", "service", "mail"),
        "commands": ("platform", "games", "play", "seal", "service", "mail", "hosting"),
    },
    "web": {
        "http": (),
        "matches": ("http",),
        "people": ("http",),
        "host": ("http",),
        "site": ("http",),
        "live": ("http",),
        "tournaments": ("http", "matches"),
    },
    "adjudicator/mail": {
        "drawing": (),
        "reading": (),
        "composing": ("drawing",),
        "commands": ("reading", "composing"),
        "sending": ("composing",),
    },
    "adjudicator/hosting": {
        "database_roles": (),
        "roles": (),
        "watching": (),
        "starting": ("database_roles", "roles"),
        "health": ("database_roles", "roles", "watching"),
    },
}
# Python files in a folder a reader holds in the head; these few are lists of one kind of thing:
CROWDED = 14
LISTS = (
    "adjudicator/commands",
    "adjudicator/games/diplomacy/resolve",
    "adjudicator/migrations/versions",
)


def modules(*folders: str) -> list[Path]:
    """Return every Python file of these folders or files."""
    found = []
    for folder in folders:
        path = ROOT / folder
        found += [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))
    return found


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree; each file is parsed once for all tests."""
    return tuple(ast.walk(ast.parse(path.read_text())))


@cache
def imports(path: Path) -> frozenset[str]:
    """Return every module a file imports, wherever in the file; `from a import b` counts as a.b too
    where that is a module.
    """
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {
                (
                    f"{node.module}.{alias.name}"
                    if _is_module(f"{node.module}.{alias.name}")
                    else str(node.module)
                )
                for alias in node.names
            }
    return frozenset(found)


@cache
def _is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or path.is_dir()


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def trespasses(paths: list[Path], *, forbidden: tuple[str, ...]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in sorted(imports(path))
        if within(name, forbidden)
    ]


@pytest.mark.parametrize("room", ARROWS)
def test_arrows_between_the_folders_of_a_room_never_run_back(room: str) -> None:
    found = []
    for folder, allowed in ARROWS[room].items():
        sisters = {
            f"{room}/{sister}".replace("/", ".") for sister in ARROWS[room] if sister != folder
        }
        known = tuple(f"{room}/{sister}".replace("/", ".") for sister in allowed)
        found += trespasses(
            modules(f"{room}/{folder}"),
            forbidden=tuple(sister for sister in sisters if sister not in known),
        )
    assert found == []


@pytest.mark.parametrize("room", ARROWS)
def test_arrows_name_each_folder_and_none_that_is_not_drawn(room: str) -> None:
    """A list of what is allowed goes stale where nobody notices that it is not needed."""
    drawn = {path.relative_to(ROOT / room).parts[0] for path in modules(room)}
    assert set(ARROWS[room]) == {each for each in drawn if not each.endswith(".py")}
    for folder, allowed in ARROWS[room].items():
        seen = {name for path in modules(f"{room}/{folder}") for name in imports(path)}
        needed = [
            sister
            for sister in allowed
            if any(within(name, (f"{room}/{sister}".replace("/", "."),)) for name in seen)
        ]
        assert list(allowed) == needed, folder


def test_arrows_that_are_allowed_form_no_circle() -> None:
    for room in ARROWS.values():
        graphlib.TopologicalSorter(room).prepare()


def test_every_folder_says_in_a_sentence_what_it_is_for() -> None:
    silent = [
        str(folder.relative_to(ROOT))
        for folder in {path.parent for path in modules("adjudicator", "web", "worker")}
        if "migrations" not in folder.parts
        and not ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
    ]
    assert silent == []


def test_the_table_of_rooms_names_each_folder_of_the_service() -> None:
    table = (ROOT / "adjudicator/README.md").read_text()
    assert [each for each in ARROWS["adjudicator/service"] if f"| `{each}/` |" not in table] == []


def test_no_folder_holds_more_files_than_a_reader() -> None:
    files = collections.Counter(
        path.parent.relative_to(ROOT).as_posix() for path in modules("adjudicator", "web", "worker")
    )
    assert {
        folder: count for folder, count in files.items() if count > CROWDED and folder not in LISTS
    } == {}


def test_rule_1_a_game_imports_the_standard_library_the_interface_and_chance() -> None:
    found = []
    for path in modules("adjudicator/games"):
        own = ".".join(path.relative_to(ROOT).parts[:3]).removesuffix(".py")
        known = (
            "adjudicator.core.game",
            "adjudicator.core.options",
            "adjudicator.core.chance",
            "adjudicator.core.near",
            "adjudicator.games.kit",
            own,
        )
        outside = {
            name
            for name in imports(path)
            if not within(name, known) and name.split(".")[0] not in sys.stdlib_module_names
        }
        found += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(outside)]
    assert found == []


def test_rule_1_a_game_asks_no_clock_no_dice_no_files_and_no_environment() -> None:
    impure = (
        "time",
        "datetime",
        "random",
        "secrets",
        "os",
        "io",
        "pathlib",
        "logging",
        "socket",
        "subprocess",
        "threading",
        "tempfile",
        "uuid",
    )
    assert trespasses(modules("adjudicator/games"), forbidden=impure) == []


def test_rule_2_the_service_knows_no_door_no_mail_and_no_game() -> None:
    forbidden = (
        "flask",
        "celery",
        "smtplib",
        "email",
        "jinja2",
        "web",
        "worker",
        "adjudicator.mail",
        "adjudicator.games",
        "adjudicator.platform.clock",
        "adjudicator.platform.config",
    )
    assert trespasses(modules("adjudicator/service"), forbidden=forbidden) == []


def test_rule_3_the_mail_room_knows_no_door() -> None:
    assert (
        trespasses(
            modules("adjudicator/mail"),
            forbidden=(
                "web",
                "worker",
                "flask",
                "celery",
                "adjudicator.games",
                "adjudicator.catalogue",
            ),
        )
        == []
    )


@pytest.mark.parametrize(("door", "other"), [("web", "worker"), ("worker", "web")])
def test_rule_4_the_doors_never_meet_and_never_touch_tables_or_rules(door: str, other: str) -> None:
    inner = (
        "adjudicator.games",
        "adjudicator.catalogue",
        "adjudicator.core.codec",
        "adjudicator.play.loop",
        "adjudicator.play.loop",
        "adjudicator.service.base.tables",
        "adjudicator.service.base.state",
    )
    assert trespasses(modules(door), forbidden=(other, "sqlmodel", "sqlalchemy", *inner)) == []


def test_rule_5_the_site_holds_no_private_key() -> None:
    private = (
        "adjudicator.seal.crypto",
        "adjudicator.service.phases.closing",
        "adjudicator.service.phases.beginning",
        "adjudicator.service.phases.opening",
        "cryptography",
    )
    assert trespasses(modules("web"), forbidden=private) == []


def test_rule_5_what_takes_letters_in_holds_no_private_key() -> None:
    private = (
        "adjudicator.seal.crypto",
        "adjudicator.service.phases.closing",
        "adjudicator.service.phases.beginning",
        "adjudicator.service.phases.opening",
        "worker.context",
        "worker.letters",
        "worker.sweep",
        "worker.tasks",
        "cryptography",
    )
    doors = modules("worker/inbox", "adjudicator/hosting/listeners.py")
    assert trespasses(doors, forbidden=private) == []


def test_rule_5_three_functions_open_what_is_sealed() -> None:
    openers = [
        f"{path.relative_to(ROOT)}:{function.name}"
        for path in modules("adjudicator/service", "adjudicator/mail", "web", "worker")
        for function in nodes(path)
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "open_contents"
    ]
    assert sorted(openers) == [
        "adjudicator/service/orders/disclosure.py:_open_newest",
        "adjudicator/service/orders/orders_by_letter.py:_before",
        "adjudicator/service/phases/closing.py:_open_envelopes",
    ]


def test_the_pure_core_knows_no_service_and_no_time() -> None:
    core = modules("adjudicator/core", "adjudicator/play", "adjudicator/catalogue.py")
    forbidden = (
        "adjudicator.service",
        "adjudicator.platform.db",
        "adjudicator.platform.clock",
        "adjudicator.platform.config",
        "sqlmodel",
        "sqlalchemy",
        "random",
        "time",
        "secrets",
    )
    assert trespasses(core, forbidden=forbidden) == []


def test_only_two_modules_ask_the_machine_for_time_and_randomness() -> None:
    askers = {ROOT / "adjudicator" / "platform" / name for name in ("clock.py", "entropy.py")}
    # what waits for real processes
    real = (ROOT / "adjudicator" / "hosting", ROOT / "adjudicator" / "mail" / "reading")
    others = [
        path
        for path in modules("adjudicator", "web", "worker")
        if path not in askers and not path.is_relative_to(real[0])
    ]
    others = [path for path in others if not path.is_relative_to(real[1])]
    assert trespasses(others, forbidden=("time", "secrets", "random", "uuid")) == []


def test_rule_7_nothing_imports_the_command_line_or_the_supervisor() -> None:
    rooms = [
        *modules(
            *(
                f"adjudicator/{room}"
                for room in ("core", "play", "platform", "seal", "service", "mail", "games")
            ),
            "web",
            "worker",
        ),
        *(ROOT / "adjudicator").glob("*.py"),
    ]
    own = {ROOT / "adjudicator" / name for name in ("cli.py", "__main__.py")}
    assert (
        trespasses(
            [path for path in rooms if path not in own],
            forbidden=("adjudicator.cli", "adjudicator.commands", "adjudicator.hosting"),
        )
        == []
    )


def test_broad_excepts_stand_in_four_places() -> None:
    broad = [
        str(path.relative_to(ROOT))
        for path in modules("adjudicator", "web", "worker")
        for handler in nodes(path)
        if isinstance(handler, ast.ExceptHandler)
        and not any(isinstance(step, ast.Raise) and step.exc is None for step in handler.body)
        and (
            handler.type is None
            or (
                isinstance(handler.type, ast.Name)
                and handler.type.id in ("Exception", "BaseException")
            )
        )
    ]
    phases = "adjudicator/service/phases"
    assert set(broad) <= {
        "worker/task.py",
        f"{phases}/closing.py",
        f"{phases}/batches.py",
        "web/http/error_pages.py",
    }
    assert len(broad) <= 4


def test_a_refusal_is_made_by_its_three_constructors_only() -> None:
    direct = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in modules("adjudicator", "web", "worker")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Refusal"
    ]
    assert direct == []


def test_rule_3_the_mail_room_holds_no_words_of_games() -> None:
    of_games = {
        word
        for game in catalogue.every_game()
        for word in (*game.about.order_words.first, *game.about.order_words.alone)
    }
    lists = [
        (ROOT / f"adjudicator/mail/reading/words/{name}.txt").read_text("utf-8").splitlines()
        for name in ("orders", "commands")
    ]
    assert {"rock", "anubis", "waive"} <= of_games
    assert of_games & {line for lines in lists for line in lines} == set()


def test_no_class_has_the_name_of_another() -> None:
    """Games have their own vocabulary: each has an `Order`, a `State`, a `Play`."""
    games = ROOT / "adjudicator" / "games"
    classes = [
        node.name
        for path in modules("adjudicator", "web", "worker")
        if not path.is_relative_to(games)
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
    ]
    assert len(classes) > 100
    assert [name for name, times in collections.Counter(classes).items() if times > 1] == []
