"""A site compiles its templates once, and keeps them in its data folder."""

from pathlib import Path

import pytest
from jinja2 import Environment

import web.compiled_templates
from adjudicator.platform.config import Settings
from web.app import create_app


def compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many templates a new site compiles for a page of the rules."""
    counted, compile_one = [], Environment._generate

    def counting(self: Environment, *given: object, **named: object) -> str:
        counted.append(given)
        return compile_one(self, *given, **named)  # type: ignore[arg-type]  # passed on

    with monkeypatch.context() as patch:
        patch.setattr(Environment, "_generate", counting)
        visitor = create_app(
            Settings(data_dir=folder, database_url=f"sqlite:///{folder.parent / 'none.db'}")
        ).test_client()
        assert visitor.get("/robots.txt").status_code == 200
        assert visitor.get("/no-such-page").status_code == 404
    return len(counted)


def test_a_template_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    first = compiled(folder, monkeypatch)
    kept = folder / "templates"
    assert first == len(list(kept.iterdir())) > 0
    assert kept.stat().st_mode & 0o077 == 0, "others can write what is run"
    assert compiled(folder, monkeypatch) == 0
    for length in (17, 40, None):
        for each in kept.iterdir():
            each.write_bytes(each.read_bytes()[:length] if length else b"damaged")
        assert compiled(folder, monkeypatch) == first, length
    monkeypatch.setattr(web.compiled_templates, "__version__", "another")
    assert compiled(folder, monkeypatch) == first
    away = tmp_path / "away"
    away.mkdir()
    (away / "templates").write_text("no folder")
    assert compiled(away, monkeypatch) == compiled(away, monkeypatch) == first
