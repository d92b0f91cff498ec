"""Composing a letter from its claimed row: text, HTML with an inline picture, and headers."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from urllib.parse import quote, urlsplit

from icalendar import Alarm, Calendar, Event

from adjudicator.mail import addresses
from adjudicator.mail.composing import pictures, rendering
from adjudicator.mail.composing.headers import POLICY, clean_content, one_line
from adjudicator.platform import words
from adjudicator.platform.config import Settings
from adjudicator.seal.commitments import Place, receipt_body
from adjudicator.service.letters import kinds
from adjudicator.service.letters.answer_content import ReceiptLetter, Reply
from adjudicator.service.letters.content import LetterContent, OwedOrders
from adjudicator.service.letters.match_content import NoticeLetter, ReportLetter
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.letters.seat_content import InvitationLetter, OfferLetter, SignInLetter, TournamentLetter
from adjudicator.service.phases import reports

LONGEST_SUBJECT = 200
_NO_AUTOMATIC_ANSWERS = "DR, RN, NRN, OOF, AutoReply"
# kinds with a line above which answers are written
_ANSWERED = frozenset({
    "report", "receipt", "notice", "reminder", "proposal", "invitation", "gathering", "answer", "confirm", "press", "seat", "offer",
    "running", "reported", "stuck", "unreachable", "tournament",
})  # fmt: skip

_EARLY = ((timedelta(hours=36), timedelta(hours=24)), (timedelta(hours=4), timedelta(hours=3)), (timedelta(hours=1), timedelta(minutes=30)))

Draw = Callable[[str], bytes]


def compose_letter(settings: Settings, letter: LetterToSend, draw: Draw = pictures.draw_png) -> EmailMessage:
    """Return the letter of a claimed row; composing it again gives the same bytes.

    `draw` renders an SVG as PNG. Raises jinja2.TemplateError for a fault in a template; ValueError, LookupError or TypeError
    where the row's context does not fit its kind, or its address is invalid.
    """
    written = kinds.load_context(letter.kind, letter.context)
    content = clean_content(written)
    svg = reports.picture(content.game_key, content.view) if content.view else ""
    picture = _picture(settings, letter, svg) if svg else None
    answers = settings.answerable and (letter.kind != "invitation" or _reply_token(written) is not None)
    links = _links(settings, content)
    values = vars(content) | {
        "kind": letter.kind, "made_at": letter.made_at, "site": settings.site_url, "answers": answers,
        "marked": answers and letter.kind in _ANSWERED, "links": links, "never_address": _never_address(settings, content),
        "signature": letter.signature, "picture": picture,
        "guide": rendering.render_rules(content.rules_of) if isinstance(content, Reply) and content.rules_of else None,
    }  # fmt: skip
    message = EmailMessage(POLICY)
    _head(message, settings, letter, written, rendering.render_text(f"{letter.kind}/subject.txt", values))
    message.set_content(rendering.render_text(f"{letter.kind}/body.txt", values), cte="quoted-printable")
    message.add_alternative(rendering.render_page(f"{letter.kind}/body.html", values), subtype="html", cte="quoted-printable")
    if picture:
        _show(message, draw(svg), str(picture["cid"]))
    if isinstance(content, ReportLetter | NoticeLetter) and content.owed:
        _attach_deadline(message, settings, content, content.owed, letter.made_at, links["match"])
    if isinstance(written, ReceiptLetter):
        _attach_receipt(message, written, letter.signature)
    _fix_boundaries(message, letter.uid)
    return message


def _picture(settings: Settings, letter: LetterToSend, svg: str) -> dict[str, str | int]:
    """Return what the HTML needs of the picture: the id of its part, its alternative text, its width."""
    return {"cid": f"picture.{letter.uid}@{addresses.mail_host(settings)}", "alt": pictures.picture_title(svg), "width": pictures.WIDTH}


def _links(settings: Settings, content: LetterContent) -> dict[str, str]:
    """Return the web addresses of a letter's links."""
    site = settings.site_url
    links = {"home": site, "account": f"{site}/account"}
    links["stop"] = f"{site}/letters/stop/{content.stop_token}" if content.stop_token else links["account"]
    if content.never_token:
        links["never"] = f"{site}/letters/never/{content.never_token}"
    if content.uid:
        links["match"] = f"{site}/matches/{quote(content.uid, safe='')}"
        links["phases"] = f"{links['match']}/phases"
        links["press"] = f"{links['match']}/press"
        links["rules"] = f"{site}/rules/{quote(content.game_key, safe='')}"
    if isinstance(content, TournamentLetter):
        links["tournament"] = f"{site}/tournaments/{quote(content.tournament, safe='')}"
        links["rules"] = f"{site}/rules/{quote(content.game_key, safe='')}"
    if isinstance(content, SignInLetter):
        after = f"?next={quote(content.next)}" if content.next != "/" else ""
        links["signin"] = f"{site}/sign-in/{quote(content.token, safe='')}{after}"
    if isinstance(content, InvitationLetter):
        links["invitation"] = f"{site}/invitations/{quote(content.token, safe='')}"
    if isinstance(content, OfferLetter):
        links["offer"] = f"{site}/offers/{quote(content.token, safe='')}"
    return links


