"""Decodes bytes of letters; a wrong or unknown charset never loses the ASCII in them."""

import codecs
import re

# codecs of charsets that decode in linear time; any other (idna, rot13, unicode_escape ...) counts
# as unknown
_KNOWN = re.compile(
    r"utf-(?:7|8|(?:16|32)(?:-[lb]e)?)|iso8859-\d{1,2}|cp125\d|cp(?:437|850|852|862|866|874|932|949|950)|koi8-[ru]|mac-(?:roman|cyrillic)|"
    r"shift_jis|euc_(?:jp|kr)|iso2022_(?:jp(?:_\w+)?|kr)|johab|gb2312|gbk|gb18030|hz|big5(?:hkscs)?|tis-620|ascii"
)
_WIDER = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_CALLED = {
    "cp949": "ks_c_5601-1987 windows-949 x-windows-949",
    "cp932": "windows-31j x-ms-cp932 x-sjis",
    "gb18030": "windows-936 x-gbk gb_2312-80",
    "cp950": "windows-950",
    "big5": "x-big5",
    "euc_jp": "x-euc-jp",
    "iso2022_jp": "cp50220 cp50221",
    "cp850": "cp-850",
    "cp862": "dos-862",
    "cp874": "windows-874",
    "mac-cyrillic": "x-mac-cyrillic",
    "utf-7": "unicode-1-1-utf-7",
    "utf-8": "utf8mb4 utf-8-mac",
}
_OWN_NAMES = {name: codec for codec, names in _CALLED.items() for name in names.split()}
# the direction of Arabic and Hebrew (RFC 1556); the bytes are the same
_DIRECTED = re.compile(r"(iso-8859-[68])-[ei]")
_WINDOWS = re.compile(r"(?:x-|win-?|windows-?|ms-|cp-?){1,2}(125\d)")
_LOOKED_AT = 64 * 1024  # bytes; in a longer text stray bytes are replaced without a look at each
_SINGLE = ("iso8859", "cp125", "ascii")


def decode_bytes(data: bytes, charset: str) -> str:
    """Return the text of these bytes. Never raises: bytes that cannot be decoded become U+FFFD."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    name = find_codec(charset)
    if name.startswith(("utf-16", "utf-32")) and b"\0" not in data:
        name = ""  # mislabelled: such text has zero bytes
    if not name or name.startswith(_SINGLE):
        name = _guess(data, name)
    return _decoded(data, _WIDER.get(name, name))


def find_codec(charset: str) -> str:
    """Return Python's name of a charset, "" for an unknown one."""
    wanted = re.sub(r"[^\w.:+-]", "", charset).lower()[:40]
    wanted = _OWN_NAMES.get(wanted, wanted)
    if (directed := _DIRECTED.fullmatch(wanted)) is not None:
        wanted = directed[1]
    if (windows := _WINDOWS.fullmatch(wanted)) is not None:
        wanted = f"cp{windows[1]}"
    try:
        name = codecs.lookup(wanted).name if wanted else ""
    except (LookupError, ValueError):
        return ""
    return name if _KNOWN.fullmatch(name) else ""


def _guess(data: bytes, name: str) -> str:
    """Return utf-8 where the bytes are valid UTF-8, which is hardly ever a coincidence; else the
    name, or cp1252.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return name or "cp1252"
    return "utf-8"


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode(
            name, _STRAY if name == "utf-8" and len(data) <= _LOOKED_AT else "replace"
        )
    except (LookupError, UnicodeError, ValueError):
        return data.decode("cp1252", "replace")


def _stray(fault: UnicodeError) -> tuple[str, int]:
    """Decode a single Latin-1 byte such as `é` within UTF-8; longer runs of invalid bytes become
    U+FFFD (a codec error handler).
    """
    if not isinstance(fault, UnicodeDecodeError):
        raise fault
    data, start = fault.object, fault.start
    near = data[max(0, start - 2) : start + 3]
    high = sum(byte >= 0x80 for byte in near)
    if (
        high <= 2
        and data[start] >= 0xC0
        and bytes(data[start : start + 1]).decode("cp1252", "replace").isalpha()
    ):
        return bytes(data[start : start + 1]).decode("cp1252"), start + 1
    return "\ufffd", fault.end


_STRAY = "sealed-orders-stray"
codecs.register_error(_STRAY, _stray)
