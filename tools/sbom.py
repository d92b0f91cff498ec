"""Prints the bill of materials (CycloneDX 1.6, JSON) of an installation: the pinned requirements,
and copied files.
"""

import hashlib
import json
import re
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

import adjudicator

ROOT = Path(__file__).parent.parent
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_COPIED = (  # name, version, licence, files
    ("htmx.org", "4.0.1", "0BSD", "web/static/htmx-4.0.1.min.js"),
    ("Literata", "5.3.0", "OFL-1.1", "web/static/fonts/*.woff2"),
    ("DejaVu fonts", "2.37", "Bitstream-Vera", "adjudicator/**/DejaVu*.ttf"),
)


def make_bill(requirements: str) -> dict[str, Any]:
    """Return the bill for a hash-pinned requirements file; equal texts give equal bills."""
    components = [*_pinned(requirements), *_copied()]
    content = json.dumps([adjudicator.__version__, components]).encode()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(content).hexdigest()).urn,
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "sealed-orders",
                "name": "sealed-orders",
                "version": adjudicator.__version__,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": components,
    }


def _pinned(requirements: str) -> Iterator[dict[str, Any]]:
    """Yield a package for each pin, with the hashes of its files. Raises ValueError for a pin
    without a hash.
    """
    for line in requirements.replace("\\\n", " ").splitlines():
        if not line or line.startswith("#"):
            continue
        pin, hashes = Requirement(line.partition("--hash")[0]), _HASH.findall(line)
        (version,) = (each.version for each in pin.specifier if each.operator == "==")
        if not hashes:
            raise ValueError(f"{pin.name} has no hash")
        address = f"pkg:pypi/{pin.name}@{version}"
        yield {
            "type": "library",
            "bom-ref": address,
            "name": pin.name,
            "version": version,
            "purl": address,
            "hashes": _hashes(hashes),
            "properties": (
                [{"name": "python:marker", "value": str(pin.marker)}] if pin.marker else []
            ),
        }


def _copied() -> Iterator[dict[str, Any]]:
    for name, version, licence, pattern in _COPIED:
        files = sorted(ROOT.glob(pattern))
        if not files:
            raise ValueError(f"{name}: there is no file {pattern}")
        yield {
            "type": "library",
            "bom-ref": f"{name} {version}",
            "name": name,
            "version": version,
            "hashes": _hashes([hashlib.sha256(file.read_bytes()).hexdigest() for file in files]),
            "licenses": [{"license": {"id": licence}}],
        }


def _hashes(digests: list[str]) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": digest} for digest in digests]


if __name__ == "__main__":
    json.dump(make_bill((ROOT / "requirements.txt").read_text()), sys.stdout, indent=2)
    sys.stdout.write("\n")
