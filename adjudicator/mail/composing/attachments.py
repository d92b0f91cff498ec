"""What is attached to a letter: a deadline as a calendar, a receipt of SEAL/1, what a report
proves, one's own data.
"""

import json

from adjudicator.mail.composing.mime import Part, encode_base64, file_part
from adjudicator.platform.config import Settings
from adjudicator.seal.commitments import Place, receipt_body
from adjudicator.service.letters.contents.answer_content import ReceiptLetter
from adjudicator.service.letters.contents.content import LetterContent
from adjudicator.service.letters.contents.match_content import NoticeLetter, ReportLetter
from adjudicator.service.letters.contents.seat_content import DataLetter
from adjudicator.service.letters.outbox import LetterToSend, SignedReceipt


def write_attachments(
    settings: Settings,
    letter: LetterToSend,
    content: LetterContent,
    written: LetterContent,
    link: str,
) -> list[Part]:
    """Return the attachments of a letter, whose `content` is `written` without what may not stand
    in a header; `link` is its match's.
    """
    attached = []
    if (
        isinstance(content, ReportLetter | NoticeLetter)
        and content.owed
        and not (isinstance(content, ReportLetter) and content.deserted)
    ):
        # what writes calendars is slow to import
        from adjudicator.mail.composing.deadlines import deadline_calendar

        attached.append(deadline_calendar(settings, content, content.owed, letter.made_at, link))
    if isinstance(written, ReceiptLetter):
        attached.append(_json("receipt.json", receipt_of(written, letter.receipt)))
    if isinstance(written, ReportLetter) and written.proofs is not None:
        attached.append(_json("seal.json", proofs_of(written)))
    if isinstance(written, DataLetter):
        attached.append(
            file_part(
                "application/json", encode_base64(written.data.encode()), "sealed-orders-data.json"
            )
        )
    return attached


def _json(name: str, plain: dict[str, object]) -> Part:
    text = json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
    return file_part("application/json", encode_base64(text.encode()), name)


def proofs_of(content: ReportLetter) -> dict[str, object]:
    """Return what a report tells its reader alone about the match's log, and in a first report what
    the log begins with.
    """
    head = {"index": content.log_index, "hash": content.log_hash}
    first = (
        {"anchors": content.anchors, "options": content.options}
        if content.anchors is not None
        else {}
    )
    return {"match": content.uid, "head": head, **(content.proofs or {}), **first}


def receipt_of(content: ReceiptLetter, signed: SignedReceipt | None) -> dict[str, object]:
    """Return a receipt of SEAL/1: the signed body, the parts with their nonces, the signature and
    the fingerprint of its key.
    """
    place = Place(content.uid, content.phase, content.seat, content.seq)
    commitments = [(part.part, part.commitment) for part in content.parts]
    body = receipt_body(
        place,
        channel=content.channel,
        at=content.at,
        disposition=content.disposition,
        commitments=commitments,
        head=signed.head if signed else None,
        chained=signed.chained if signed else None,
    )
    parts = [
        {
            "part": each.part,
            "ready": each.ready,
            "nonce": each.nonce,
            "commitment": each.commitment,
            "orders": "\n".join(each.orders),
        }
        for each in content.parts
    ]
    return {
        "receipt": body,
        "parts": parts,
        "signature": signed.signature if signed else None,
        "keys": content.fingerprint,
    }
