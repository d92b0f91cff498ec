"""The rules of a game as a letter tells them: the site's own article, without its pictures."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import inscriptis
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from markupsafe import Markup

from adjudicator.mail.composing import rendering


@dataclass(frozen=True)
class Guide:
    """The same article twice."""

    text: str
    html: Markup


_BLOCK = HtmlElement(display=Display.block, margin_after=1)
_EXAMPLE = HtmlElement(display=Display.block, margin_before=1, margin_after=1, padding_inline=4, whitespace=WhiteSpace.pre)
_STYLES = CSS_PROFILES["strict"] | {
    "dt": HtmlElement(display=Display.block, margin_before=1), "dd": _BLOCK, "caption": _BLOCK, "pre": _EXAMPLE
}  # fmt: skip


def _is_laid_out(line: str) -> bool:
    """Whether a line stands as it is: a row of a table, or an example of orders."""
    return "  " in line.strip() or line.startswith("    ")


@cache
def guide(name: str) -> Guide:
    """Return an article of rules, `genesis` or `genesis.ru`; raises jinja2.TemplateNotFound where none is written."""
    article = rendering.article(f"web/rules/{name}.html", {"pictures": defaultdict(str)})
    plain = article.replace("<pre><code>", "<pre>").replace("</code></pre>", "</pre>")  # else its lines run together
    text = inscriptis.get_text(plain, ParserConfig(css=_STYLES, display_links=False))
    lines = (
        line.rstrip() if _is_laid_out(line) else rendering.wrap(line.strip(), hang=2 * line.lstrip().startswith("* "))
        for line in text.splitlines()
    )
    return Guide("\n".join(lines).strip(), Markup(article))  # noqa: S704 our own template
