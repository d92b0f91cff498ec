"""What HTML says beside its words: text that is struck through or cannot be seen is never read as
an order, symbols are what they show.
"""

import pytest

from adjudicator.mail.reading.letter import parse_letter
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.reading import both, reply
from tests.mail.test_orders_by_letter import begun, receipt
from tests.mail.test_press import begun as begun_with_press

STRUCK = {
    "s": "<s>{}</s>",
    "strike": "<strike>{}</strike>",
    "del": "<del>{}</del>",
    "del that says when": '<del cite="mailto:Bob" datetime="2026-11-22T18:12">{}</del>',
    "Word's double stroke": "<s style='text-line-through:double'>{}</s>",
    "a double stroke of an element": "<span style='text-line-through:double'>{}</span>",
    "a tracked change of Word": "<span class=msoDel>{}</span>",
    "a style": '<span style="text-decoration: line-through;">{}</span>',
    "a style with a colour": '<span style="text-decoration:line-through solid #f00">{}</span>',
    "a style beside another line": '<font style="text-decoration:underline line-through">{}</font>',
    "a style in full": (
        "<span"
        ' style="color:#222;text-decoration-line:line-through;text-decoration-style:solid">{}</span>'
    ),
    "a style in capitals": '<SPAN STYLE="TEXT-DECORATION: LINE-THROUGH !important">{}</SPAN>',
    "Google Docs": (
        "<span"
        ' style="font-size:11pt;text-decoration:line-through;-webkit-text-decoration-skip:none">{}</span>'
    ),
    "a rule for a class": (
        "<style><!-- /* a */ p.x, i.gone {{ text-decoration : line-through }} --></style><i"
        " class='x gone'>{}</i>"
    ),
    "a rule for an element": (
        "<head><style>@import url(a.css);"
        " em{{text-decoration:line-through}}</style></head><em>{}</em>"
    ),
    "a rule for an id": "<style>#s1{{text-decoration:line-through}}</style><b id=s1>{}</b>",
    "a rule for an element within another": (
        "<style>.old p{{text-decoration:line-through}}</style><div class=old><p>{}</p></div>"
    ),
    "around a block": "<s><div><b>{}</b></div></s>",
    "in a list": "<ol><li><s>{}</s></li></ol>",
    "in words": "<p><s>{}</s><u></u></p>",
    "twice": "<del><s>{}</s></del>",
}
PLAIN = {
    "two tildes": "~~B3~~",
    "one tilde, as in chats": "~B3~",
    "letters with a stroke": "B\u03363\u0336",
    "short strokes": "B\u03353\u0335",
    "slanting strokes": "B\u03383\u0338",
}
HIDDEN = {
    "display": '<p style="display:none">B3</p>',
    "visibility": "<p style='visibility:hidden'>B3</p>",
    "collapsed": "<p style='visibility: collapse'>B3</p>",
    "no size": '<p style="font-size:0">B3</p>',
    "no size, in px": "<p style='font-size:0px;line-height:0'>B3</p>",
    "a size for nobody": "<p style='font-size:1px'>B3</p>",
    "a shorthand": "<p style='font:0/0 a'>B3</p>",
    "a part of no size": "<p style='font-size:0'><b style='font-size:80%'>B3</b></p>",
    "transparent": "<p style='opacity:0'>B3</p>",
    "no room": "<div style='max-height:0;overflow:hidden'>B3</div>",
    "far away": "<p style='position:absolute;left:-9999px'>B3</p>",
    "indented away": "<p style='text-indent:-9999px'>B3</p>",
    "cut away": "<p style='position:absolute;clip:rect(0 0 0 0)'>B3</p>",
    "far away to the right": "<p style='position:absolute;right:-9999px'>B3</p>",
    "moved away": "<p style='transform:translateX(-9999px)'>B3</p>",
    "shrunk": "<p style='transform: scale(0)'>B3</p>",
    "filtered": "<p style='filter:opacity(0%)'>B3</p>",
    "a part that is not laid out": "<p style='content-visibility:hidden'>B3</p>",
    "a dialogue that is not open": "<dialog>B3</dialog>",
    "what old programs show instead": "<video>B3</video><noframes>B3</noframes>",
    "a rule for an element within another": (
        "<style>#x > .y{display:none}</style><div id=x><p class=y>B3</p></div>"
    ),
    "an attribute": "<p hidden>B3</p>",
    "for Outlook": "<p style='mso-hide:all'>B3</p>",
    "a rule for a class": (
        "<style>.preheader{display:none !important}</style><p class=preheader>B3</p>"
    ),
    "a title": "<head><title>B3</title></head>",
    "a title in the text": "<title>B3</title>",
    "a picture's words": "<img alt='B3' title='B3' src='cid:x'>",
    "a title of an element": "<p title='B3'></p>",
    "a folded quote": "<details><summary>...</summary>B3</details>",
    "a folded quote by Proton": "<div class='protonmail_quote' style='display:none'>B3</div>",
    "a script": "<script>B3</script><noscript>B3</noscript><template>B3</template>",
    "a comment": "<!-- B3 --><!--[if mso]>B3<![endif]-->",
    "a field": "<input value='B3'><textarea>B3</textarea><select><option>B3</option></select>",
}
COLOURED = {
    "white": "<p style='color:#fff'>B3</p>",
    "white in words": "<font color=White>B3</font>",
    "white in numbers": "<p style='color:rgb(255, 255, 255)'>B3</p>",
    "white by its lightness": "<p style='color:hsl(0, 0%, 100%)'>B3</p>",
    "nearly white": "<p style='color:#fefefe'>B3</p>",
    "white on what is said to be white": (
        "<div style='background:#FFFFFF none repeat'><p style='color:white'>B3</p></div>"
    ),
    "black on black": "<table bgcolor=black><tr><td style='color:#000000'>B3</td></tr></table>",
    "no colour": "<p style='color:transparent'>B3</p>",
    "hardly a colour": "<p style='color:rgba(0,0,0,0)'>B3</p>",
    "a colour of all text": "<body text=white bgcolor='#ffffff'><p>B3</p></body>",
}
SEEN = {
    "white on black": "<div style='background-color:#1e1e1e'><p style='color:#fff'>B3</p></div>",
    "white on a picture": "<div style='background:url(sky.png)'><p style='color:#fff'>B3</p></div>",
    "white on a picture of a table": (
        "<table background=sky.png><tr><td><font color=#ffffff>B3</font></td></tr></table>"
    ),
    "a colour of its own": "<div style='color:#fff'><p style='color:#222'>B3</p></div>",
    "an unknown colour": "<p style='color:color(display-p3 1 1 1)'>B3</p>",
    "a size of its own": "<td style='font-size:0'><p style='font-size:14px'>B3</p></td>",
    "a size in words": "<div style='font-size:0'><p style='font-size:medium'>B3</p></div>",
    "a font's size": "<div style='font-size:0'><font size=2>B3</font></div>",
    "visible again": "<div style='visibility:hidden'><p style='visibility:visible'>B3</p></div>",
    "no height, but all shown": "<div style='height:0'>B3</div>",
    "a list of Word": "<p style='margin-left:106.2pt;text-indent:-106.2pt'>B3</p>",
    "half transparent": "<p style='opacity:0.5'>B3</p>",
    "a rule for small screens": (
        "<style>@media (max-width:600px){.m{display:none}}</style><p class=m>B3</p>"
    ),
    "a rule for something within": "<style>.m .n{display:none}</style><p class=m>B3</p>",
    "a small shift": "<p style='transform:translate(-10px, 20px)'>B3</p>",
    "black by its lightness": "<p style='color:hsl(120deg 100% 10%)'>B3</p>",
    "an open dialogue": "<dialog open>B3</dialog>",
    "a rule for the same element elsewhere": ("<style>.m p{display:none}</style><p class=m>B3</p>"),
    "an unfolded part": "<details open>B3</details>",
    "underlined": "<p style='text-decoration:underline'><ins>B3</ins></p>",
}
SYMBOLS = {
    "<p>B3 <span style='font-family:Wingdings'>J</span></p>": "B3 🙂",
    "<p>B3 <font face='Wingdings'>J</font></p>": "B3 🙂",
    "<p>B3 &#61514;</p>": "B3 🙂",
    "<p>B3 <span style='font-family:Wingdings'>L</span></p>": "B3 🙁",
    "<p>A Par <span style='font-family:Wingdings'>à</span> Bur</p>": "A Par → Bur",
    "<p>A Par <span style='font-family:\"Wingdings\",serif'>è</span> Bur</p>": "A Par → Bur",
    "<p>A Par &#xF0E0; Bur</p>": "A Par → Bur",
    "<p><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt \"Times New Roman\"'>&nbsp; </span></span>B3</p>": (
        "• B3"
    ),
    "<p><span style='font-family:Wingdings'>§<span style='font:7.0pt \"Times New Roman\"'>&nbsp; </span></span>B3</p>": (
        "• B3"
    ),
    "<p><span style='font-family:Wingdings'>ü</span> B3</p>": "✔ B3",
}


