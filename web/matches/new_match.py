"""The form for a new match: presets in one click, all options below. What was filled in is never
lost.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, session, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from adjudicator.core.game import About
from adjudicator.core.options import Option, OptionError, complete_options
from adjudicator.play import rule_sheets
from adjudicator.play.rule_sheets import RuleSheet
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.matches import creation, timetables
from adjudicator.service.matches.terms import reading, record
from adjudicator.service.matches.terms.kinds import ChoiceKind, SwitchKind
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import Person
from adjudicator.service.views import game_info
from web.http import form_tokens, request_context
from web.http.error_pages import status_of
from web.http.page_rules import PageRules, Rate

bp = Blueprint("making", __name__)

# characters of a form as JSON: browsers take cookies of 4 kB, and this one is in base64
MOST_KEPT = 2500
SIGNED_OUT = (
    "You were signed out, so the match was not made. Now that you are signed in, send the form"
    " again."
)

_BETWEEN = re.compile(r"[\s,;]+")
# fields of groups of the form that are no terms; `option-*` are the group `game`
_BESIDE = {"timetable": ("calendar_file",), "seating": ("wish", "wishes")}
PACE_STEP = 2  # the third step of the form


def usual_fields() -> dict[str, str]:
    """Return what the fields of a new form hold."""
    terms = {
        each.field: each.usual
        for each in record.TERMS
        if each.usual or not isinstance(each.kind, SwitchKind)
    }
    return {**terms, "house": "0"}


def group_fields() -> dict[str, tuple[str, ...]]:
    """Return the fields of each group that is folded until one of them says something else than
    usual.
    """
    return {
        group: (
            *(each.field for each in record.TERMS if each.group == group),
            *_BESIDE.get(group, ()),
        )
        for group in record.GROUPS
    }


@dataclass(frozen=True)
class MatchForm:
    """The form as it was sent, and its errors by field; "" is the whole form."""

    fields: MultiDict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    def value(self, name: str, default: str = "") -> str:
        """Return the value of a field."""
        return self.fields.get(name, default)


@bp.get("/matches/new", endpoint="new")
def new_match() -> Response:
    """Show the form; with `?kept` as it was sent before the sign-in. Visitors are sent to the
    sign-in first.
    """
    if request_context.current_person() is None:
        return _sign_in_first(url_for("making.new"))
    if "kept" in request.args and request_context.KEPT_FORM in session:
        return _form(MatchForm(MultiDict(session[request_context.KEPT_FORM]), {"": SIGNED_OUT}))
    fields = MultiDict(
        {
            "game": request.args.get("game", game_info.games()[0].key),
            "set": request.args.get("set", ""),
            **usual_fields(),
        }
    )
    return _form(MatchForm(with_set(with_sheet(fields, request.args.get("sheet")))))


def _sign_in_first(then: str) -> Response:
    return redirect(url_for("accounts.sign_in", next=then), 303)


def _keep_form() -> Response:
    """Keep the form of a sender whose session has ended in a cookie, and redirect to the
    sign-in.
    """
    sent = {
        name: values
        for name, values in with_preset(request.form).to_dict(flat=False).items()
        if name != form_tokens.FIELD
    }
    if len(json.dumps(sent)) <= MOST_KEPT:
        session[request_context.KEPT_FORM] = sent
    return _sign_in_first(url_for("making.new", kept=1))


def _form(draft: MatchForm, status: int = 200, *, at: int = 0) -> Response:
    """Show the form; scripts begin with the step `at`, or with the first one that has an error."""
    about, zone = game_info.about(draft.value("game")), request_context.viewer_zone()
    context = {
        "about": about,
        "games": game_info.games(),
        "sheets": rule_sheets.SHEETS,
        "span": number_span,
        "zone": zone,
        "at": at,
    }
    try:
        deadlines = _deadlines(about, draft.fields)
    except Refused as refused:
        deadlines, draft.errors["timetable"] = [], str(refused)
    context["terms"] = {each.name: each for each in reading.offered(about)}
    context["groups"] = {
        group: title
        for group, title in record.GROUPS.items()
        if any(each.group == group for each in reading.offered(about))
    }
    context["unfolded"] = unfolded_groups(about, draft)
    return make_response(
        render_template("web/new.html", draft=draft, deadlines=deadlines, **context), status
    )


def unfolded_groups(about: About, draft: MatchForm) -> set[str]:
    """Return the groups of fields that are shown open: those with an error, or with a value that is
    not the usual one.
    """
    usual = usual_fields()
    absent = {each.field: each.usual for each in record.TERMS if isinstance(each.kind, ChoiceKind)}
    open_groups = {
        group
        for group, names in group_fields().items()
        if any(
            name in draft.errors or draft.value(name, absent.get(name, "")) != usual.get(name, "")
            for name in names
        )
    }
    options = [(f"option-{option.name}", str(option.default)) for option in about.options]
    if any(
        name in draft.errors or draft.value(name, default) != default for name, default in options
    ):
        open_groups.add("game")
    return open_groups


def _deadlines(about: About, fields: MultiDict[str, str]) -> list[datetime]:
    """Return the next deadlines of the form's timetable, [] without one; raises Refused where it is
    none.
    """
    text = fields.get("timetable", "").strip()
    if not text:
        return []
    typed = fields.get("grace_minutes", "")
    grace = timedelta(minutes=int(typed) if re.fullmatch("[0-9]{1,4}", typed, re.ASCII) else 0)
    return timetables.preview_deadlines(
        text, request_context.viewer_zone(), about, request_context.arrival_time(), grace=grace
    )


@bp.get("/matches/new/deadlines", endpoint="deadlines")
def preview_deadlines() -> Response:
    """Show the next deadlines of the timetable that is being written."""
    try:
        found, trouble = _deadlines(game_info.about(request.args.get("game", "")), request.args), ""
    except Refused as refused:
        found, trouble = [], str(refused)
    return make_response(render_template("web/_deadlines.html", deadlines=found, trouble=trouble))


@bp.post("/matches/new", endpoint="make")
@PageRules(rate=Rate("30 per hour", by_person=True))
def make_match() -> Response:
    """Make the match; errors are shown at the top and beside their fields, and the values stay."""
    known = request_context.current_person()
    if known is None:
        return _keep_form()
    fields, refused = _with_file(with_preset(request.form), known)
    wish, errors = read_wish(fields)
    errors |= {refused.field: str(refused)} if refused else {}
    if "fill" in fields:
        return _form(MatchForm(with_pace(fields, fields["fill"])), at=PACE_STEP)
    if "preview" in fields:
        return _preview(fields, errors, refused)
    if errors:
        return _form(MatchForm(fields, errors), status_of(refused) if refused else 400)
    try:
        uid = creation.make_match(
            request_context.database(),
            known.id,
            wish,
            now=request_context.arrival_time(),
            caps=request_context.invitation_caps(),
        )
    except NotFound:
        raise
    except Refused as refused:
        return _form(MatchForm(fields, {refused.field: str(refused)}), status_of(refused))
    session.pop(request_context.KEPT_FORM, None)
    return redirect(url_for("matches.match", uid=uid), 303)


def _with_file(
    fields: MultiDict[str, str], maker: Person
) -> tuple[MultiDict[str, str], Refused | None]:
    """Return the form with the days of the calendar file that was sent in its timetable, and what
    is wrong with the file.

    Where a part of it was not understood, its other days are in the timetable all the same, and the
    form is shown again.
    """
    file = request.files.get("calendar_file")
    if file is None or not file.filename:
        return fields, None
    changed = MultiDict(fields)
    try:
        timetables.require_address(maker.address, field="calendar_file")
        now = request_context.arrival_time()
        changed["timetable"], passed_over = timetables.with_days_of(
            fields.get("timetable", ""), file.read(), now
        )
    except Refused as refused:
        return fields, refused
    left = (
        f"{passed_over} The days that were are in the timetable now: send the form again to go on."
    )
    return changed, Refused(left, field="calendar_file") if passed_over else None


def _preview(
    fields: MultiDict[str, str], errors: dict[str, str], refused: Refused | None
) -> Response:
    """Show the form as it was sent, with the next deadlines; nothing is made."""
    if not fields.get("timetable", "").strip():
        errors.setdefault("timetable", "Write a timetable first, such as 20:00 or Mon Thu 20:00.")
    return _form(
        MatchForm(fields, errors),
        status_of(refused) if refused else 400 if errors else 200,
        at=PACE_STEP,
    )


def with_preset(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with the fields of the preset that was pressed, if any."""
    sheet = rule_sheets.find_sheet(form.get("preset"))
    if sheet is None:
        return form
    about = game_info.about(form.get("game", game_info.games()[0].key))
    kept = {name: form[name] for name in ("name", "set") if name in form}
    usual = {
        name: value for name, value in usual_fields().items() if name != "open" or not sheet.bots
    }
    return with_set(MultiDict({**usual, **_of_sheet(sheet, about), **kept, "game": about.key}))


