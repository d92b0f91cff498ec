"""Letters that are composed, as mail: what a reader's program makes of the bytes that are sent."""

from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default

from adjudicator.mail.composing import compose, pictures
from adjudicator.mail.composing.compose import Show
from adjudicator.mail.composing.mime import WrittenLetter, encode_base64
from adjudicator.mail.composing.pictures import EncodedPicture
from adjudicator.platform.config import Settings
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.phases import reports

Draw = Callable[[str], bytes]


def shown_by(draw: Draw) -> Show:
    """Return what shows a view by the PNG that `draw` makes of its SVG."""

    def show(game_key: str, view: str) -> EncodedPicture:
        svg = reports.picture(game_key, view)
        return EncodedPicture(pictures.picture_title(svg), encode_base64(draw(svg)))

    return show


def compose_bytes(
    settings: Settings, letter: LetterToSend, draw: Draw = lambda svg: pictures.draw_png(svg)
) -> bytes:
    """Return the bytes of a claimed row's letter."""
    return compose.compose_letter(settings, letter, shown_by(draw)).content


def compose_letter(
    settings: Settings, letter: LetterToSend, draw: Draw = lambda svg: pictures.draw_png(svg)
) -> EmailMessage:
    """Return a claimed row's letter as mail."""
    return message_from_bytes(compose_bytes(settings, letter, draw), policy=default)


def as_written(message: EmailMessage) -> WrittenLetter:
    """Return a message of a test as a letter that was composed."""
    recipient = (
        message["To"].addresses[0].addr_spec
        if hasattr(message["To"], "addresses")
        else str(message["To"])
    )
    content = message.as_bytes(policy=message.policy if message.policy.linesep == "\r\n" else SMTP)
    return WrittenLetter(
        recipient,
        str(message["Subject"]),
        str(message["Message-ID"]),
        message["Date"].datetime,
        content,
    )
