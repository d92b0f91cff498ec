"""`sealed block` on the command line."""

from pathlib import Path

from adjudicator.platform import db
from tests.hosting.test_check import sealed


def test_the_host_blocks_lists_and_unblocks(tmp_path: Path) -> None:
    db.migrate(f"sqlite:///{tmp_path / 'sealed.sqlite3'}")

    def block(*words: str) -> str:
        done = sealed("block", *words, DATA_DIR=str(tmp_path))
        return f"{done.returncode} {done.stdout}{done.stderr}".strip()

    assert block("--list") == "0 Nothing is blocked."
    assert block("Mallory@evil.example", "evil.test") == "0 mallory@evil.example is blocked.\nevil.test is blocked."
    assert block("--list") == "0 evil.test\nmallory@evil.example"
    assert block("--remove", "evil.test", "--list") == "0 evil.test is not blocked any more.\nmallory@evil.example"
    assert block("--remove", "evil.test").startswith("1 Error: evil.test is not blocked")
    assert block("no domain").startswith("1 Error: “no domain” is neither an address nor a domain")
    assert block().startswith("2 ")
