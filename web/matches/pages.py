"""The page of a match, its tabs, and the seats before it begins."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Blueprint, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.letters import letter_history
from adjudicator.service.log import salts
from adjudicator.service.matches import preferences, seats
from adjudicator.service.orders import disclosure
from adjudicator.service.orders.receipts import receipts_of
from adjudicator.service.views import conditions, game_info
from adjudicator.service.views.news import Mark, MatchNews
from adjudicator.service.views.records.seat_receipts import seat_receipts, signed_receipt
from web.act_forms import OFTEN, ActForm, add_forms, wishes
from web.http import kept_pages, request_context
from web.http.error_pages import status_of
from web.http.page_rules import PageRules
from web.matches import match_page

bp = Blueprint("matches", __name__)


@bp.get("/matches/<uid>")
def match(uid: str) -> Response:
    """Show a match: the orders that the viewer owes, the board, and the story of the last
    phases.
    """
    return kept_pages.send_page(
        match_page.basis_of(uid),
        partial(match_page.read_page, uid=uid),
        match_page.lay_page,
    )


@bp.get("/matches/<uid>/news")
@PageRules(no_cookie=True)
def news(uid: str) -> Response:
    """Return the news of a match, 304 if its mark (the ETag) is unchanged, with a sentence on the
    changes since `?since`.
    """
    latest = match_page.load_news(uid)
    response = jsonify(_news_fields(uid, latest, Mark.read(request.args.get("since", ""))))
    response.set_etag(str(latest.mark))
    return response.make_conditional(request)


def _news_fields(uid: str, latest: MatchNews, since: Mark | None) -> dict[str, str | bool]:
    press = url_for("press.press", uid=uid) if latest.press_only(since) else ""
    return {
        "mark": str(latest.mark),
        "words": latest.words(since),
        "press": press,
        "progress": latest.progress_only(since),
    }


@bp.get("/matches/<uid>/orders", endpoint="back")
@bp.get("/matches/<uid>/say", endpoint="back")
@bp.get("/matches/<uid>/sealed", endpoint="back")
def lead_to_match(uid: str) -> Response:
    """Redirect to the match when the address of a POST is loaded again."""
    return redirect(url_for("matches.match", uid=uid), 303)


@bp.get("/matches/<uid>/about")
def about(uid: str) -> Response:
    """Show how a match is played: rules, options, deadlines, seats, commitments, and the viewer's
    salt.
    """
    return _about(uid, {})


def _about(uid: str, errors: Mapping[str, str], *, status: int = 200) -> Response:
    page = match_page.load_page(uid).page
    with request_context.database().read_tx() as session:
        viewer = request_context.current_person_id()
        salt = salts.salt_stands(session, uid, viewer)
        terms = conditions.told_terms(session, uid, viewer)
    context = {
        "terms": terms,
        "salt": salt,
        "longest": salts.LONGEST_SALT,
        "typed": request.form.get("salt", ""),
        "errors": errors,
    }
    game = game_info.about(page.card.game_key)
    return make_response(
        render_template("web/about.html", page=page, tab="about", game=game, **context), status
    )


@bp.post("/matches/<uid>/salt", endpoint="salt")
def give_salt(uid: str) -> Response:
    """Let the viewer's salt stand for the next phase that opens."""
    try:
        text, now = request.form.get("salt", ""), request_context.arrival_time()
        salts.give_salt(request_context.database(), uid, request_context.sender_id(), text, now=now)
    except (NotAllowed, NotFound, NotNow):
        raise
    except Refused as refused:
        return _about(uid, {"salt": str(refused)}, status=status_of(refused))
    return redirect(url_for("matches.about", uid=uid, _anchor="salt"), 303)


@bp.get("/matches/<uid>/salt", endpoint="salt_again")
def lead_to_about(uid: str) -> Response:
    """Redirect to *About* when the address of a salt's form is loaded again."""
    return redirect(url_for("matches.about", uid=uid, _anchor="salt"), 303)


@bp.get("/matches/<uid>/receipts")
def receipts(uid: str) -> str:
    """List the submissions of the viewer's own seat, its letters and its disclosures."""
    page = match_page.load_head(uid)
    with request_context.database().read_tx() as session:
        held = seat_receipts(session, uid, request_context.sender_id()) if page.seat else None
        letters = (
            letter_history.of_seat(session, uid, request_context.sender_id()) if page.seat else []
        )
        looks = disclosure.list_disclosures(session, uid, request_context.sender_id())
    return render_template(
        "web/receipts.html", page=page, tab="receipts", held=held, looks=looks, letters=letters
    )


@bp.get("/matches/<uid>/receipts/<int:phase>/<int:seq>.json")
def receipt_file(uid: str, phase: int, seq: int) -> Response:
    """Return one of the viewer's own signed receipts as a file. Raises NotFound."""
    with request_context.database().read_tx() as session:
        plain = signed_receipt(session, uid, request_context.sender_id(), phase, seq)
    response = make_response(json.dumps(plain, ensure_ascii=False, indent=1) + "\n")
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{uid}-receipt-{phase}-{seq}.json"'
    )
    return response


@bp.get("/matches/<uid>/receipts/<int:phase>/<int:seq>")
def signature(uid: str, phase: int, seq: int) -> str:
    """Show the worker's signature on one of the viewer's own receipts, once signed; a fragment."""
    with request_context.database().read_tx() as session:
        found = receipts_of(session, uid, request_context.sender_id())[1]
    signed = next((each.signature for each in found if (each.phase, each.seq) == (phase, seq)), "")
    return render_template("web/_signature.html", uid=uid, phase=phase, seq=seq, signature=signed)


# --- before it begins


def _invited() -> Mapping[str, Any]:
    """Read the address that a seat is reserved for."""
    return {"address": request.form.get("invited", ""), **request_context.caps()}


add_forms(
    bp,
    "matches.match",
    ActForm("seat", seats.take_seat, wishes, OFTEN, signs_in=True, endpoint="take"),
    ActForm("wishes", preferences.save_wishes, wishes, None, timeless=True, endpoint="wish"),
    ActForm("leave", seats.leave_seat, rate=OFTEN),
    ActForm("fill", seats.fill_with_bots, rate=OFTEN),
    ActForm("invite", seats.invite_another, _invited),
)
