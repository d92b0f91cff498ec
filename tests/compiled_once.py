"""What each test would make anew, since it has an engine and a site of its own, is made once in a
test process.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any

import pytest
import resvg_py
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy import Engine, create_engine
from werkzeug.routing import Rule

from adjudicator.platform import db

_ENGINES: dict[str, Engine] = {}  # the first one of each driver
# of the addresses that a route's rule makes
_BUILDERS: dict[str, Callable[..., tuple[str, str]]] = {}
_compile_builder = Rule._compile_builder
_svg_to_bytes = resvg_py.svg_to_bytes


class _Templates(BytecodeCache):
    """Compiled templates, by their names and texts."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code:
            self._codes[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "create_engine", _create_sharing)
        patch.setattr(Rule, "_compile_builder", _build_sharing)
        patch.setattr(resvg_py, "svg_to_bytes", _draw_once)
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": _Templates()})
        yield


def _draw_once(*, font_files: list[str], **named: Any) -> bytes:
    """Return what resvg draws of a picture; boards of a match that has just begun are drawn in
    hundreds of tests.
    """
    return _draw(tuple(font_files), **named)


@lru_cache(maxsize=500)
def _draw(font_files: tuple[str, ...], **named: Any) -> bytes:
    return bytes(_svg_to_bytes(font_files=list(font_files), **named))


def _create_sharing(*given: Any, **named: Any) -> Engine:
    """Return an engine that shares the compiled statements of the first one of its driver, once
    that has connected.
    """
    engine = create_engine(*given, **named)
    first = _ENGINES.setdefault(engine.dialect.driver, engine)
    if first.dialect.server_version_info:
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    return engine


def _build_sharing(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """Return what makes a rule's addresses; it is given the rule itself, so rules that are alike
    share it.
    """
    alike = repr((rule.rule, rule._trace, rule.defaults, append_unknown))
    if alike not in _BUILDERS:
        _BUILDERS[alike] = _compile_builder(rule, append_unknown)
    return _BUILDERS[alike]
