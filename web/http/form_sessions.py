"""The cookie of forms: a signed one, with the secret of a browser's CSRF tokens, which ends with
the session that it was made in.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, cast

import flask
from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.http import dump_cookie

from adjudicator.platform import clock, entropy
from adjudicator.service.people.sessions import SESSION_LASTS
from web.http import form_tokens
from web.http.page_rules import current_rules
from web.http.request_context import session_mark, session_token

RENEWED_AFTER = timedelta(hours=1)  # the cookie lasts for weeks
_RENEWED = "sealed.renewed"  # WSGI environment key: when the cookie was renewed
# in the cookie: the mark of the session in which its secret was made; a visitor's has none
_MADE_IN = "of"
_PERMANENT = "_permanent"  # key of Flask's own
_SECRET_BYTES = 20


class FormSessions(SecureCookieSessionInterface):
    """The forms' cookie, which pages renew; pictures do not, nor what is the same for everybody and
    may lie in shared caches.
    """

    # for which keys, and what signs with them
    _made: tuple[object, URLSafeTimedSerializer | None] = (None, None)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs the cookie; it is made once, as that takes longer than to sign."""
        keys = (app.secret_key, app.config["SECRET_KEY_FALLBACKS"])
        made_for, serializer = self._made
        if made_for != keys:
            serializer = super().get_signing_serializer(app)
            self._made = keys, serializer
        return serializer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return what the cookie says, and note when it was renewed."""
        cookie = request.cookies.get(self.get_cookie_name(app), "")
        data, request.environ[_RENEWED] = self.read(app, cookie)
        return self.session_class(_of_session(data, session_mark(session_token())))

    def read(self, app: Flask, cookie: str) -> tuple[dict[str, Any], datetime | None]:
        """Return what a cookie says and when it was renewed; nothing for one that is not ours."""
        serializer = self.get_signing_serializer(app)
        if serializer is not None and cookie:
            with suppress(BadSignature):
                lasts = int(SESSION_LASTS.total_seconds())
                found: tuple[dict[str, Any], datetime] = serializer.loads(
                    cookie, max_age=lasts, return_timestamp=True
                )
                return found
        return {}, None

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Whether a response renews the cookie: where it changed, or every hour."""
        rules = current_rules()
        if rules.picture or rules.same_for_all:
            return False
        renewed = flask.request.environ.get(_RENEWED)
        return session.modified or (
            session.permanent and (renewed is None or clock.now() - renewed > RENEWED_AFTER)
        )

    def make(self, app: Flask, data: dict[str, Any]) -> str:
        """Return the header that gives a browser a cookie that says this."""
        serializer = self.get_signing_serializer(app)
        assert serializer is not None  # noqa: S101 every site has a key
        return dump_cookie(
            self.get_cookie_name(app),
            serializer.dumps(data),
            expires=clock.now() + app.permanent_session_lifetime,
            httponly=self.get_cookie_httponly(app),
            path=self.get_cookie_path(app),
            secure=self.get_cookie_secure(app),
            samesite=self.get_cookie_samesite(app),
        )


def find_secret(app: Flask, cookie: str, token: str) -> tuple[str, str]:
    """Return the secret of a browser's CSRF tokens, by its cookie and that of its session, and the
    header that gives it to a browser without a cookie, else "". No secret is returned where the
    cookie has to be renewed.
    """
    ours, mark = cast(FormSessions, app.session_interface), session_mark(token)
    if not cookie:
        secret = entropy.token_hex(_SECRET_BYTES)
        data = {_PERMANENT: True, form_tokens.FIELD: secret} | ({_MADE_IN: mark} if mark else {})
        return secret, ours.make(app, data)
    data, renewed = ours.read(app, cookie)
    if renewed is None or clock.now() - renewed > RENEWED_AFTER or not data.get(_PERMANENT):
        return "", ""
    return str(_of_session(data, mark).get(form_tokens.FIELD, "")), ""


def _of_session(data: dict[str, Any], mark: str) -> dict[str, Any]:
    """Return what a cookie says without a secret that was made before a sign-in or a sign-out."""
    if data.get(_MADE_IN, "") == mark:
        return data
    return {name: value for name, value in data.items() if name != form_tokens.FIELD} | {
        _MADE_IN: mark
    }


def install(app: Flask) -> None:
    """Have a site use this cookie."""
    app.session_interface = FormSessions()
