"""Proposals, votes and concessions on the page of a match; works without a script."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, get_args

from flask import Blueprint, request

from adjudicator.service.base.errors import Refused
from adjudicator.service.matches import masters, votes
from adjudicator.service.matches.proposals import ProposalKind
from adjudicator.service.matches.votes import Ask
from adjudicator.service.phases import concessions
from adjudicator.service.views.match_page import LARGEST_NUMBER
from web.act_forms import OFTEN, ActForm, add_forms
from web.http import request_context
from web.http.order_form import require_made_for

bp = Blueprint("votes", __name__)

PROPOSED: tuple[ProposalKind, ...] = ("extend", "pause", "resume", "draw", "end")


def _proposed() -> Mapping[str, Any]:
    """Read the change that is put to the vote: more time until a moment in the viewer's zone, a
    pause, its end, a draw, the end of the match.
    """
    kind = next(
        (
            each
            for each in get_args(ProposalKind)
            if each == request.form.get("kind") and each in PROPOSED
        ),
        None,
    )
    if kind is None:
        raise Refused("This form does not say what it proposes: open the page again.")
    ask = Ask(kind, _target() if kind == "extend" else None, request.form.get("reason", ""))
    return {"ask": ask, "made_for": require_made_for()}


def _target() -> datetime:
    """Return the proposed deadline."""
    target = masters.read_deadline(request.form.get("deadline", ""), request_context.viewer_zone())
    if isinstance(target, timedelta):
        raise Refused(
            "Write the moment until which you need time, like 2026-12-01 20:00.", field="deadline"
        )
    return target


def _vote() -> Mapping[str, Any]:
    """Read a yes or no on the proposal that the form shows."""
    proposal, answer = request.form.get("proposal", type=int), request.form.get("vote")
    if proposal is None or abs(proposal) > LARGEST_NUMBER or answer not in ("yes", "no"):
        raise Refused("A vote is yes or no, on a proposal: open the page again.")
    return {"proposal_id": proposal, "yes": answer == "yes", "made_for": require_made_for()}


def _conceded() -> Mapping[str, Any]:
    """Read the box that confirms a concession."""
    if request.form.get("sure") != "yes":
        raise Refused("Tick the box to concede.", field="sure")
    return {"made_for": require_made_for()}


add_forms(
    bp,
    "matches.match",
    ActForm("proposals", votes.propose, _proposed, endpoint="propose"),
    ActForm("votes", votes.vote, _vote, OFTEN, endpoint="vote"),
    ActForm("concession", concessions.concede, _conceded, endpoint="concede"),
)
