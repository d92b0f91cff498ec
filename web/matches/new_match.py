"""The form for a new match: presets in one click, all options below. What was filled in is never
lost.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from flask import Blueprint, make_response, redirect, render_template, request, session, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from adjudicator.core.game import About
from adjudicator.core.options import Option, OptionError, complete_options
from adjudicator.play import bots, rule_sheets
from adjudicator.play.rule_sheets import RuleSheet
from adjudicator.service.base import spans
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.matches import creation, timetables
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import Person
from adjudicator.service.views import game_info
from web.http import form_tokens, request_context
from web.http.error_pages import status_of

bp = Blueprint("making", __name__)

USUAL_SHORT = 24  # hours, at most
# characters of a form as JSON: browsers take cookies of 4 kB, and this one is in base64
MOST_KEPT = 2500
SIGNED_OUT = (
    "You were signed out, so the match was not made. Now that you are signed in, send the form"
    " again."
)

_BETWEEN = re.compile(r"[\s,;]+")
_SHORT = "Write a whole number of hours, such as 24."
_NUMBERS = {
    "every_hours": "Write a whole number of hours, such as 48.",
    "grace_minutes": "Write a whole number of minutes, such as 10.",
}


USUAL = {
    "every_hours": "48",
    "short_hours": "",  # at most USUAL_SHORT, and never more than `every_hours`
    "grace_minutes": "10",
    "reminders": "24 h, 3 h",
    "open": "1",
    "play": "1",
    "house": "0",
    "skill": "sensible",
    "bots": "1",
    "muster": "",  # minutes; "": nobody is asked to confirm
    "expire_days": "30",
}
# of fields that are folded until one of them says something else than usual; `option-*` are the
# group `game`
GROUPS = {
    "timetable": ("timetable", "calendar", "calendar_file"),
    "lateness": ("grace_minutes", "overtime", "reminders"),
    "seating": ("seating", "wish", "wishes"),
    "joining": ("private", "unrated", "bots", "least_reliability", "no_beginners"),
    "starting": ("muster", "expire_days"),
    "votes": ("progress", "vote_rule", "extension_hours"),
    "absence": ("absence_days", "misses", "first_miss"),
    "press": ("press_rulebook", "press_opened", "press_overseen"),
}
# what a form without these fields says
_CHOICES = {"progress": "count", "vote_rule": "majority", "seating": "preference"}
PACE_STEP = 2  # the third step of the form
# that rule sheets set
PACE_FIELDS = ("sheet", "every_hours", "short_hours", "timetable", "grace_minutes", "muster")
FIELDS = {"muster_minutes": "muster"}  # fields of the form whose names differ from those of `Wish`


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
            **USUAL,
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
    told = {
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
    told["skills"] = bots.WORDINGS
    told["unfolded"] = unfolded_groups(about, draft)
    return make_response(
        render_template("web/new.html", draft=draft, deadlines=deadlines, **told), status
    )


def unfolded_groups(about: About, draft: MatchForm) -> set[str]:
    """Return the groups of fields that are shown open: those with an error, or with a value that is
    not the usual one.
    """
    usual = {**USUAL, **_CHOICES}
    open_groups = {
        group
        for group, names in GROUPS.items()
        if any(
            name in draft.errors or draft.value(name, _CHOICES.get(name, "")) != usual.get(name, "")
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
    usual = {name: value for name, value in USUAL.items() if name != "open" or not sheet.bots}
    return with_set(MultiDict({**usual, **_of_sheet(sheet, about), **kept, "game": about.key}))


def _of_sheet(sheet: RuleSheet | None, about: About) -> dict[str, str]:
    """Return the fields of the form that a rule sheet fills in; {} for none."""
    if sheet is None:
        return {}
    options = {FIELDS.get(name, name): str(value) for name, value in sheet.options.items()}
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
    changed, sheet = (
        MultiDict(fields),
        _of_sheet(rule_sheets.find_sheet(key), game_info.about(fields.get("game", ""))),
    )
    for name in PACE_FIELDS:
        changed[name] = sheet.get(name, USUAL.get(name, ""))
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


def read_wish(fields: MultiDict[str, str]) -> tuple[Wish, dict[str, str]]:
    """Return the form as a wish, and its errors by field."""
    errors: dict[str, str] = {}
    about = game_info.about(fields.get("game", ""))
    numbers = {
        name: _number(fields.get(name, "0"), name, sentence, errors)
        for name, sentence in _NUMBERS.items()
    }
    short = _short(fields, numbers["every_hours"], errors)
    house = _number(
        fields.get("house", "0"), "house", "Write a whole number of house bots.", errors
    )
    players = _players(about, fields, errors)
    absence_days = _optional(
        fields, "absence_days", "Write a whole number of days, such as 21.", errors
    )
    extension_hours = _optional(
        fields, "extension_hours", "Write a whole number of hours, such as 24.", errors
    )
    least = _optional(
        fields, "least_reliability", "Write a whole number of percent, such as 90.", errors
    )
    misses = _optional(fields, "misses", "Write a whole number of phases, such as 2.", errors)
    invited = tuple(_addresses(fields.get("invited", ""), errors))
    wish = Wish(
        game=about.key,
        name=fields.get("name", ""),
        options=_options(about, fields, players, errors),
        invited=invited,
        every_hours=numbers["every_hours"],
        grace_minutes=numbers["grace_minutes"],
        open_seats="open" in fields,
        play="play" in fields,
        sheet=fields.get("sheet", ""),
        private="private" in fields,
        muster_minutes=_muster(fields, errors),
        expire_days=_expire_days(fields, errors),
        players=players,
        house=house,
        skill=bots.find_skill(fields.get("skill")),
        bots="bots" in fields,
        vote_rule=fields.get("vote_rule", "majority"),
        extension_hours=extension_hours,
        absence_days=absence_days,
        least_reliability=least or 0,
        beginners="no_beginners" not in fields,
        rated="unrated" not in fields,
        misses=creation.USUAL_MISSES if misses is None else misses,
        first_miss="first_miss" in fields,
        overtime_minutes=_overtime(fields, errors),
        reminders=_reminders(fields, errors),
        timetable=fields.get("timetable", ""),
        calendar=fields.get("calendar", ""),
        short_hours=short,
        seating="order" if fields.get("seating") == "order" else None,
        wishes=tuple(filter(None, fields.getlist("wish"))),
        progress=fields.get("progress", "count"),  # type: ignore[arg-type]  # checked there
        press=PressWish(
            "press_rulebook" in fields, "press_opened" in fields, "press_overseen" in fields
        ),
    )
    return wish, errors


def _muster(fields: MultiDict[str, str], errors: dict[str, str]) -> int | None:
    """Return the minutes within which everybody confirms, None where nobody is asked."""
    text = fields.get("muster", "").strip()
    return (
        _number(text, "muster", "Choose within which time everybody confirms.", errors)
        if text
        else None
    )


def _expire_days(fields: MultiDict[str, str], errors: dict[str, str]) -> int | None:
    """Return the days within which the match has to fill, None for no limit; a form without the
    field has the usual days.
    """
    text = fields.get("expire_days", USUAL["expire_days"]).strip()
    return (
        _number(
            text, "expire_days", "Write a whole number of days, such as 30, or nothing.", errors
        )
        if text
        else None
    )


def _number(text: str, name: str, sentence: str, errors: dict[str, str]) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", text, re.ASCII):
        errors[name] = sentence
        return 0
    return int(text)


def _short(fields: MultiDict[str, str], every_hours: int, errors: dict[str, str]) -> int | None:
    """Return the hours of short phases: if left empty a day, but at most the hours of the
    others.
    """
    if "short_hours" not in fields:
        return None
    if not fields["short_hours"].strip():
        return min(USUAL_SHORT, every_hours)
    return _number(fields["short_hours"], "short_hours", _SHORT, errors)


def _optional(
    fields: MultiDict[str, str], name: str, sentence: str, errors: dict[str, str]
) -> int | None:
    """Return the number in a field, None where it is empty."""
    text = fields.get(name, "")
    return _number(text, name, sentence, errors) if text.strip() else None


def _reminders(fields: MultiDict[str, str], errors: dict[str, str]) -> tuple[int, ...]:
    try:
        return spans.read_reminders(spans.split_spans(fields.get("reminders", USUAL["reminders"])))
    except Refused as refused:
        errors["reminders"] = str(refused)
        return ()


def _overtime(fields: MultiDict[str, str], errors: dict[str, str]) -> int:
    try:
        return spans.read_minutes(fields.get("overtime", ""), field="overtime")
    except Refused as refused:
        errors["overtime"] = str(refused)
        return 0


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
    for option in about.options:
        name = f"option-{option.name}"
        if name not in fields:
            continue
        chosen[option.name] = next(
            (
                value
                for value in option.values
                if str(value).lower() == fields[name].strip().lower()
            ),
            fields[name],
        )
        try:
            complete_options(
                about,
                {option.name: chosen[option.name]},
                players=players if players in about.seats else max(about.seats),
            )
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
