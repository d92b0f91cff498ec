"""The tokens that show that a form is one of ours; each answer masks them anew.

A page may be compressed, and how well it compresses tells of what it repeats (BREACH). A token that looks different in every answer
gives nothing to compare with. Text of somebody else's making and other secrets are kept apart by `compression`.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode

from flask import Flask, current_app, g
from flask_wtf.csrf import CSRFProtect, generate_csrf, validate_csrf
from wtforms import ValidationError  # type: ignore[import-untyped]

from adjudicator.platform import entropy

FIELD = "csrf_token"
_MASKED = "m."  # begins a masked token; forms from before have none
_HELD = "sealed_masked_token"


class Forms(CSRFProtect):  # type: ignore[misc]  # it has no types
    """Flask-WTF's protection, with masked tokens."""

    def _get_csrf_token(self) -> str | None:
        return unmask_token(super()._get_csrf_token())


def install(app: Flask) -> Forms:
    """Protect every form; the templates' `csrf_token()` is masked."""
    forms = Forms(app)
    app.jinja_env.globals["csrf_token"] = mask_token
    app.context_processor(lambda: {"csrf_token": mask_token})
    return forms


def mask_token() -> str:
    """Return the token of this visitor's forms under a mask of this answer's own."""
    if _HELD not in g:
        token = generate_csrf().encode()
        mask = entropy.token_bytes(len(token))
        hidden = bytes(one ^ other for one, other in zip(token, mask, strict=True))
        setattr(g, _HELD, _MASKED + urlsafe_b64encode(mask + hidden).decode())
    return str(g.get(_HELD))


def unmask_token(text: str | None) -> str | None:
    """Return the token under a mask; one that has none is returned as it is, and a broken one as none."""
    if text is None or not text.startswith(_MASKED):
        return text
    try:
        both = urlsafe_b64decode(text.removeprefix(_MASKED))
    except (binascii.Error, ValueError):
        return None
    half = len(both) // 2
    return bytes(one ^ other for one, other in zip(both[:half], both[half:], strict=False)).decode("latin-1")


def is_ours() -> bool:
    """Whether the form of this request is one that this visitor was given: also before anything else has looked at it."""
    forms: Forms = current_app.extensions["csrf"]
    try:
        validate_csrf(forms._get_csrf_token())
    except ValidationError:
        return False
    return True
