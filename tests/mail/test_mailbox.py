"""The local mailbox: one file for each Message-ID, readable by its owner only; no file breaks the
page.
"""

import stat
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.mail.composing.headers import POLICY
from adjudicator.mail.composing.mime import WrittenLetter
from adjudicator.mail.sending.mailbox import LocalMailbox
from tests.mail.composed import as_written
from tests.mail.mail_harness import EVENING


def letter(uid: str = "a1b2c3", subject: str = "Hello", minutes: int = 0) -> WrittenLetter:
    message = EmailMessage(POLICY)
    message["Message-ID"] = f"<{uid}@example.org>"
    message["Subject"], message["To"], message["Date"] = (
        subject,
        "alice@example.org",
        EVENING + timedelta(minutes=minutes),
    )
    message.set_content("Text\n", cte="quoted-printable")
    message.add_alternative('<img src="cid:p@example.org">', subtype="html", cte="quoted-printable")
    html = message.get_body(("html",))
    assert html is not None
    html.add_related(b"\x89PNG", "image", "png", cid="<p@example.org>")
    return as_written(message)


@pytest.fixture
def mailbox(tmp_path: Path) -> LocalMailbox:
    return LocalMailbox(tmp_path / "var" / "mailbox")


def test_a_letter_reads_back_whole_with_its_picture_in_place(mailbox: LocalMailbox) -> None:
    mailbox.post(letter())
    (found,) = mailbox.letters()
    assert (found.name, found.subject, found.to, found.date) == (
        "a1b2c3",
        "Hello",
        "alice@example.org",
        EVENING,
    )
    assert (found.text, found.picture) == ("Text\n", b"\x89PNG")
    assert found.html.strip() == '<img src="data:image/png;base64,iVBORw==">'
    assert mailbox.letter("a1b2c3") == found


def test_a_list_is_made_of_the_headers_alone(
    mailbox: LocalMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        mailbox.post(letter(f"letter{number}", subject="Grüße " * 20, minutes=number))
    whole = [(each.name, each.subject, each.to, each.date) for each in mailbox.letters()]
    # nothing reads what a letter says
    monkeypatch.setattr("adjudicator.mail.sending.mailbox._content", None)
    assert [(each.name, each.subject, each.to, each.date) for each in mailbox.heads()] == whole
    (mailbox.folder / "letter1.eml").write_bytes(b"Date: never\r\nSubject: x\r\n\r\nText")
    assert [each.name for each in mailbox.heads()] == ["letter2", "letter0"]


def test_the_same_letter_posted_twice_is_one_file(mailbox: LocalMailbox) -> None:
    mailbox.post(letter())
    mailbox.post(letter(subject="Again"))
    assert [path.name for path in mailbox.folder.iterdir()] == ["a1b2c3.eml"]
    assert [found.subject for found in mailbox.letters()] == ["Again"]


def test_only_the_owner_can_read_it(mailbox: LocalMailbox) -> None:
    mailbox.post(letter())
    assert stat.S_IMODE(mailbox.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((mailbox.folder / "a1b2c3.eml").stat().st_mode) == 0o600


def test_the_newest_letters_come_first_and_no_more_than_were_asked_for(
    mailbox: LocalMailbox,
) -> None:
    for number, minutes in enumerate((5, 1, 9)):
        mailbox.post(letter(f"letter{number}", minutes=minutes))
    assert [found.name for found in mailbox.letters(most=2)] == ["letter2", "letter0"]


@pytest.mark.parametrize(
    "name", ["../secret", "..", "", "a/b", "a\x00b", ".hidden", "a1b2c3.eml", "x" * 500, "é"]
)
def test_a_name_never_leads_out_of_the_folder(mailbox: LocalMailbox, name: str) -> None:
    mailbox.post(letter())
    (mailbox.folder.parent / "secret.eml").write_bytes(letter().content)
    assert mailbox.letter(name) is None


def test_a_strange_message_id_gets_a_safe_name(mailbox: LocalMailbox) -> None:
    mailbox.post(letter("../../etc/passwd"))
    mailbox.post(letter("x" * 300))
    assert len(mailbox.letters()) == 2
    assert {path.parent for path in mailbox.folder.iterdir()} == {mailbox.folder}


def test_files_that_are_no_letters_are_passed_over(mailbox: LocalMailbox) -> None:
    mailbox.post(letter())
    for name, content in {
        "empty": b"",
        "binary": bytes(range(256)) * 40,
        "headless": b"\r\n\r\nText",
        "wrongdate": b"Date: never\r\nSubject: x\r\n\r\nText",
        "wrongcharset": (
            b"Date: Sun, 22 Nov 2026 19:00:00 +0000\r\nContent-Type: text/plain;"
            b" charset=nonsense\r\n\r\nText"
        ),
        "brokenbase64": (
            b"Date: Sun, 22 Nov 2026 19:00:00 +0000\r\nContent-Type:"
            b" image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%"
        ),
    }.items():
        (mailbox.folder / f"{name}.eml").write_bytes(content)
    (mailbox.folder / "folder.eml").mkdir()
    (mailbox.folder / "link.eml").symlink_to("/etc/passwd")
    assert "a1b2c3" in [found.name for found in mailbox.letters()]
    assert mailbox.letter("link") is None
    assert mailbox.letter("folder") is None


def test_an_empty_mailbox_has_no_letters(mailbox: LocalMailbox) -> None:
    assert mailbox.letters() == []
    assert mailbox.letter("a1b2c3") is None


def test_a_letter_that_cannot_be_kept_leaves_nothing_behind(mailbox: LocalMailbox) -> None:
    mailbox.folder.mkdir(parents=True)
    (mailbox.folder / "a1b2c3.eml").mkdir()
    with pytest.raises(OSError):
        mailbox.post(letter())
    assert [path.name for path in mailbox.folder.iterdir()] == ["a1b2c3.eml"]
