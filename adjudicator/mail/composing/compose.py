"""Composing a letter from its claimed row: text, HTML with an inline picture, and headers."""

from collections.abc import Callable, Mapping
from email.headerregistry import Address
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from adjudicator.mail import addresses
from adjudicator.mail.composing import pictures, rendering
from adjudicator.mail.composing.attachments import write_attachments
from adjudicator.mail.composing.headers import clean_content, one_line
from adjudicator.mail.composing.mime import (
    Part,
    WrittenLetter,
    file_part,
    text_part,
    write_header,
    write_message,
    write_verbatim,
)
from adjudicator.mail.composing.pictures import EncodedPicture
from adjudicator.platform.config import Settings
from adjudicator.service.letters import kinds
from adjudicator.service.letters.contents.answer_content import Reply
from adjudicator.service.letters.contents.content import LetterContent, plain_token
from adjudicator.service.letters.contents.match_content import PressLetter
from adjudicator.service.letters.contents.seat_content import (
    InvitationLetter,
    OfferLetter,
    SignInLetter,
    TournamentLetter,
)
from adjudicator.service.letters.outbox import LetterToSend

LONGEST_SUBJECT = 200
_NO_AUTOMATIC_ANSWERS = "DR, RN, NRN, OOF, AutoReply"
# kinds with a line above which answers are written
_ANSWERED = frozenset(
    {
        "report",
        "receipt",
        "notice",
        "reminder",
        "proposal",
        "invitation",
        "gathering",
        "answer",
        "confirm",
        "press",
        "seat",
        "offer",
        "running",
        "reported",
        "stuck",
        "unreachable",
        "tournament",
    }
)

# from a game's key and a view; None: the letter goes without its picture
Show = Callable[[str, str], EncodedPicture | None]


def compose_letter(
    settings: Settings, letter: LetterToSend, show: Show = pictures.show_view
) -> WrittenLetter:
    """Return the letter of a claimed row; composing it again gives the same bytes.

    `show` returns the picture of a view. Raises jinja2.TemplateError for a fault in a template;
    ValueError, LookupError or TypeError where the row's context does not fit its kind, or its
    address is invalid.
    """
    written = kinds.load_context(letter.kind, letter.context)
    content = clean_content(written)
    shown = show(content.game_key, content.view) if content.view else None
    picture = _picture(settings, letter, shown) if shown else None
    answers = settings.answerable and (
        letter.kind != "invitation" or _reply_token(written) is not None
    )
    links = _links(settings, content)
    values = vars(content) | {
        "kind": letter.kind,
        "made_at": letter.made_at,
        "site": settings.site_url,
        "answers": answers,
        "marked": answers and letter.kind in _ANSWERED,
        "links": links,
        "never_address": _never_address(settings, content),
        "signature": letter.receipt.signature if letter.receipt else None,
        "picture": picture,
        "undrawn": bool(content.view) and shown is None,
        "guide": (
            rendering.render_rules(content.rules_of)
            if isinstance(content, Reply) and content.rules_of
            else None
        ),
    }
    subject = _subject(rendering.render_text(f"{letter.kind}/subject.txt", values))
    body = _body(letter.kind, values, shown.encoded if shown else b"")
    attached = write_attachments(settings, letter, content, written, links.get("match", ""))
    root = Part("multipart/mixed", parts=(body, *attached)) if attached else body
    names = _Named(
        addresses.checked_address(letter.address),
        subject,
        addresses.message_id(settings, letter.uid),
    )
    sent = write_message(_headers(settings, letter, written, names), root, letter.uid)
    return WrittenLetter(names.to.addr_spec, subject, names.message_id, letter.made_at, sent)


def _picture(
    settings: Settings, letter: LetterToSend, shown: EncodedPicture
) -> dict[str, str | int]:
    """Return what the HTML needs of the picture: the id of its part, its alternative text, its
    width.
    """
    return {
        "cid": f"picture.{letter.uid}@{addresses.mail_host(settings)}",
        "alt": shown.alt,
        "width": pictures.WIDTH,
    }


def _links(settings: Settings, content: LetterContent) -> dict[str, str]:
    """Return the web addresses of a letter's links."""
    site = settings.site_url
    links = {"home": site, "account": f"{site}/account"}
    links["stop"] = (
        f"{site}/letters/stop/{content.stop_token}" if content.stop_token else links["account"]
    )
    if content.never_token:
        links["never"] = f"{site}/letters/never/{content.never_token}"
    if content.uid:
        links["match"] = f"{site}/matches/{quote(content.uid, safe='')}"
        links["phases"] = f"{links['match']}/phases"
        ref = f"/{content.ref}" if isinstance(content, PressLetter) and content.ref else ""
        links["press"] = f"{links['match']}/press{ref}"
        links["rules"] = f"{site}/rules/{quote(content.game_key, safe='')}"
    if isinstance(content, TournamentLetter):
        links["tournament"] = f"{site}/tournaments/{quote(content.tournament, safe='')}"
        links["rules"] = f"{site}/rules/{quote(content.game_key, safe='')}"
    if isinstance(content, SignInLetter):
        after = f"?next={quote(content.next)}" if content.next != "/" else ""
        links["signin"] = f"{site}/sign-in/{quote(plain_token(content.token), safe='')}{after}"
    if isinstance(content, InvitationLetter):
        links["invitation"] = f"{site}/invitations/{quote(plain_token(content.token), safe='')}"
    if isinstance(content, OfferLetter):
        links["offer"] = f"{site}/offers/{quote(plain_token(content.token), safe='')}"
    return links


