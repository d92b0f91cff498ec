"""Checkpoints that somebody saved: a note, the file of `sealed witness`, a match's bundle; in a
file or at an address.
"""

import json
from pathlib import Path
from urllib.parse import urlsplit

from adjudicator.hosting.messages import CannotStart
from adjudicator.hosting.watching.log_watch import PageReader


def read_checkpoint(source: str) -> str:
    """Return the note of a saved checkpoint; raises CannotStart or WatchFault with a sentence."""
    scheme = urlsplit(source).scheme
    try:
        data = PageReader()(source) if scheme in ("http", "https") else Path(source).read_bytes()
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"{source} holds no checkpoint that can be read: {error}.") from error
    return _in_json(source, text) if text.lstrip()[:1] == "{" else text


def _in_json(source: str, text: str) -> str:
    try:
        found = json.loads(text)["checkpoint"]
        return str(found["note"] if isinstance(found, dict) else found)
    except (ValueError, KeyError, TypeError) as error:
        raise CannotStart(
            f"{source} holds no checkpoint: give a note, the file of `sealed witness`, or a"
            " log.json."
        ) from error
