"""The logins of the roles on PostgreSQL: what each may do, what it may not, how they are made and
checked.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from adjudicator.hosting.database_roles.comparing import read_rights
from adjudicator.hosting.database_roles.grants import (
    GRANTS,
    REVISIONS,
    ROLES,
    RoleName,
    read_privileges,
)
from adjudicator.hosting.database_roles.logins import Login, grant_roles, read_logins
from adjudicator.platform.config import read_settings
from adjudicator.platform.errors import HostFault
from adjudicator.service.base.tables import Match, all_tables
from tests.databases import as_role
from tests.hosting.conftest import SealedHere
from tests.hosting.service import ROOT, run_service
from tests.hosting.visitor import Visitor, letter_text
from tests.servers import free_port

DOORS: tuple[RoleName, ...] = ("web", "inbox", "live", "beat")
PROVEN = {  # what a proof relies on, by table: the columns that nobody but the worker may change
    "receipt": (
        "seq",
        "seat",
        "at",
        "commitments",
        "disposition",
        "number",
        "prev",
        "head",
        "signature",
    ),
    "envelope": ("sealed", "seq", "commitments"),
    "logentry": ("prev", "body", "hash", "sig"),
    "publiclog": ("origin", "size", "log_key", "witness_key", "signature"),
    "logplace": ("position", "hash"),
    "logtile": ("hashes",),
    "logcheckpoint": ("root", "note"),
    "logcosignature": ("line",),
    "witnessedlog": ("root", "note"),
    "witnessdispute": ("known", "request"),
    "formertenure": ("seat", "number", "since", "until", "token_hash"),
    "phase": (
        "taken",
        "events",
        "draws",
        "after",
        "before",
        "wrapped_key",
        "public_key",
        "key_signature",
        "kept_openings",
        "number",
        "rules_version",
        "opened_at",
        "closed_at",
    ),
    "match": (
        "uid",
        "anchors",
        "wrapped_chains",
        "opened_chains",
        "log_size",
        "log_hash",
        "sealing",
        "options",
        "game",
        "rules_version",
        "result",
        "lots",
    ),
    "tournament": ("anchors", "wrapped_chains", "opened_chains"),
    "tournamentround": ("drawn", "element"),
    "workerkeys": ("document", "fingerprint"),
    "readingnote": ("at", "seat"),
    "pressnote": ("text", "seat", "readers"),
    "incoming": ("raw", "received_at", "disposition"),
    "ratedplace": ("mu", "place"),
    "link": ("uid", "address", "spent_at"),
    "offer": ("uid", "address", "spent_at"),
    "seat": ("invitation_spent",),
}
KEPT = (
    "receipt",
    "envelope",
    "logentry",
    "publiclog",
    "logplace",
    "logtile",
    "logcheckpoint",
    "logcosignature",
    "witnessedlog",
    "witnessdispute",
    "formertenure",
    "phase",
    "match",
    "seat",
    "player",
    "tournament",
    "tournamentround",
    "workerkeys",
    "readingnote",
    "pressnote",
    "masternote",
    "incoming",
    "attendance",
    "ratedplace",
)
ADDED_BY_THE_WORKER = (
    "publiclog",
    "logplace",
    "logtile",
    "logcheckpoint",
    "logcosignature",
    "witnessedlog",
    "witnessdispute",
    "logentry",
    "phase",
    "workerkeys",
    "readingnote",
    "tournamentround",
    "ratedplace",
    "attendance",
    "due",
)
UNSIGNED = (
    "INSERT INTO receipt"
    " (match_id, phase_number, seat, seq, channel, at, disposition, commitments, tenure{})"
    " VALUES (1, 1, '1', 1, 'form', now(), 'accepted', '[]', 1{})"
)


def driver_url(url: str) -> str:
    return url.replace("+psycopg", "")


class Server:
    """A database with the roles' logins, each connected once."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._open: dict[str, psycopg.Connection] = {}

    def _connect(self, url: str) -> psycopg.Connection:
        if url not in self._open:
            self._open[url] = psycopg.connect(driver_url(url), autocommit=True)
        return self._open[url]

    def refuses(self, role: RoleName, statement: str) -> bool:
        """Whether PostgreSQL refuses a statement to a role for want of a right; its owner could run
        it.
        """
        self._connect(self._url).execute(f"EXPLAIN {statement}")
        try:
            self._connect(as_role(self._url, role)).execute(f"EXPLAIN {statement}")
        except psycopg.errors.InsufficientPrivilege:
            return True
        return False

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open.values():
            connection.close()


