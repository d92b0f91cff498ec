"""Orders by form, ready and wait, and the disclosure of a seat's own sealed orders."""

from typing import Literal

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import clock
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import NotAllowed, NotFound, Refused
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.orders import disclosure, readiness, submitting
from adjudicator.service.orders.disclosure import Shown
from adjudicator.service.orders.form_orders import SealedBefore, SealedMeanwhile
from adjudicator.service.orders.submission import Submission
from adjudicator.service.people.accounts import Person
from adjudicator.service.views.match_page import MatchPage
from web.http import request_context
from web.http.error_pages import status_of
from web.http.order_form import NOTHING, Typed, require_made_for
from web.http.page_rules import MOST_ORDER_BYTES, PageRules, Rate
from web.matches import match_page
from web.matches.match_page import ActionResult, Missed, WhichOrders

bp = Blueprint("orders", __name__)

READING_SECONDS = 2.0  # that a page waits for the worker to disclose sealed orders
LOOK_SECONDS = 0.05
NOT_SHOWN = "Your orders are safe; they cannot be shown just now."


@bp.post("/matches/<uid>/orders")
@PageRules(rate=Rate("60 per minute", by_person=True), most_bytes=MOST_ORDER_BYTES)
def hand_in(uid: str) -> Response:
    """Submit orders; answers with the match's page, the receipt on it and the form as it was sent.

    Where others were sealed after the form's page was made, it asks which of both count.
    """
    typed = Typed.read(request.form)
    try:
        answer = _submit(uid, typed)
    except (NotAllowed, NotFound):
        raise
    except SealedBefore:
        return redirect(url_for("matches.match", uid=uid), 303)
    except SealedMeanwhile as newer:
        return _ask_which(uid, typed, str(newer))
    except (Refused, TooLong) as refused:
        return match_page.render_page(
            match_page.load_page(uid),
            ActionResult(sentence=str(refused), typed=typed),
            status=status_of(refused),
        )
    seen = match_page.load_page(uid)
    sent_for = request.form.get("phase", type=int)
    if answer.disposition == "refused" and sent_for != answer.phase:
        return match_page.render_page(seen, _missed(seen.page, answer, typed, sent_for))
    now = seen.page.owed or seen.page.planning
    went_on = answer.disposition != "refused" and (now is None or now.number != answer.phase)
    return match_page.render_page(
        seen, ActionResult(answer=answer, typed=NOTHING if went_on else typed)
    )


def _missed(
    page: MatchPage, answer: Acknowledgement, typed: Typed, number: int | None
) -> ActionResult:
    """Return the result for orders for another phase. They do not fill the new form, which would
    seal what nobody meant.
    """
    return ActionResult(
        sentence=answer.reason, missed=Missed(_name_phase(page, number), typed.orders)
    )


def _name_phase(page: MatchPage, number: int | None) -> str:
    return next((phase.name for phase in page.phases if phase.number == number), "another phase")


def _submit(uid: str, typed: Typed) -> Acknowledgement:
    known = _player("You are not signed in any more, so these orders could not be taken.")
    # accepting an incomplete form as empty would replace the sealed orders
    made_for = require_made_for()
    at = request_context.arrival_time()
    return submitting.submit_orders(
        request_context.database(),
        Submission(uid, known.id, typed.submission, "form", at, made_for.phase, made_for=made_for),
    )


def _ask_which(uid: str, typed: Typed, sentence: str) -> Response:
    """Show what is sealed beside what the form says, for the player to choose; what is sealed
    counts meanwhile.
    """
    seen, sent_for = match_page.load_page(uid), require_made_for()
    # it closed as the orders were compared
    if seen.page.made_for is None or seen.page.made_for.phase != sent_for.phase:
        missed = Missed(_name_phase(seen.page, sent_for.phase), typed.orders)
        return match_page.render_page(
            seen, ActionResult(sentence=sentence, missed=missed), status=409
        )
    question = WhichOrders(sentence, *_read(uid))
    return match_page.render_page(seen, ActionResult(question=question, typed=typed), status=409)


def _player(otherwise: str) -> Person:
    known = request_context.current_person()
    if known is None:
        raise NotAllowed(f"{otherwise} Sign in again and come back to this match.")
    return known


@bp.post("/matches/<uid>/say", endpoint="say")
@PageRules(rate=Rate("60 per minute", by_person=True), most_bytes=MOST_ORDER_BYTES)
def say_readiness(uid: str) -> Response:
    """Set ready or wait without changing the orders."""
    known = _player("You are not signed in any more.")
    if request.form.get("word") not in ("ready", "wait"):
        raise Refused("A seat says “ready” or “wait”.")
    word: Literal["ready", "wait"] = "ready" if request.form["word"] == "ready" else "wait"
    now, made_for = request_context.arrival_time(), require_made_for()
    readiness.say_readiness(
        request_context.database(), uid, known.id, word, now=now, made_for=made_for
    )
    return redirect(url_for("matches.match", uid=uid), 303)


# --- disclosure of a seat's own sealed orders


@bp.post("/matches/<uid>/sealed", endpoint="show")
@PageRules(rate=Rate("60 per minute", by_person=True))
def show_sealed(uid: str) -> Response:
    """Have the worker disclose the viewer's own sealed orders, and fill the form with them."""
    seen = match_page.load_page(uid)
    if not seen.page.seat:
        raise NotAllowed("You have no seat in this match, so there is nothing of yours to show.")
    shown, sentence = _read(uid)
    if request_context.by_htmx():
        return make_response(
            render_template("web/_sealed.html", page=seen.page, shown=shown, sentence=sentence)
        )
    typed = Typed.of_parts(shown.parts, for_later=shown.for_later) if shown else NOTHING
    return match_page.render_page(seen, ActionResult(shown=shown, sentence=sentence, typed=typed))


def _read(uid: str) -> tuple[Shown | None, str]:
    """Return the disclosed orders, else None and the reason."""
    request = disclosure.request_disclosure(
        request_context.database(),
        uid,
        request_context.session_token(),
        now=request_context.arrival_time(),
    )
    end = clock.monotonic() + READING_SECONDS
    try:
        while clock.monotonic() < end:
            shown = disclosure.fetch_disclosed(request_context.database(), request)
            if shown is not None:
                return shown, ""
            clock.sleep(LOOK_SECONDS)
    except NotAllowed as refused:
        return None, str(refused)
    return None, NOT_SHOWN
