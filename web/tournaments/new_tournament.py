"""The form for a new tournament. What was filled in is never lost."""

import re
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from adjudicator.play import rule_sheets
from adjudicator.play.scoring.systems import list_systems
from adjudicator.play.tournaments.standings import TIE_BREAKS
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.matches.terms import reading
from adjudicator.service.tournaments import making, wishing
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.tournaments.wishing import TournamentTexts
from adjudicator.service.views import game_info
from web.http import request_context
from web.http.error_pages import status_of
from web.http.page_rules import PageRules, Rate
from web.matches.new_match import MatchForm, number_span, read_wish, usual_fields, with_sheet

bp = Blueprint("making_tournaments", __name__)

FORMATS = {
    "swiss": "Swiss: those with equal points meet",
    "round robin": "Round robin: everybody meets everybody",
    "mixer": "Mixer: as many different opponents as possible",
    "knock-out": "Knock-out: the winner goes on",
    "league": "League: divisions by season, up and down",
}

USUAL = {"format": "swiss", **wishing.USUAL}
_LOCAL = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}", re.ASCII)


@bp.get("/tournaments/new", endpoint="new")
def new_tournament() -> Response:
    """Show the form; visitors are sent to the sign-in first."""
    request_context.signed_in("making_tournaments.new")
    about = game_info.about(request.args.get("game", game_info.games()[0].key))
    closes = request_context.arrival_time().astimezone(
        ZoneInfo(request_context.viewer_zone())
    ) + timedelta(days=14)
    smallest = str(min(number for number in about.seats if number > 1))
    fields = MultiDict(
        {
            **usual_fields(),
            **USUAL,
            "sizes": smallest,
            "game": about.key,
            "closes_at": f"{closes:%Y-%m-%dT20:00}",
        }
    )
    if 2 not in about.seats:
        fields["format"] = "mixer"
    return _form(MatchForm(with_sheet(fields, request.args.get("sheet"))))


@bp.post("/tournaments/new", endpoint="make")
@PageRules(rate=Rate("30 per hour", by_person=True))
def make_tournament() -> Response:
    """Make the tournament; errors are shown at the top and beside their fields, and the values
    stay.
    """
    known = request_context.signed_in("making_tournaments.new")
    wish, errors = _read_wish(request.form)
    if errors or wish is None:
        return _form(MatchForm(request.form, errors), 400)
    try:
        uid = making.make_tournament(
            request_context.database(), known.id, wish, now=request_context.arrival_time()
        )
    except NotFound:
        raise
    except Refused as refused:
        return _form(MatchForm(request.form, {refused.field: str(refused)}), status_of(refused))
    return redirect(url_for("tournaments.page", tournament=uid), 303)


def _form(draft: MatchForm, status: int = 200) -> Response:
    about = game_info.about(draft.value("game"))
    context = {
        "about": about,
        "terms": {each.name: each for each in reading.offered(about)},
        "games": game_info.games(),
        "sheets": rule_sheets.SHEETS,
        "formats": FORMATS,
        "systems": list_systems(about),
        "tie_breaks": TIE_BREAKS,
        "stalled": making.STALLED,
        "late": making.LATE,
        "zone": request_context.viewer_zone(),
        "longest": making.LONGEST_NAME,
        "span": number_span,
    }
    return make_response(render_template("web/new_tournament.html", draft=draft, **context), status)


def _read_wish(form: MultiDict[str, str]) -> tuple[TournamentWish | None, dict[str, str]]:
    """Return the form as a wish, and its errors by field."""
    about = game_info.about(form.get("game", ""))
    matches, errors = read_wish(MultiDict({**usual_fields(), **form.to_dict()}))
    tie_breaks = tuple(
        dict.fromkeys(
            each for name in form.getlist("tie_breaks") for each in TIE_BREAKS if each == name
        )
    )
    asked = TournamentTexts(
        about, {**wishing.USUAL, **form.to_dict()}, _sizes(form), partial(_whole, form, errors)
    )
    try:
        return asked.wish(matches, tie_breaks, _read_moment(form, errors)), errors
    except Refused as refused:
        return None, errors | {refused.field: str(refused)}


def _sizes(form: MultiDict[str, str]) -> tuple[int, ...]:
    sizes = (size for size in form.getlist("sizes") if size.isascii() and size.isdigit())
    return tuple(sorted({int(size) for size in sizes if len(size) < 3}))


def _whole(form: MultiDict[str, str], errors: dict[str, str], name: str) -> int:
    text = form.get(name, wishing.USUAL[name]).strip()
    if not re.fullmatch("[0-9]{1,4}", text, re.ASCII):
        errors[name] = "Write a whole number."
        return 1
    return int(text)


def _read_moment(form: MultiDict[str, str], errors: dict[str, str]) -> datetime | None:
    """Return when entries close, in the viewer's zone; None where the field is empty."""
    text = form.get("closes_at", "").strip()
    if not text:
        return None
    try:
        if not _LOCAL.fullmatch(text):
            raise ValueError(text)
        return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(request_context.viewer_zone()))
    except ValueError:
        errors["closes_at"] = "Write a day and a time, such as 2026-12-01T20:00, or nothing."
        return None
