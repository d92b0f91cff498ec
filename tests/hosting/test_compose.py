"""The container files, checked against the code without a container engine."""

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from adjudicator.cli import sealed
from adjudicator.platform.config import Settings, read_settings
from tests.hosting.service import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("build")}
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
EXAMPLE = (ROOT / ".env.example").read_text()
KNOWN = {name.upper() for name in Settings.model_fields}
ROLES = ("web", "worker", "beat", "inbox")


def instructions(word: str) -> list[str]:
    """Return the arguments of one Dockerfile instruction."""
    return [line.partition(" ")[2].strip() for line in DOCKERFILE.splitlines() if line.startswith(f"{word} ")]


def asked_for() -> set[str]:
    """Return the variables that the compose file uses."""
    return set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))


def example() -> dict[str, str]:
    """Return every variable of .env.example, including commented ones."""
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))


def parsed(arguments: list[str]) -> click.Context:
    """Parse a command line as `sealed` would, without running it. Raises click's UsageError for unknown options."""
    command = sealed.get_command(click.Context(sealed), arguments[0])
    assert command is not None, f"there is no command {arguments[0]}"
    return command.make_context(arguments[0], arguments[1:])


# --- what runs


def test_the_services_are_the_roles_and_what_they_need() -> None:
    assert set(OURS) == {*ROLES, "migrate"} and set(SERVICES) - set(OURS) == {"postgres", "redis"}


@pytest.mark.parametrize("name", OURS)
def test_every_command_is_one_of_sealed_with_its_own_options(name: str) -> None:
    service = OURS[name]
    assert parsed(service["command"]).params == ({"beat": False} if name == "worker" else parsed(service["command"]).params)
    assert service["command"][0] == name
    test = service["healthcheck"].get("test")
    if name == "migrate":
        assert service["healthcheck"] == {"disable": True} and service["restart"] == "no"
        return
    assert test[:2] == ["CMD", "sealed"] and parsed(test[2:]).params == {"role": name}


def test_one_clock_runs_whatever_the_number_of_workers() -> None:
    assert OURS["worker"]["command"] == ["worker", "--no-beat"] and OURS["beat"]["command"] == ["beat"]


