"""The answer to who took a seat by a letter's link."""

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response

from adjudicator.service.matches.seats import Accepted
from web.http import request_context


def answer_taker(accepted: Accepted) -> Response:
    """Redirect a new player, who is signed in, and the seat's player to the match; tell anybody
    else that a sign-in link is sent.
    """
    viewer, to_match = (
        request_context.current_person(),
        redirect(url_for("matches.match", uid=accepted.uid), 303),
    )
    if accepted.entry is not None:
        return request_context.sign_browser_in(to_match, accepted.entry)
    if viewer is not None and viewer.address == accepted.address:
        return to_match
    return make_response(
        render_template("web/on_its_way.html", address=accepted.address, seated=True)
    )
