"""How mail programs announce the letter they quote, in many languages: a line or two, a separator, a block of fields."""

import re
from collections.abc import Sequence

from adjudicator.mail.reading.wordlists import any_of, compiled

_STARTED = compiled(rf"\W{{0,3}}{any_of('begins')}\b(?=.*[\d@]).{{3,300}}?\b{any_of('wrote')}(?!\w).{{0,120}}[:：]?")
_LOOSE = compiled(rf".{{2,300}}?(?:\b{any_of('wrote')}(?!\w)|{any_of('wrote_anywhere')}).{{0,120}}[:：]")
_STEMS = (  # one of them is in every word for "wrote": looking for them is a hundred times as quick as the patterns
    "wrote", "writes", "schrieb", "crit", "escrib", "scritto", "schreef", "napisa", "pisze", "escreveu", "skrev", "kirjoitti", "napsal",
    "napísal", "rta", "scris", "yazd", "escriure", "писа", "пише",
    "написав", "γραψε", "写道", "寫道", "メール", "書きました", "작성", "쓴 글", "כתב",
)  # fmt: skip
_DATED = re.compile(r"(?=.*\d{1,4}[-./年 ]).{0,300}<(?:mailto:)?[^<>\s]{1,64}@[^<>\s]{1,250}>.{0,40}[:：]")
_BETWEEN_DASHES = compiled(rf"-{{3,}}.{{3,300}}?\b{any_of('wrote')}\s*[:：]?\s*-{{2,}}")
_EVIDENCE = re.compile(r"\d{4}|\d{1,2}[:.]\d\d|@")
_BEGINS = compiled(rf"\W{{0,3}}{any_of('begins')}\b")
_MORE = re.compile(r"\d{4}|\d{1,2}:\d\d|<|@")
_ORIGINAL = compiled(rf"[-_=*]{{2,}}\s*{any_of('original')}\s*[-_=*]{{2,}}")
_TITLE = compiled(any_of("original"))
_FORWARDED = compiled(rf"{any_of('forwarded')}\s*[:：]")
_FIELDS = {
    "from": "from von de da van från fra od lähettäjä от 发件人 寄件者 差出人 보낸사람 feladó",
    "sent": "sent date gesendet datum envoyé enviado inviato data verzonden skickat sendt wysłano lähetetty отправлено дата "
    "fecha dato odesláno "
    "发送时间 日期 送信日時 날짜",
    "to": "to an à para a aan till til do vastaanottaja кому 收件人 宛先 받는사람 komu címzett",
    "subject": "subject betreff objet asunto oggetto onderwerp ämne emne temat aihe тема 主题 主旨 件名 제목 assunto předmět tárgy",
    "cc": "cc kopie copie kopia копия 抄送 reply-to organization",
}
_MEANING = {word: meaning for meaning, listed in _FIELDS.items() for word in listed.split()}
_FIELD = re.compile(r"[\s*_>]{0,4}([^\W\d_][\w-]{0,15})(?:\s\w{1,4})?[\s*_]{0,3}[:：]")
_BLOCK = 9  # lines a block of fields may take
_LONGEST = 420
_WRAPPED = 4  # lines an announcement may take


def announcement(lines: Sequence[str], at: int) -> int:
    """Return how many lines from `at` announce a quoted letter (`On Friday ... wrote:`, a separator, From: and Sent:), 0 for none."""
    first = lines[at].strip()
    if not first:
        return 0
    if _ORIGINAL.fullmatch(first) or _FORWARDED.fullmatch(first) or _BETWEEN_DASHES.fullmatch(first[:_LONGEST]):
        return 1 + _block_after(lines, at + 1)
    if _TITLE.fullmatch(first) and at + 1 < len(lines) and _block(lines, at + 1):
        return 1 + _block(lines, at + 1)
    return _wrote(lines, at) or _block(lines, at)


def _wrote(lines: Sequence[str], at: int) -> int:
    joined = ""
    for count in range(1, _WRAPPED + 1):
        line = lines[at + count - 1].strip() if at + count <= len(lines) else ""
        joined = f"{joined} {line}".strip()
        if not line or len(joined) > _LONGEST or (count > 1 and line.startswith(">")):
            return 0
        if _is_announcement(joined, wrapped=count > 1, quoted=_quote_follows(lines, at + count)):
            return count
        if count == 1 and not _may_go_on(line):
            return 0
    return 0


def _may_go_on(line: str) -> bool:
    return bool(_MORE.search(line) or _BEGINS.match(line))


def _is_announcement(joined: str, *, wrapped: bool, quoted: bool) -> bool:
    if not re.search(r"[:：]\W{0,3}$", joined) and not quoted:
        return False
    if _DATED.fullmatch(joined):
        return True
    lowered = joined.lower()
    if not any(stem in lowered for stem in _STEMS) or (not quoted and not _EVIDENCE.search(joined)):
        return False  # somebody may well write "On Monday I wrote:"
    return bool(_STARTED.fullmatch(joined) or ((not wrapped or _MORE.search(joined)) and _LOOSE.fullmatch(joined)))


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    return next((line.lstrip().startswith(">") for line in lines[at : at + 4] if line.strip()), False)


def _block_after(lines: Sequence[str], at: int) -> int:
    """Return how many lines after a separator are blank or fields of the quoted letter."""
    count = 0
    while at + count < len(lines) and count < _BLOCK and (not lines[at + count].strip() or _meaning(lines[at + count])):
        count += 1
    return count


def _block(lines: Sequence[str], at: int) -> int:
    """Return the length of a block of at least three different fields, one of them with an address or a date in it, else 0."""
    if _meaning(lines[at]) is None:
        return 0
    meanings: set[str] = set()
    length = 0
    for number, line in enumerate(lines[at : at + _BLOCK], 1):
        meaning = _meaning(line)
        if meaning is None and line.strip() and not line.startswith((" ", "\t")) and len(meanings) < 2:
            break
        if meaning:
            meanings.add(meaning)
            length = number
    told = any(re.search(r"@|\d{4}|\d:\d\d", line) for line in lines[at : at + length])
    return length if len(meanings) >= 3 and "from" in meanings and told else 0


def _meaning(line: str) -> str | None:
    found = _FIELD.match(line)
    return _MEANING.get(found[1].lower()) if found else None
