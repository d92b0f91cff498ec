"""The host's guide: its commands, settings and figures are those of the program."""

import re

from adjudicator.cli import sealed
from adjudicator.platform.config import Settings
from adjudicator.platform.errors import WrongSetting
from adjudicator.service.views.metrics import STATUSES, Figures
from tests.hosting.service import ROOT
from web.host.monitoring import metric_families

GUIDE = (ROOT / "docs" / "hosting.md").read_text()
COMMANDS = sealed.list_commands(None)  # type: ignore[arg-type]  # it asks nothing of its context


def test_every_command_it_names_is_there() -> None:
    named = re.findall(r"(?:`|script/|worker )sealed ([a-z]+(?:-[a-z]+)*)(?: ([a-z][a-z|]+)\b)?", GUIDE)
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
        assert option in {each for parameter in command.params for each in (*parameter.opts, *parameter.secondary_opts)}, option


def test_every_setting_it_gives_is_one() -> None:
    given = {name for name in re.findall(r"(?:^|[`( ])([A-Z][A-Z_]+)=\S", GUIDE, re.MULTILINE) if "_" in name or name == "PORT"}
    assert len(given) > 6 and given <= {name.upper() for name in Settings.model_fields}


def test_every_figure_it_watches_is_given() -> None:
    told = Figures(dict.fromkeys(STATUSES, 0), 0, 0, 0, 0.0, {"held": 0}, {"urgent": 0.0}, 0, 0, 0.0, {}, 0, 0, 0, 0)
    given = {family.name for family in metric_families(told)}
    watched = set(re.findall(r"\b(sealed_[a-z_]+)(?=[{ ])", GUIDE))
    assert len(watched) == 7 and watched <= given


def test_the_unit_and_the_environment_are_what_the_scripts_are() -> None:
    assert f"\nRestartPreventExitStatus={WrongSetting.exit_code}\n" in GUIDE
    assert "ExecStart=/srv/sealed-orders/script/serve" in GUIDE and (ROOT / "script" / "serve").exists()
