"""The worker's public keys in the database are published once, and no other key file is accepted
afterwards.
"""

from pathlib import Path

import pytest

from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import KeyFileError
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow
from tests.harness import BEGIN, Harness


def test_the_first_worker_makes_the_key_file_and_every_later_one_takes_it(
    sqlite_url: str, tmp_path: Path
) -> None:
    database = Database(sqlite_url)
    first, second = (
        public_keys.open_keyring(database, tmp_path / "worker.key", now=BEGIN) for _ in range(2)
    )
    with database.read_tx() as session:
        assert public_keys.current_keys(session) == first.public == second.public
    database.engine.dispose()


def test_another_key_file_is_refused_and_nothing_new_is_sealed_to_it(
    harness: Harness, tmp_path: Path
) -> None:
    other = tmp_path / "other.key"
    crypto.ensure_key_file(other)
    with pytest.raises(KeyFileError, match="not the one this database was sealed to"):
        public_keys.open_keyring(harness.database, other, now=harness.now)
    with harness.database.read_tx() as session:
        assert public_keys.current_keys(session) == harness.keyring.public


def test_a_missing_key_file_is_not_made_anew_once_something_was_sealed(
    harness: Harness, tmp_path: Path
) -> None:
    with pytest.raises(KeyFileError, match="is missing"):
        public_keys.open_keyring(harness.database, tmp_path / "gone.key", now=harness.now)
    assert not (tmp_path / "gone.key").exists()


def test_a_process_that_pinned_the_keys_believes_no_others(harness: Harness) -> None:
    url, own = (
        harness.database.engine.url.render_as_string(hide_password=False),
        harness.keyring.public.fingerprint,
    )
    site = Database(url, info=public_keys.pinned(own))
    with site.read_tx() as session:
        assert public_keys.current_keys(session) == harness.keyring.public
    with harness.database.write_tx() as session:
        public_keys.publish_keys(
            session,
            crypto.Keyring(*(bytes([each]) * 32 for each in (1, 2, 3, 4))).public,
            harness.now,
        )
    with (
        site.read_tx() as session,
        pytest.raises(NotNow, match="are not those that this service was started with"),
    ):
        public_keys.current_keys(session)
    site.engine.dispose()