def read(letter: bytes) -> LetterText:
    return parse_letter(letter)


def found(letter: bytes) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    said = read(letter)
    return said.lines, said.struck, said.unseen


def test_struck_text_is_read_as_withdrawn_in_html_and_where_plain_text_lost_the_stroke() -> None:
    for name, way in STRUCK.items():
        html = f"<div>{way.format('B3')}</div><div>W2</div>"
        assert found(both("", html)) == (("W2",), ("B3",), ()), name
        assert found(both("B3\nW2", html)) == (("W2",), ("B3",), ()), f"{name}, lost in plain text"
    for name, text in PLAIN.items():
        assert found(reply(f"{text}\nW2")) == (("W2",), ("B3",), ()), name


@pytest.mark.parametrize(
    ("html", "line", "struck"),
    [
        ("<p>A Par - <s>Bur</s> Pic</p>", "A Par -  Pic", ("Bur",)),
        ("<p>B<s>3</s>2</p>", "B2", ("3",)),
        ("<p><s>A <b>Par</b> - Bur</s> F Bre - MAO</p>", "F Bre - MAO", ("A Par - Bur",)),
        ("<p><s>A Par</s> and <s>B3</s></p>", "and", ("A Par", "B3")),
        ("<p>B3<s>!</s></p>", "B3", ()),
        ("<p>about ~3 units and ~4 fleets</p>", "about ~3 units and ~4 fleets", ()),
        ("<p>A Mun~Bur, F Kie~Den</p>", "A Mun~Bur, F Kie~Den", ()),
        ("<p>B3</p><blockquote><s>W2</s></blockquote>", "B3", ()),
        ("<p>B3</p><s><blockquote>W2</blockquote></s>", "B3", ()),
        (
            (
                "<p>B3</p><hr><p><b>From:</b> Sealed Orders &lt;a@example.org&gt;<br><b>Sent:</b>"
                " 1<br><b>To:</b> b</p><s>W2</s>"
            ),
            "B3",
            (),
        ),
    ],
)
def test_the_rest_of_a_line_is_read_and_a_quote_withdraws_nothing(
    html: str, line: str, struck: tuple[str, ...]
) -> None:
    assert found(both("", html)) == ((line,), struck, ())


