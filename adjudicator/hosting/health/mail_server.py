"""Checks whether letters can go out and come in, without sending one."""

import smtplib
import ssl
from urllib.parse import SplitResult, unquote, urlsplit

from adjudicator.hosting.listeners import host_and_port, reachable_host
from adjudicator.platform.config import Settings


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


# --- letters in


def why_silent(url: str, *, seconds: float) -> str | None:
    """Return why letters cannot be handed to the inbox at INBOX_URL; None if they can."""
    parts, (host, port) = urlsplit(url), host_and_port(url)
    try:
        with _client(parts)(reachable_host(host), port, timeout=seconds) as client:
            code, _ = client.ehlo()
            return None if code == 250 else f"it says {code}"
    except smtplib.SMTPResponseException as refusal:
        return f"it says {refusal.smtp_code}"
    except (OSError, smtplib.SMTPException) as fault:
        return str(fault) or type(fault).__name__


def _client(parts: SplitResult) -> type[smtplib.SMTP]:
    return smtplib.LMTP if parts.scheme == "lmtp" else smtplib.SMTP


def why_not_fetched(settings: Settings, *, seconds: float) -> str | None:
    """Return why letters cannot be fetched from IMAP_URL; None if they can."""
    from worker.inbox.imap import SERVER_FAULTS, open_mailbox

    try:
        with open_mailbox(settings, seconds):
            return None
    except SERVER_FAULTS as fault:
        return _without_password(str(fault) or type(fault).__name__, settings)


def _without_password(words: str, settings: Settings) -> str:
    password = urlsplit(settings.imap_url.get_secret_value()).password or ""
    for spelling in filter(None, (password, unquote(password))):
        words = words.replace(spelling, "***")
    return " ".join(words.split())[:200]
