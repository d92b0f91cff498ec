"""Forms of acts: the address, the rate and the fields of each, from which its page is made. It works
without a script: the act is carried out, and the browser goes on to the page of its thing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from web.http import request_context
from web.http.page_rules import PageRules, Rate

USUAL = Rate("30 per hour", by_person=True)
OFTEN = Rate("60 per hour", by_person=True)
PLACES = {"uid": "/matches/<uid>/", "tournament": "/tournaments/<tournament>/"}
Read = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class ActForm:
    """The form of an act; its address is that of the thing with `word`."""

    word: str
    # takes the database, the public name of the thing, the player, what `read` returns, and `now`
    act: Callable[..., Any]
    read: Read = dict  # reads the fields; raises Refused
    rate: Rate | None = USUAL
    signs_in: bool = False  # whether a visitor is led to sign in, and back to the thing's page
    makes: bool = False  # whether the act returns the public name of another thing, to go on to
    timeless: bool = False  # whether the act takes no time
    endpoint: str = ""  # if not `word`


def add_forms(bp: Blueprint, page: str, *forms: ActForm) -> None:
    """Add the forms of acts on a match or a tournament; the browser goes on to the endpoint `page`
    of it.
    """
    thing = "tournament" if page.startswith("tournaments.") else "uid"
    for form in forms:
        endpoint = form.endpoint or form.word.replace("-", "_")
        view = _view(form, thing, page)
        view.__name__ = view.__qualname__ = f"{bp.name}_{endpoint}"  # by which rates are counted
        bp.add_url_rule(
            PLACES[thing] + form.word, endpoint, PageRules(rate=form.rate)(view), methods=["POST"]
        )


def _view(form: ActForm, thing: str, page: str) -> Callable[..., Response]:
    def view(**named: Any) -> Response:
        if form.signs_in:
            request_context.signed_in(page, **named)
        values = dict(form.read())
        if not form.timeless:
            values["now"] = request_context.arrival_time()
        who = request_context.sender_id()
        made = form.act(request_context.database(), named[thing], who, **values)
        there = {**named, thing: made} if form.makes else named
        return redirect(url_for(page, **there), 303)

    return view


def texts(**fields: str) -> Read:
    """Return what reads texts: the argument of the act, and the field that holds it."""
    return lambda: {name: request.form.get(field, "") for name, field in fields.items()}


def whole(name: str) -> int:
    """Return a number of the form; raises Refused."""
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Refused("The form lacks a number; open the page of the tournament again.", field=name)
    return int(text)


def wishes() -> Mapping[str, Any]:
    """Read the seats that the viewer would like, the dearest first."""
    return {"wishes": [seat for seat in request.form.getlist("wish") if seat]}
