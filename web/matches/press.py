"""The Press tab of a match: its conversations as the viewer may read them, and the forms to write,
mute and report.
"""

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform.words import MASTER
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.press import complaints, conversations, messages, mutes
from adjudicator.service.press.conversations import Conversation, Key
from adjudicator.service.press.messages import PressDraft, PressPage
from web.act_forms import ActForm, add_forms, texts
from web.http import error_pages, request_context
from web.http.order_form import made_for
from web.http.page_rules import PageRules, Rate
from web.matches import match_page

bp = Blueprint("press", __name__)

EVERYBODY = "everybody"  # the value of the form's checkbox beside the seats


@dataclass(frozen=True)
class PressForm:
    """A form as it was sent, and why it was refused."""

    name: str = "seat"  # seat, to-master, as-master
    chosen: Sequence[str] = ()
    text: str = ""
    sentence: str = ""


@bp.get("/matches/<uid>/press")
@PageRules(others_write=True)
def press(uid: str) -> Response:
    """Show a match's press: all of it, the conversation that the address names, or with `?write`
    the form for several seats.

    A conversation is named by the others in it: `?to=FRANCE`, as the master with `&as=master`;
    `?between` names seats among whom the viewer is not, `?from=somebody` writers who stay hidden.
    """
    name = "as-master" if request.args.get("as") == MASTER else "seat"
    return _lay(uid, PressForm(name, request.args.getlist("to")))


@bp.get("/matches/<uid>/press/<ref>")
def text(uid: str, ref: str) -> Response:
    """Lead to a text in its conversation; letters with press have this address."""
    with request_context.database().read_tx() as session:
        page = messages.press_page(session, uid, request_context.current_person_id())
        found = conversations.conversations_of(
            session, uid, request_context.current_person_id(), page
        )
    key = next((each.key for each in found for note in each.notes if note.ref == ref), None)
    return redirect(
        f"{address_of(uid, key)}#t{ref}" if key is not None else url_for("press.press", uid=uid),
        303,
    )


def address_of(uid: str, key: Key) -> str:
    """Return the address of a conversation."""
    query: dict[str, Any] = {"to": list(key.names) or EVERYBODY}
    if key == conversations.UNNAMED:
        query = {"from": "somebody"}
    elif key.role == "between":
        query = {"between": list(key.names)}
    elif key.role == "master":
        query["as"] = MASTER
    return url_for("press.press", uid=uid, **query)


def _named_key(sent: PressForm) -> Key | None:
    """Return the conversation that the address or the sent form names, None if neither does; its
    names may be no seats.
    """
    if "from" in request.args:
        return conversations.UNNAMED
    if "between" in request.args:
        return Key("between", tuple(request.args.getlist("between")))
    if not sent.chosen or (EVERYBODY in sent.chosen and len(sent.chosen) > 1):
        return None
    if EVERYBODY in sent.chosen:
        return conversations.EVERYBODY
    return Key("master" if sent.name == "as-master" else "seat", tuple(sent.chosen))


@bp.post("/matches/<uid>/press", endpoint="write")
@PageRules(others_write=True)
def write_press(uid: str) -> Response:
    """Send press to other seats, to everybody or to the master; a refused text stays in the
    form.
    """
    chosen = request.form.getlist("to")
    sent = PressForm(
        "to-master" if chosen == [MASTER] else "seat", chosen, request.form.get("text", "")
    )
    return _write(uid, sent, messages.write_press, made_for=made_for())


@bp.post("/matches/<uid>/press/as-master", endpoint="write_as_master")
def write_as_master(uid: str) -> Response:
    """Send a text of the master to seats or to everybody."""
    return _write(
        uid,
        PressForm("as-master", request.form.getlist("to"), request.form.get("text", "")),
        messages.write_as_master,
    )


def _write(uid: str, sent: PressForm, write: Callable[..., object], **more: object) -> Response:
    if not sent.chosen:
        return _lay(uid, sent, "Choose whom to write to; nothing was sent.", status=400)
    if EVERYBODY in sent.chosen and len(sent.chosen) > 1:
        return _lay(
            uid, sent, "Choose either single seats or everybody; nothing was sent.", status=400
        )
    draft = PressDraft(() if EVERYBODY in sent.chosen else tuple(sent.chosen), sent.text)
    try:
        write(
            request_context.database(),
            uid,
            request_context.sender_id(),
            draft,
            now=request_context.arrival_time(),
            **more,
        )
    except NotFound:
        raise
    except Refused as refused:
        return _lay(uid, sent, str(refused), status=error_pages.status_of(refused))
    key = _named_key(sent) or conversations.EVERYBODY
    return redirect(f"{address_of(uid, key)}&sent=1#newest", 303)


