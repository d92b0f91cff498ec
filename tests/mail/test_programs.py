"""Letters of real programs: how they encode, name and wrap text, and what they write by themselves,
which is never orders.
"""

import pytest

from adjudicator.mail.commands.recognition import COMMANDS, MASTERS
from adjudicator.mail.reading.letter import parse_letter
from adjudicator.mail.reading.orderlike import lines_of
from tests.mail.clients import LETTER
from tests.mail.mail_harness import ALICE, MailHarness
from tests.mail.reading import both, reply
from tests.mail.test_orders_by_letter import begun

HEAD = (
    "From: Bob Miller <bob@example.com>\nTo: Sealed Orders"
    " <orders+k3j9x2m4q7w8@orders.example.org>\n"
)
OURS = "".join(f"<p>{line}</p>" for line in LETTER.replace("-- \n", "").split("\n"))
CALENDAR = "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:{}\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR"


def part(kind: str, body: str, *fields: str) -> str:
    return "\n".join(("--b", f"Content-Type: {kind}", *fields, "", body, ""))


def letter(*parts: str, kind: str = "mixed") -> bytes:
    return f"{HEAD}Content-Type: multipart/{kind}; boundary=b\n\n{''.join(parts)}--b--\n".encode()


def plain(body: str, kind: str = "text/plain; charset=utf-8", *fields: str) -> bytes:
    return "\n".join((f"{HEAD}Content-Type: {kind}", *fields, "", body)).encode()