@pytest.fixture(scope="module")
def server(shared_postgres_url: str) -> Iterator[Server]:
    """The database of this file's tests, which change nothing in it."""
    made = Server(shared_postgres_url)
    yield made
    made.close()


# --- the table of grants


def test_every_table_stands_in_the_grants_with_its_own_columns() -> None:
    tables = {
        table.name: {column.name for column in table.columns}
        for table in all_tables().sorted_tables
    }
    assert Match.__tablename__ in tables and set(GRANTS) == {
        *tables,
        REVISIONS,
    }, "each new table says which role may do what with it"
    for name, columns in tables.items():
        for role in ROLES:
            for verb, named in read_privileges(GRANTS[name].of(role)).items():
                assert (
                    verb in ("SELECT", "INSERT", "UPDATE", "DELETE") and (named or set()) <= columns
                ), (name, role, verb)


def test_a_grant_reads_as_it_is_written() -> None:
    read = read_privileges("SELECT, INSERT (a), UPDATE (b, c), DELETE")
    assert (
        read == {"SELECT": None, "INSERT": {"a"}, "UPDATE": {"b", "c"}, "DELETE": None}
        and read_privileges("") == {}
    )


# --- what PostgreSQL refuses


@pytest.mark.parametrize("role", DOORS)
def test_no_door_changes_what_a_proof_relies_on(server: Server, role: RoleName) -> None:
    for table, columns in PROVEN.items():
        for column in columns:
            assert server.refuses(role, f'UPDATE "{table}" SET "{column}" = "{column}"'), (
                table,
                column,
            )


@pytest.mark.parametrize("role", DOORS)
def test_no_door_deletes_what_a_proof_relies_on(server: Server, role: RoleName) -> None:
    for table in KEPT:
        assert server.refuses(role, f'DELETE FROM "{table}"'), table


@pytest.mark.parametrize("role", DOORS)
def test_no_door_adds_what_only_the_worker_makes(server: Server, role: RoleName) -> None:
    for table in ADDED_BY_THE_WORKER:
        assert server.refuses(role, f'INSERT INTO "{table}" SELECT * FROM "{table}"'), table


@pytest.mark.parametrize("column", ["signature", "prev", "head", "number"])
def test_the_site_adds_receipts_and_never_a_signed_one(server: Server, column: str) -> None:
    assert not server.refuses("web", UNSIGNED.format("", ""))
    assert server.refuses("web", UNSIGNED.format(f", {column}", ", NULL"))


@pytest.mark.parametrize("role", ["inbox", "live", "beat"])
def test_the_other_doors_add_no_receipt_envelope_or_session(server: Server, role: RoleName) -> None:
    assert server.refuses(role, UNSIGNED.format("", ""))
    for table in ("envelope", "signedin", "letter", "reading", "player"):
        assert server.refuses(role, f'INSERT INTO "{table}" SELECT * FROM "{table}"'), table