def _never_address(settings: Settings, content: LetterContent) -> str:
    """Return the address that stops all letters to whoever writes to it; "" where there is none, or no inbox is set."""
    if not content.never_token or not settings.answerable:
        return ""
    return addresses.token_address(settings, addresses.NEVER + content.never_token).addr_spec


# --- headers


def _head(message: EmailMessage, settings: Settings, letter: LetterToSend, content: LetterContent, subject: str) -> None:
    message["From"] = addresses.service_address(settings)
    message["To"] = addresses.checked_address(letter.address)
    reply_to = _reply_token(content)
    if reply_to is not None:
        message["Reply-To"] = addresses.token_address(settings, reply_to)
    subject = one_line(subject)
    message["Subject"] = subject if len(subject) <= LONGEST_SUBJECT else subject[: LONGEST_SUBJECT - 1] + "…"
    message["Date"] = letter.made_at
    message["Message-ID"] = addresses.message_id(settings, letter.uid)
    _thread(message, settings, content)
    message["Auto-Submitted"] = "auto-generated" if content.in_reply_to is None else "auto-replied"
    message["X-Auto-Response-Suppress"] = _NO_AUTOMATIC_ANSWERS
    message["X-Sealed-Orders"] = (urlsplit(settings.site_url).hostname or "").encode("idna").decode()  # for other instances
    if content.stop_token:
        _unsubscribe(message, settings, "stop", addresses.STOP, content.stop_token)
    elif content.never_token:
        _unsubscribe(message, settings, "never", addresses.NEVER, content.never_token)


def _reply_token(content: LetterContent) -> str | None:
    """Return the secret part of the address that an answer goes to; None for the service's own address."""
    token = content.token if isinstance(content, InvitationLetter | OfferLetter) else content.reply_token
    return token if token is not None and addresses.fits_address(token) else None


def _thread(message: EmailMessage, settings: Settings, content: LetterContent) -> None:
    """Put the letters of a match or a tournament into one thread, and an answer below the letter that it answers."""
    about = content.tournament if isinstance(content, TournamentLetter) else content.uid
    thread = addresses.thread_id(settings, about) if about else ""
    ids = [each for each in (thread, content.in_reply_to) if each]
    if ids:
        message["In-Reply-To"], message["References"] = ids[-1], " ".join(ids)


def _unsubscribe(message: EmailMessage, settings: Settings, page: str, prefix: str, token: str) -> None:
    """Let mail programs offer to unsubscribe, also with one click (RFC 8058)."""
    ways = [f"<{settings.site_url}/letters/{page}/{token}>"]
    if settings.answerable:
        ways.append(f"<mailto:{addresses.token_address(settings, prefix + token).addr_spec}>")
    message["List-Unsubscribe"] = ", ".join(ways)
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


# --- parts


def _show(message: EmailMessage, png: bytes, cid: str) -> None:
    """Put the picture beside the HTML, which shows it by its id."""
    html = message.get_body(("html",))
    if html is None:
        raise ValueError("the letter has no HTML part")
    html.add_related(png, "image", "png", cid=f"<{cid}>", disposition="inline", filename="board.png")


def _attach_deadline(
    message: EmailMessage, settings: Settings, content: ReportLetter | NoticeLetter, owed: OwedOrders, made_at: datetime, link: str
) -> None:  # fmt: skip
    """Attach the deadline of the orders that are owed as a calendar (RFC 5545, RFC 6047); it holds no orders.

    A match and seat have one entry: that of a newer letter replaces it.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Sealed Orders//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(_deadline_event(settings, content, owed, made_at, link))
    text = str(calendar.to_ical(), "utf-8").replace("\r\n", "\n")
    message.add_attachment(text, subtype="calendar", cte="quoted-printable", filename="deadline.ics", params={"method": "PUBLISH"})


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


def _attach_receipt(message: EmailMessage, content: ReceiptLetter, signature: str | None) -> None:
    """Attach the receipt of SEAL/1, which a program can verify."""
    receipt = json.dumps(receipt_of(content, signature), ensure_ascii=False, indent=1) + "\n"
    message.add_attachment(receipt.encode(), "application", "json", filename="receipt.json")


def receipt_of(content: ReceiptLetter, signature: str | None) -> dict[str, object]:
    """Return a receipt of SEAL/1: the signed body, the parts with their nonces, the signature and the fingerprint of its key."""
    place = Place(content.uid, content.phase, content.seat, content.seq)
    commitments = [(part.part, part.commitment) for part in content.parts]
    body = receipt_body(place, channel=content.channel, at=content.at, disposition=content.disposition, commitments=commitments)
    parts = [
        {"part": each.part, "ready": each.ready, "nonce": each.nonce, "commitment": each.commitment, "orders": "\n".join(each.orders)}
        for each in content.parts
    ]
    return {"receipt": body, "parts": parts, "signature": signature, "keys": content.fingerprint}


def _fix_boundaries(message: EmailMessage, uid: str) -> None:
    """Derive the boundaries from the row, so that the same letter has the same bytes. No encoded part can hold `=_`."""
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_{uid}_{number}")