QP = "Content-Transfer-Encoding: quoted-printable"
FLOWED = "text/plain; charset=utf-8; format=flowed"
TEXTS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "blanks after a soft line break": (
        plain("A Par - =  \nBur\nB=33=\t\n\nW2", "text/plain", QP),
        ("A Par - Bur", "B3", "W2"),
    ),
    "a soft line break at the end": (plain("B3=", "text/plain", QP), ("B3",)),
    "a coding with a comment": (plain("B=33", "text/plain", f"{QP} (really)"), ("B3",)),
    "a letter with a name": (plain("B3", "text/plain; charset=utf-8; name=message.txt"), ("B3",)),
    "a letter with a file's name": (
        plain("B3", "text/plain", "Content-Disposition: inline; filename=body.txt"),
        ("B3",),
    ),
    "a letter that is an attachment": (
        plain("B3", "text/plain; name=a.txt", "Content-Disposition: attachment"),
        ("B3",),
    ),
    "one part, and it has a name": (letter(part("text/plain; name=text_0.txt", "B3")), ("B3",)),
    "a named part beside a picture": (
        letter(part("image/png; name=a.png", "x"), part("text/plain; name=text.txt", "B3")),
        ("B3",),
    ),
    "HTML with a name": (
        letter(part("text/html; name=message.html", "<p>B3</p>"), kind="related"),
        ("B3",),
    ),
    "a named part beside text": (
        letter(part("text/plain", "B3"), part("text/plain; name=notes.txt", "W2")),
        ("B3",),
    ),
    "nothing but an attached file": (
        letter(part("text/plain; name=a.txt", "B3", "Content-Disposition: attachment")),
        (),
    ),
    "flowed orders with typed blanks": (
        plain("A Par - Bur \nA Mar - Spa \nF Bre - MAO \n", FLOWED),
        ("A Par - Bur", "A Mar - Spa", "F Bre - MAO"),
    ),
    "typed blanks beside an order": (plain("Hi Bob, \nB3 \nready \nBob", FLOWED), ("B3", "ready")),
    "typed blanks with DelSp": (plain("B3 \nW2 \n", f"{FLOWED}; delsp=yes"), ("B3", "W2")),
    "typed blanks below a yes": (
        plain("Yes, that was me! \nDora Lee ", FLOWED),
        ("Yes, that was me!", "Dora Lee"),
    ),
    "typed blanks between commands": (
        plain("join pyramid \nhouse \nname Dora", FLOWED),
        ("join pyramid", "house", "name Dora"),
    ),
    "typed blanks below commands": (
        plain("vote yes extend \nresign 3 \nextend 24h", FLOWED),
        ("vote yes extend", "resign 3", "extend 24h"),
    ),
    "a support that goes on": (plain("A Mar S \nA Par - Bur", FLOWED), ("A Mar S A Par - Bur",)),
    "a smile of Outlook in plain text": (plain("B3 J\nthe letter J"), ("B3 🙂", "the letter J")),
    "a greeting of The Bat! below orders": (
        plain(
            f"B3\n\nHello Sealed,\n\nSunday, November 22, 2026, 5:02:12 PM, you wrote:\n\n{LETTER}"
        ),
        ("B3",),
    ),
    "a list that goes on": (
        plain("A Par - Bur OR \nA Par - Pic", FLOWED),
        ("A Par - Bur OR A Par - Pic",),
    ),
    "a wrapped order": (
        plain(f"press all: {'we meet ' * 8}\nin Paris", FLOWED),
        (f"press all: {'we meet ' * 8}in Paris",),
    ),
    "entities of QQ": (
        plain(
            "B3\n\n&nbsp;\n------------------&nbsp;Original&nbsp;------------------\n"
            'From: &nbsp;"Sealed&nbsp;Orders"<orders@orders.example.org&gt;;\nDate: &nbsp;Sun, Nov'
            " 22, 2026 05:02 PM\n"
            f'To: &nbsp;"Bob"<bob@example.com&gt;; \n\nSubject: &nbsp;Round 2\n\n\n\n{LETTER}'
        ),
        ("B3",),
    ),
    "a separator of QQ alone": (
        plain(f"B3\n\n------------------&nbsp;原始邮件&nbsp;------------------\n\n{LETTER}"),
        ("B3",),
    ),
    "entities that somebody typed": (
        plain("press all: write &lt; for less"),
        ("press all: write &lt; for less",),
    ),
    "our letter below a rule": (both("", f"<p>B3</p><hr>{OURS}", head=HEAD), ("B3",)),
    "our letter below a line": (plain(f"B3\n{'_' * 40}\n{LETTER}"), ("B3",)),
    "orders between rules": (
        both("", "<p>B3</p><hr><p>W2</p><hr><p>ready</p>", head=HEAD),
        ("B3", "W2", "ready"),
    ),
    "orders between a rule and a quote": (
        both("", f"<p>mine:</p><hr><p>B3</p><blockquote>{OURS}</blockquote>", head=HEAD),
        ("mine:", "B3"),
    ),
    "orders between a rule and a head": (
        both(
            "",
            f"<hr><p>B3</p><p>Sunday, November 22, 2026, 5:02:12 PM, you wrote:</p>{OURS}",
            head=HEAD,
        ),
        ("B3",),
    ),
    "a bar of The Bat! beside a quote": (
        both(
            "",
            "<p>B3</p><table><tr><td width=2 bgcolor= #0000ff><br></td><td"
            f" width=2><br></td><td>{OURS}</td></tr></table>",
            head=HEAD,
        ),
        ("B3",),
    ),
    "orders in a coloured table": (
        both(
            "", "<table bgcolor=#eee><tr><td width=200 bgcolor=#fff>B3</td></tr></table>", head=HEAD
        ),
        ("B3",),
    ),
}


def test_the_reader_knows_how_every_command_begins() -> None:
    known = set(lines_of("command_words"))
    assert {each.word.split()[0] for each in (*COMMANDS, *MASTERS)} == known


def test_text_is_read_however_a_program_encodes_names_wraps_and_quotes_it() -> None:
    for name, (raw, lines) in TEXTS.items():
        said = parse_letter(raw)
        assert (said.lines, said.automatic) == (lines, ""), name


