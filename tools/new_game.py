"""Copies the complete small game in `tools/skeleton` under a new name and registers it, for
`script/new-game`.
"""

import argparse
import keyword
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKELETON = Path(__file__).resolve().parent / "skeleton"
NEXT = """Made the game “{name}”: {cards}.

  adjudicator/games/{name}/           its rules: change them to yours
  templates/web/rules/{name}.html     its rules page
  tests/games/{name}/                 its tests
  tests/games/golden/{name}/          a golden playthrough
  docs/transcripts.md                 its example, at the end

It is offered now: script/serve, or script/test -k {name}. After a change of the rules write again what they come to:

  .venv/bin/python -m tests.games.golden
  .venv/bin/python -m tests.play.test_transcript_examples
"""


class NameFault(Exception):
    """The name is not possible for a new game; the text says why."""


def main(arguments: list[str] | None = None) -> None:
    """Create a game with the given name; exit with a sentence if that is not possible."""
    parser = argparse.ArgumentParser(
        prog="script/new-game", description="Begins a new game from a small complete one."
    )
    parser.add_argument("name", help="one word in small letters: the game's key and folder")
    name = parser.parse_args(arguments).name
    try:
        check_name(name)
    except NameFault as fault:
        sys.exit(str(fault))
    written = copy_skeleton(name)
    register_game(name)
    format_files(written)
    for module, *more in (
        ("tests.games.golden", name, "first", "1"),
        ("tests.play.test_transcript_examples",),
    ):
        subprocess.run([sys.executable, "-P", "-m", module, *more], cwd=ROOT, check=True)
    print(NEXT.format(name=name, cards="two seats, cards from 1 to 5"))  # noqa: T201 a command's output


def check_name(name: str) -> None:
    """Raise NameFault if no game can have this name."""
    if not re.fullmatch(r"[a-z]{3,20}", name) or keyword.iskeyword(name):
        raise NameFault(
            f"“{name}” is not 3 to 20 small letters from a to z that are no word of Python."
        )
    if (ROOT / "adjudicator" / "games" / name).exists():
        raise NameFault(f"There is a folder adjudicator/games/{name} already.")


def copy_skeleton(name: str) -> list[Path]:
    """Write the skeleton's files under the name; return the new Python files."""
    places = {
        "game": ROOT / "adjudicator" / "games" / name,
        "tests": ROOT / "tests" / "games" / name,
    }
    written = []
    for part, folder in places.items():
        shutil.copytree(SKELETON / part, folder, ignore=shutil.ignore_patterns("__pycache__"))
        written += sorted(folder.glob("*.py"))
    page = ROOT / "templates" / "web" / "rules" / f"{name}.html"
    shutil.copyfile(SKELETON / "rules.html", page)
    for path in (*written, page):
        path.write_text(_named(path.read_text("utf-8"), name), "utf-8")
    examples = ROOT / "docs" / "transcripts.md"
    example = _named((SKELETON / "transcript.md").read_text("utf-8"), name)
    examples.write_text(f"{examples.read_text('utf-8').rstrip()}\n\n{example}", "utf-8")
    return written


def register_game(name: str) -> None:
    """Append the game to the catalogue."""
    path = ROOT / "adjudicator" / "catalogue.py"
    imported = f"from adjudicator.games.{name}.about import ABOUT as {name.upper()}\n"
    text = re.sub(
        r"(?m)^ABOUTS: .*?\(([^()]*)\)",
        lambda found: f"{found[0][:-1].rstrip(', ')}, {name.upper()})",
        path.read_text("utf-8"),
    )
    path.write_text(text.replace("\n\nABOUTS: ", f"\n{imported}\nABOUTS: ", 1), "utf-8")


def format_files(written: list[Path]) -> None:
    """Sort the imports and wrap the lines, which depend on the name."""
    files = [*map(str, written), str(ROOT / "adjudicator" / "catalogue.py")]
    for command in (("check", "--quiet", "--select", "I", "--fix"), ("format", "--quiet")):
        subprocess.run([sys.executable, "-P", "-m", "ruff", *command, *files], cwd=ROOT, check=True)


def _named(text: str, name: str) -> str:
    return (
        text.replace("skeleton", name)
        .replace("SKELETON", name.upper())
        .replace("Skeleton", name.capitalize())
    )


if __name__ == "__main__":
    main()
