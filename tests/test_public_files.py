"""Files for forges and contributors' tools refer to existing commands, versions of Python and
pages.
"""

import re
import shlex
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from adjudicator.cli import sealed

ROOT = Path(__file__).parent.parent
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.splitlines()
PAGES = [name for name in TRACKED if name.endswith(".md") and not name.startswith("tests/")]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")


def _read(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())
    return loaded


def _anchors(page: Path) -> set[str]:
    """Return the anchors that forges generate for a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", PAGES)
def test_links_within_the_documentation_lead_to_a_file_and_a_heading(name: str) -> None:
    for file, anchor in LINK.findall((ROOT / name).read_text()):
        target = (ROOT / name).parent / file if file else ROOT / name
        assert target.exists(), file
        assert not anchor or anchor in _anchors(target), f"{file}#{anchor}"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_scripts_commands_and_modules_that_exist(name: str) -> None:
    page = (ROOT / name).read_text()
    assert [
        script
        for script in re.findall(r"(?<![\w/-])script/([a-z-]+)", page)
        if not (ROOT / "script" / script).exists()
    ] == []
    assert {*re.findall(r"(?:`|script/|\$ )sealed ([a-z]+(?:-[a-z]+)*)", page)} <= {
        *sealed.list_commands(None)
    }  # type: ignore[arg-type]  # it asks nothing of its context
    assert [
        module for module in re.findall(r"python -m ([a-z_.]+)", page) if find_spec(module) is None
    ] == []


def test_each_decision_has_three_lines_at_most_and_says_what_was_rejected() -> None:
    entries = [
        each
        for each in (ROOT / "docs" / "decisions.md").read_text().split("\n\n")[2:]
        if not each.startswith("## ")
    ]
    assert len(entries) > 50
    assert [
        each
        for each in entries
        if each.strip().count("\n") > 2 or not each.startswith("**") or "Rejected:" not in each
    ] == []


@pytest.mark.parametrize("name", sorted({*PAGES} - {"CHANGELOG.md"}))  # there an entry is a line
def test_prose_is_wrapped_at_a_hundred_characters(name: str) -> None:
    outside = re.sub(
        r"^( *)```.*?^\1```", "", (ROOT / name).read_text(), flags=re.MULTILINE | re.DOTALL
    )
    loose = (
        line
        for line in outside.splitlines()
        if not line.startswith(("|", "    ", "![", "#")) and " " in line.strip("- ")
    )
    assert [line for line in loose if len(line) > 100] == []


def test_the_workflow_checks_each_supported_python() -> None:
    job = _read(".github/workflows/checks.yml")["jobs"]["checks"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert (
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
        == ">=3.11"
    )
    assert job["steps"][-1]["run"].split()[-1] == ".ci/run"


def test_hooks_are_local_and_run_what_the_environment_holds() -> None:
    config = _read(".pre-commit-config.yaml")
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    commands = [
        hook["entry"]
        for repository in config["repos"]
        for hook in repository["hooks"]
        if hook["language"] == "system"
    ]
    assert len(commands) == 4
    assert [command for command in commands if not (ROOT / shlex.split(command)[0]).exists()] == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_an_issue_form_has_what_forges_ask_for(form: Path) -> None:
    read = _read(str(form.relative_to(ROOT)))
    assert read["name"] and read["description"]
    fields = [field for field in read["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields) > 0
    assert all(field["attributes"]["label"] for field in fields)