REACTION = part(
    'text/vnd.google.email-reaction+json; charset="UTF-8"', '{"emoji": "💖", "version": 1}'
)
REACTED = (
    "💖\n\nBob Miller reacted via"
    " Gmail\n<https://www.google.com/gmail/about/?utm_campaign=emojireactionemail#app>\n"
)
QUOTED = "\n".join(
    ["On Sun, Nov 22, 2026 at 5:02 PM Sealed Orders <orders@orders.example.org> wrote:", "", "> B3"]
)
PRESSED: dict[str, bytes] = {
    "a reaction": letter(
        part("text/plain", f"{REACTED}\n{QUOTED}"),
        REACTION,
        part("text/html", "<p>💖</p>"),
        kind="alternative",
    ),
    "a reaction beside text that is an order": letter(
        part("text/plain", "B3"), REACTION, kind="alternative"
    ),
    "a reaction without text": plain(
        '{"emoji": "💖", "version": 1}', "text/vnd.google.email-reaction+json"
    ),
    "a reaction of RFC 9078": plain(
        "👍", "text/plain; charset=utf-8", "Content-Disposition: reaction"
    ),
    "a reaction that lost its part": plain(f"{REACTED}\n{QUOTED}"),
    "a reaction in a language that nobody listed": plain(
        REACTED.replace("reacted via", "wopa bonkoyo")
    ),
    "a reaction by Outlook, on one line": plain("👍 Bob Miller reacted to your message:"),
    "an entry accepted in a file without a type": letter(
        part("text/plain", ""),
        part("application/octet-stream; name=invite.ics", CALENDAR.format("REPLY")),
    ),
    "a reaction in German": plain("👍\n\nBob Miller hat über Gmail reagiert\n"),
    "an entry accepted": letter(
        part("text/plain", "B3"),
        part("text/calendar; method=REPLY", CALENDAR.format("REPLY")),
        kind="alternative",
    ),
    "an entry accepted in a file": letter(
        part("text/plain", "Bob Miller has accepted this invitation."),
        part(
            "application/ics; name=invite.ics",
            CALENDAR.format("REPLY"),
            "Content-Disposition: attachment; filename=invite.ics",
        ),
    ),
    "an entry accepted without text": plain(
        CALENDAR.format("REPLY"), "text/calendar; charset=utf-8"
    ),
    "another date": letter(
        part("text/plain", "Could we meet at 8?"),
        part("text/calendar; method=COUNTER", CALENDAR.format("COUNTER")),
    ),
    "an invitation": letter(
        part("text/plain", "When: Tuesday"),
        part("text/calendar; method=REQUEST", CALENDAR.format("REQUEST")),
    ),
    "an entry called off": letter(
        part("text/plain", "Cancelled"), part("text/calendar", CALENDAR.format("CANCEL"))
    ),
}
WRITTEN: dict[str, bytes] = {
    "an order beside an invitation": letter(
        part("text/plain", "B3"), part("text/calendar", CALENDAR.format("REQUEST"))
    ),
    "press with an invitation": letter(
        part("text/plain", "press all: come"), part("text/calendar", CALENDAR.format("REQUEST"))
    ),
    "an invitation attached": letter(
        part("text/plain", "my dates"),
        part("text/calendar; name=a.ics", CALENDAR.format("REQUEST")),
    ),
    "an order beside our own entry": letter(
        part("text/plain", "B3"), part("text/calendar", CALENDAR.format("PUBLISH"))
    ),
    "press of a reaction": plain("press all: he reacted with anger\nB3"),
    "an emoji and an order": plain("👍\nB3"),
    "an emoji before a sentence": plain("👍 he reacted to your letter, and I like it"),
    "an emoji and a word": plain("👍\nhe reacted to your letter? No\nB3"),
}


def test_what_a_program_writes_at_the_press_of_a_button_is_no_persons() -> None:
    for name, raw in PRESSED.items():
        assert parse_letter(raw).automatic, name
    for name, raw in WRITTEN.items():
        assert not parse_letter(raw).automatic, name


