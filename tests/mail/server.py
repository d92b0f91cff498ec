"""A mail server on this machine that answers as a test tells it to."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Postmaster:
    """Takes letters, or answers them as `mail`, `rcpt` and `data` say; each answer is used once, then "250 OK" again."""

    def __init__(self) -> None:
        self.mail: list[str] = []
        self.rcpt: list[str] = []
        self.data: list[str] = []  # "drop" ends the connection after the letter was taken
        self.taken: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.senders: list[str] = []
        self.connections = 0
        self.recipients: list[str] = []
        self.encrypted: list[bool] = []
        self.logins: list[tuple[bytes, bytes]] = []

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:  # fmt: skip
        session.host_name = hostname  # type: ignore[assignment]  # typed as None
        self.connections += session.ssl is None
        return responses

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        answer = self.mail.pop(0) if self.mail else "250 OK"
        if answer.startswith("250"):
            envelope.mail_from, envelope.mail_options = address, options
        return answer

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        answer = self.rcpt.pop(0) if self.rcpt else "250 OK"
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        answer = self.data.pop(0) if self.data else "250 OK"
        if answer.startswith("250") or answer == "drop":
            content = envelope.content
            assert isinstance(content, bytes)
            self.raw.append(content)
            self.taken.append(message_from_bytes(content, policy=default))
            self.senders.append(str(envelope.mail_from))
            self.recipients += envelope.rcpt_tos
            self.encrypted.append(session.ssl is not None)
        if answer == "drop":
            assert server.transport is not None
            server.transport.close()
        return answer

    def login(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"open sesame", handled=False)


@contextmanager
def mail_server(postmaster: Postmaster, **options: Any) -> Iterator[str]:
    """Run the server on a free port of loopback; gives `127.0.0.1:port`."""
    controller = Controller(postmaster, hostname="127.0.0.1", port=free_port(), **options)
    controller.start()
    try:
        yield f"127.0.0.1:{controller.port}"
    finally:
        controller.stop()
        _close(controller.loop)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    if not loop.is_running() and not loop.is_closed():
        loop.close()


def free_port() -> int:
    """Return a port of loopback that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return a server's context with a certificate that nobody else signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.example.org")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(pem)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context
