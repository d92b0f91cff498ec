"""The bill of materials names every pinned package once, with hashes, and every copied library."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.hosting.service import ROOT
from tools import sbom

LOCK = (ROOT / "requirements.txt").read_text()
TWO = f"""alpha==1.0 ; python_full_version < '3.12' \\
    --hash=sha256:{"0" * 64} \\
    --hash=sha256:{"1" * 64}
beta==2.1.post1 \\
    --hash=sha256:{"2" * 64}
"""


def test_each_pin_is_a_component_with_its_hashes_and_its_marker() -> None:
    alpha, beta = sbom.make_bill(TWO)["components"][:2]
    assert alpha["purl"] == "pkg:pypi/alpha@1.0"
    assert [digest["content"] for digest in alpha["hashes"]] == ["0" * 64, "1" * 64]
    assert alpha["properties"] == [
        {"name": "python:marker", "value": 'python_full_version < "3.12"'}
    ]
    assert (beta["name"], beta["version"], beta["properties"]) == ("beta", "2.1.post1", [])


def test_a_pin_without_a_hash_is_refused() -> None:
    with pytest.raises(ValueError, match="alpha has no hash"):
        sbom.make_bill("alpha==1.0\n")


def test_the_bill_lists_the_whole_lock_and_the_copied_libraries_once() -> None:
    components = sbom.make_bill(LOCK)["components"]
    refs = [component["bom-ref"] for component in components]
    pins = [
        f"pkg:pypi/{name}@{version}"
        for name, version in re.findall(r"^([\w.-]+)(?:\[.+\])?==(\S+)", LOCK, re.MULTILINE)
    ]
    assert refs == [*pins, "htmx.org 4.0.1", "Literata 5.3.0", "DejaVu fonts 2.37"]
    assert len(set(refs)) == len(refs) > 50
    assert (
        sum(len(component["hashes"]) for component in components)
        == LOCK.count("--hash=sha256:") + 1 + 4 + 4
    )


def test_the_command_prints_the_same_bytes_each_time() -> None:
    command = [sys.executable, "-P", "-m", "tools.sbom"]
    printed = {
        subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert json.loads(printed.pop())["bomFormat"] == "CycloneDX"
    assert not printed
