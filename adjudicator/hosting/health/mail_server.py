"""Checks whether a mail server would accept letters, without sending one."""

import smtplib
import ssl
from urllib.parse import unquote, urlsplit


def why_unreachable(url: str, *, seconds: float) -> str | None:
    """Return why letters cannot be handed to the server at smtp[s]://user:password@host:port; None if they can."""
    parts = urlsplit(url)
    try:
        with _connect(parts.scheme, parts.hostname or "", parts.port or 0, seconds) as server:
            server.ehlo()
            if parts.scheme == "smtp" and server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
                server.ehlo()
            if parts.username:
                server.login(unquote(parts.username), unquote(parts.password or ""))
    except smtplib.SMTPResponseException as refusal:
        return f"it says {refusal.smtp_code} {_text(refusal.smtp_error)}"
    except (OSError, smtplib.SMTPException) as fault:
        return str(fault) or type(fault).__name__
    return None


def _connect(scheme: str, host: str, port: int, seconds: float) -> smtplib.SMTP:
    if scheme == "smtps":
        return smtplib.SMTP_SSL(host, port, timeout=seconds, context=ssl.create_default_context())
    return smtplib.SMTP(host, port, timeout=seconds)


def _text(words: bytes | str) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words
