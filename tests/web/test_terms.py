"""A term is declared once: one more entry is on the form, in letters, in *About* and in the next
match.
"""

from dataclasses import dataclass

import pytest
from werkzeug.datastructures import MultiDict

from adjudicator.mail.commands.joining import join
from adjudicator.mail.commands.joining.terms import _terms as lines_of
from adjudicator.mail.commands.joining.wanted import explain_words, read_wanted
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.rows import by_uid
from adjudicator.service.matches import creation
from adjudicator.service.matches.terms import reading, record
from adjudicator.service.matches.terms.kinds import NumberKind
from adjudicator.service.matches.terms.term import Term, TermWord, declared_terms
from adjudicator.service.views import conditions, game_info
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.site import Site
from web.matches import new_match

TEA = Term(
    NumberKind(
        "Tea is served {least} to {most} times; {value} is outside of that.",
        least=0,
        most=9,
        wrong="Write a whole number of pots, such as 2.",
        empty=0,
    ),
    label="Pots of tea",
    hint="Served while a phase is open.",
    group="lateness",
    word=TermWord("tea=2", "pots of tea while a phase is open"),
    row=("Tea", lambda match: "two pots"),
    told=lambda match: "Tea is served in every phase.",
)


@dataclass(frozen=True)
class TeaWish(creation.Wish):
    """A wish with one more term."""

    tea: int = record.term(0, TEA)


@pytest.fixture
def tea(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more term is declared; nothing else is."""
    _declare(monkeypatch)


def _declare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "TERMS", declared_terms(TeaWish))
    monkeypatch.setattr(creation, "Wish", TeaWish)


@pytest.mark.usefixtures("tea")
def test_one_entry_is_on_the_form_with_its_group_and_its_errors(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    page = alice.get("/matches/new?game=pyramid").text
    assert 'name="tea" type="number" inputmode="numeric" min="0" max="9"' in page
    assert "Pots of tea" in page and "Served while a phase is open." in page
    fields = {"game": "pyramid", **new_match.usual_fields(), "tea": "some"}
    wrong = alice.post("/matches/new", fields)
    assert wrong.status_code == 400 and "Write a whole number of pots, such as 2." in wrong.text
    assert 'id="group-lateness" open' in wrong.text
    wish, errors = new_match.read_wish(MultiDict({**fields, "tea": "3"}))
    assert not errors and wish == TeaWish(
        "pyramid", "", {}, misses=record.USUAL_MISSES, short_hours=None, tea=3
    )


@pytest.mark.usefixtures("tea")
def test_one_entry_is_a_word_of_letters_with_its_help() -> None:
    about = game_info.about("pyramid")
    assert ("tea=2", "pots of tea while a phase is open") in [*explain_words(about)]
    asked = read_wanted(about, ["tea=3"], ())
    assert join.make_wish(asked, "") == TeaWish(
        "pyramid", "", {}, short_hours=24, misses=record.USUAL_MISSES, tea=3
    )
    with pytest.raises(Refused, match="“10” is not possible for “tea”: choose 0 to 9"):
        read_wanted(about, ["tea=10"], ())
    with pytest.raises(Refused, match="Tea is served 0 to 9 times; 12 is outside of that") as no:
        reading.check(TeaWish("pyramid", "", {}, tea=12), about)
    assert no.value.field == "tea"


def test_one_entry_is_stored_copied_compared_and_told(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = small_site.harness.match(ALICE, BOB, CHARLIE)
    _declare(monkeypatch)
    assert reading.columns(TeaWish("pyramid", "", {}, tea=3))["tea"] == 3
    assert "tea" in reading.copied_columns() and reading.compared()["tea"] == 0
    with small_site.harness.database.read_tx() as session:
        terms = conditions.terms_of(session, by_uid(session, uid), inside=True)
        outlook = conditions.outlook(session, uid, now=small_site.harness.now)
    assert conditions.ToldTerm("Tea", ("two pots",)) in terms
    assert "Tea is served in every phase." in terms[-1].told
    assert "Tea: two pots" in lines_of(outlook)
    assert "two pots" in small_site.visitor(ALICE).get(f"/matches/{uid}/about").text
