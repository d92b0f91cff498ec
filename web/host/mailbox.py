"""The local mailbox: letters that stay on this machine while no mail server is set. Answers to them
go through the real inbox.
"""

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.mail import addresses
from adjudicator.mail.sending.mailbox import LocalMailbox, Posted
from adjudicator.mail.sending.replying import NotHanded, hand_over, make_letter, make_reply
from adjudicator.platform import entropy
from web.http import request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("mailbox", __name__)

SANDBOX = (
    "allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
    " allow-same-origin"
)
LETTER_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self';"
    f" base-uri 'none'; sandbox {SANDBOX}"
)


def _mailbox() -> LocalMailbox:
    """Return the mailbox; aborts with 404 if a mail server is set or the request comes from
    elsewhere.
    """
    if not request_context.sees_mailbox():
        abort(404)
    return LocalMailbox(request_context.settings().data_dir / "mailbox")


def _letter(name: str) -> Posted:
    return _mailbox().letter(name) or abort(404)


@bp.get("/mailbox")
@PageRules(secret_address=True)
def mailbox() -> Response:
    """List the newest letters, with `?to` only those to one address."""
    return _list(sender=request.args.get("to", "").strip())


def _list(*, sender: str = "", text: str = "", trouble: str = "", status: int = 200) -> Response:
    to = request.args.get("to", "").strip()
    letters = [letter for letter in _mailbox().heads() if not to or to.lower() in letter.to.lower()]
    settings = request_context.settings()
    # "" without an inbox
    service = addresses.service_address(settings).addr_spec if settings.inbox_url else ""
    values = {
        "sender": sender,
        "text": text,
        "trouble": trouble,
        "handed": "handed" in request.args and not trouble,
    }
    return make_response(
        render_template("web/mailbox.html", letters=letters, to=to, service=service, **values),
        status,
    )


@bp.post("/mailbox", endpoint="send")
@PageRules(rate=Rate("60 per minute"), secret_address=True)
def send_letter() -> Response:
    """Hand a letter to the service's address to the inbox; on a failure the form keeps what was
    typed.
    """
    _mailbox()
    settings = request_context.settings()
    typed = {"sender": request.form.get("sender", ""), "text": request.form.get("text", "")}
    if not settings.inbox_url:
        abort(404)
    try:
        hand_over(
            settings.inbox_url,
            make_letter(settings, **typed, uid=_uid(), at=request_context.arrival_time()),
        )
    except (ValueError, NotHanded) as fault:
        return _list(**typed, trouble=str(fault), status=_status(fault))
    return redirect(url_for("mailbox.mailbox", handed=1), 303)


def _uid() -> str:
    return entropy.token_hex(12)


def _status(fault: Exception) -> int:
    return 503 if isinstance(fault, NotHanded) else 400


@bp.get("/mailbox/<name>")
@PageRules(secret_address=True)
def letter(name: str) -> Response:
    """Show one letter as HTML, as text and its picture, with an answer form if it can be
    answered.
    """
    return _show(_letter(name))


def _show(posted: Posted, *, text: str = "", trouble: str = "", status: int = 200) -> Response:
    values = {
        "text": text,
        "trouble": trouble,
        "handed": "handed" in request.args and not trouble,
        "answerable": _answerable(posted),
    }
    return make_response(
        render_template("web/letter.html", letter=posted, sandbox=SANDBOX, **values), status
    )


def _answerable(posted: Posted) -> bool:
    """Whether an inbox listens and this letter names one of its addresses."""
    settings = request_context.settings()
    return (
        bool(settings.inbox_url and posted.reader)
        and addresses.token_of(settings, posted.answer_to) is not None
    )


@bp.post("/mailbox/<name>/answer", endpoint="answer")
@PageRules(rate=Rate("60 per minute"), secret_address=True)
def answer_letter(name: str) -> Response:
    """Hand an answer to a letter to the inbox; on a failure the form keeps what was typed."""
    posted, text = _letter(name), request.form.get("text", "")
    if not _answerable(posted):
        abort(404)
    try:
        hand_over(
            request_context.settings().inbox_url,
            make_reply(posted, text, uid=_uid(), at=request_context.arrival_time()),
        )
    except (ValueError, NotHanded) as fault:
        return _show(posted, text=text, trouble=str(fault), status=_status(fault))
    return redirect(url_for("mailbox.letter", name=name, handed=1, _anchor="answer"), 303)


@bp.get("/mailbox/<name>/html")
@PageRules(secret_address=True)
def html(name: str) -> Response:
    """Return a letter's HTML part for a sandboxed frame without scripts or fetches; its links open
    in the whole window.
    """
    response = make_response(_letter(name).html.replace("<head>", '<head><base target="_top">', 1))
    response.headers["Content-Security-Policy"] = LETTER_POLICY
    return response


@bp.get("/mailbox/<name>/picture.png")
def picture(name: str) -> Response:
    """Return a letter's picture."""
    png = _letter(name).picture
    if png is None:
        abort(404)
    response = make_response(png)
    response.headers["Content-Type"] = "image/png"
    return response
