"""The container files, checked against the code without a container engine."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from adjudicator.cli import sealed
from adjudicator.hosting.database_roles.logins import Login, read_logins
from adjudicator.platform.config import Settings, read_settings
from tests.hosting.service import ROOT
from web.http.security import stream_origin

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("build")}
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
EXAMPLE = (ROOT / ".env.example").read_text()
KNOWN = {name.upper() for name in Settings.model_fields}
# what .env.example leaves empty and may stay so
OPTIONAL = {"METRICS_TOKEN", "KEY_FINGERPRINT", "WITNESSES", "WITNESS_FOR"}
ROLES = ("web", "live", "worker", "beat", "inbox")
# services that run workers, and the queues of each
WORKERS = {"worker": "all", "letters": "letters"}


def instructions(word: str) -> list[str]:
    """Return the arguments of one Dockerfile instruction."""
    return [
        line.partition(" ")[2].strip()
        for line in DOCKERFILE.splitlines()
        if line.startswith(f"{word} ")
    ]


def asked_for() -> set[str]:
    """Return the variables that the compose file uses."""
    return set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))


def example() -> dict[str, str]:
    """Return every variable of .env.example, including commented ones."""
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))


def parsed(arguments: list[str]) -> click.Context:
    """Parse a command line as `sealed` would, without running it. Raises click's UsageError for
    unknown options.
    """
    command = sealed.get_command(click.Context(sealed), arguments[0])
    assert command is not None, f"there is no command {arguments[0]}"
    return command.make_context(arguments[0], arguments[1:])


# --- what runs


def test_the_services_are_the_roles_and_what_they_need() -> None:
    assert set(OURS) == {*ROLES, *WORKERS, "migrate"} and set(SERVICES) - set(OURS) == {
        "postgres",
        "redis",
    }


@pytest.mark.parametrize("name", OURS)
def test_every_command_is_one_of_sealed_with_its_own_options(name: str) -> None:
    service = OURS[name]
    told, role = parsed(service["command"]).params, "worker" if name in WORKERS else name
    assert told == ({"beat": False, "queues": WORKERS[name]} if name in WORKERS else told)
    assert service["command"][0] == role and service.get("profiles", []) == (
        ["letters"] if name == "letters" else []
    )
    test = service["healthcheck"].get("test")
    if name == "migrate":
        assert service["healthcheck"] == {"disable": True} and service["restart"] == "no"
        return
    assert test[:2] == ["CMD", "sealed"] and parsed(test[2:]).params == {
        "role": role,
        "deep": False,
    }


def test_a_health_check_that_runs_for_ever_loads_little() -> None:
    heavy = {"sqlalchemy", "sqlmodel", "redis", "celery", "kombu", "structlog", "jinja2", "alembic"}
    named = "adjudicator.cli, adjudicator.commands.check, adjudicator.hosting.health.role_health"
    program = f"import sys, {named}; print({heavy} & {{*sys.modules}})"
    command, environ = [sys.executable, "-P", "-c", program], {"PYTHONPATH": str(ROOT)}
    assert (
        subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout
        == "set()\n"
    )
    seconds = {
        service["healthcheck"]["interval"] for name, service in OURS.items() if name != "migrate"
    }
    assert seconds == {"2m"} and "--interval=2m" in instructions("HEALTHCHECK")[0]


def test_one_clock_runs_whatever_the_number_of_workers() -> None:
    assert OURS["worker"]["command"] == ["worker", "--no-beat"] and OURS["beat"]["command"] == [
        "beat"
    ]


@pytest.mark.parametrize("name", ROLES)
def test_the_roles_wait_for_the_newest_tables_and_for_what_they_talk_to(name: str) -> None:
    needs = {other: each["condition"] for other, each in OURS[name]["depends_on"].items()}
    assert needs == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }
    assert OURS["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}


# --- settings


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_a_setting(name: str) -> None:
    assert set(OURS[name]["environment"]) <= KNOWN and "env_file" not in OURS[name]


@pytest.mark.parametrize(
    ("setting", "services"),
    [
        ("SMTP_URL", {*WORKERS}),
        ("DKIM_KEY_FILE", {*WORKERS}),
        ("KEY_FILE", {*WORKERS}),
        ("IMAP_URL", {"inbox"}),
        ("SECRET_KEY", {"web", "live"}),
        ("METRICS_TOKEN", {"web", "live"}),
        ("REDIS_URL", {"web", *WORKERS, "beat", "inbox"}),
        ("DATABASE_ROLES", {"migrate"}),
    ],
)
def test_a_secret_is_told_to_those_who_need_it(setting: str, services: set[str]) -> None:
    assert {
        name for name, service in SERVICES.items() if setting in service.get("environment", {})
    } == services


def test_each_role_has_a_login_and_a_password_of_its_own() -> None:
    def password(name: str) -> str:
        return f"${{{name}:?is missing in .env}}"

    granted = read_logins(
        OURS["migrate"]["environment"]["DATABASE_ROLES"].replace(":?is missing in .env", "")
    )
    assert set(granted) == set(ROLES)
    for role, login in granted.items():
        own = f"{role.upper()}_DATABASE_PASSWORD"
        assert (login.name, login.password) == (f"sealed_{role}", f"${{{own}}}")
        assert (
            OURS[role]["environment"]["DATABASE_URL"]
            == f"postgresql://{login.name}:{password(own)}@postgres:5432/sealed"
        )
    owner = {
        name
        for name, service in SERVICES.items()
        if "POSTGRES_PASSWORD" in str(service.get("environment", {}))
    }
    assert owner == {"migrate", "postgres"}
    assert (
        OURS["migrate"]["environment"]["DATABASE_URL"]
        == f"postgresql://sealed:{password('POSTGRES_PASSWORD')}@postgres:5432/sealed"
    )


def test_the_example_names_settings_and_what_the_compose_file_asks_for_and_nothing_else() -> None:
    assert asked_for() == set(example()), "each line of .env reaches a service"
    settings = {
        name: value for service in OURS.values() for name, value in service["environment"].items()
    }
    fixed = {name for name, value in settings.items() if f"${{{name}" not in value}
    assert not set(example()) & fixed, "what the compose file fixes cannot be set in .env"


def test_the_defaults_are_the_programs_own() -> None:
    usual = {name.upper(): str(field.default) for name, field in Settings.model_fields.items()}
    for service in OURS.values():
        for name, value in service["environment"].items():
            default = re.fullmatch(rf"\$\{{{name}:-(.+)}}", value)
            if default and name not in ("SITE_URL", "TRUSTED_PROXIES"):
                assert (
                    float(default[1]) == float(usual[name])
                    if default[1][0].isdigit()
                    else default[1] == usual[name]
                ), name


def filled_in(name: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings of a service whose .env is the example, filled in."""
    given = {
        each: value or ("ab" * 32 if each == "KEY_FINGERPRINT" else "filled-in")
        for each, value in example().items()
    }
    for setting, value in OURS[name]["environment"].items():
        monkeypatch.setenv(
            setting, re.sub(r"\$\{(\w+)(?::[?-][^}]*)?\}", lambda found: given[found[1]], value)
        )
    return read_settings()


