"""The host's guide: its commands, settings and figures are those of the program."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from adjudicator.cli import sealed
from adjudicator.platform.config import Settings
from adjudicator.platform.errors import WrongSetting
from adjudicator.service.views.metrics import STATUSES, Figures
from tests.hosting.service import ROOT
from web.host.monitoring import metric_families

GUIDE = (ROOT / "docs" / "hosting.md").read_text()
COMMANDS = sealed.list_commands(None)  # type: ignore[arg-type]  # it asks nothing of its context


def test_every_command_it_names_is_there() -> None:
    named = re.findall(
        r"(?:`|script/|worker )sealed ([a-z]+(?:-[a-z]+)*)(?: ([a-z][a-z|]+)\b)?", GUIDE
    )
    assert len(named) > 12
    for name, words in named:
        assert name in COMMANDS, name
        group = getattr(sealed.get_command(None, name), "commands", {})  # type: ignore[arg-type]
        for word in words.split("|") if group and words else ():
            assert word in group, f"{name} {word}"


def test_every_option_it_names_is_there() -> None:
    for name, option in re.findall(r"sealed ([a-z]+(?:-[a-z]+)*) (--[a-z-]+)", GUIDE):
        command = sealed.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert option in {
            each
            for parameter in command.params
            for each in (*parameter.opts, *parameter.secondary_opts)
        }, option


def test_every_setting_it_gives_is_one() -> None:
    given = {
        name
        for name in re.findall(r"(?:^|[`( ])([A-Z][A-Z_]+)=\S", GUIDE, re.MULTILINE)
        if "_" in name or name == "PORT"
    }
    assert len(given) > 6 and given <= {name.upper() for name in Settings.model_fields}


def test_every_figure_it_watches_is_given() -> None:
    told = Figures(
        dict.fromkeys(STATUSES, 0),
        0,
        0,
        0,
        0.0,
        {"held": 0},
        {"urgent": 0.0},
        0,
        0,
        0.0,
        {},
        0,
        0,
        0,
        0,
    )
    given = {family.name for family in metric_families(told)}
    watched = set(re.findall(r"\b(sealed_[a-z_]+)(?=[{ ])", GUIDE))
    assert len(watched) == 7 and watched <= given


def test_the_unit_and_the_environment_are_what_the_scripts_are() -> None:
    unit = blocks("/etc/systemd/system/sealed-orders.service")
    assert f"\nRestartPreventExitStatus={WrongSetting.exit_code}\n" in unit
    assert "\nExecStart=/opt/sealed-orders/bin/sealed serve\n" in unit, "as the wheel installs it"
    writable = (
        next(line for line in unit.splitlines() if line.startswith("ReadWritePaths="))
        .partition("=")[2]
        .split()
    )
    assert writable == ["/var/lib/sealed-orders"], "the service cannot change the program"
    assert {"MemoryMax=", "TasksMax=", "LimitNOFILE="} <= {
        line.partition("=")[0] + "=" for line in unit.splitlines()
    }


def blocks(file: str) -> str:
    """Return the content of a file that the guide shows."""
    return GUIDE.partition(f"```ini\n# {file}\n")[2].partition("```")[0]


def test_the_unit_is_hardened(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        why = "systemd-analyze is not on this machine"
        pytest.fail(why, pytrace=False) if os.environ.get("EVERY_TOOL") else pytest.skip(why)
    (tmp_path / "sealed-orders.service").write_text(
        blocks("/etc/systemd/system/sealed-orders.service")
    )
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--threshold=20",
        str(tmp_path / "sealed-orders.service"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-100:] + done.stderr


def test_every_copy_goes_to_the_folder_that_is_made_for_them() -> None:
    made = re.findall(r"install -d -m 700 -o sealed (/\S+?)`", GUIDE)
    assert set(re.findall(r"sealed backup (/[^\s`]+)", GUIDE)) == set(made) != set(), (
        "the service's user can write nowhere else"
    )


def test_the_contents_name_every_part() -> None:
    links = re.findall(r"^- \[[^]]+\]\(#([a-z0-9-]+)\)", GUIDE, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", GUIDE, re.MULTILINE)
    assert links == [
        re.sub(r"[^a-z0-9 -]", "", each.lower()).replace(" ", "-") for each in headings
    ]


def test_no_command_names_a_password_and_every_copy_is_for_its_owner_only() -> None:
    commands = re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL)
    shown = [each for each in commands if "cat /etc/sealed-orders.owner.env" not in each]
    assert not [
        each
        for each in shown
        if re.search(r"://[^ /]+:[^ /@]+@", each) or '"$DATABASE_URL"' in each
    ]
    copies = [
        each
        for each in shown
        if re.search(r"worker\.key|pg_dump|\.sqlite3 |genrsa|dkim\.pem", each)
    ]
    assert len(copies) >= 5 and not [
        each for each in copies if "umask 077" not in each and "install -m 600" not in each
    ]
