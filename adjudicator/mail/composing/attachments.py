"""What is attached to a letter: a deadline as a calendar, a receipt of SEAL/1, what a report proves, one's own data."""

import json
from datetime import UTC, datetime, timedelta

from icalendar import Alarm, Calendar, Event

from adjudicator.mail import addresses
from adjudicator.mail.composing.mime import Part, encode_base64, file_part, text_part
from adjudicator.platform import words
from adjudicator.platform.config import Settings
from adjudicator.seal.commitments import Place, receipt_body
from adjudicator.service.letters.contents.answer_content import ReceiptLetter
from adjudicator.service.letters.contents.content import LetterContent, OwedOrders
from adjudicator.service.letters.contents.match_content import NoticeLetter, ReportLetter
from adjudicator.service.letters.contents.seat_content import DataLetter
from adjudicator.service.letters.outbox import LetterToSend, SignedReceipt

_EARLY = ((timedelta(hours=36), timedelta(hours=24)), (timedelta(hours=4), timedelta(hours=3)), (timedelta(hours=1), timedelta(minutes=30)))


def write_attachments(
    settings: Settings, letter: LetterToSend, content: LetterContent, written: LetterContent, link: str
) -> list[Part]:  # fmt: skip
    """Return the attachments of a letter, whose `content` is `written` without what may not stand in a header; `link` is its match's."""
    attached = []
    if isinstance(content, ReportLetter | NoticeLetter) and content.owed:
        attached.append(_deadline(settings, content, content.owed, letter.made_at, link))
    if isinstance(written, ReceiptLetter):
        attached.append(_json("receipt.json", receipt_of(written, letter.receipt)))
    if isinstance(written, ReportLetter) and written.proofs is not None:
        attached.append(_json("seal.json", proofs_of(written)))
    if isinstance(written, DataLetter):
        attached.append(file_part("application/json", encode_base64(written.data.encode()), "sealed-orders-data.json"))
    return attached


def _json(name: str, plain: dict[str, object]) -> Part:
    text = json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
    return file_part("application/json", encode_base64(text.encode()), name)


def _deadline(settings: Settings, content: ReportLetter | NoticeLetter, owed: OwedOrders, made_at: datetime, link: str) -> Part:
    """Return the deadline of the orders that are owed as a calendar (RFC 5545, RFC 6047); it holds no orders.

    A match and seat have one entry: that of a newer letter replaces it.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Sealed Orders//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(_deadline_event(settings, content, owed, made_at, link))
    text = str(calendar.to_ical(), "utf-8").replace("\r\n", "\n")
    return text_part('text/calendar; charset="utf-8"; method="PUBLISH"', text, filename="deadline.ics")


def _deadline_event(settings: Settings, content: ReportLetter | NoticeLetter, owed: OwedOrders, made_at: datetime, link: str) -> Event:
    """Return the calendar's entry; composing it again gives the same one."""
    deadline = owed.deadline.astimezone(UTC)
    summary = f"Orders for {owed.phase} of {content.match}"
    event = Event()
    event.add("uid", f"deadline-{content.uid}-{content.seat}@{addresses.mail_host(settings)}")
    event.add("dtstamp", made_at.replace(microsecond=0))
    event.add("sequence", owed.number)
    event.add("dtstart", deadline.replace(microsecond=0))
    event.add("summary", summary)
    event.add("description", f"{content.game}: you owe orders for {owed.phase} as {words.seat_phrase(content.seat)}.\n{link}")
    event.add("url", link)
    event.add("transp", "TRANSPARENT")  # takes no time of the day
    warning = next((early for left, early in _EARLY if deadline - made_at >= left), None)
    if warning is not None:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("trigger", -warning)
        alarm.add("description", summary)
        event.add_component(alarm)
    return event


def proofs_of(content: ReportLetter) -> dict[str, object]:
    """Return what a report tells its reader alone about the match's log, and in a first report what the log begins with."""
    head = {"index": content.log_index, "hash": content.log_hash}
    first = {"anchors": content.anchors, "options": content.options} if content.anchors is not None else {}
    return {"match": content.uid, "head": head, **(content.proofs or {}), **first}


def receipt_of(content: ReceiptLetter, signed: SignedReceipt | None) -> dict[str, object]:
    """Return a receipt of SEAL/1: the signed body, the parts with their nonces, the signature and the fingerprint of its key."""
    place = Place(content.uid, content.phase, content.seat, content.seq)
    commitments = [(part.part, part.commitment) for part in content.parts]
    body = receipt_body(
        place, channel=content.channel, at=content.at, disposition=content.disposition, commitments=commitments,
        head=signed.head if signed else None, chained=signed.chained if signed else None,
    )  # fmt: skip
    parts = [
        {"part": each.part, "ready": each.ready, "nonce": each.nonce, "commitment": each.commitment, "orders": "\n".join(each.orders)}
        for each in content.parts
    ]
    return {"receipt": body, "parts": parts, "signature": signed.signature if signed else None, "keys": content.fingerprint}
