"""The local mailbox: the letters that stay on this machine while no mail server is set."""

from flask import Blueprint, abort, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.mail.mailbox import LocalMailbox, Posted
from web import visit

bp = Blueprint("mailbox", __name__)

SANDBOX = "allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
LETTER_POLICY = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; sandbox {SANDBOX}"


def _mailbox() -> LocalMailbox:
    """Return the mailbox; where a mail server is set, or others reach the site, there is no such page."""
    if not visit.sees_mailbox():
        abort(404)
    return LocalMailbox(visit.settings().data_dir / "mailbox")


def _letter(name: str) -> Posted:
    return _mailbox().letter(name) or abort(404)


@bp.get("/mailbox")
def mailbox() -> str:
    """List the newest letters, or those to one address."""
    to = request.args.get("to", "").strip()
    letters = [letter for letter in _mailbox().letters() if not to or to.lower() in letter.to.lower()]
    return render_template("web/mailbox.html", letters=letters, to=to)


@bp.get("/mailbox/<name>")
def letter(name: str) -> str:
    """Show one letter: as it looks, as text, and its picture."""
    return render_template("web/letter.html", letter=_letter(name), sandbox=SANDBOX)


@bp.get("/mailbox/<name>/html")
def html(name: str) -> Response:
    """Give a letter's HTML part to a frame that runs no scripts and fetches nothing; its links open in the whole window."""
    response = make_response(_letter(name).html.replace("<head>", '<head><base target="_top">', 1))
    response.headers["Content-Security-Policy"] = LETTER_POLICY
    return response


@bp.get("/mailbox/<name>/picture.png")
def picture(name: str) -> Response:
    """Give a letter's picture."""
    png = _letter(name).picture
    if png is None:
        abort(404)
    response = make_response(png)
    response.headers["Content-Type"] = "image/png"
    return response
