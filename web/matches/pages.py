"""The page of a match, its tabs, and the seats before it begins."""

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import wakeups
from adjudicator.service.letters import letter_history
from adjudicator.service.matches import preferences, seats
from adjudicator.service.orders import disclosure
from adjudicator.service.orders.receipts import receipts_of
from adjudicator.service.views import game_info
from adjudicator.service.views.news import Mark, MatchNews
from web.http import request_context
from web.matches import match_page

bp = Blueprint("matches", __name__)


@bp.get("/matches/<uid>")
def match(uid: str) -> Response:
    """Show a match: the orders that the viewer owes, the board, and the story of the last phases."""
    return match_page.render_page(match_page.load_page(uid))


@bp.get("/matches/<uid>/news")
def news(uid: str) -> Response:
    """Return the news of a match, 304 if its mark (the ETag) is unchanged, with a sentence on the changes since `?since`."""
    latest = match_page.load_news(uid)
    response = jsonify(_told(uid, latest, Mark.read(request.args.get("since", ""))))
    response.set_etag(str(latest.mark))
    return response.make_conditional(request)


def _told(uid: str, latest: MatchNews, since: Mark | None) -> dict[str, str | bool]:
    press = url_for("press.press", uid=uid) if latest.press_only(since) else ""
    return {"mark": str(latest.mark), "words": latest.words(since), "press": press, "progress": latest.progress_only(since)}


@bp.get("/matches/<uid>/orders", endpoint="back")
@bp.get("/matches/<uid>/say", endpoint="back")
@bp.get("/matches/<uid>/sealed", endpoint="back")
def lead_to_match(uid: str) -> Response:
    """Redirect to the match when the address of a POST is loaded again."""
    return redirect(url_for("matches.match", uid=uid), 303)


@bp.get("/matches/<uid>/about")
def about(uid: str) -> str:
    """Show how a match is played: rules, options, deadlines, seats and commitments."""
    page = match_page.load_page(uid).page
    return render_template("web/about.html", page=page, tab="about", game=game_info.about(page.card.game_key))


@bp.get("/matches/<uid>/receipts")
def receipts(uid: str) -> str:
    """List the submissions of the viewer's own seat, its letters and its disclosures."""
    page = match_page.load_head(uid)
    with request_context.database().read_tx() as session:
        listed = receipts_of(session, uid, request_context.sender_id())[1] if page.seat else []
        letters = letter_history.of_seat(session, uid, request_context.sender_id()) if page.seat else []
        looks = disclosure.list_disclosures(session, uid, request_context.sender_id())
    names = {phase.number: phase.name for phase in page.phases}
    told = {"receipts": listed, "looks": looks, "names": names, "letters": letters}
    return render_template("web/receipts.html", page=page, tab="receipts", **told)


@bp.get("/matches/<uid>/receipts/<int:phase>/<int:seq>")
def signature(uid: str, phase: int, seq: int) -> str:
    """Show the worker's signature on one of the viewer's own receipts, once signed; a fragment."""
    with request_context.database().read_tx() as session:
        found = receipts_of(session, uid, request_context.sender_id())[1]
    signed = next((each.signature for each in found if (each.phase, each.seq) == (phase, seq)), "")
    return render_template("web/_signature.html", uid=uid, phase=phase, seq=seq, signature=signed)


# --- before it begins


@bp.post("/matches/<uid>/seat", endpoint="take")
def take_seat(uid: str) -> Response:
    """Take a free seat."""
    known = request_context.current_person()
    if known is None:
        return redirect(url_for("accounts.sign_in", next=url_for("matches.match", uid=uid)), 303)
    seats.take_seat(request_context.database(), uid, known.id, now=request_context.arrival_time(), wishes=_wishes())
    return _back(uid, start=True)


@bp.post("/matches/<uid>/wishes", endpoint="wish")
def save_wishes(uid: str) -> Response:
    """Save the viewer's preferences, for games that assign seats as the match begins."""
    preferences.save_wishes(request_context.database(), uid, request_context.sender_id(), _wishes())
    return _back(uid)


def _wishes() -> list[str]:
    return [seat for seat in request.form.getlist("wish") if seat]


@bp.post("/matches/<uid>/leave", endpoint="leave")
def leave_seat(uid: str) -> Response:
    """Give up the viewer's seat."""
    seats.leave_seat(request_context.database(), uid, request_context.sender_id(), now=request_context.arrival_time())
    request_context.send_wakeup(wakeups.POST)
    return _back(uid)


@bp.post("/matches/<uid>/fill", endpoint="fill")
def fill_seats(uid: str) -> Response:
    """Give the free seats to house bots; for the master only."""
    seats.fill_with_bots(request_context.database(), uid, request_context.sender_id(), now=request_context.arrival_time())
    return _back(uid, start=True)


@bp.post("/matches/<uid>/invite", endpoint="invite")
def invite_player(uid: str) -> Response:
    """Reserve a free seat for an address and send it an invitation; for the master only."""
    invited = request.form.get("invited", "")
    seats.invite_another(
        request_context.database(),
        uid,
        request_context.sender_id(),
        invited,
        now=request_context.arrival_time(),
        caps=request_context.invitation_caps(),
    )
    request_context.send_wakeup(wakeups.POST)
    return _back(uid)


def _back(uid: str, *, start: bool = False) -> Response:
    if start:
        request_context.send_wakeup(wakeups.START, uid)
    return redirect(url_for("matches.match", uid=uid), 303)
