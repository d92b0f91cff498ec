"""Sign-in by link, sign-out and the account page."""

import zoneinfo
from collections.abc import Callable
from functools import cache, partial

from flask import Blueprint, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.erasure import erasing
from adjudicator.service.letters import bounces
from adjudicator.service.people import accounts, own_data, pushes, reliability, sessions
from adjudicator.service.people.accounts import SHOWN, AccountChanges, Person
from web.http import request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("accounts", __name__)

_THEME_LASTS = 365 * 24 * 3600  # seconds


@bp.get("/sign-in")
def sign_in() -> str:
    """Show the sign-in form."""
    return render_template(
        "web/sign_in.html",
        next=request_context.local_path(request.args.get("next")),
        address="",
        error="",
    )


@bp.post("/sign-in", endpoint="ask")
@PageRules(rate=Rate("20 per hour"))
def send_link() -> Response:
    """Send a sign-in link; the response does not reveal whether the address is known."""
    address = request.form.get("address", "")
    after = request_context.local_path(request.form.get("next"))
    try:
        _ask_link(address, zone=request.form.get("zone", ""), next_page=after, guest_id=_guest_id())
    except NotNow:
        raise
    except Refused as refused:
        return make_response(
            render_template("web/sign_in.html", next=after, address=address, error=str(refused)),
            400,
        )
    return _on_its_way(address)


def _ask_link(address: str, *, zone: str, next_page: str, guest_id: int | None) -> None:
    values = {"zone": zone, "next_page": next_page, "requester": request_context.client_network()}
    sessions.ask_link(
        request_context.database(),
        address,
        now=request_context.arrival_time(),
        guest_id=guest_id,
        **values,
    )


def _guest_id() -> int | None:
    """Return the id of a signed-in guest, who keeps the matches begun so far; None for players and
    visitors.
    """
    known = request_context.current_person()
    return known.id if known and known.address is None else None


def _on_its_way(address: str) -> Response:
    return make_response(
        render_template("web/on_its_way.html", address=address.strip(), seated=False)
    )


@bp.get("/sign-in/<token>")
@PageRules(secret_address=True)
def link(token: str) -> Response:
    """Show a button, since mail scanners open links: a GET does nothing."""
    with request_context.database().read_tx() as session:
        asker = sessions.who_asked(session, token, request_context.current_person_id())
    following = request_context.local_path(request.args.get("next"))
    return make_response(render_template("web/link.html", token=token, next=following, asked=asker))


@bp.post("/sign-in/<token>", endpoint="enter")
@PageRules(rate=Rate("60 per hour"), secret_address=True)
def use_link(token: str) -> Response:
    """Sign in with the token of a link."""
    try:
        entry = sessions.use_link(
            request_context.database(), token, now=request_context.arrival_time()
        )
    except NotNow as refused:
        return make_response(render_template("web/link_over.html", sentence=str(refused)), 409)
    return request_context.sign_browser_in(
        redirect(request_context.local_path(request.form.get("next")), 303), entry
    )


@bp.post("/sign-out")
def sign_out() -> Response:
    """End this browser's session."""
    sessions.sign_out(
        request_context.database(),
        request_context.session_token(),
        now=request_context.arrival_time(),
    )
    return request_context.sign_browser_out(redirect(url_for("home.home"), 303))


# --- the account


@bp.get("/account")
def account() -> Response:
    """Show the account page."""
    known = request_context.signed_in("accounts.account")
    wishes = _account_of(known)
    return _account(wishes, {}, saved="saved" in request.args, tried="tried" in request.args)


def _account_of(known: Person) -> AccountChanges:
    return AccountChanges(
        known.name, known.zone, known.receipts, known.letters, known.reminders, shown=known.shown
    )


def _account(
    wishes: AccountChanges,
    errors: dict[str, str],
    *,
    saved: bool = False,
    tried: bool = False,
    address: str = "",
) -> Response:
    now = request_context.arrival_time()
    with request_context.database().read_tx() as session:
        own = reliability.of_player(session, request_context.sender_id())
        told_on = pushes.count_browsers(session, request_context.sender_id())
        push_key = pushes.public_key(session)
        browsers = sessions.open_sessions(
            session, request_context.sender_id(), request_context.session_token(), now=now
        )
    values = {
        "saved": saved,
        "tried": tried,
        "address": address,
        "zones": _zones(),
        "now": now,
        "own": own,
        "sessions": browsers,
    }
    values |= {"told_on": told_on, "push_key": push_key}
    return make_response(
        render_template("web/account.html", wishes=wishes, errors=errors, **values),
        400 if errors else 200,
    )


