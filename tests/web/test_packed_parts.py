"""Parts of pages that are compressed once, with another token between them each time."""

import gzip
import random

import pytest

from web.http import compression

WORDS = [
    b"<li>",
    b"</li>\n",
    b"class=",
    b'"order"',
    b"Army Vienna ",
    "Österreich ".encode(),
    b"\xff\xfe",
    b" ",
]


@pytest.mark.parametrize("seed", range(60))
def test_packed_parts_unpack_to_the_parts_with_the_token_between_them(seed: int) -> None:
    dice = random.Random(seed)
    parts = [
        b"".join(dice.choices(WORDS, k=dice.choice((0, 1, 40, 9000))))
        for _ in range(dice.randrange(1, 7))
    ]
    length = dice.choice((0, 1, 250, 60_000))
    packed = compression.pack(parts, length)
    for _ in range(2):
        token = b"".join(dice.choices(WORDS, k=length))[:length]
        assert gzip.decompress(compression.gzip_of(packed, parts, token)) == token.join(parts)


def test_later_parts_refer_to_earlier_ones_and_never_to_a_token() -> None:
    part, token = (random.Random(size).randbytes(size).replace(b"\0", b"1") for size in (9000, 300))
    packed = compression.pack([part, part], len(token))
    assert len(packed.blocks[1]) < len(packed.blocks[0]) / 20
    assert len(compression.pack([part, token], len(token)).blocks[1]) > len(token)


def test_a_large_picture_is_compressed_once_for_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    dice, packed, pack = random.Random(1), list[bytes](), compression._pack
    monkeypatch.setattr(compression, "_pack", lambda *told: packed.append(told[1]) or pack(*told))
    small, large, other = (
        b"<svg class='board'>%s</svg>" % b"".join(dice.choices(WORDS[:6], k=length))
        for length in (40, 2000, 2000)
    )
    assert len(small) < compression.LARGE < len(large)
    page = [b"<p>", b"%s and %s, %s%s</p> <svg " % (small, large, other, large), b"</svg>"]
    for parts in (page, page[::-1]):
        found = compression.gzip_of(compression.pack(parts, 3), parts, b"abc")
        assert gzip.decompress(found) == b"abc".join(parts)
    assert (packed.count(large), packed.count(other), packed.count(small)) == (1, 1, 0)


def test_a_part_with_a_nul_is_refused() -> None:
    with pytest.raises(ValueError, match="NUL"):
        compression.pack([b"a\0b"], 4)
