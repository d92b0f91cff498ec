"""Compiled templates, kept in the data folder, so that a start compiles only those that have
changed.
"""

import contextlib
import pickle
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from adjudicator import __version__

_PRIVATE = 0o700  # what stands there is run


class CompiledTemplates(FileSystemBytecodeCache):
    """The templates that a site has compiled before. Where it cannot keep them, it compiles them at
    each start.
    """

    def __init__(self, data_dir: Path) -> None:
        super().__init__(str(data_dir / "templates"))

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum by which a template is known; another release or Jinja compiles it
        anew.
        """
        return super().get_source_checksum(f"{__version__} {jinja2.__version__} {source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template that is kept; one that is damaged is compiled anew."""
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        with contextlib.suppress(OSError):
            Path(self.directory).mkdir(mode=_PRIVATE, exist_ok=True)
            super().dump_bytecode(bucket)