@pytest.mark.parametrize("name", ROLES)
def test_the_roles_wait_for_the_newest_tables_and_for_what_they_talk_to(name: str) -> None:
    needs = {other: each["condition"] for other, each in OURS[name]["depends_on"].items()}
    assert needs == {"migrate": "service_completed_successfully", "postgres": "service_healthy", "redis": "service_healthy"}
    assert OURS["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}


# --- settings


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_a_setting(name: str) -> None:
    assert set(OURS[name]["environment"]) <= KNOWN and OURS[name]["env_file"] == [".env"]


def test_the_example_names_settings_and_what_the_compose_file_asks_for_and_nothing_else() -> None:
    assert asked_for() <= set(example())
    assert set(example()) <= KNOWN | asked_for()
    assert not set(example()) & set(OURS["web"]["environment"]), "what the compose file fixes cannot be set in .env"


def test_the_settings_that_come_of_it_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {name: value or "filled-in" for name, value in example().items()}
    for name, value in (given | OURS["worker"]["environment"]).items():
        filled = re.sub(r"\$\{(\w+)(?::[?-][^}]*)?\}", lambda found: given[found[1]], value)
        monkeypatch.setenv(name, filled)
    told = read_settings()
    assert told.database_url == "postgresql+psycopg://sealed:filled-in@postgres:5432/sealed"
    assert told.redis_url == "redis://:filled-in@redis:6379/0" and told.inbox_url == "smtp://0.0.0.0:2525"
    assert (told.key_file, told.dkim_key_file) == (Path("/keys/worker.key"), Path("/keys/dkim.pem"))
    assert not told.local_mailbox and not told.mailbox_page and told.answerable


def test_what_must_be_filled_in_is_asked_for_and_never_given() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert set(re.findall(r"\$\{(\w+):\?", text)) == {"POSTGRES_PASSWORD", "REDIS_PASSWORD"}
    assert {name for name, value in example().items() if not value} == {
        "POSTGRES_PASSWORD",
        "REDIS_PASSWORD",
        "SECRET_KEY",
        "METRICS_TOKEN",
    }
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


# --- guards


def test_the_worker_alone_sees_the_keys() -> None:
    assert {name for name, service in SERVICES.items() if any(each.startswith("keys:") for each in service.get("volumes", []))} == {
        "worker"
    }
    folder = OURS["worker"]["volumes"][0].partition(":")[2]
    assert OURS["worker"]["environment"]["KEY_FILE"].startswith(f"{folder}/")


def test_every_volume_and_network_is_declared_and_used() -> None:
    used = {each.partition(":")[0] for service in SERVICES.values() for each in service.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])
    assert {each for service in SERVICES.values() for each in service["networks"]} == set(COMPOSE["networks"])
    assert COMPOSE["networks"]["inner"] == {"internal": True}


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_guarded_watched_and_started_again(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"] not in ("root", "0", "0:0") and service["restart"] == ("no" if name == "migrate" else "unless-stopped")
    assert service["logging"]["options"]["max-size"] and "healthcheck" in service and service["tmpfs"]


def test_database_and_broker_are_reached_by_the_service_only() -> None:
    for name in ("postgres", "redis"):
        assert SERVICES[name]["networks"] == ["inner"] and "ports" not in SERVICES[name]
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(published) == 2 and all(port.startswith("127.0.0.1:") for port in published), "a proxy and a mail server stand in front"


def test_ports_are_those_that_the_roles_listen_on() -> None:
    assert OURS["web"]["ports"][0].endswith(f":{OURS['web']['environment']['PORT']}")
    assert OURS["inbox"]["ports"][0].rpartition(":")[2] == OURS["inbox"]["environment"]["INBOX_URL"].rpartition(":")[2]
    assert instructions("EXPOSE") == ["8000 2525"]


def test_images_are_pinned_by_their_short_names() -> None:
    images = [*(SERVICES[name]["image"] for name in ("postgres", "redis")), *(line.split()[0] for line in instructions("FROM"))]
    assert all(re.fullmatch(r"[a-z]+(/[a-z]+)?:\d[\w.-]*", image) for image in images), images


# --- the image


def test_what_is_copied_is_there_and_is_all_the_program() -> None:
    sources = [source for line in instructions("COPY") if not line.startswith("--from") for source in line.split()[:-1]]
    assert all((ROOT / source).exists() for source in sources)
    assert {"adjudicator", "web", "worker", "templates"} <= set(sources)
    kept = [line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert set(kept) == set(sources), "the builder is sent what is copied"


def test_packages_are_installed_by_their_hashes_and_nothing_is_compiled() -> None:
    installs = [shlex.split(each) for line in instructions("RUN") for each in line.split("&&") if "pip install" in each]
    assert [each[-1] for each in installs] == ["requirements.txt"]
    for each in installs:
        assert "--require-hashes" in each and each[each.index("--only-binary") + 1] == ":all:"
        assert "--no-binary" not in each
    assert not re.search(r"\b(apt-get|gcc|build-essential)\b", DOCKERFILE)


def test_the_image_runs_as_a_user_of_its_own_and_says_whether_it_is_well() -> None:
    user = re.search(r"useradd --uid (\d+) --gid sealed .* sealed\b", DOCKERFILE)
    group = re.search(r"groupadd --gid (\d+) sealed", DOCKERFILE)
    assert user and group and instructions("USER") == ["sealed"]
    assert {service["user"] for service in OURS.values()} == {f"{user[1]}:{group[1]}"}
    folder = f"/data:uid={user[1]},gid={group[1]},mode=0700"
    assert all(folder in service["tmpfs"] or "clock:/data" in service["volumes"] for service in OURS.values())
    check = instructions("HEALTHCHECK")[0].partition("CMD ")[2]
    assert parsed(re.findall(r'"([^"]+)"', check)[1:]).params == {"role": "web"}
    assert parsed(re.findall(r'"([^"]+)"', instructions("CMD")[0])).command.name == "command"


def test_python_is_one_that_the_project_runs_on() -> None:
    versions = {re.search(r"python:(\d+\.\d+)", line)[1] for line in instructions("FROM")}  # type: ignore[index]
    assert len(versions) == 1 and tuple(map(int, versions.pop().split("."))) >= (3, 11)