@pytest.mark.parametrize(
    ("role", "columns"),
    [
        (
            "inbox",
            (
                "player.address player.name letter.address letter.context incoming.raw match.name"
                " phase.before pressnote.text due.says"
            ),
        ),
        (
            "live",
            (
                "player.name match.name match.wrapped_chains seat.token phase.before phase.taken"
                " due.says due.seat letter.uid receipt.id"
            ),
        ),
        ("beat", "match.id player.id phase.id"),
    ],
)
def test_a_role_reads_only_what_it_needs(server: Server, role: RoleName, columns: str) -> None:
    for table, _, column in (each.partition(".") for each in columns.split()):
        assert server.refuses(role, f'SELECT "{column}" FROM "{table}"'), (table, column)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE receipt SET seq = 1",
        "UPDATE envelope SET seq = 1",
        "UPDATE logentry SET hash = ''",
        "UPDATE pressnote SET seat = ''",
        "UPDATE workerkeys SET fingerprint = ''",
        "UPDATE alembic_version SET version_num = ''",
        "DELETE FROM workerkeys",
        "DELETE FROM player",
    ],
)
def test_even_the_worker_changes_no_record(server: Server, statement: str) -> None:
    assert server.refuses("worker", statement)


@pytest.mark.parametrize("role", ROLES)
def test_no_role_changes_tables_or_makes_logins(shared_postgres_url: str, role: RoleName) -> None:
    statements = (
        "TRUNCATE receipt",
        "DROP TABLE receipt",
        "ALTER TABLE receipt DISABLE TRIGGER ALL",
        "CREATE TABLE another (id integer)",
        "CREATE RULE forget AS ON INSERT TO receipt DO INSTEAD NOTHING",
        "CREATE ROLE another SUPERUSER",
        "SET ROLE sealed",
        f"COMMENT ON TABLE {REVISIONS} IS ''",
    )
    with psycopg.connect(driver_url(as_role(shared_postgres_url, role)), autocommit=True) as login:
        for statement in statements:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                login.execute(sql.SQL(statement))


# --- making and granting


@pytest.fixture
def name(postgres_url: str) -> Iterator[str]:
    """A name for logins of this test alone; they are dropped afterwards, as they are the whole
    server's.
    """
    name = f"of_{make_url(postgres_url).database}"
    yield name
    with psycopg.connect(driver_url(postgres_url), autocommit=True) as owner:
        for (login,) in owner.execute(
            "SELECT rolname FROM pg_roles WHERE rolname LIKE %s", [f"{name}%"]
        ).fetchall():
            owner.execute(sql.SQL("DROP OWNED BY {0}").format(sql.Identifier(login)))
            owner.execute(sql.SQL("DROP ROLE {0}").format(sql.Identifier(login)))


def rights_of(url: str, login: str) -> list[tuple[str, ...]]:
    """Return everything that was granted to a login."""
    asked = """SELECT table_name, column_name, privilege_type FROM information_schema.column_privileges WHERE grantee = %(login)s
    UNION SELECT table_name, '', privilege_type FROM information_schema.table_privileges WHERE grantee = %(login)s ORDER BY 1, 2, 3"""
    with psycopg.connect(driver_url(url)) as owner:
        return owner.execute(asked, {"login": login}).fetchall()


def test_migrating_makes_the_logins_and_a_second_time_changes_nothing(
    postgres_url: str, name: str, sealed_here: SealedHere
) -> None:
    settings = {
        "DATABASE_URL": postgres_url,
        "DATABASE_ROLES": f"web={name}_web:one%40two live={name}_live:three",
    }
    first = sealed_here("migrate", **settings)
    assert first.returncode == 0 and f"The role web has the login {name}_web," in first.stdout, (
        first.stderr
    )
    granted = rights_of(postgres_url, f"{name}_web")
    own = (
        make_url(postgres_url)
        .set(username=f"{name}_web", password="one@two")
        .render_as_string(hide_password=False)
    )
    with psycopg.connect(driver_url(own)) as login:
        assert login.execute("SELECT count(*) FROM match").fetchone() == (0,)
    assert (
        granted
        and sealed_here("migrate", **settings).returncode == 0
        and rights_of(postgres_url, f"{name}_web") == granted
    )
    assert sealed_here("migrate", DATABASE_URL=postgres_url).stdout.count("The role ") == 2, (
        "the database remembers its logins"
    )
    refused = sealed_here("migrate", DATABASE_URL=own)
    assert (
        refused.returncode == 78
        and "connect as the owner of the tables" in refused.stderr
        and "Traceback" not in refused.stderr
    )


