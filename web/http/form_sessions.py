"""The cookie of forms: a signed one, with the secret of a browser's CSRF tokens, which ends with
the session that it was made in.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import flask
from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from adjudicator.platform import clock
from adjudicator.service.people.sessions import SESSION_LASTS
from web.http import form_tokens
from web.http.page_rules import current_rules
from web.http.request_context import session_mark

RENEWED_AFTER = timedelta(hours=1)  # the cookie lasts for weeks
_RENEWED = "sealed.renewed"  # WSGI environment key: when the cookie was renewed
# in the cookie: the mark of the session in which its secret was made; a visitor's has none
_MADE_IN = "of"


class FormSessions(SecureCookieSessionInterface):
    """The forms' cookie, which pages renew; pictures do not, nor what is the same for everybody and
    may lie in shared caches.
    """

    # for which keys, and what signs with them
    _made: tuple[object, URLSafeTimedSerializer | None] = (None, None)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs the cookie; it is made once, as that takes longer than to sign."""
        keys, (made_for, serializer) = (
            (
                app.secret_key,
                app.config["SECRET_KEY_FALLBACKS"],
            ),
            self._made,
        )
        if made_for != keys:
            serializer = super().get_signing_serializer(app)
            self._made = keys, serializer
        return serializer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return what the cookie says, and note when it was renewed."""
        serializer, cookie = (
            self.get_signing_serializer(app),
            request.cookies.get(self.get_cookie_name(app)),
        )
        data: dict[str, Any] = {}
        if serializer is not None and cookie:
            with suppress(BadSignature):
                lasts = int(SESSION_LASTS.total_seconds())
                data, request.environ[_RENEWED] = serializer.loads(
                    cookie, max_age=lasts, return_timestamp=True
                )
        return self.session_class(_of_session(data))

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Whether a response renews the cookie: where it changed, or every hour."""
        rules = current_rules()
        if rules.picture or rules.same_for_all:
            return False
        renewed = flask.request.environ.get(_RENEWED)
        return session.modified or (
            session.permanent and (renewed is None or clock.now() - renewed > RENEWED_AFTER)
        )


def _of_session(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a cookie says without a secret that was made before a sign-in or a sign-out."""
    mark = session_mark()
    if data.get(_MADE_IN, "") == mark:
        return data
    return {name: value for name, value in data.items() if name != form_tokens.FIELD} | {
        _MADE_IN: mark
    }


def install(app: Flask) -> None:
    """Have a site use this cookie."""
    app.session_interface = FormSessions()
