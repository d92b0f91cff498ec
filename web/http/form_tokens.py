"""CSRF tokens of forms, masked anew in each response.

The size of a compressed page reveals repeated text (BREACH). A token that differs in every response
reveals nothing. It also tells a form that is sent twice from two forms that say the same.
`compression` leaves pages alone that mix other secrets with other people's text.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import flask
from flask import Flask, current_app, g, request
from flask_wtf.csrf import CSRFProtect, generate_csrf, validate_csrf
from itsdangerous import URLSafeTimedSerializer
from wtforms import ValidationError  # type: ignore[import-untyped]

from adjudicator.platform import entropy

FIELD = "csrf_token"
_MASKED = "m."  # prefix of a masked token; older forms have none
_HELD = "sealed_masked_token"


class Forms(CSRFProtect):  # type: ignore[misc]  # it has no types
    """Flask-WTF's protection, with masked tokens."""

    def _get_csrf_token(self) -> str | None:
        return unmask_token(super()._get_csrf_token())


def install(app: Flask) -> Forms:
    """Protect every form with a CSRF token; the templates' `csrf_token()` is masked."""
    forms = Forms(app)
    app.jinja_env.globals["csrf_token"] = mask_token
    app.context_processor(lambda: {"csrf_token": mask_token})
    return forms


def mask_token() -> str:
    """Return this visitor's CSRF token under a random mask, one for each response."""
    held = g.get(_HELD)
    if held is None:
        secret = flask.session.get(FIELD)
        # for who has a secret Flask-WTF would make its signer anew
        held = token_for(current_app, secret) if secret else _mask(generate_csrf())
        setattr(g, _HELD, held)
    return str(held)


def token_for(app: Flask, secret: str) -> str:
    """Return a CSRF token of the browser with this secret under a random mask."""
    return _mask(_signer(str(app.secret_key)).dumps(secret))


@lru_cache(maxsize=2)
def _signer(key: str) -> URLSafeTimedSerializer:
    """Return what signs tokens, as Flask-WTF makes it anew for each."""
    return URLSafeTimedSerializer(key, salt="wtf-csrf-token")


def _mask(signed: str | bytes) -> str:
    token = signed.encode() if isinstance(signed, str) else signed
    mask = entropy.token_bytes(len(token))
    return _MASKED + urlsafe_b64encode(mask + _xor(token, mask)).decode()


@contextmanager
def tokens_as(mark: str) -> Iterator[None]:
    """Have templates write this mark in place of tokens, for a page that is kept; the visitor's
    token is not looked at.
    """
    setattr(g, _HELD, mark)
    try:
        yield
    finally:
        g.pop(_HELD)


def unmask_token(text: str | None) -> str | None:
    """Return the unmasked token: an unmasked one unchanged, a malformed one as None."""
    if text is None or not text.startswith(_MASKED):
        return text
    try:
        both = urlsafe_b64decode(text.removeprefix(_MASKED))
    except (binascii.Error, ValueError):
        return None
    half = len(both) // 2
    return _xor(both[:half], both[half : 2 * half]).decode("latin-1")


def sent_token() -> str:
    """Return the masked token of the form that is answered, "" where it has none."""
    given = request.form.get(FIELD) or request.headers.get("X-CSRFToken", "")
    return given if given.startswith(_MASKED) else ""


def _xor(one: bytes, other: bytes) -> bytes:
    """Return the bits in which two texts of the same length differ."""
    return (int.from_bytes(one) ^ int.from_bytes(other)).to_bytes(len(one))


def is_ours() -> bool:
    """Whether this request's CSRF token is this visitor's; also callable before the token was
    checked.
    """
    forms: Forms = current_app.extensions["csrf"]
    try:
        validate_csrf(forms._get_csrf_token())
    except ValidationError:
        return False
    return True