@bp.post("/matches/<uid>/press/read", endpoint="read")
@PageRules(rate=Rate("120 per minute", by_person=True))
def mark_read(uid: str) -> Response:
    """Note that the viewer has read a conversation, or all of them, up to a text; the page's script
    asks for no page.
    """
    every = request.form.get("every") == "1"
    conversations.mark_read(
        request_context.database(),
        uid,
        request_context.sender_id(),
        request.form.get("text", ""),
        every=every,
    )
    if "quiet" in request.form:
        return make_response("", 204)
    return redirect(request_context.local_path(request.form.get("next")), 303)


def _muted() -> Mapping[str, Any]:
    """Read the seat whose press is hidden, or shown again."""
    return {"seat_name": request.form.get("seat", ""), "mute": request.form.get("mute") == "1"}


add_forms(
    bp,
    "press.press",
    ActForm("press/mute", mutes.mute_seat, _muted, None, timeless=True, endpoint="mute"),
    ActForm(
        "press/report",
        complaints.report_text,
        texts(ref="note", reason="reason"),
        None,
        endpoint="report",
    ),
)


@bp.get("/matches/<uid>/press/as-master", endpoint="back")
@bp.get("/matches/<uid>/press/mute", endpoint="back")
@bp.get("/matches/<uid>/press/read", endpoint="back")
@bp.get("/matches/<uid>/press/report", endpoint="back")
def lead_to_press(uid: str) -> Response:
    """Redirect to the press when the address of a POST is loaded again."""
    return redirect(url_for("press.press", uid=uid), 303)


def _lay(uid: str, sent: PressForm, sentence: str = "", *, status: int = 200) -> Response:
    viewer = request_context.current_person_id()
    page = match_page.load_head(uid)
    with request_context.database().read_tx() as session:
        shown = messages.press_page(session, uid, viewer)
        found = conversations.conversations_of(session, uid, viewer, shown)
        reports = complaints.list_reports(session, uid, viewer)
    thread = _chosen(found, _named_key(sent), [seat.name for seat in page.card.seats], shown)
    values = {
        "press": shown,
        "found": found,
        "thread": thread,
        "sent": sent,
        "sentence": sentence,
        "reports": reports,
        "names": {phase.number: phase.name for phase in page.phases},
        "longest": messages.LONGEST,
        "drawer": _drawer(uid, viewer),
        "writing": (
            "write" in request.args or (thread is None and (sentence != "" or "as" in request.args))
        ),
    }
    names = {
        "everybody": EVERYBODY,
        "master": MASTER,
        "all_hear": conversations.EVERYBODY,
        "address_of": address_of,
    }
    return make_response(
        render_template("web/press.html", page=page, tab="press", **names, **values), status
    )


def _chosen(
    found: Sequence[Conversation], key: Key | None, seats: list[str], page: PressPage
) -> Conversation | None:
    """Return the conversation of a key: one that there is, or an empty one that the viewer could
    begin; else None.
    """
    if key is None:
        return None
    key = replace(
        key,
        names=tuple(
            sorted(key.names, key=lambda name: seats.index(name) if name in seats else len(seats))
        ),
    )
    known = next((each for each in found if each.key == key), None)
    may = (
        page.as_master
        if key.role == "master"
        else page.to
        if key.role == "seat" and not page.closed
        else ()
    )
    begins = (
        len(key.names) > 1 and set(key.names) <= set(may) and len(set(key.names)) == len(key.names)
    )
    return known or (Conversation(key) if begins else None)


def _drawer(uid: str, viewer: int | None) -> str:
    """Return the name under which a browser keeps the drafts of this viewer in this match; it tells
    nobody else who that is.
    """
    if viewer is None:
        return ""
    return hmac.digest(
        current_app.config["SECRET_KEY"].encode(), f"drafts {viewer} {uid}".encode(), "sha256"
    ).hex()[:24]
