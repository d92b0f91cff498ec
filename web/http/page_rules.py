"""What holds for a page, declared where the page is: how often it may be asked for, who may see
its address, and what its answer has in it. A page without a declaration has none of these.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])

# of a request with orders, so that they come within seconds by any line
MOST_ORDER_BYTES = 64 * 1024
_KEY = "page_rules"  # attribute of a view; wrappers of the view copy it


@dataclass(frozen=True)
class Rate:
    """How often one visitor may use an endpoint, counted by network, with `by_person` by the
    signed-in person.
    """

    often: str
    by_person: bool = False
    # whether one takes up to seconds, so that only few threads may work on such at a time
    heavy: bool = False


@dataclass(frozen=True)
class PageRules:
    """The rules of one page, or of several with one function; decorates that function."""

    rate: Rate | None = None  # None: that of every form, and none for a page
    # whether the address is a secret, or the page contains such addresses
    secret_address: bool = False
    # whether forms need no CSRF token: the address is the secret and mail programs post to it, or
    # what is posted is signed
    no_token: bool = False
    no_cookie: bool = False  # whether it sets no cookie for visitors
    same_for_all: bool = False  # whether nobody is looked up; it may lie in shared caches
    impersonal: bool = False  # whether nothing personal is on it, so that its size tells nothing
    others_write: bool = False  # whether text by other players is on it
    picture: bool = False  # whether it is one of as many pictures as there are phases
    most_bytes: int | None = None  # of a request; None: as usual

    def __call__(self, view: View) -> View:
        """Declare these rules for a view."""
        vars(view)[_KEY] = self
        return view


_NONE = PageRules()
_STATIC = PageRules(same_for_all=True, impersonal=True)


def rules_of(view: Callable[..., Any] | None) -> PageRules:
    """Return the rules of a view."""
    rules = getattr(view, _KEY, _NONE)
    assert isinstance(rules, PageRules)  # noqa: S101 only PageRules sets the attribute
    return rules


def current_rules() -> PageRules:
    """Return the rules of the page that is asked for."""
    endpoint = request.endpoint or ""
    if endpoint == "static":
        return _STATIC
    return rules_of(current_app.view_functions.get(endpoint))
