"""How the sealing works, in plain words, with the check of a downloaded log."""

from flask import Blueprint, render_template

bp = Blueprint("sealing", __name__)


@bp.get("/sealing")
def sealing() -> str:
    """Explain the sealing, what it proves and what it does not, and check a log that the reader has
    downloaded.
    """
    return render_template("web/sealing.html")