def test_hidden_text_is_never_read() -> None:
    for name, html in HIDDEN.items():
        for plain in ("", "B3\nW2") if "style=" in html else ("",):
            assert found(both(plain, f"<html>{html}<p>W2</p></html>")) == (("W2",), (), ()), (
                name,
                plain,
            )


def test_an_order_in_the_colour_of_its_background_is_not_read_and_told() -> None:
    for name, html in COLOURED.items():
        said = found(both("", f"{html}<p style='color:black;background:white'>W2</p>"))
        assert said == (("W2",), (), ("B3",)), name
    assert found(both("", "<p style='color:#fff'>Have a look at our offers</p><p>W2</p>")) == (
        ("W2",),
        (),
        (),
    )


def test_what_can_be_seen_is_read() -> None:
    for name, html in SEEN.items():
        assert found(both("", f"{html}<p>W2</p>")) == (("B3", "W2"), (), ()), name


def test_letters_of_a_symbol_font_are_read_as_their_symbols() -> None:
    for html, line in SYMBOLS.items():
        assert found(both("", html)) == ((line,), (), ()), html
        assert read(both(line.replace("🙂", "J"), html)).lines == (line,), html


def test_plain_text_is_read_where_its_html_says_no_more() -> None:
    assert read(both("B3", "<p style='color:#fff;background:#000'>W2</p>")).lines == ("B3",)


