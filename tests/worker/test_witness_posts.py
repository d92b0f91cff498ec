"""What the worker posts to witnesses: only to addresses that the host named, within limits,
whatever a witness answers.
"""

import itertools
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import pytest

from adjudicator.platform.config import Settings, read_settings
from adjudicator.platform.net.outside import OUTSIDE, Address, Outside
from adjudicator.seal.notes import COSIGNATURE, NoteSigner
from adjudicator.service.checkpoints.cosigning import WitnessAnswer
from adjudicator.service.checkpoints.peers import Witness
from tests.hostile_site import Pieces, hostile_site, response
from worker import witness_posts

KEY = NoteSigner("w.example/witness", COSIGNATURE, bytes(32)).verifier
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


@pytest.fixture
def local(tmp_path: Path) -> Settings:
    """An installation on this machine, which alone may ask a witness on this machine."""
    return read_settings(data_dir=tmp_path, site_url="http://localhost:8000")


@pytest.fixture
def public(tmp_path: Path) -> Settings:
    return read_settings(data_dir=tmp_path, site_url="https://play.example.org")


def asked(settings: Settings, port: int) -> WitnessAnswer:
    return witness_posts.ask_witness(
        settings, Witness(f"http://127.0.0.1:{port}/witness", KEY), "old 0\n"
    )


def test_the_request_is_posted_whole_and_names_host_and_port(local: Settings) -> None:
    with hostile_site(
        lambda *_: [response(b"7\n", "409 Conflict", "text/x.tlog.size; charset=utf-8")]
    ) as site:
        answer = asked(local, site.port)
    assert answer == WitnessAnswer(409, "text/x.tlog.size", b"7\n")
    (request,) = site.requests
    assert request.startswith(b"POST /witness/add-checkpoint HTTP/1.1\r\n") and request.endswith(
        b"\r\n\r\nold 0\n"
    )
    assert (
        f"\r\nHost: 127.0.0.1:{site.port}\r\n".encode() in request
        and b"Cookie" not in request
        and b"Authorization" not in request
    )


BAD: dict[str, Callable[[], Pieces]] = {
    "huge": lambda: [HEAD + b"\r\n", *itertools.repeat(b"a" * 65536, 100)],
    "endless": lambda: itertools.chain([HEAD + b"\r\n"], itertools.cycle([b"a", 0.1])),
    "silent": lambda: [30.0],
    "drips its headers": lambda: itertools.chain(
        [HEAD], itertools.cycle([b"X", b": ", b"y", b"\r\n", 0.3])
    ),
    "drips its body": lambda: itertools.chain(
        [HEAD + b"Content-Length: 5000\r\n\r\n"], itertools.cycle([b"a", 0.3])
    ),
    "garbage": lambda: [b"\x00\xff" * 5000],
    "nothing": lambda: [],
}


@pytest.mark.parametrize("what", BAD)
def test_an_answer_that_never_ends_or_says_nothing_is_a_sentence(
    what: str, local: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness_posts, "SECONDS", 2.0)
    with hostile_site(lambda *_: BAD[what]()) as site:
        answer = asked(local, site.port)
    assert answer.status == 0 and ("127.0.0.1" in answer.why or "kilobytes" in answer.why)
    assert answer.why.endswith(".") and answer.why.isprintable()


def test_no_redirect_is_followed(local: Settings) -> None:
    with hostile_site(lambda *_: [response(b"")]) as inner:
        lead_on = (
            f"HTTP/1.1 307 On\r\nLocation: http://127.0.0.1:{inner.port}/x\r\nContent-Length:"
            " 0\r\n\r\n".encode()
        )
        with hostile_site(lambda *_: [lead_on]) as site:
            assert asked(local, site.port).status == 307
        assert inner.asked == []


def test_a_public_installation_posts_nowhere_on_its_own_machine_or_network(
    public: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by http, nor by https to a name that leads inside; `read_peers` refuses plain numbers
    at the start.
    """

    def resolve(host: str, _port: int) -> list[Address]:
        return [
            ip_address(
                {
                    "inner.example": "10.0.0.7",
                    "meta.example": "169.254.169.254",
                    "here.example": "127.0.0.1",
                }[host]
            )
        ]

    with hostile_site(lambda *_: [response(b"")]) as site:
        answer = asked(public, site.port)
        assert answer.status == 0 and site.asked == []
        monkeypatch.setattr(witness_posts, "OUTSIDE", _with(resolve))
        for host in ("inner.example", "meta.example", "here.example"):
            answer = witness_posts.ask_witness(
                public, Witness(f"https://{host}:{site.port}/witness", KEY), "old 0\n"
            )
            assert answer == WitnessAnswer(0, why=f"{host} is not on the public internet.")
        assert site.asked == []


def _with(resolve: Callable[[str, int], list[Address]]) -> Outside:
    return Outside(resolve, OUTSIDE.is_public, OUTSIDE.trusted)


def test_a_local_installation_posts_by_http_to_its_own_machine_only(local: Settings) -> None:
    for address in ("http://192.0.2.7/witness", "http://10.0.0.7:8000/witness"):
        answer = witness_posts.ask_witness(local, Witness(address, KEY), "old 0\n")
        assert answer.status == 0 and "is not on the public internet" in answer.why
