"""The one-way rules: which room may import what, read from the source itself."""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PURE = (
    "adjudicator.game",
    "adjudicator.options",
    "adjudicator.chance",
    "adjudicator.codec",
    "adjudicator.catalogue",
    "adjudicator.house",
    "adjudicator.sheet",
    "adjudicator.play",
    "adjudicator.stopping",
    "adjudicator.claims",
    "adjudicator.replay",
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
    """Return every module a file imports, wherever in the file; `from a import b` counts as a.b too where that is a module."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {
                f"{node.module}.{alias.name}" if _is_module(f"{node.module}.{alias.name}") else str(node.module) for alias in node.names
            }
    return frozenset(found)


@cache
def _is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or path.is_dir()


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def trespasses(paths: list[Path], *, forbidden: tuple[str, ...]) -> list[str]:
    return [f"{path.relative_to(ROOT)} imports {name}" for path in paths for name in sorted(imports(path)) if within(name, forbidden)]


def test_rule_1_a_game_imports_the_standard_library_the_interface_and_chance() -> None:
    found = []
    for path in modules("adjudicator/games"):
        own = ".".join(path.relative_to(ROOT).parts[:3]).removesuffix(".py")
        known = ("adjudicator.game", "adjudicator.options", "adjudicator.chance", "adjudicator.games.kit", own)
        outside = {name for name in imports(path) if not within(name, known) and name.split(".")[0] not in sys.stdlib_module_names}
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
        "adjudicator.clock",
        "adjudicator.config",
    )
    assert trespasses(modules("adjudicator/service"), forbidden=forbidden) == []


def test_rule_3_the_mail_room_knows_no_door() -> None:
    assert (
        trespasses(
            modules("adjudicator/mail"), forbidden=("web", "worker", "flask", "celery", "adjudicator.games", "adjudicator.catalogue")
        )
        == []
    )


@pytest.mark.parametrize(("door", "other"), [("web", "worker"), ("worker", "web")])
def test_rule_4_the_doors_never_meet_and_never_touch_tables_or_rules(door: str, other: str) -> None:
    inner = (
        "adjudicator.games",
        "adjudicator.catalogue",
        "adjudicator.codec",
        "adjudicator.play",
        "adjudicator.stopping",
        "adjudicator.service.tables",
        "adjudicator.service.state",
    )
    assert trespasses(modules(door), forbidden=(other, "sqlmodel", "sqlalchemy", *inner)) == []


def test_rule_5_the_site_holds_no_private_key() -> None:
    private = (
        "adjudicator.seal.keyfile",
        "adjudicator.seal.boxes",
        "adjudicator.service.phases",
        "adjudicator.service.opening",
        "cryptography",
    )
    assert trespasses(modules("web"), forbidden=private) == []


def test_rule_5_what_takes_letters_in_holds_no_private_key() -> None:
    private = (
        "adjudicator.seal.keyfile",
        "adjudicator.seal.boxes",
        "adjudicator.service.phases",
        "adjudicator.service.opening",
        "worker.bench",
        "worker.tasks",
        "cryptography",
    )
    doors = modules("worker/inbox.py", "worker/door.py", "worker/storing.py", "worker/fetching.py", "adjudicator/hosting/inbox.py")
    assert trespasses(doors, forbidden=private) == []


def test_rule_5_three_functions_open_what_is_sealed() -> None:
    openers = [
        f"{path.relative_to(ROOT)}:{function.name}"
        for path in modules("adjudicator/service", "adjudicator/mail", "web", "worker")
        for function in nodes(path)
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "open_"
    ]
    assert sorted(openers) == [
        "adjudicator/service/letters.py:_before",
        "adjudicator/service/phases.py:_open_envelopes",
        "adjudicator/service/readings.py:_open_newest",
    ]


def test_the_pure_core_knows_no_service_and_no_time() -> None:
    core = [ROOT / f"{name.replace('.', '/')}.py" for name in PURE]
    forbidden = (
        "adjudicator.service",
        "adjudicator.db",
        "adjudicator.clock",
        "adjudicator.config",
        "sqlmodel",
        "sqlalchemy",
        "random",
        "time",
        "secrets",
    )
    assert trespasses(core, forbidden=forbidden) == []


def test_only_two_modules_ask_the_machine_for_time_and_randomness() -> None:
    askers = {ROOT / "adjudicator" / name for name in ("clock.py", "entropy.py")}
    real = (ROOT / "adjudicator" / "hosting", ROOT / "adjudicator" / "mail" / "reading")  # what waits for real processes
    others = [path for path in modules("adjudicator", "web", "worker") if path not in askers and not path.is_relative_to(real[0])]
    others = [path for path in others if not path.is_relative_to(real[1])]
    assert trespasses(others, forbidden=("time", "secrets", "random", "uuid")) == []


def test_rule_7_nothing_imports_the_command_line_or_the_supervisor() -> None:
    rooms = [
        *modules("adjudicator/service", "adjudicator/mail", "adjudicator/games", "adjudicator/seal", "web", "worker"),
        *(ROOT / "adjudicator").glob("*.py"),
    ]
    own = {ROOT / "adjudicator" / name for name in ("cli.py", "__main__.py")}
    assert (
        trespasses(
            [path for path in rooms if path not in own], forbidden=("adjudicator.cli", "adjudicator.commands", "adjudicator.hosting")
        )
        == []
    )


def test_broad_excepts_stand_in_three_places() -> None:
    broad = [
        str(path.relative_to(ROOT))
        for path in modules("adjudicator", "web", "worker")
        for handler in nodes(path)
        if isinstance(handler, ast.ExceptHandler)
        and not any(isinstance(step, ast.Raise) and step.exc is None for step in handler.body)
        and (handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in ("Exception", "BaseException")))
    ]
    assert set(broad) <= {"worker/task.py", "adjudicator/service/phases.py", "web/faults.py"}
    assert len(broad) <= 3


def test_a_refusal_is_made_by_its_three_constructors_only() -> None:
    direct = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in modules("adjudicator", "web", "worker")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refusal"
    ]
    assert direct == []