def test_html_that_strikes_text_and_cannot_be_read_is_refused_and_its_plain_text_is_not_trusted() -> (
    None
):
    deep = "<div>" * 200
    with pytest.raises(Unreadable, match="nested deeper"):
        read(both("B3", f"{deep}<s>B3</s>"))
    assert read(both("B3", f"{deep}<p style='display:none'>x</p>B3")).lines == ("B3",)


# --- what becomes of it


def answer(harness: MailHarness, html: str, plain: str = "") -> str:
    """Answer Alice's newest report in HTML, and return what became of the letter."""
    report = harness.newest(ALICE, "report")
    letter = harness.letter(ALICE, harness.reply_to(report), plain, answers=report)
    letter.add_alternative(f"<html><body>{html}</body></html>", subtype="html")
    assert harness.deliver(harness.reply_to(report), letter.as_bytes())
    return harness.read_all()[-1].disposition


def test_a_struck_order_is_refused_in_the_receipt_and_keeps_the_seat_from_being_ready(
    harness: MailHarness,
) -> None:
    begun(harness)
    assert answer(harness, "<p><s>B3</s></p><p>W2</p>", "B3\nW2") == "orders"
    said = receipt(harness)
    assert (
        "Round 1: W2" in said
        and "“B3”: It is struck through in your letter" in said
        and "You are not ready yet" in said
    )
    assert said.count("struck through") == 1


def test_a_letter_of_nothing_but_struck_text_changes_nothing_and_is_answered(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    harness.answer(report, "B3")
    harness.later(minutes=1)
    assert answer(harness, "<p><s>W2</s></p><p><del>ready</del></p>", "W2\nready") == "commands"
    told = " ".join(harness.newest(ALICE, "answer").text.split())
    assert "“W2”: It is struck through" in told and "“ready”: It is struck through" in told
    assert len(harness.letters("receipt", ALICE)) == 1


def test_clear_counts_beside_struck_text_and_a_struck_command_does_not(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    harness.answer(report, "B3")
    harness.later(minutes=1)
    assert (
        answer(harness, "<p>clear</p><p><s>B3</s></p><p><s>resign 1</s></p>", "clear\nB3\nresign 1")
        == "orders"
    )
    said = receipt(harness)
    assert "Round 1: nothing" in said and "“resign 1”: It is struck through" in said
    assert "resigned" not in said


def test_an_order_in_white_on_white_is_told_of(harness: MailHarness) -> None:
    begun(harness)
    answer(harness, "<p style='color:#ffffff'>B3</p>", "B3")
    assert "“B3”: It has the colour of what is behind it" in " ".join(
        harness.newest(ALICE, "answer").text.split()
    )


def test_struck_words_are_not_sent_as_press(harness: MailHarness) -> None:
    begun_with_press(harness)
    assert (
        answer(
            harness,
            "<p>press france:</p><p>I go <s>to Munich</s> home.</p>",
            "press france:\nI go to Munich home.",
        )
        == "commands"
    )
    told = " ".join(harness.newest(ALICE, "answer").text.split())
    assert "I go home." in told and "“to Munich”: It is struck through" in told


def test_a_strangers_struck_text_is_not_answered_and_a_struck_command_only_by_its_word(
    harness: MailHarness,
) -> None:
    harness.player(BOB), harness.player(CHARLIE)
    for html, disposition in (
        ("<p>Watches <s>99 $</s></p>", "discarded"),
        ("<p><s>join pyramid house</s></p>", "commands"),
    ):
        letter = harness.letter("dora@example.net", SERVICE, "")
        letter.add_alternative(html, subtype="html")
        assert harness.deliver(SERVICE, letter.as_bytes())
        assert harness.read_all()[-1].disposition == disposition
    assert "“join”: It is struck through" in " ".join(
        harness.newest("dora@example.net", "answer").text.split()
    )


def test_an_order_beside_a_smile_of_outlook_is_sealed(harness: MailHarness) -> None:
    begun(harness)
    assert (
        answer(harness, "<p>B3 <span style='font-family:Wingdings'>J</span></p>", "B3 J")
        == "orders"
    )
    assert "Round 1: B3" in (said := receipt(harness)) and "What was not taken" not in said
