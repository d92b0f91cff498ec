"""Monitoring: health checks, and metrics that contain no names."""

from datetime import timedelta
from pathlib import Path

import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from adjudicator.hosting.health import checks
from adjudicator.platform import disk, heartbeat, wakeups
from adjudicator.platform.config import read_settings
from adjudicator.platform.queues import Wakeups
from adjudicator.service.matches import masters
from adjudicator.service.people.sessions import ask_link
from adjudicator.service.phases import closing
from adjudicator.service.views import health
from tests.cast import ALICE, BOB, CHARLIE
from tests.databases import make_read_only
from tests.harness import Harness
from tests.web.site import Site, Visitor
from web.host import monitoring

HERE = {"REMOTE_ADDR": "127.0.0.1"}
ELSEWHERE = {"REMOTE_ADDR": "198.51.100.7"}


@pytest.fixture(autouse=True)
def look_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the cache, so that every scrape reads the database."""
    monkeypatch.setattr(monitoring, "KEPT_SECONDS", -1.0)


def figures(visitor: Visitor) -> dict[str, float]:
    """Return all samples of /metrics, labels in their names."""
    answer = visitor.get("/metrics", environ_base=HERE)
    assert answer.status_code == 200 and answer.content_type.startswith("text/plain; version=")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        assert family.documentation, family.name
        for sample in family.samples:
            found[
                sample.name
                + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items()))
            ] = sample.value
    return found


# --- metrics


def test_the_figures_tell_how_the_service_stands(site: Site) -> None:
    uid, visitor = site.begin_match(), site.visitor()
    told = figures(visitor)
    assert (
        told["sealed_matches status=running"],
        told["sealed_matches status=stuck"],
        told["sealed_phases_open"],
    ) == (1, 0, 1)
    assert (
        told["sealed_letters_out state=waiting"] >= 3
        and told["sealed_players"] == 3
        and told["sealed_phases_overdue"] == 0
    )
    site.harness.order(uid, "Alice", "B3")
    site.harness.later(hours=48, minutes=12)
    told = figures(visitor)
    assert (
        told["sealed_phases_overdue"],
        told["sealed_phase_overdue_seconds"],
        told["sealed_receipts_unsigned"],
    ) == (1, 120, 1)
    closing.mark_stuck(site.harness.database, uid, "a fault", now=site.harness.now)
    told = figures(visitor)
    assert (
        told["sealed_matches status=stuck"],
        told["sealed_matches status=running"],
        told["sealed_phases_overdue"],
    ) == (1, 0, 0)


def test_paused_matches_are_counted_and_are_never_overdue(small_site: Site) -> None:
    masters.pause_match(
        small_site.harness.database, small_site.begin_match(), None, now=small_site.harness.now
    )
    small_site.harness.later(hours=100)
    told = figures(small_site.visitor())
    assert (told["sealed_matches_paused"], told["sealed_phases_overdue"]) == (1, 0)


def test_requests_are_counted_by_endpoint_never_by_path(small_site: Site) -> None:
    visitor = small_site.visitor()
    visitor.get("/sign-in/not-a-token-of-anybody")
    visitor.get("/nowhere/at-all")
    visitor.client.open("/", method="PROPFIND")
    told = figures(visitor)
    assert told["sealed_http_requests_total endpoint=accounts.link method=GET status=200"] == 1
    assert told["sealed_http_requests_total endpoint=none method=GET status=404"] == 1
    assert told["sealed_http_requests_total endpoint=none method=other status=405"] == 1
    assert told["sealed_http_seconds_count endpoint=accounts.link"] == 1
    assert "not-a-token" not in visitor.get("/metrics", environ_base=HERE).text


def test_no_name_address_or_match_is_in_the_figures(small_site: Site) -> None:
    uid = small_site.begin_match()
    visitor = small_site.visitor(ALICE)
    visitor.get(f"/matches/{uid}")
    shown = visitor.get("/metrics", environ_base=HERE).text
    assert not [
        word
        for word in (uid, ALICE, BOB, CHARLIE, "example.org", "The Long Table")
        if word in shown
    ]


def test_one_look_serves_for_a_while(small_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "KEPT_SECONDS", 60.0)
    assert figures(small_site.visitor())["sealed_phases_open"] == 0
    small_site.begin_match()
    assert figures(small_site.visitor())["sealed_phases_open"] == 0


# --- who may read them


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_a_proxy_of_this_machine_is_not_this_machine(small_site: Site, header: str) -> None:
    answer = small_site.visitor().get(
        "/metrics", environ_base=HERE, headers={header: "198.51.100.7"}
    )
    assert answer.status_code == 404


def test_others_see_the_figures_with_the_token_only(tmp_path: Path, sqlite_url: str) -> None:
    site = Site.create(Harness(sqlite_url), tmp_path / "data", metrics_token="watch-1234")
    visitor = site.visitor()
    for given in (
        {},
        {"Authorization": "Bearer watch-12345"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic watch"},
    ):
        assert visitor.get("/metrics", environ_base=ELSEWHERE, headers=given).status_code == 404
    assert (
        visitor.get(
            "/metrics", environ_base=ELSEWHERE, headers={"Authorization": "Bearer watch-1234"}
        ).status_code
        == 200
    )
    site.harness.dispose()


def test_without_a_token_set_an_empty_one_opens_nothing(small_site: Site) -> None:
    answer = small_site.visitor().get(
        "/metrics", environ_base=ELSEWHERE, headers={"Authorization": "Bearer "}
    )
    assert answer.status_code == 404


# --- health


def test_the_site_is_well_while_its_database_is(site: Site) -> None:
    answer = site.visitor().get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "swept_seconds_ago": None})


def test_an_older_database_is_told(site: Site) -> None:
    with site.harness.database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    answer = site.visitor().get("/healthz")
    assert answer.status_code == 503 and answer.json is not None
    assert answer.json["what"].startswith(
        "The database is at revision 0001 and this release needs "
    )


def test_a_database_that_does_not_answer_is_told_without_its_address(
    tmp_path: Path, sqlite_url: str
) -> None:
    harness = Harness(sqlite_url)
    site = Site.create(harness, tmp_path / "data")
    away = Site.create(harness, tmp_path / "data")
    away.app.extensions["database"] = type(harness.database)(
        "postgresql+psycopg://u:hush@127.0.0.1:1/x"
    )
    answer = away.visitor().get("/healthz")
    assert (answer.status_code, answer.json) == (
        503,
        {"status": "wrong", "what": "The database does not answer.", "swept_seconds_ago": None},
    )
    assert site.visitor().get("/healthz").status_code == 200
    harness.dispose()


def test_a_deep_look_tries_to_write(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "sweep_trouble", lambda _seconds: "")
    assert site.visitor().get("/healthz?deep").status_code == 200
    monkeypatch.setattr(disk, "SCARCE", 10**18)
    short = site.visitor().get("/healthz?deep")
    assert (
        short.status_code == 503
        and short.json is not None
        and "its disk is nearly full" in short.json["what"]
    )
    make_read_only(site.app.extensions["database"])
    closed = site.visitor().get("/healthz?deep")
    assert (
        closed.status_code == 503
        and closed.json is not None
        and closed.json["what"].startswith("The database takes no writes")
    )
    assert site.visitor().get("/healthz").status_code == 200


def test_a_deep_look_wants_a_sweep_within_the_last_minute(
    tmp_path: Path, sqlite_url: str, redis_url: str
) -> None:
    site = Site.create(Harness(sqlite_url), tmp_path / "data", redis_url=redis_url)
    visitor = site.visitor()

    def checked() -> list[str]:
        """Return what `sealed check` finds wrong."""
        told = read_settings(database_url=sqlite_url, redis_url=redis_url, data_dir=tmp_path)
        return [each.text for each in checks.check_service(told) if each.state == "wrong"]

    silent = visitor.get("/healthz?deep")
    assert (
        silent.status_code == 503
        and silent.json is not None
        and "as far as is known" in silent.json["what"]
    )
    assert silent.json["what"] in checked()
    with redis.Redis.from_url(redis_url) as broker:
        heartbeat.note_alive(broker, heartbeat.SWEEP)
        assert visitor.get("/healthz?deep").status_code == 200
        assert not [each for each in checked() if "looked for" in each]
        broker.expire("sealed.pulse.sweep", 24 * 3600 - 200)
    late = visitor.get("/healthz?deep")
    assert late.status_code == 503 and late.json is not None and "for 2" in late.json["what"]
    assert [each for each in checked() if "looked for what is due for 2" in each]
    assert visitor.get("/healthz").status_code == 200, "the site itself is well"
    site.harness.dispose()


def test_a_process_whose_clock_is_off_is_among_the_figures(
    tmp_path: Path, postgres_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site.create(Harness(postgres_url), tmp_path / "data", redis_url=redis_url)
    assert not [name for name in figures(site.visitor()) if name.startswith("sealed_clock")]
    monkeypatch.setenv("SEALED_CLOCK_AHEAD", "-90")
    figures(site.visitor())
    ((name, ahead),) = [
        (name, value)
        for name, value in figures(site.visitor()).items()
        if name.startswith("sealed_clock_ahead_seconds")
    ]
    assert "process=the site on" in name and -91 < ahead < -89
    site.app.extensions["database"].engine.dispose()
    site.harness.dispose()


def test_what_waits_too_long_is_told_by_a_deep_look_the_figures_and_the_check(
    tmp_path: Path, sqlite_url: str, redis_url: str
) -> None:
    site = Site.create(Harness(sqlite_url), tmp_path / "data", redis_url=redis_url)
    visitor, harness = site.visitor(), site.harness
    with redis.Redis.from_url(redis_url) as broker:
        heartbeat.note_alive(broker, heartbeat.SWEEP)
        assert visitor.get("/healthz?deep").status_code == 200
        assert Wakeups(redis_url).send(wakeups.CLOSE, "a")
    harness.now = harness.database.now() - timedelta(seconds=700)
    site.begin_match()
    ask_link(
        harness.database,
        "visitor@example.net",
        zone="UTC",
        now=harness.now + timedelta(seconds=600),
    )
    late = visitor.get("/healthz?deep")
    assert (
        late.status_code == 503
        and late.json is not None
        and "The oldest report is not posted for 7" in late.json["what"]
    )
    assert "The oldest letter that somebody waits for is not posted for 1" in late.json["what"]
    told = figures(visitor)
    assert (
        told["sealed_letter_waits_seconds kind=report"]
        >= 700
        > told["sealed_letter_waits_seconds kind=soon"]
        >= 100
    )
    assert told["sealed_tasks_queued task=sealed.close"] == 1
    found = [
        each.text
        for each in checks.check_service(
            read_settings(database_url=sqlite_url, redis_url=redis_url, data_dir=tmp_path)
        )
    ]
    assert any(line.startswith("The oldest report is not posted for 7") for line in found)
    site.app.extensions["database"].engine.dispose()
    harness.dispose()


def test_what_waits_to_be_closed_or_read_is_told_beyond_its_bound() -> None:
    told = [
        health.strain(health.Waits(*each))
        for each in ((0, 0, 0, 0), (120, 60, 600, 120), (121, 0, 0, 0), (0, 0, 0, 121))
    ]
    assert [len(each) for each in told] == [0, 0, 1, 1]
    assert "to be closed for 121 s" in told[2][0] and "not read for 121 s" in told[3][0]