def test_the_settings_that_come_of_it_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    told = filled_in("worker", monkeypatch)
    assert told.database_url == "postgresql+psycopg://sealed_worker:filled-in@postgres:5432/sealed"
    assert (
        told.redis_url == "redis://:filled-in@redis:6379/0"
        and told.inbox_url == "smtp://0.0.0.0:2525"
    )
    assert (told.key_file, told.dkim_key_file) == (Path("/keys/worker.key"), Path("/keys/dkim.pem"))
    assert not told.local_mailbox and not told.mailbox_page and told.answerable


def test_the_owner_is_told_every_login(monkeypatch: pytest.MonkeyPatch) -> None:
    told = filled_in("migrate", monkeypatch)
    assert told.database_url == "postgresql+psycopg://sealed:filled-in@postgres:5432/sealed"
    assert read_logins(told.database_roles.get_secret_value())["beat"] == Login(
        "sealed_beat", "filled-in"
    )


def test_what_must_be_filled_in_is_asked_for_and_never_given() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    required = {
        "POSTGRES_PASSWORD",
        "REDIS_PASSWORD",
        "SECRET_KEY",
        *(f"{role.upper()}_DATABASE_PASSWORD" for role in ROLES),
    }
    assert set(re.findall(r"\$\{(\w+):\?", text)) == required
    assert {name for name, value in example().items() if not value} == required | {
        "METRICS_TOKEN",
        "KEY_FINGERPRINT",
        "WITNESSES",
        "WITNESS_FOR",
    }
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


# --- guards


def test_the_worker_alone_sees_the_keys() -> None:
    assert {
        name
        for name, service in SERVICES.items()
        if any(each.startswith("keys:") for each in service.get("volumes", []))
    } == {*WORKERS}
    folder = OURS["worker"]["volumes"][0].partition(":")[2]
    assert OURS["worker"]["environment"]["KEY_FILE"].startswith(f"{folder}/")


