"""Proposals, votes and concessions on the page of a match; works without a script."""

from datetime import datetime, timedelta
from typing import get_args

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from adjudicator.service.matches import masters, votes
from adjudicator.service.matches.proposals import ProposalKind
from adjudicator.service.matches.votes import Ask
from adjudicator.service.phases import concessions
from adjudicator.service.views.match_page import LARGEST_NUMBER
from web.http import request_context
from web.http.order_form import require_made_for
from web.http.page_rules import PageRules, Rate

bp = Blueprint("votes", __name__)

PROPOSED: tuple[ProposalKind, ...] = ("extend", "pause", "resume", "draw", "end")


@bp.post("/matches/<uid>/proposals", endpoint="propose")
@PageRules(rate=Rate("30 per hour", by_person=True))
def propose(uid: str) -> Response:
    """Put a change to the vote: more time until a moment in the viewer's zone, a pause, its end, a
    draw, the end of the match.
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
    now, who = request_context.arrival_time(), request_context.sender_id()
    votes.propose(request_context.database(), uid, who, ask, now=now, made_for=require_made_for())
    return _back(uid)


def _target() -> datetime:
    """Return the proposed deadline."""
    target = masters.read_deadline(request.form.get("deadline", ""), request_context.viewer_zone())
    if isinstance(target, timedelta):
        raise Refused(
            "Write the moment until which you need time, like 2026-12-01 20:00.", field="deadline"
        )
    return target


@bp.post("/matches/<uid>/votes", endpoint="vote")
@PageRules(rate=Rate("60 per hour", by_person=True))
def vote(uid: str) -> Response:
    """Vote yes or no on the proposal that the form shows."""
    proposal, said = request.form.get("proposal", type=int), request.form.get("vote")
    if proposal is None or abs(proposal) > LARGEST_NUMBER or said not in ("yes", "no"):
        raise Refused("A vote is yes or no, on a proposal: open the page again.")
    now, who = request_context.arrival_time(), request_context.sender_id()
    votes.vote(
        request_context.database(),
        uid,
        who,
        proposal,
        yes=said == "yes",
        now=now,
        made_for=require_made_for(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/concession", endpoint="concede")
@PageRules(rate=Rate("30 per hour", by_person=True))
def concede(uid: str) -> Response:
    """Concede for the viewer's seat, once the box that confirms it is ticked."""
    if request.form.get("sure") != "yes":
        raise Refused("Tick the box to concede.", field="sure")
    now, who = request_context.arrival_time(), request_context.sender_id()
    concessions.concede(request_context.database(), uid, who, now=now, made_for=require_made_for())
    return _back(uid)


def _back(uid: str) -> Response:
    return redirect(url_for("matches.match", uid=uid), 303)