def _never_address(settings: Settings, content: LetterContent) -> str:
    """Return the address that stops all letters to whoever writes to it; "" where there is none, or
    no inbox is set.
    """
    if not content.never_token or not settings.answerable:
        return ""
    return addresses.token_address(
        settings, addresses.NEVER + plain_token(content.never_token)
    ).addr_spec


# --- headers


def _subject(text: str) -> str:
    subject = one_line(text)
    return subject if len(subject) <= LONGEST_SUBJECT else subject[: LONGEST_SUBJECT - 1] + "…"


class _Named(NamedTuple):
    """What identifies a letter to mail programs."""

    to: Address
    subject: str
    message_id: str


def _headers(
    settings: Settings, letter: LetterToSend, content: LetterContent, names: _Named
) -> list[str]:
    reply_to = _reply_token(content)
    answered = (
        [write_header("Reply-To", addresses.token_address(settings, reply_to))]
        if reply_to is not None
        else []
    )
    automatic = "auto-generated" if content.in_reply_to is None else "auto-replied"
    return [
        write_header("From", addresses.service_address(settings)),
        write_header("To", names.to),
        *answered,
        write_header("Subject", names.subject),
        write_header("Date", letter.made_at),
        write_verbatim("Message-ID", names.message_id),
        *_thread(settings, content),
        write_header("Auto-Submitted", automatic),
        write_header("X-Auto-Response-Suppress", _NO_AUTOMATIC_ANSWERS),
        # for other instances
        write_verbatim(
            "X-Sealed-Orders", (urlsplit(settings.site_url).hostname or "").encode("idna").decode()
        ),
        *_log_head(content),
        *_unsubscribe(settings, content),
    ]


def _log_head(content: LetterContent) -> list[str]:
    if content.log_index is None:
        return []
    return [
        f"Sealed-Head: match={content.uid}; index={content.log_index};\r\n hash={content.log_hash}"
    ]


def _reply_token(content: LetterContent) -> str | None:
    """Return the secret part of the address that an answer goes to; None for the service's own
    address.
    """
    token = (
        content.token
        if isinstance(content, InvitationLetter | OfferLetter)
        else content.reply_token
    )
    return (
        plain_token(token)
        if token is not None and addresses.fits_address(plain_token(token))
        else None
    )


def _thread(settings: Settings, content: LetterContent) -> list[str]:
    """Put the letters of a match or a tournament into one thread, and an answer below the letter
    that it answers.
    """
    about = content.tournament if isinstance(content, TournamentLetter) else content.uid
    thread = addresses.thread_id(settings, about) if about else ""
    ids = [each for each in (thread, content.in_reply_to) if each]
    return (
        [write_verbatim("In-Reply-To", ids[-1]), write_verbatim("References", " ".join(ids))]
        if ids
        else []
    )


def _unsubscribe(settings: Settings, content: LetterContent) -> list[str]:
    """Let mail programs offer to unsubscribe, also with one click (RFC 8058)."""
    if content.stop_token:
        page, prefix, token = "stop", addresses.STOP, plain_token(content.stop_token)
    elif content.never_token:
        page, prefix, token = "never", addresses.NEVER, plain_token(content.never_token)
    else:
        return []
    ways = [f"<{settings.site_url}/letters/{page}/{token}>"]
    if settings.answerable:
        ways.append(f"<mailto:{addresses.token_address(settings, prefix + token).addr_spec}>")
    return [
        write_verbatim("List-Unsubscribe", ", ".join(ways)),
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ]


# --- parts


def _body(kind: str, values: Mapping[str, Any], png: bytes) -> Part:
    """Return a letter's text and its HTML, with the picture beside it, which the HTML shows by its
    id.
    """
    text = text_part(
        'text/plain; charset="utf-8"', rendering.render_text(f"{kind}/body.txt", values)
    )
    html = text_part(
        'text/html; charset="utf-8"', rendering.render_page(f"{kind}/body.html", values)
    )
    picture = values["picture"]
    if picture:
        board = file_part("image/png", png, "board.png", cid=picture["cid"])
        html = Part("multipart/related", parts=(html, board))
    return Part("multipart/alternative", parts=(text, html))