def test_the_server_is_sent_no_password_in_the_clear(postgres_url: str, name: str) -> None:
    grant_roles(postgres_url, {"web": Login(name, "hush-hush")})
    with psycopg.connect(driver_url(postgres_url)) as owner:
        row = owner.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = %s", [name]
        ).fetchone()
    assert row is not None and row[0].startswith("SCRAM-SHA-256$") and "hush" not in row[0]


def test_what_was_granted_beside_it_is_told_and_taken_away(
    postgres_url: str, name: str, sealed_here: SealedHere
) -> None:
    logins: dict[RoleName, Login] = {"web": Login(name, "secret")}
    grant_roles(postgres_url, logins)
    assert [(each.beyond, each.missing) for each in read_rights(postgres_url).roles] == [((), ())]
    with psycopg.connect(driver_url(postgres_url), autocommit=True) as owner:
        owner.execute(
            sql.SQL("GRANT UPDATE (signature), TRUNCATE ON receipt TO {}").format(
                sql.Identifier(name)
            )
        )
        owner.execute(sql.SQL("REVOKE INSERT ON pressnote FROM {}").format(sql.Identifier(name)))
        owner.execute(sql.SQL("ALTER ROLE {} CREATEDB").format(sql.Identifier(name)))
    (found,) = read_rights(as_role(postgres_url, "worker")).roles
    assert found.beyond == ("CREATEDB", "TRUNCATE receipt", "UPDATE receipt.signature")
    assert found.missing and all(each.startswith("INSERT pressnote.") for each in found.missing)
    told = sealed_here("check", DATABASE_URL=postgres_url)
    assert (
        f"WRONG  The login {name} of the role web may do more than it needs: CREATEDB, TRUNCATE"
        " receipt" in told.stdout
    )
    assert "note   DATABASE_URL connects as sealed, who owns the tables" in told.stdout
    grant_roles(postgres_url, {})
    (found,) = read_rights(postgres_url).roles
    assert (found.beyond, found.missing) == (
        ("CREATEDB",),
        (),
    ), "what a login is, its maker decides"


def test_a_login_that_is_named_no_more_may_do_nothing(postgres_url: str, name: str) -> None:
    grant_roles(postgres_url, {"web": Login(f"{name}_old", "secret")})
    grant_roles(postgres_url, {"web": Login(f"{name}_new", "secret")})
    assert rights_of(postgres_url, f"{name}_old") == [] and rights_of(postgres_url, f"{name}_new")


def test_a_login_without_a_password_is_the_hosts_own(postgres_url: str, name: str) -> None:
    with pytest.raises(
        HostFault, match=rf"names the login {name}, which PostgreSQL does not know: add a password"
    ):
        grant_roles(postgres_url, {"inbox": Login(name)})
    with psycopg.connect(driver_url(postgres_url), autocommit=True) as owner:
        owner.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
    assert grant_roles(postgres_url, {"inbox": Login(name)}) == {"inbox": name} and rights_of(
        postgres_url, name
    )


def test_a_login_that_could_do_everything_is_refused(postgres_url: str) -> None:
    with pytest.raises(
        HostFault, match="names sealed, which owns the tables and may do everything"
    ):
        grant_roles(postgres_url, {"web": Login("sealed")})


def test_two_roles_do_not_share_a_login() -> None:
    assert read_logins("web=a:b%40c beat=d") == {"web": Login("a", "b@c"), "beat": Login("d", "")}
    with pytest.raises(HostFault, match="gives two roles the same login"):
        read_logins("web=a:b live=a:b")


@pytest.mark.parametrize("text", ["web", "web=", "site=a:b", "web=a:b web=c:d", "web=a=b"])
def test_roles_that_cannot_be_read_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(HostFault, match="must read web=LOGIN:PASSWORD inbox=LOGIN:PASSWORD"):
        read_settings(database_roles=text)