def test_every_volume_and_network_is_declared_and_used() -> None:
    used = {
        each.partition(":")[0]
        for service in SERVICES.values()
        for each in service.get("volumes", [])
    }
    assert used == set(COMPOSE["volumes"])
    assert {each for service in SERVICES.values() for each in service["networks"]} == set(
        COMPOSE["networks"]
    )
    assert COMPOSE["networks"]["inner"] == {"internal": True}


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_can_take_the_whole_machine(name: str) -> None:
    service = SERVICES[name]
    cpus, memory = (
        str(service[key]).rpartition(":-")[2].removesuffix("}") for key in ("cpus", "mem_limit")
    )
    assert 0 < float(cpus) <= 1, "a machine with one core refuses to start more"
    assert re.fullmatch(r"\d+[mg]", memory) and 0 < service["pids_limit"] <= 256


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_guarded_watched_and_started_again(name: str) -> None:
    service = SERVICES[name]
    assert (
        service["read_only"] is True
        and service["cap_drop"] == ["ALL"]
        and service["security_opt"] == ["no-new-privileges:true"]
    )
    assert service["user"] not in ("root", "0", "0:0") and service["restart"] == (
        "no" if name == "migrate" else "unless-stopped"
    )
    assert (
        service["logging"]["options"]["max-size"] and "healthcheck" in service and service["tmpfs"]
    )


def test_database_and_broker_are_reached_by_the_service_only() -> None:
    for name in ("postgres", "redis"):
        assert SERVICES[name]["networks"] == ["inner"] and "ports" not in SERVICES[name]
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(published) == 3 and all(port.startswith("127.0.0.1:") for port in published), (
        "a proxy and a mail server stand in front"
    )


def test_ports_are_those_that_the_roles_listen_on() -> None:
    assert OURS["web"]["ports"][0].endswith(f":{OURS['web']['environment']['PORT']}")
    assert (
        OURS["inbox"]["ports"][0].rpartition(":")[2]
        == OURS["inbox"]["environment"]["INBOX_URL"].rpartition(":")[2]
    )
    assert instructions("EXPOSE") == ["8000 8001 2525"]


@pytest.mark.parametrize("given", [{}, {"STREAM_PORT": "9001"}])
def test_pages_without_a_proxy_are_told_the_published_port_of_the_live_stream(
    given: dict[str, str],
) -> None:
    def filled(text: str) -> str:
        return re.sub(r"\$\{(\w+):-(\w+)\}", lambda found: given.get(found[1], found[2]), text)

    _, published, inside = filled(OURS["live"]["ports"][0]).split(":")
    told = {filled(OURS[name]["environment"]["LIVE_PORT"]) for name in ("web", "live")}
    assert told == {inside} == {published}
    settings = Settings(site_url="http://localhost:8000", live_port=int(inside), trusted_proxies=0)
    assert stream_origin(settings) == f"http://localhost:{published}"


def test_images_are_pinned_by_their_short_names() -> None:
    images = [
        *(SERVICES[name]["image"] for name in ("postgres", "redis")),
        *(line.split()[0] for line in instructions("FROM")),
    ]
    assert all(re.fullmatch(r"[a-z]+(/[a-z]+)?:\d[\w.-]*", image) for image in images), images


# --- the image


def test_what_is_copied_is_there_and_is_all_the_program() -> None:
    sources = [
        source
        for line in instructions("COPY")
        if not line.startswith("--from")
        for source in line.split()[:-1]
    ]
    assert all((ROOT / source).exists() for source in sources)
    assert {"adjudicator", "web", "worker", "templates"} <= set(sources)
    kept = [
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    assert set(kept) == set(sources), "the builder is sent what is copied"


def test_packages_are_installed_by_their_hashes_and_nothing_is_compiled() -> None:
    installs = [
        shlex.split(each)
        for line in instructions("RUN")
        for each in line.split("&&")
        if "pip install" in each
    ]
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
    assert all(
        folder in service["tmpfs"] or "clock:/data" in service["volumes"]
        for service in OURS.values()
    )
    check = instructions("HEALTHCHECK")[0].partition("CMD ")[2]
    assert parsed(re.findall(r'"([^"]+)"', check)[1:]).params == {"role": "web", "deep": False}
    assert parsed(re.findall(r'"([^"]+)"', instructions("CMD")[0])).command.name == "command"


def test_python_is_one_that_the_project_runs_on() -> None:
    versions = {re.search(r"python:(\d+\.\d+)", line)[1] for line in instructions("FROM")}  # type: ignore[index]
    assert len(versions) == 1 and tuple(map(int, versions.pop().split("."))) >= (3, 11)
