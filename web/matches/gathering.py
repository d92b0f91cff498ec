"""The waiting list, the muster and more days to fill on the page of a match that has not begun; the
next match after its end.
"""

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from adjudicator.service.matches import waiting_list
from adjudicator.service.starting import again, expiry, muster
from web.http import request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("gathering", __name__)


@bp.post("/matches/<uid>/queue", endpoint="queue")
@PageRules(rate=Rate("60 per hour", by_person=True))
def wait_for_seat(uid: str) -> Response:
    """Put the viewer on the waiting list; a visitor signs in first."""
    known = request_context.current_person()
    if known is None:
        return redirect(url_for("accounts.sign_in", next=url_for("matches.match", uid=uid)), 303)
    waiting_list.wait_for_seat(
        request_context.database(), uid, known.id, now=request_context.arrival_time()
    )
    return _back(uid)


@bp.post("/matches/<uid>/confirm", endpoint="confirm")
@PageRules(rate=Rate("60 per hour", by_person=True))
def confirm_seat(uid: str) -> Response:
    """Confirm that the viewer plays."""
    who = request_context.sender_id()
    muster.confirm(request_context.database(), uid, who, now=request_context.arrival_time())
    return _back(uid)


@bp.post("/matches/<uid>/renew", endpoint="renew")
@PageRules(rate=Rate("60 per hour", by_person=True))
def renew_match(uid: str) -> Response:
    """Give the match its days anew; for the master only."""
    expiry.renew_match(
        request_context.database(),
        uid,
        request_context.sender_id(),
        now=request_context.arrival_time(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/again", endpoint="again")
@PageRules(rate=Rate("20 per hour", by_person=True))
def make_again(uid: str) -> Response:
    """Make the next match of the same people, or go to it if somebody has made it."""
    who = request_context.sender_id()
    following = again.make_again(
        request_context.database(),
        uid,
        who,
        now=request_context.arrival_time(),
        caps=request_context.invitation_caps(),
    )
    return _back(following)


def _back(uid: str) -> Response:
    return redirect(url_for("matches.match", uid=uid), 303)