def _of_sheet(sheet: RuleSheet | None, about: About) -> dict[str, str]:
    """Return the fields of the form that a rule sheet fills in; {} for none."""
    if sheet is None:
        return {}
    names = {each.name: each.field for each in record.TERMS}
    options = {names[name]: str(value) for name, value in sheet.options.items()}
    return {
        **options,
        "house": str(max(about.seats) - 1) if sheet.bots else "0",
        "sheet": sheet.key,
    }


def with_sheet(fields: MultiDict[str, str], key: str | None) -> MultiDict[str, str]:
    """Return the form with the fields of a rule sheet filled in, if there is one of this key."""
    for name, value in _of_sheet(
        rule_sheets.find_sheet(key), game_info.about(fields["game"])
    ).items():
        fields[name] = value  # `update` would add a second value
    return fields


def with_pace(fields: MultiDict[str, str], key: str) -> MultiDict[str, str]:
    """Return a form that was sent with the pace of a rule sheet, and all else as it was."""
    changed, usual = MultiDict(fields), usual_fields()
    paced = {name for each in rule_sheets.SHEETS for name in each.options}
    names = {each.field for each in record.TERMS if each.name in paced or each.name == "sheet"}
    sheet = _of_sheet(rule_sheets.find_sheet(key), game_info.about(fields.get("game", "")))
    for name in names:
        changed[name] = sheet.get(name, usual.get(name, ""))
    return changed


