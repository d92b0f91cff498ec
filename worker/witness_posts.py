"""Requests to witnesses: posted by https to public addresses only, with limits of time and size."""

from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import structlog

from adjudicator.platform.config import Settings
from adjudicator.platform.net.outside import OUTSIDE, CannotFetch, Outside, post_page
from adjudicator.service.checkpoints.cosigning import NO_ANSWER, WitnessAnswer
from adjudicator.service.checkpoints.peers import Witness

SECONDS = 10.0  # for an answer
MOST_BYTES = 64 * 1024  # of one

log = structlog.get_logger()


def ask_witness(
    settings: Settings, witness: Witness, body: str, *, outside: Outside | None = None
) -> WitnessAnswer:
    """Post a request's body to a witness and return its answer; one that cannot be reached is an
    answer without a status.
    """
    url = f"{witness.address}/add-checkpoint"
    try:
        answer = post_page(
            url,
            {"Content-Type": "text/plain; charset=utf-8"},
            body.encode(),
            outside=outside or _outside(settings, url),
            most=MOST_BYTES,
            seconds=SECONDS,
        )
    except CannotFetch as fault:
        log.info("witness.not_reached", witness=witness.key.name, why=str(fault))
        return WitnessAnswer(NO_ANSWER, why=str(fault))
    return WitnessAnswer(answer.status, answer.kind.partition(";")[0].strip(), answer.body)


def _outside(settings: Settings, url: str) -> Outside:
    """Return how a witness is reached; only an installation on this machine may ask one on this
    machine (`read_peers`).
    """
    parts = urlsplit(url)
    if parts.scheme == "http" and settings.local_site:
        return replace(OUTSIDE, is_public=_is_this_machine, port=parts.port or 80, plain=True)
    return replace(OUTSIDE, port=parts.port or 443)


def _is_this_machine(address: IPv4Address | IPv6Address) -> bool:
    return address.is_loopback
