"""Letters that attack the reader: too large to store as files, or measured."""

from collections.abc import Callable

HEAD = b"From: bob@example.com\nSubject: x\n"


def nested(levels: int) -> bytes:
    """Return a letter of nested parts with the text in the innermost."""
    return (
        HEAD
        + b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level)
            for level in range(levels)
        )
        + b"\nB3\n"
    )


def html(body: bytes) -> bytes:
    """Return a letter of HTML only."""
    return HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + body


def bounce(status: bytes) -> bytes:
    """Return a mail server's report with this status part."""
    return (
        b"From: mailer-daemon@mx.example.com\nReturn-Path: <>\nContent-Type: multipart/report;"
        b" boundary=b\n\n--b\n\nFailed\n--b\nContent-Type: message/delivery-status\n\n"
        + status
        + b"\n--b--\n"
    )


LETTERS: dict[str, Callable[[], bytes]] = {
    "a To of 412 bytes that breaks the standard parser": (
        lambda: b"To: " + b"(" * 408 + b"\n" + HEAD + b"\nB3\n"
    ),
    "a From of nested comments": lambda: b"From: " + b"(" * 100_000 + b"\n\nB3\n",
    "a subject of 224 KB of encoded words": (
        lambda: b"Subject: " + b"=?utf-8?q?=41?= " * 14_000 + b"\nFrom: bob@example.com\n\nB3\n"
    ),
    "a subject of broken encoded words": (
        lambda: b"Subject: " + b"=?utf-8?q?" * 22_400 + b"\n\nB3\n"
    ),
    "a content type of 151 KB": (
        lambda: HEAD + b"Content-Type: text/plain; " + b'a="\\' * 37_000 + b"\n\nB3\n"
    ),
    "a content type of parameters in pieces": lambda: (
        HEAD
        + b"Content-Type: text/plain"
        + b"".join(b"; a*%d*=x" % n for n in range(20_000))
        + b"\n\nB3\n"
    ),
    "a hundred thousand fields": lambda: HEAD + b"X-A: b\n" * 100_000 + b"\nB3\n",
    "one field folded a hundred thousand times": (
        lambda: HEAD + b"X-A: b\n" + b" c\n" * 100_000 + b"\nB3\n"
    ),
    "a header that never ends": lambda: HEAD + b"X-A: " + b"y" * 4_000_000,
    "references to fifty thousand letters": (
        lambda: HEAD + b"References: " + b"<a@example.org> " * 50_000 + b"\n\nB3\n"
    ),
    "nested a thousand deep": lambda: nested(1000),
    "nested a hundred thousand deep": lambda: nested(100_000),
    "ten thousand parts": (
        lambda: (
            HEAD
            + b"Content-Type: multipart/mixed; boundary=b\n\n"
            + b"--b\n\nB3\n" * 10_000
            + b"--b--\n"
        )
    ),
    "a million boundaries": (
        lambda: HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * 1_000_000
    ),
    "html nested thirty thousand deep": lambda: html(b"<div>" * 30_000 + b"B3"),
    "html of tables within tables": lambda: html(b"<table><tr><td>" * 60 + b"B3"),
    "html of a wide table": lambda: html(
        b"<table>" + (b"<tr>" + b"<td>x</td>" * 100 + b"</tr>") * 200 + b"</table>B3"
    ),
    "html of a table of a thousand by a thousand": lambda: html(
        b"<table>" + (b"<tr>" + b"<td>B3</td>" * 1000 + b"</tr>") * 250 + b"</table>W2"
    ),
    "html of a table of a million fields": lambda: html(
        b"<table>" + (b"<tr>" + b"<td>B" * 1000) * 1000 + b"</table>W2"
    ),
    "html of three hundred long paragraphs": lambda: html((b"<p>" + b"x " * 450 + b"</p>") * 300),
    "html of quotes by style": lambda: html(
        b'<div style="border-left:1px solid;padding-left:1ex">' * 110 + b"x"
    ),
    "a line of a megabyte that begins like an announcement": lambda: (
        HEAD + b"\nB3\nOn 20 Nov 2026 at 20:00, " + b"wrote " * 180_000 + b":\n"
    ),
    "a line of a megabyte that begins like a field": (
        lambda: HEAD + b"\nB3\nFrom: " + b"a: " * 350_000 + b"\nSent: x\nTo: y\n"
    ),
    "a line of a megabyte of dashes": lambda: HEAD + b"\nB3\n" + b"-" * 1_000_000 + b"x\n",
    "lines of a megabyte of dates": lambda: HEAD + b"\nB3\n" + (b"22 11 2026 " * 90 + b"\n") * 1000,
    "a hundred thousand fields in no language": (
        lambda: HEAD + b"\nB3\n" + b"Wopa: bonkoyo\n" * 100_000
    ),
    "a hundred thousand folded fields": lambda: HEAD + b"\nB3\n" + b"Wopa: bonkoyo\nx\n" * 50_000,
    "a hundred thousand titles": lambda: HEAD + b"\nB3\n" + b"--- Wopa bonkoyo ---\n" * 100_000,
    "addresses without an end": (
        lambda: HEAD + b"\nB3\n" + (b"On 22 Nov 2026 <" + b"a@" * 190 + b"\n") * 2_000
    ),
    "stray bytes in UTF-8": (
        lambda: HEAD + b"Content-Type: text/plain; charset=utf-8\n\nB3\n" + b"a\xe9" * 500_000
    ),
    "a delay notice without an end": lambda: (
        b"Return-Path: <>\nFrom: mailer-daemon@mx.example.com\nSubject: failure notice\n\n"
        + b"will be delivery is " * 50_000
    ),
    "html of entities": lambda: html(b"&nbsp;" * 600_000 + b"B3"),
    "html of unclosed comments": lambda: html(b"<!--" * 100_000 + b"B3"),
    "html of attributes": lambda: html(b"<p " + b"a=b " * 60_000 + b">B3"),
    "html of quotes within quotes": lambda: html(
        b"<blockquote>" * 100 + b"x" + b"</blockquote>" * 100 + b"B3"
    ),
    "html of signatures within signatures": lambda: html(
        b'<div class="gmail_signature">' * 115 + b"Aa bb-cc dd\n" * 16_000 + b"\nB3"
    ),
    "html struck through a hundred times": lambda: html(b"<s>" * 110 + b"B3<br>" * 20_000),
    "html of rules without an end": lambda: html(
        b"<style>" + b"p{color:#fff;" * 15_000 + b"</style>B3"
    ),
    "html of comments in a style sheet": lambda: html(b"<style>" + b"/*" * 90_000 + b"</style>B3"),
    "html of many classes and many rules": lambda: html(
        b"<style>"
        + b"".join(b".a%d{display:none}" % n for n in range(3_000))
        + b"</style>"
        + b"<p class='a a a a a a a b'>B3" * 6_000
    ),
    "html of long styles": lambda: html(
        b"<p style='"
        + b"color:#fff;" * 8_000
        + b"'>B3</p>"
        + b"<p style='text-decoration:line-through'>W2"
    ),
    "html of rules drawn across it": lambda: html(b"<hr>" * 45_000 + b"B3"),
    "html of coloured bars": lambda: html(
        b"<table><tr><td width=2 bgcolor=blue>" * 39 + b"<td>x" * 30_000
    ),
    "a line of tildes": lambda: HEAD + b"\nB3\n" + b"~" * 1_000_000,
    "lines of struck pieces": lambda: HEAD + b"\nB3\n" + (b"~~a~~ ~b~ " * 300 + b"\n") * 1_000,
    "letters with a stroke": (
        lambda: (
            HEAD + b"Content-Type: text/plain; charset=utf-8\n\nB3\n" + "B\u0336".encode() * 150_000
        )
    ),
    "quoted-printable lines of blanks": lambda: (
        HEAD
        + b"Content-Transfer-Encoding: quoted-printable\n\nB3\n"
        + (b"=" + b" " * 90_000 + b"\n") * 5
    ),
    "rules above our letter without an end": lambda: (
        HEAD + b"\nB3\n" + b"________________\nFrom: a\n" * 2_000 + b"Sealed Orders, https://x\n"
    ),
    "entities without an end": lambda: HEAD + b"\nB3\n&nbsp;" + b"&" * 250_000,
    "a calendar of methods": (
        lambda: HEAD + b"Content-Type: text/calendar\n\n" + b"METHOD" * 500_000 + b"\n"
    ),
    "five megabytes of one line": lambda: HEAD + b"\n" + b"x" * 5_000_000,
    "five megabytes of empty lines": lambda: HEAD + b"\n" + b"\n" * 5_000_000,
    "five megabytes of carriage returns": lambda: HEAD + b"\n" + b"\r" * 5_000_000,
    "five megabytes of zeros": lambda: b"\0" * 5_000_000,
    "five megabytes of every byte": lambda: bytes(range(256)) * 20_000,
    "five megabytes of base64": (
        lambda: HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"QjMK" * 1_250_000
    ),
    "five megabytes of quoted-printable": (
        lambda: HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=42=33=0A" * 550_000
    ),
    "half a million combining marks": lambda: (
        HEAD
        + b"Content-Type: text/plain; charset=utf-8\n\nB3\na"
        + "\u0323\u0301".encode() * 250_000
    ),
    "a hundred thousand signatures": lambda: HEAD + b"\nB3\n" + b"--\n" * 100_000,
    "a hundred thousand announcements": (
        lambda: HEAD + b"\nB3\n" + b"On 20 Nov 2026 at 20:00, Bob wrote and wrote\n" * 100_000
    ),
    "a hundred thousand fields in the text": (
        lambda: HEAD + b"\nB3\n" + b"From: a@example.org\n" * 100_000
    ),
    "a hundred thousand rules": lambda: HEAD + b"\nB3\n" + b"________________\n" * 100_000,
    "a hundred thousand flowed lines": (
        lambda: HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"B3 \n" * 100_000
    ),
    "utf-7 without an end": (
        lambda: HEAD + b"Content-Type: text/plain; charset=utf-7\n\nB3\n+" + b"A" * 500_000
    ),
    "a bounce of a hundred thousand recipients": lambda: bounce(
        b"Final-Recipient: rfc822;a@example.org\nAction: failed\n\n" * 100_000
    ),
    "a bounce that is one line": lambda: bounce(b"Final-Recipient: rfc822;" + b"a@" * 1_000_000),
    "an odd bounce of a megabyte": lambda: (
        b"From: mailer-daemon@mx.example.com\nSubject: failure notice\n\n"
        + b"<bob@example.com>:\n(" * 60_000
    ),
    "an odd bounce nested deep": (
        lambda: (
            b"Return-Path: <>\n" + nested(1000).replace(b"Subject: x", b"Subject: Undeliverable")
        )
    ),
}