AWAY = """Răspuns automat: {}|Raspuns automat|În concediu|Αυτόματη απάντηση: {}|Εκτός γραφείου|ΑΥΤΟΜΑΤΗ ΑΠΑΝΤΗΣΗ: {}
Automatski odgovor: {}|Odsutan do ponedjeljka|Samodejni odgovor: {}|Odsoten|Automatická odpoveď: {}|Mimo kancelárie
Автоматичен отговор: {}|Извън офиса|תשובה אוטומטית: {}|מענה אוטומטי|رد تلقائي: {}|الرد التلقائي: {}|خارج المكتب
Trả lời tự động: {}|Thư trả lời tự động: {}|Vắng mặt khỏi văn phòng|Automatinis atsakymas: {}|Nesu biure
Resposta automàtica: {}|Fora de l'oficina|Automaatvastus: {}|Automātiskā atbilde: {}|Аутоматски одговор: {}
Sjálfvirkt svar: {}|Balasan otomatis: {}|ตอบกลับอัตโนมัติ: {}|स्वचालित उत्तर: {}|پاسخ خودکار: {}|자동 회신: {}
Otomatik yanıt: {}|Nepřítomnost|Poza biurem|Buiten kantoor|Uden for kontoret|Вне офиса|Не в офісі|自動答覆: {}|Recall: {}
\u200fתשובה אוטומטית: {}|[Automatic reply] {}|Automated response|OOO|OOO: until Monday|I am out of the office
Abwesend|Afwezig|Odsutna sam|Nisem v pisarni|Nie ma mnie w biurze|Jestem na urlopie|Σε άδεια|Είμαι εκτός γραφείου
Concediu|Szabadságon vagyok|Atostogauju|Estic de vacances|En congé|В отпуске|У відпустці|Đang đi nghỉ|בחופשה|في إجازة"""
AWAY_TEXTS = """This is an automated reply. I am away.|Dies ist eine automatische Antwort.|Ceci est une réponse automatique.
Esta es una respuesta automática|Questo è un messaggio automatico|Acesta este un mesaj automat.
Αυτή είναι μια αυτόματη απάντηση|To je samodejni odgovor.|זוהי הודעה אוטומטית|これは自動返信です。|Đây là thư trả lời tự động."""


NOTES = (  # known by the whole text: what a program writes, and what a player may
    ("Hello,\n\nI am out of the office until Monday. In urgent cases call +49 30 123 4567.", True),
    ("Thank you for your e-mail. I am on annual leave. Your message will not be forwarded.", True),
    ("Ich bin im Urlaub. Ihre E-Mail wird nicht weitergeleitet.", True),
    ("Ich bin bis Montag nicht im Büro. Wenden Sie sich dringend an eva@example.com.", True),
    ("Je suis en congé. En cas d’urgence, écrivez à eva@example.com.", True),
    ("Estoy de vacaciones. Para asuntos urgentes: eva@example.com", True),
    ("Sono in ferie. Per questioni urgenti scrivere a eva@example.com", True),
    ("I am out of the office. In urgent cases call +49 30 123 4567.\nB3", False),
    ("Thank you for your message. I am on holiday and will reply when I return.", False),
    ("I will be on holiday until Sunday, with no access to my mail.", False),
    ("This is urgent: France attacks you. Write to me at bob@example.com", False),
    ("I am away in Berlin, and Turkey is a pressing problem for us both.", False),
)


def away(subject: str, text: str = "I am away until Monday.") -> str:
    return parse_letter(reply(text, head=f"From: bob@example.com\nSubject: {subject}\n")).automatic


def test_an_absence_note_without_a_header_is_known_by_its_subject_or_text_in_many_languages() -> (
    None
):
    subjects = [
        each.format("[Evening Pyramid] Round 2") for each in AWAY.replace("\n", "|").split("|")
    ]
    for subject in (*subjects, *(f"Re: {each}" for each in subjects)):
        assert away(subject), subject
        assert not away(subject, "B3"), subject
    for text in AWAY_TEXTS.replace("\n", "|").split("|"):
        assert away("Re: [Evening Pyramid] Round 2", text), text
    for text, program in NOTES:
        assert bool(away("Re: [Evening Pyramid] Round 2", text)) == program, text
    for subject in (
        "Re: [Evening Pyramid] Round 2",
        "Automatic pilots",
        "Recall how we met",
        "Absolutely",
        "Отсюда",
        "Oooh",
        "Holiday",
    ):
        assert not away(subject), subject


@pytest.mark.parametrize(
    "raw", [PRESSED["a reaction"], PRESSED["an entry accepted"]], ids=["reaction", "calendar"]
)
def test_it_is_not_answered_and_costs_no_readiness(harness: MailHarness, raw: bytes) -> None:
    report = begun(harness)
    harness.answer(report, "B3")
    harness.post_all()
    assert harness.deliver(harness.reply_to(report), raw)
    assert harness.read_all()[-1].disposition == "automatic"
    assert harness.post_all() == 0
    harness.answer(report, "status")
    assert "you are ready" in " ".join(harness.newest(ALICE, "answer").text.split())