def with_set(fields: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with the options of the game's chosen set filled in, if any."""
    chosen = next(
        (
            each
            for each in game_info.about(fields["game"]).presets
            if each.name == fields.get("set")
        ),
        None,
    )
    for name, value in chosen.options.items() if chosen else ():
        fields[f"option-{name}"] = str(value)
    return fields


def read_wish(fields: MultiDict[str, str]) -> tuple[creation.Wish, dict[str, str]]:
    """Return the form as a wish, and its errors by field."""
    errors: dict[str, str] = {}
    about = game_info.about(fields.get("game", ""))
    terms = _terms(about, fields, errors)
    house = _number(
        fields.get("house", "0"), "house", "Write a whole number of house bots.", errors
    )
    players = _players(about, fields, errors)
    wish = creation.Wish(
        game=about.key,
        name=fields.get("name", ""),
        options=_options(about, fields, players, errors),
        invited=tuple(_addresses(fields.get("invited", ""), errors)),
        players=players,
        house=house,
        wishes=tuple(filter(None, fields.getlist("wish"))),
        **terms,
    )
    return wish, errors


def _terms(about: About, fields: MultiDict[str, str], errors: dict[str, str]) -> dict[str, Any]:
    """Return the terms in a form by the fields of the record; adds their errors to `errors`."""
    found: dict[str, Any] = {}
    for term in reading.offered(about):
        try:
            found[term.name] = term.read_form(fields)
        except Refused as refused:
            errors[term.field] = str(refused)
    if not fields.get("short_hours", "").strip() and {"every_hours", "short_hours"} <= found.keys():
        found["short_hours"] = min(found["short_hours"], found["every_hours"])
    return reading.as_fields(found)


def _number(text: str, name: str, sentence: str, errors: dict[str, str]) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", text, re.ASCII):
        errors[name] = sentence
        return 0
    return int(text)


def _players(about: About, fields: MultiDict[str, str], errors: dict[str, str]) -> int | None:
    if "players" not in fields:
        return None
    return _number(fields["players"], "players", f"Choose how many play {about.title}.", errors)


def _addresses(text: str, errors: dict[str, str]) -> list[str]:
    found = []
    for word in filter(None, _BETWEEN.split(text)):
        try:
            found.append(accounts.clean_address(word))
        except Refused as refused:
            errors["invited"] = str(refused)
    return found


def _options(
    about: About, fields: MultiDict[str, str], players: int | None, errors: dict[str, str]
) -> dict[str, object]:
    """Return the options as values; adds their errors to `errors`."""
    chosen: dict[str, object] = {}
    count = players if players in about.seats else max(about.seats)
    for option in about.options:
        name = f"option-{option.name}"
        if name not in fields:
            continue
        spelled = {str(value).lower(): value for value in option.values}
        chosen[option.name] = spelled.get(fields[name].strip().lower(), fields[name])
        try:
            complete_options(about, {option.name: chosen[option.name]}, players=count)
        except OptionError as error:
            errors[name] = str(error)
    return chosen


@dataclass(frozen=True)
class Span:
    """The range of a numeric field."""

    least: int
    most: int
    step: int


def number_span(option: Option) -> Span:
    """Return the range of a numeric option; if its numbers are not evenly spaced, the step is 1."""
    numbers = option.numbers
    steps = {after - before for before, after in pairwise(numbers)}
    return Span(numbers[0], numbers[-1], steps.pop() if len(steps) == 1 else 1)