@bp.post("/account/theme")
def set_theme() -> Response:
    """Set the colours of this browser: light, dark, or as the system says."""
    response = redirect(url_for("accounts.account", _anchor="theme"), 303)
    chosen = request.form.get("theme", "")
    if chosen not in request_context.THEMES:
        response.delete_cookie(request_context.THEME, path="/")
        return response
    secure = request_context.settings().site_url.startswith("https:")
    response.set_cookie(
        request_context.THEME,
        chosen,
        max_age=_THEME_LASTS,
        samesite="Lax",
        secure=secure,
        httponly=True,
        path="/",
    )
    return response


@bp.post("/account/sessions", endpoint="end_sessions")
def end_other_sessions() -> Response:
    """Sign the viewer out of every other browser."""
    now = request_context.arrival_time()
    sessions.end_other_sessions(
        request_context.database(),
        request_context.sender_id(),
        request_context.session_token(),
        now=now,
    )
    return redirect(url_for("accounts.account", _anchor="sessions"), 303)


@bp.get("/account/theme", endpoint="back")
@bp.get("/account/sessions", endpoint="back")
@bp.get("/account/address", endpoint="back")
@bp.get("/account/letters", endpoint="back")
def lead_to_account() -> Response:
    """Redirect to the account when the address of a POST is loaded again."""
    return redirect(url_for("accounts.account"), 303)


@bp.get("/account/data.json")
@PageRules(rate=Rate("20 per hour", by_person=True, heavy=True))
def data() -> Response:
    """Give the viewer a file with what the service keeps about them."""
    known = request_context.signed_in("accounts.account")
    with request_context.database().read_tx() as session:
        response = jsonify(own_data.own_data(session, known.id))
    response.headers["Content-Disposition"] = "attachment; filename=sealed-orders-data.json"
    return response


@bp.get("/account/erase")
def ask_to_erase() -> Response:
    """Explain what erasing an account does, with the button that does it."""
    request_context.signed_in("accounts.ask_to_erase")
    return _erase_page(unsure=False)


@bp.post("/account/erase", endpoint="erase")
def erase_account() -> Response:
    """Erase the viewer for good, if the box is ticked that says so."""
    known = request_context.signed_in("accounts.ask_to_erase")
    if "sure" not in request.form:
        return make_response(_erase_page(unsure=True), 400)
    erasing.erase_player(request_context.database(), known.id, now=request_context.arrival_time())
    return request_context.sign_browser_out(redirect(url_for("accounts.erased"), 303))


def _erase_page(*, unsure: bool) -> Response:
    backups = erasing.describe_backups(request_context.settings().backup_days)
    return make_response(render_template("web/erase.html", unsure=unsure, backups=backups))


@bp.get("/erased")
def erased() -> str:
    """Say that an account was erased."""
    return render_template(
        "web/erased.html", backups=erasing.describe_backups(request_context.settings().backup_days)
    )


@cache
def _zones() -> tuple[str, ...]:
    return tuple(
        sorted(name for name in zoneinfo.available_timezones() if "/" in name or name == "UTC")
    )


@bp.post("/account", endpoint="change")
@PageRules(rate=Rate("60 per hour", by_person=True))
def change_account() -> Response:
    """Change the name, the time zone, which letters are sent and what onlookers see; errors are
    shown beside their fields.
    """
    known = request_context.signed_in("accounts.account")
    form = request.form
    ticked = {name: name in form for name in ("receipts", "letters", "reminders")}
    shown = next((each for each in SHOWN if each == form.get("shown")), known.shown)
    wishes = AccountChanges(form.get("name", ""), form.get("zone", ""), **ticked, shown=shown)
    name = partial(accounts.clean_name, kept=known.name)
    errors = _faults({"name": (name, wishes.name), "zone": (accounts.clean_zone, wishes.zone)})
    if errors:
        return _account(wishes, errors)
    accounts.change_account(request_context.database(), known.id, wishes)
    return redirect(url_for("accounts.account", saved=1), 303)


def _faults(fields: dict[str, tuple[Callable[[str], str], str]]) -> dict[str, str]:
    errors = {}
    for name, (clean, text) in fields.items():
        try:
            clean(text)
        except Refused as refused:
            errors[name] = str(refused)
    return errors


@bp.post("/account/address")
@PageRules(rate=Rate("20 per hour"))
def add_address() -> Response:
    """Send a link that gives a guest an address, or replaces an address whose letters bounce."""
    known = request_context.signed_in("accounts.account")
    address = request.form.get("address", "")
    errors = _faults({"address": (accounts.clean_address, address)})
    if errors:
        return _account(_account_of(known), errors, address=address)
    asks = known.id if known.address is None or known.bounced_at else None
    _ask_link(address, zone=known.zone, next_page="/account", guest_id=asks)
    return _on_its_way(address)


@bp.post("/account/letters")
@PageRules(rate=Rate("10 per hour", by_person=True))
def try_again() -> Response:
    """Resume letters to an address that bounced."""
    known = request_context.signed_in("accounts.account")
    bounces.try_again(request_context.database(), known.id, now=request_context.arrival_time())
    return redirect(url_for("accounts.account", tried=1), 303)
