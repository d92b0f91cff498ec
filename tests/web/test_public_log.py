"""The public log as other programs read it: checkpoint, tiles, entry bundles; and requests of other
logs for cosignatures.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest

from adjudicator.seal import merkle, notes
from adjudicator.seal.checkpoints import Checkpoint, tile_of_tree
from adjudicator.seal.crypto import verify_signature
from adjudicator.seal.notes import SIGNATURE, NoteSigner, SignedNote, VerifierKey
from adjudicator.service.checkpoints import growing, peers, witnessing
from adjudicator.service.matches.creation import Wish
from tests.harness import Harness
from tests.service.logs import append, grow, match_with_log, public_log
from tests.service.test_witnesses import LOG, ONE, STEP, TWO, request
from tests.waiting import LIMIT, wait_until
from tests.web.site import Site


@pytest.fixture
def logged(small_site: Site) -> Site:
    """A site whose worker has put 300 entries and more into the tree."""
    harness = small_site.harness
    growing.begin_log(harness.database, harness.keyring, "play.example.org/log", now=harness.now)
    match_with_log(harness, 300)
    grow(harness)
    return small_site


def test_a_program_checks_the_whole_tree_by_what_the_site_serves(logged: Site) -> None:
    client = logged.visitor().client
    told = client.get("/.well-known/sealed-keys.json").get_json()["public_log"]
    answer = client.get("/log/checkpoint")
    assert (
        answer.content_type == "text/plain; charset=utf-8"
        and "max-age=5" in answer.headers["Cache-Control"]
    )
    note = SignedNote.read(answer.data)
    note.verify([VerifierKey.read(told["log"])])
    verify_signature(
        logged.harness.keyring.public.signing,
        growing.log_hash(public_log(logged.harness)),
        bytes.fromhex(told["signed"]),
    )
    head, leaves = Checkpoint.read(note.text), list[bytes]()
    for index in range(2):
        tile = str(tile_of_tree(0, index, head.size))
        bundle = client.get(f"/log/tile/{tile.replace('0/', 'entries/', 1)}")
        hashes = client.get(f"/log/tile/{tile}")
        assert (
            hashes.content_type == "application/octet-stream"
            and "immutable" in hashes.headers["Cache-Control"]
        )
        leaves += [
            merkle.hash_leaf(bundle.data[at + 2 : at + 34]) for at in range(0, len(bundle.data), 34)
        ]
        assert hashes.data == b"".join(leaves[index * 256 :])
    kept = merkle.add_leaves(lambda *_: b"", 0, leaves)
    assert (head.origin, len(leaves)) == ("play.example.org/log", head.size)
    assert merkle.tree_root(lambda level, index: kept[level, index], head.size) == head.root
    assert client.get("/log/tile/1/000.p/1").data == kept[1, 0]


@pytest.mark.parametrize(
    "path",
    [
        "/log/tile/0/002",
        "/log/tile/0/001",
        "/log/tile/0/0",
        "/log/2/checkpoint",
        "/log/tile/1/000.p/2",
        "/log/tile/",
    ],
)
def test_what_the_tree_does_not_have_is_not_found(logged: Site, path: str) -> None:
    assert logged.visitor().client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        f"/log/{9 * 10**30}/checkpoint",
        f"/log/{2**63 - 1}/tile/0/000",
        "/log/0/checkpoint",
        "/log/-1/checkpoint",
        "/log/1/checkpoint",
        "/log/tile/0/x999/x999/x999/x999/x999/999",
        "/log/tile/63/x999/x999/x999/x999/x999/999.p/255",
        "/log/tile/0/000/../000",
        "/log/tile/entries/x999/x999/x999/x999/x999/999",
        "/log/tile/0/%2e%2e/0/000",
        "/log/tile/0/000%0a",
        "/log/tile/0/000%00",
        "/log/tile/0/000/",
        "/log/tile/" + "0/" * 1500,
        "/log/tile/0/000.p/1%00",
        "/log/tile/-1/000",
        "/log/tile/0/\u0660\u0660\u0660",
        "/log/",
        "/log",
    ],
)
def test_no_trick_with_an_address_leads_anywhere(logged: Site, path: str) -> None:
    assert logged.visitor().client.get(path).status_code == 404


def test_what_shared_caches_may_keep_is_the_same_for_everybody_and_sets_no_cookie(
    logged: Site,
) -> None:
    guest, alice = logged.visitor(), logged.visitor("Alice")
    for each in (guest, alice):
        each.get("/sign-in")  # with a form, and so with a cookie
        assert each.client.get_cookie("sealed-forms") is not None
    for path in (
        "/log/checkpoint",
        "/log/tile/0/000",
        "/log/tile/entries/001.p/3",
        "/.well-known/sealed-keys.json",
    ):
        answers = [each.client.get(path) for each in (guest, alice)]
        assert answers[0].data == answers[1].data and answers[0].status_code == 200
        assert all("Set-Cookie" not in answer.headers for answer in answers), path
    assert "private" in alice.client.get("/log/tile/0/009").headers["Cache-Control"], (
        "nobody keeps that a tile is not there yet"
    )


def test_head_tells_the_length_and_nothing_else_changes_a_log(logged: Site) -> None:
    client = logged.visitor().client
    for path in ("/log/checkpoint", "/log/tile/0/001.p/9"):
        head, whole = client.head(path), client.get(path)
        assert (head.status_code, head.data, head.headers["Content-Length"]) == (
            200,
            b"",
            str(len(whole.data)),
        )
        assert {
            client.open(path, method=method).status_code
            for method in ("POST", "PUT", "DELETE", "PATCH")
        } == {405}
    assert client.get("/witness/add-checkpoint").status_code == 405


def test_a_tile_is_the_same_bytes_however_it_is_asked_for(logged: Site) -> None:
    client = logged.visitor().client
    whole = client.get("/log/tile/0/000").data
    for headers in (
        {"Accept-Encoding": "gzip, br"},
        {"Range": "bytes=0-9"},
        {"Accept": "text/html"},
        {"If-None-Match": "*"},
    ):
        answer = client.get("/log/tile/0/000", headers=headers)
        assert (
            answer.status_code == 200
            and answer.data == whole
            and "Content-Encoding" not in answer.headers
        )


def test_a_tile_keeps_its_address_and_content_while_the_tree_grows(logged: Site) -> None:
    client, before = (
        logged.visitor().client,
        logged.visitor().client.get("/log/tile/0/001.p/9").data,
    )
    append(logged.harness, match_with_log(logged.harness), 300)
    grow(logged.harness)
    assert (
        client.get("/log/tile/0/001.p/9").data == before
        and len(client.get("/log/tile/0/001").data) == 8192
    )


def serve(site: Site, body: str) -> tuple[int, str, str]:
    """Post a request while a worker answers what the site stores; return status, content type and
    body.
    """
    harness: Harness = site.harness
    site.app.extensions["peers"] = named = peers.read_peers(
        "", str(LOG.verifier), on_this_machine=False
    )
    with mock.patch("web.host.public_log.WAIT_SECONDS", LIMIT), ThreadPoolExecutor() as pool:
        posted = pool.submit(
            lambda: site.visitor().client.post("/witness/add-checkpoint", data=body.encode())
        )

        def served() -> bool:
            with harness.database.read_tx() as session:
                waiting = witnessing.unanswered_requests(session, now=harness.now)
            for each in waiting:
                witnessing.answer_request(
                    harness.database, harness.keyring, named, each, now=harness.now
                )
            return posted.done()

        wait_until(served, "the request to be answered")
    answer = posted.result()
    return answer.status_code, answer.content_type, answer.text


def test_another_log_is_cosigned_by_the_worker_and_told_what_is_known(logged: Site) -> None:
    assert serve(logged, request(0, (), ONE))[0] == 200
    status, _, line = serve(logged, request(1, STEP, TWO))
    key = VerifierKey.read(public_log(logged.harness).witness_key)
    assert status == 200 and SignedNote(TWO.text, tuple(notes.read_signatures(line))).verify([key])
    assert serve(logged, request(0, (), TWO)) == (409, "text/x.tlog.size", "2\n")
    assert serve(logged, request(2, (), Checkpoint(TWO.origin, 2, ONE.root)))[0] == 409
    stranger = NoteSigner("d.example/log", SIGNATURE, bytes(32))
    assert [
        serve(logged, body)[0]
        for body in ("nonsense", request(2, (), Checkpoint("d.example/log", 2, TWO.root), stranger))
    ] == [
        400,
        404,
    ]
    assert serve(logged, "a" * (notes.MOST_BYTES + 1))[0] == 413


@pytest.mark.parametrize(
    "kind",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json",
        "",
        "text/plain; charset=utf-16",
    ],
)
def test_a_request_is_its_bytes_whatever_its_content_type_says(logged: Site, kind: str) -> None:
    answer = logged.visitor().client.post(
        "/witness/add-checkpoint", data=request(0, (), ONE).encode(), content_type=kind
    )
    assert (answer.status_code, answer.text) == (404, "This witness does not cosign that log.\n")


def test_requests_of_one_network_are_limited(logged: Site) -> None:
    client = logged.visitor().client
    statuses = [
        client.post("/witness/add-checkpoint", data=b"nonsense").status_code for _ in range(62)
    ]
    assert statuses[:60] == [400] * 60 and statuses[60:] == [429] * 2
    with logged.harness.database.read_tx() as session:
        assert witnessing.unanswered_requests(session, now=logged.harness.now) == []


def test_without_a_worker_another_log_is_told_to_ask_again(
    logged: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.host.public_log.WAIT_SECONDS", 0.1)
    logged.app.extensions["peers"] = peers.read_peers("", str(LOG.verifier), on_this_machine=False)
    answer = logged.visitor().client.post(
        "/witness/add-checkpoint", data=request(0, (), ONE).encode()
    )
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "60"


# --- the log of one match


def test_the_log_of_a_match_is_the_same_bytes_for_everybody_and_tells_nothing_of_what_is_sealed(
    small_site: Site,
) -> None:
    uid = small_site.begin_match()
    growing.begin_log(
        small_site.harness.database,
        small_site.harness.keyring,
        "play.example.org/log",
        now=small_site.harness.now,
    )
    grow(small_site.harness)
    everybody = [
        small_site.visitor(),
        *(small_site.visitor(name) for name in ("Alice", "Bob", "Mallory")),
    ]
    before = {each.client.get(f"/matches/{uid}/log.json").data for each in everybody}
    small_site.harness.order(uid, "Alice", "B3")
    small_site.harness.order(uid, "Bob", "B2")
    answers = [each.client.get(f"/matches/{uid}/log.json") for each in everybody]
    assert (
        {answer.data for answer in answers} == before
        and len(before) == 1
        and b"checkpoint" in answers[0].data
    )
    for answer in answers:
        assert (
            answer.headers["Cache-Control"].startswith("private") and "ETag" not in answer.headers
        )
        assert "Access-Control-Allow-Origin" not in answer.headers and answer.headers[
            "Content-Disposition"
        ].startswith("attachment")
    head = everybody[0].client.head(f"/matches/{uid}/log.json")
    assert (head.status_code, head.data) == (200, b"")


def test_the_log_of_an_anonymous_match_names_nobody(small_site: Site) -> None:
    wish = Wish("diplomacy", "The Masked Ball", {"anonymous": True}, players=2)
    uid = small_site.harness.match("Alice", "Bob", wish=wish)
    told = small_site.visitor().client.get(f"/matches/{uid}/log.json").text
    assert json.loads(told)["entries"] and not re.search("alice|bob|example", told, re.IGNORECASE)


def test_a_log_that_is_fetched_again_and_again_is_limited(small_site: Site) -> None:
    uid = small_site.begin_match()
    client = small_site.visitor().client
    statuses = [client.get(f"/matches/{uid}/log.json").status_code for _ in range(62)]
    assert statuses == [200] * 60 + [429] * 2
