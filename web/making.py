"""Make a match: a preset in one click, all options below; nothing typed is lost."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from adjudicator import nudges
from adjudicator.service import accounts, guides, matches
from adjudicator.service.errors import NotNow, Refused
from adjudicator.service.matches import Wish
from web import visit

bp = Blueprint("making", __name__)

_BETWEEN = re.compile(r"[\s,;]+")
_NUMBERS = {"every_hours": "Write a whole number of hours, such as 48.", "grace_minutes": "Write a whole number of minutes, such as 10."}


@dataclass(frozen=True)
class Preset:
    """A whole match in one click."""

    key: str
    title: str
    hint: str
    fields: Mapping[str, str]


_CALM, _DAILY = {"every_hours": "48", "open": "1"}, {"every_hours": "24", "open": "1"}
_FAST = {"every_hours": "1", "grace_minutes": "0", "house": "all"}
PRESETS = (
    Preset("calm", "Two days a round, open seats", "Anybody may join; it begins when every seat is taken.", _CALM),
    Preset("daily", "A round a day, open seats", "The pace of a newspaper.", _DAILY),
    Preset("fast", "An hour a round, house bots", "The other seats play at once, so it goes as fast as you do.", _FAST),
)


@dataclass(frozen=True)
class Draft:
    """The form as it was sent, and what is wrong with it by field; "" is the whole."""

    fields: MultiDict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    def value(self, name: str, default: str = "") -> str:
        """Return what a field holds."""
        return self.fields.get(name, default)


@bp.get("/matches/new")
def new() -> Response:
    """Show the form; who is not signed in is led to the sign-in and back."""
    if visit.person() is None:
        return _sign_in_first()
    key = request.args.get("game", guides.games()[0].key)
    return _form(Draft(MultiDict({"game": key, "every_hours": "48", "grace_minutes": "10", "open": "1", "play": "1", "house": "0"})))


def _sign_in_first() -> Response:
    return redirect(url_for("accounts.sign_in", next=url_for("making.new")), 303)


def _form(draft: Draft, status: int = 200) -> Response:
    about = guides.about(draft.value("game"))
    return make_response(render_template("web/new.html", draft=draft, about=about, games=guides.games(), presets=PRESETS), status)


@bp.post("/matches/new")
def make() -> Response:
    """Make the match; every fault is told beside its field."""
    known = visit.person()
    if known is None:
        return _sign_in_first()
    fields = _with_preset(request.form)
    wish, errors = _wish(fields)
    if errors:
        return _form(Draft(fields, errors), 400)
    try:
        uid = matches.make(visit.database(), known.id, wish, now=visit.arrived())
    except NotNow:
        raise
    except Refused as refused:
        return _form(Draft(fields, {refused.field: str(refused)}), 400)
    visit.nudge(nudges.FOUND, uid)
    return redirect(url_for("matches.match", uid=uid), 303)


def _with_preset(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with a preset's fields in place of its own, where a preset was pressed."""
    preset = next((each for each in PRESETS if each.key == form.get("preset")), None)
    if preset is None:
        return form
    about = guides.about(form.get("game", guides.games()[0].key))
    fields = MultiDict({"grace_minutes": "10", "play": "1", "house": "0", **preset.fields, "game": about.key, "name": form.get("name", "")})
    if fields["house"] == "all":
        fields["house"] = str(max(about.seats) - 1)
    return fields


def _wish(fields: MultiDict[str, str]) -> tuple[Wish, dict[str, str]]:
    """Translate the form; returns what is wrong by field."""
    errors: dict[str, str] = {}
    numbers = {name: _number(fields.get(name, "0"), name, sentence, errors) for name, sentence in _NUMBERS.items()}
    house = _number(fields.get("house", "0"), "house", "Write a whole number of house bots.", errors)
    invited = tuple(_addresses(fields.get("invited", ""), errors))
    wish = Wish(
        game=fields.get("game", ""), name=fields.get("name", ""), options=_options(fields), invited=invited, house=house,
        every_hours=numbers["every_hours"], grace_minutes=numbers["grace_minutes"], open_seats="open" in fields, play="play" in fields,
    )  # fmt: skip
    return wish, errors


def _number(text: str, name: str, sentence: str, errors: dict[str, str]) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", text, re.ASCII):
        errors[name] = sentence
        return 0
    return int(text)


def _addresses(text: str, errors: dict[str, str]) -> list[str]:
    found = []
    for word in filter(None, _BETWEEN.split(text)):
        try:
            found.append(accounts.clean_address(word))
        except Refused as refused:
            errors["invited"] = str(refused)
    return found


def _options(fields: MultiDict[str, str]) -> dict[str, object]:
    """Return the options as values; a text that is none of an option's values is left for the service to refuse."""
    chosen: dict[str, object] = {}
    for option in guides.about(fields.get("game", "")).options:
        text = fields.get(f"option-{option.name}")
        if text is not None:
            chosen[option.name] = next((value for value in option.values if str(value) == text), text)
    return chosen
