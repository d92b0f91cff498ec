"""The cookie of forms: a signed one, with the secret of a browser's CSRF tokens."""

from datetime import timedelta

import flask
from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from adjudicator.platform import clock
from adjudicator.service.people.sessions import SESSION_LASTS
from web.http.request_context import ANONYMOUS, PICTURES

RENEWED_AFTER = timedelta(hours=1)  # the cookie lasts for weeks
_RENEWED = "sealed.renewed"  # WSGI environment key: when the cookie was renewed
_UNRENEWED = PICTURES | ANONYMOUS


class FormSessions(SecureCookieSessionInterface):
    """The forms' cookie, which pages renew; pictures do not, nor what is the same for everybody and may lie in shared caches."""

    _made: tuple[object, URLSafeTimedSerializer | None] = (None, None)  # for which keys, and what signs with them

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs the cookie; it is made once, as that takes longer than to sign."""
        keys, (made_for, serializer) = (app.secret_key, app.config["SECRET_KEY_FALLBACKS"]), self._made
        if made_for != keys:
            serializer = super().get_signing_serializer(app)
            self._made = keys, serializer
        return serializer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return what the cookie says, and note when it was renewed."""
        serializer, cookie = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app))
        if serializer is None or not cookie:
            return super().open_session(app, request)
        try:
            data, request.environ[_RENEWED] = serializer.loads(cookie, max_age=int(SESSION_LASTS.total_seconds()), return_timestamp=True)
        except BadSignature:
            return self.session_class()
        return self.session_class(data)

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Whether a response renews the cookie: where it changed, or every hour."""
        if flask.request.endpoint in _UNRENEWED:
            return False
        renewed = flask.request.environ.get(_RENEWED)
        return session.modified or (session.permanent and (renewed is None or clock.now() - renewed > RENEWED_AFTER))


def install(app: Flask) -> None:
    """Have a site use this cookie."""
    app.session_interface = FormSessions()
