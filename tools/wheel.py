"""The `sealed` command of an installed wheel, where this file is `sealed_orders/__init__.py` beside
the packages.

Packages called `web` or `worker` may not be installed globally, so they are in this folder, on the
path of this process only.
"""

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run `python -m adjudicator` with the packages of this folder."""
    sys.path.insert(0, str(Path(__file__).parent))
    runpy.run_module("adjudicator", run_name="__main__")
