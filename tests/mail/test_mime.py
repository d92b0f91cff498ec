"""Letters as bytes: what a reader's program makes of them is what it makes of the email package's
own.
"""

from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.policy import default

import pytest

from adjudicator.mail.composing.headers import POLICY
from adjudicator.mail.composing.mime import (
    Part,
    encode_base64,
    file_part,
    text_part,
    write_header,
    write_message,
    write_verbatim,
)

AT = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
TEXTS = (
    "Plain.\n",
    "Ends without a line end",
    "-- \nA signature, and a trailing space \n",
    ".\n..\nFrom nobody\n",
    "Ünïcödé ✉️ 🏔️ = equals\n",
    "long " * 100 + "\n",
    "x" * 300 + "\n",
    "é" * 75 + "\n",
    "tab\t\nsoft=\n=3D\n",
    "\n\n\n",
)
SUBJECTS = (
    "[Table] Round 1",
    "Long " * 30,
    "Réunion ✉️ " * 12,
    "=?utf-8?q?Bcc:=20x?=",
    "word" * 60,
    "",
    "emoji 🏔️",
    "a" * 67,
    "a" * 68,
)


def parts_of(message: MIMEPart) -> list[tuple[str, str, str | None, object]]:
    return [
        (
            each.get_content_type(),
            each.get_content_disposition() or "",
            each.get_filename(),
            "" if each.is_multipart() else each.get_content(),
        )
        for each in message.walk()
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_a_letter_reads_as_the_email_package_would_write_it(text: str) -> None:
    png = bytes(range(256)) * 9
    ours = write_message(
        [write_header("To", Address(addr_spec="alice@example.org"))],
        Part(
            "multipart/mixed",
            parts=(
                Part(
                    "multipart/alternative",
                    parts=(
                        text_part('text/plain; charset="utf-8"', text),
                        Part(
                            "multipart/related",
                            parts=(
                                text_part('text/html; charset="utf-8"', f"<p>{text}"),
                                file_part(
                                    "image/png",
                                    encode_base64(png),
                                    "board.png",
                                    cid="p@example.org",
                                ),
                            ),
                        ),
                    ),
                ),
                file_part("application/json", encode_base64(b"{}"), "seal.json"),
            ),
        ),
        "abc",
    )
    theirs = EmailMessage(POLICY)
    theirs["To"] = Address(addr_spec="alice@example.org")
    theirs.set_content(text, cte="quoted-printable")
    theirs.add_alternative(f"<p>{text}", subtype="html", cte="quoted-printable")
    html = theirs.get_body(("html",))
    assert html is not None
    html.add_related(
        png, "image", "png", cid="<p@example.org>", disposition="inline", filename="board.png"
    )
    theirs.add_attachment(b"{}", "application", "json", filename="seal.json")
    read = message_from_bytes(ours, policy=default)
    assert parts_of(read) == parts_of(message_from_bytes(theirs.as_bytes(), policy=default))
    assert read["MIME-Version"] == "1.0" and not read.defects
    lines = ours.split(b"\r\n")
    assert max(map(len, lines)) <= 76 and b"\n" not in b"".join(lines)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_header_has_the_bytes_of_the_email_package(subject: str) -> None:
    message = EmailMessage(POLICY)
    message["Subject"] = subject
    assert f"{write_header('Subject', subject)}\r\n\r\n" == message.as_bytes().decode()


@pytest.mark.parametrize("address", ["alice@example.org", f"{'a' * 64}@{'b' * 60}.example.org"])
@pytest.mark.parametrize("name", ["", "Sealed Orders", 'A "quoted" name', "Ämter und Orden"])
def test_an_address_reads_as_the_email_package_would_write_it(name: str, address: str) -> None:
    message, wanted = EmailMessage(POLICY), Address(name, addr_spec=address)
    message["To"] = wanted
    line = write_header("To", wanted)
    assert (
        message_from_bytes(f"{line}\r\n\r\n".encode(), policy=default)["To"].addresses[0] == wanted
    )
    assert f"{line}\r\n\r\n" == message.as_bytes().decode() or not name.isalpha()


def test_a_date_has_the_bytes_of_the_email_package() -> None:
    message = EmailMessage(POLICY)
    message["Date"] = AT
    assert f"{write_header('Date', AT)}\r\n\r\n" == message.as_bytes().decode()


@pytest.mark.parametrize(
    "value",
    [
        "<a@b>\r\nBcc: x@example.org",
        "<a@b>\nBcc: x@example.org",
        "<a@b>\rBcc: x",
        "<a@b>\r\n\r\nText",
    ],
)
def test_no_value_begins_another_header(value: str) -> None:
    with pytest.raises(ValueError, match="line break"):
        write_message(
            [write_verbatim("References", value)], text_part("text/plain", "Text\n"), "abc"
        )


def test_base64_of_the_email_package_is_the_same() -> None:
    for size in (0, 1, 56, 57, 58, 1000):
        message = EmailMessage(POLICY)
        message.set_content(b"\x89" * size, "image", "png")
        assert encode_base64(b"\x89" * size) == message.as_bytes().partition(b"\r\n\r\n")[2]
