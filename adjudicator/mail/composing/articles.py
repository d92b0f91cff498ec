"""The rules of a game as text: what the site shows as an article, for letters."""

import inscriptis
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement

_BLOCK = HtmlElement(display=Display.block, margin_after=1)
_EXAMPLE = HtmlElement(
    display=Display.block,
    margin_before=1,
    margin_after=1,
    padding_inline=4,
    whitespace=WhiteSpace.pre,
)
_STYLES = CSS_PROFILES["strict"] | {
    "dt": HtmlElement(display=Display.block, margin_before=1),
    "dd": _BLOCK,
    "caption": _BLOCK,
    "pre": _EXAMPLE,
}


def article_text(article: str) -> str:
    """Return an HTML fragment as lines of plain text, not yet folded; empty cells of tables and
    examples keep their places.
    """
    # else its lines run together
    plain = article.replace("<pre><code>", "<pre>").replace("</code></pre>", "</pre>")
    text: str = inscriptis.get_text(plain, ParserConfig(css=_STYLES, display_links=False))
    return text