def test_logins_on_sqlite_are_refused_and_none_are_made_unless_named(
    tmp_path: Path, postgres_url: str, sealed_here: SealedHere
) -> None:
    told = sealed_here("migrate", DATA_DIR=str(tmp_path), DATABASE_ROLES="web=a:b")
    assert told.returncode == 78 and "DATABASE_ROLES needs PostgreSQL" in told.stderr
    with psycopg.connect(driver_url(postgres_url), autocommit=True) as owner:
        owner.execute(sql.SQL("COMMENT ON TABLE {} IS NULL").format(sql.Identifier(REVISIONS)))
    assert "The role" not in sealed_here("migrate", DATABASE_URL=postgres_url).stdout, (
        "an installation with the owner's login alone goes on"
    )


# --- everything together


@pytest.mark.nightly
def test_a_match_is_played_with_each_role_under_its_own_login(
    tmp_path: Path, postgres_url: str, redis_url: str, sealed_here: SealedHere
) -> None:
    inbox, live = free_port(), free_port()
    shared = {
        "REDIS_URL": redis_url,
        "INBOX_URL": f"smtp://127.0.0.1:{inbox}",
        "PYTHONPATH": str(ROOT),
        "LIVE_PORT": str(live),
        "SECRET_KEY": "of all sites",
        "SWEEP_SECONDS": "0.5",
    }

    def told(role: RoleName) -> dict[str, str]:
        return shared | {"DATABASE_URL": as_role(postgres_url, role)}

    keys = {"KEY_FILE": str(tmp_path / "keys" / "worker.key")}
    with (
        run_service(tmp_path / "worker", "worker", "--no-beat", **told("worker"), **keys) as worker,
        run_service(tmp_path / "beat", "beat", **told("beat")) as beat,
        run_service(tmp_path / "inbox", "inbox", **told("inbox")) as door,
        run_service(tmp_path / "live", "live", **told("live")) as stream,
        run_service(tmp_path / "web", "web", **told("web")) as site,
    ):
        (site.folder / "inbox").mkdir(parents=True)
        (site.folder / "mailbox").symlink_to(worker.folder / "mailbox")
        (site.folder / "inbox" / "port").write_text(str(inbox))
        alice = Visitor(site, "alice@example.org")
        alice.sign_in()
        uid = alice.play_bots("Five Logins")
        alice.post(f"/matches/{uid}/orders", phase="1", text="B3", says="wait")
        assert "B3" in alice.post(f"/matches/{uid}/sealed"), "the worker disclosed what was sealed"
        alice.post(f"/matches/{uid}/say", word="ready")
        alice.until(uid, "You owe orders for Round 2")
        alice.answer(alice.letter("Round 2"), "B2\n")
        alice.until(uid, "You owe orders for Round 3")
        alice.get(f"/matches/{uid}")
        alice.post(f"/matches/{uid}/pause")
        alice.post(f"/matches/{uid}/resume")
        alice.get("/account")
        assert "Alice the First" in alice.post(
            "/account", name="Alice the First", zone="Europe/Paris", letters="yes"
        )
        assert "five logins" in letter_text(alice.letter("Round 3")).lower()
        checked = sealed_here("check", **told("worker"), **keys, DATA_DIR=str(worker.folder))
        assert "Each of these logins may do what its role needs and no more" in checked.stdout, (
            checked.stdout
        )
        assert "who owns the tables" not in checked.stdout
        said = "".join(each.said for each in (worker, beat, door, stream, site))
        assert (
            "permission denied" not in said
            and "InsufficientPrivilege" not in said
            and "stamp.missed" not in said
        )
        faults = [
            line
            for line in said.splitlines()
            if line.startswith("{") and json.loads(line).get("level") == "error"
        ]
        assert not faults
    with psycopg.connect(driver_url(postgres_url)) as owner:
        assert owner.execute("SELECT count(*) FROM receipt WHERE signature IS NULL").fetchone() == (
            0,
        )
