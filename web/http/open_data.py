"""What the responses for other programs share: pages of other sites may read them, and caches may
keep them.
"""

from flask import current_app, request
from werkzeug.wrappers import Response

from web.http import request_context

SCHEMA_SECONDS = 86_400  # for which a schema may be cached
ANY_SITE = {  # other sites' pages may read the response; browsers send no cookie for it
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


def who_keeps() -> str:
    """Return which caches may keep a response: only the browser's own where it may renew that
    browser's cookie.
    """
    return "private" if request.cookies else "public"


def absolute(path: str) -> str:
    """Return the address of a path of this site."""
    return request_context.settings().site_url.rstrip("/") + path


def send_schema(name: str) -> Response:
    """Return a JSON Schema among the static files."""
    response = current_app.send_static_file(name)
    response.headers.update(ANY_SITE)
    response.headers["Cache-Control"] = f"{who_keeps()}, max-age={SCHEMA_SECONDS}"
    return response
