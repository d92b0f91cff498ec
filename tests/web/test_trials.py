"""Trials on the site: any position of a match, a blank board, and a dry run of the form's
orders.
"""

import re
from html import unescape
from urllib.parse import quote, urlencode

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.games.sample_game import offer
from tests.web.site import Site, page_text
from web.http.page_rules import rules_of
from web.matches import trials


@pytest.fixture(autouse=True)
def stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)


@pytest.fixture
def uid(small_site: Site) -> str:
    """A match in its second turn, in which Bob owes orders."""
    harness = small_site.harness
    harness.player(ALICE), harness.player(BOB)
    uid = harness.match(ALICE, BOB, wish=Wish("stairs", "Stairs", {}))
    harness.round(uid, [(ALICE, "up 2")])
    return uid


def test_anybody_who_may_see_a_position_may_try_orders_on_it(small_site: Site, uid: str) -> None:
    for visitor in (small_site.visitor(), small_site.visitor(ALICE)):
        assert "Turn 2, tried out" in page_text(visitor.get(f"/matches/{uid}/phases/2/try"))
        page = visitor.post(f"/matches/{uid}/phases/2/try", {"text": "B up 3\nA up 1"})
        assert "B climbed 3. A climbed 1." in page_text(page) and "A 3, B 3" in page_text(page)
        assert page.headers["X-Robots-Tag"] == "noindex" and 'content="noindex"' in page.text


def test_what_was_typed_stays_in_the_box_whatever_it_is(small_site: Site, uid: str) -> None:
    text = "</textarea><script>alert(1)</script>\nB up 1"
    page = small_site.visitor().post(f"/matches/{uid}/phases/2/try", {"text": text})
    assert (
        page.status_code == 200
        and "<script>alert" not in page.text
        and "&lt;/textarea&gt;" in page.text
    )
    assert "was not tried. Write A up 1. Did you mean: A up 1" in page_text(
        page
    ) and "B climbed 1." in page_text(page)


def test_a_click_mends_a_refused_line_and_tries_again(small_site: Site, uid: str) -> None:
    page = small_site.visitor().post(f"/matches/{uid}/phases/2/try", {"text": "rubbish\nB up 1"})
    assert 'name="text" value="A up 1\nB up 1"' in page.text


def test_too_much_text_and_none_are_answered_with_a_sentence(small_site: Site, uid: str) -> None:
    visitor, path = small_site.visitor(), f"/matches/{uid}/phases/2/try"
    long = visitor.post(path, {"text": "x" * 30_000})
    assert long.status_code == 413 and "20000 characters at most" in page_text(long)
    assert "nothing to try" in page_text(visitor.post(path, {"text": " \n"}))


def test_a_trial_needs_the_hidden_token_of_its_form(small_site: Site, uid: str) -> None:
    assert (
        small_site.visitor()
        .client.post(f"/matches/{uid}/phases/2/try", data={"text": "A up 1"})
        .status_code
        == 400
    )


def test_a_closed_phase_begins_with_the_orders_that_were_opened(small_site: Site, uid: str) -> None:
    page = small_site.visitor().get(f"/matches/{uid}/phases/1/try")
    assert "A: up 2</textarea" in " ".join(
        page.text.split()
    ) and "What happened in Turn 1" in page_text(page)


def test_a_blank_board_can_be_tried_without_any_match(small_site: Site) -> None:
    visitor = small_site.visitor()
    assert "a board to try orders on" in page_text(visitor.get("/games/stairs/try"))
    assert "A climbed 3." in page_text(visitor.post("/games/stairs/try", {"text": "A up 3"}))
    assert (
        visitor.get("/games/chess/try").status_code == 404
        and visitor.get("/games/pyramid/try").status_code == 404
    )


def test_pages_lead_to_trials_only_in_games_that_have_them(small_site: Site, uid: str) -> None:
    visitor = small_site.visitor()
    assert f'href="/matches/{uid}/phases/2/try"' in visitor.get(f"/matches/{uid}").text
    assert f'href="/matches/{uid}/phases/1/try"' in visitor.get(f"/matches/{uid}/phases/1").text
    other = small_site.begin_match()
    assert (
        "/try" not in visitor.get(f"/matches/{other}").text
        and "/try" not in visitor.get("/rules/pyramid").text
    )
    assert visitor.get(f"/matches/{other}/phases/1/try").status_code == 404


def test_the_form_has_a_dry_run_that_seals_nothing(small_site: Site, uid: str) -> None:
    bob = small_site.visitor(BOB)
    assert (
        f'formaction="/matches/{uid}/phases/2/try" formnovalidate'
        in bob.get(f"/matches/{uid}").text
    )
    page = bob.post(
        f"/matches/{uid}/phases/2/try", {"phase": "2", "slot-steps": "B up 2", "plan": "up 1"}
    )
    assert "B climbed 2." in page_text(page) and "before THEN" in page_text(page)
    assert "You owe orders for Turn 2" in page_text(bob.get(f"/matches/{uid}"))


def test_the_pages_script_gets_the_dry_run_alone(small_site: Site, uid: str) -> None:
    part = small_site.visitor(BOB).post(
        f"/matches/{uid}/phases/2/try", {"slot-steps": "B up 2"}, htmx=True
    )
    assert (
        part.text.strip().startswith('<section id="trial"')
        and "nothing was sealed" in page_text(part)
        and "B climbed 2." in page_text(part)
    )


def test_a_phase_or_a_match_that_is_not_there_is_not_found(small_site: Site, uid: str) -> None:
    for path in (f"/matches/{uid}/phases/9/try", "/matches/nothing/phases/1/try"):
        assert small_site.visitor().get(path).status_code == 404


# --- clicking, comparing and sharing


def test_the_form_of_choices_is_tried_without_scripts_and_fills_the_box(
    small_site: Site, uid: str
) -> None:
    page = small_site.visitor().post(
        f"/matches/{uid}/phases/2/try", {"position": "", "slot-A": "A up 3", "slot-B": ""}
    )
    assert "A climbed 3." in page_text(page) and ">A up 3</textarea>" in page.text
    assert 'value="A up 3" checked' in page.text


def test_the_list_without_scripts_replaces_only_what_was_chosen_in_it(
    small_site: Site, uid: str
) -> None:
    sent = {
        "position": "",
        "text": "rubbish\nB up 1",
        "slot-A": "A up 3",
        "slot-B": "",
        "listed": "{}",
    }
    for listed in ("{}", "[]", "rubbish", "[" * 9000, '{"C": 1}'):
        page = small_site.visitor().post(f"/matches/{uid}/phases/2/try", sent | {"listed": listed})
        assert ">rubbish\nB up 1\nA up 3</textarea>" in page.text
        assert "A climbed 3. B climbed 1." in page_text(
            page
        ) or "B climbed 1. A climbed 3." in page_text(page)
    page = small_site.visitor().post(
        f"/matches/{uid}/phases/2/try", sent | {"listed": '{"B": "B up 1"}'}
    )
    assert ">rubbish\nA up 3</textarea>" in page.text, "the choice of B was taken back"


def test_what_came_of_a_phase_is_beside_what_would_come(small_site: Site, uid: str) -> None:
    visitor, path = small_site.visitor(), f"/matches/{uid}/phases/1/try"
    other = page_text(visitor.post(path, {"text": "A up 3"}))
    assert (
        "What would come of it A climbed 3. What came of it in the match instead A climbed 2."
        in other
    )
    same = page_text(visitor.post(path, {"text": "A up 2\nB up 1"}))
    assert "B climbed 1. The same in both (1) A climbed 2." in same
    assert (
        "What would come of it Nothing else than in the match. The same in both (1)"
        in page_text(visitor.post(path, {"text": "A up 2"}))
    )
    assert (
        "in the match"
        not in page_text(
            visitor.post(f"/matches/{uid}/phases/2/try", {"text": "A up 3"})
        ).partition("What would")[2][:60]
    )


def test_a_trial_that_tells_a_part_of_what_came_says_so(
    small_site: Site, uid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = trials.Comparison.of(("A climbed 2.",), ("A climbed 2.", "B fell."))
    monkeypatch.setattr(trials.Comparison, "of", lambda *_: board)
    told = page_text(small_site.visitor().post(f"/matches/{uid}/phases/1/try", {"text": "A up 2"}))
    assert (
        "Only what came of it in the match, and not all of that. What came of it in the match"
        " instead B fell. The same in both" in told
    )


def test_a_trial_of_a_match_has_an_address_that_anybody_can_open(
    small_site: Site, uid: str
) -> None:
    page = small_site.visitor(ALICE).post(f"/matches/{uid}/phases/2/try", {"text": "A up 1"})
    address = "/games/stairs/try?position=heights+2+0&amp;orders=A+up+1"
    assert f'value="http://localhost:8000{address}"' in page.text
    opened = small_site.visitor().get(address.replace("&amp;", "&"))
    assert (
        opened.status_code == 200
        and "A climbed 1." in page_text(opened)
        and "A 3, B 0" in page_text(opened)
    )
    assert ALICE not in opened.text and uid not in opened.text
    assert opened.headers["X-Robots-Tag"] == "noindex" and 'content="noindex"' in opened.text


def test_the_position_of_an_address_stays_for_further_trials(small_site: Site) -> None:
    visitor = small_site.visitor()
    page = visitor.get("/games/stairs/try?position=heights+4+4")
    assert (
        'name="position" value="heights 4 4"' in page.text
        and "What would come" not in page_text(page)
    )
    assert "A 5, B 4" in page_text(
        visitor.post("/games/stairs/try", {"position": "heights 4 4", "text": "A up 1"})
    )


def test_an_address_that_is_too_long_or_wrong_is_answered_with_a_sentence(small_site: Site) -> None:
    visitor = small_site.visitor()
    long = visitor.get("/games/stairs/try?" + urlencode({"orders": "A up 1\n" * 900}))
    assert (
        long.status_code == 413
        and "An address holds 6,000 characters of position and orders at most" in page_text(long)
    )
    wrong = visitor.get("/games/stairs/try?position=rubbish&orders=more+rubbish")
    assert wrong.status_code == 200 and "rubbish : This is no part of a position." in page_text(
        wrong
    )
    assert "more rubbish was not tried" in page_text(wrong)
    assert visitor.get("/games/pyramid/try?position=x").status_code == 404
    assert "too long for an address" in page_text(
        visitor.post("/games/stairs/try", {"text": f"{'x' * 150}\n" * 50})
    )


@pytest.mark.parametrize("game", ["diplomacy", "rsp-diplomacy"])
def test_no_address_breaks_the_page_or_puts_a_script_into_it(small_site: Site, game: str) -> None:
    hostile = (
        '"><script>alert(1)</script>',
        (
            "units <img src=x onerror=alert(1)>\nFRANCE: <b>A PAR</b>, ' onfocus='x\nrules: {{ 7*7"
            " }}\norders\n</textarea><script>"
        ),
        "\x00units\x00\nFRANCE\x00: A PAR\u202e\u2028\x1b[0m\x85",
        "units Fall 1903 retreats\n" + "FRANCE: A PAR, F Atlantis\n" * 40,
        "units\n" + "dislodged\n" * 90 + "seen " * 100,
        "\ud800",
    )
    visitor = small_site.visitor()
    for text in hostile:
        value = quote(text, errors="surrogatepass")
        for query in (
            f"position={value}",
            f"orders={value}",
            f"position={value}&orders={value}",
            "position=%ff%fe&orders=%c0%af",
        ):
            page = visitor.get(f"/games/{game}/try?{query}")
            assert page.status_code == 200, (text, page_text(page)[:300])
            assert not any(
                bad in page.text
                for bad in ("<script>", "<img src=x", "<b>A", "\x00", "\x1b", " onfocus='", ">49<")
            )


def test_a_position_that_is_too_long_is_answered_with_a_sentence_and_kept(small_site: Site) -> None:
    visitor, position = small_site.visitor(), "heights 4 4\n" * 101
    for page in (
        visitor.post("/games/stairs/try", {"position": position, "text": "A up 1"}),
        visitor.get("/games/stairs/try?" + urlencode({"position": position, "orders": "A up 1"})),
    ):
        assert (
            page.status_code == 413
            and "A position may have 100 lines and 6,000 characters at most" in page_text(page)
        )
        assert page.text.count("heights 4 4\n") > 101 and ">A up 1</textarea>" in page.text


def test_every_trial_has_a_rate(small_site: Site) -> None:
    views = small_site.app.view_functions
    trials = [view for endpoint, view in views.items() if endpoint.startswith("trials.")]
    assert len(trials) == 4 and all(rules_of(view).rate for view in trials)


def test_positions_of_a_match_are_opened_a_minute_so_often_and_no_more(
    small_site: Site, uid: str
) -> None:
    statuses = [
        small_site.visitor().get(f"/matches/{uid}/phases/1/try").status_code for _ in range(61)
    ]
    assert set(statuses[:60]) == {200} and statuses[60] == 429


def test_addresses_are_opened_a_minute_so_often_and_no_more(small_site: Site) -> None:
    statuses = [
        small_site.visitor().get("/games/stairs/try?orders=A+up+1").status_code for _ in range(61)
    ]
    assert set(statuses[:60]) == {200} and statuses[60] == 429


def test_a_shared_trial_of_hidden_characteristics_holds_what_everybody_may_see(
    small_site: Site,
) -> None:
    harness = small_site.harness
    uid = harness.match(
        ALICE, BOB, wish=Wish("rsp-diplomacy", "Hidden", {}, players=2, seating="order")
    )
    page = small_site.visitor(ALICE).post(f"/matches/{uid}/phases/1/try", {"text": "A PAR - BUR"})
    shown = page.text.partition('id="share"')[2].partition(">")[0]
    assert "orders=A+PAR+-+BUR" in shown and not any(
        trait in shown for trait in ("Rock", "Paper", "Scissors")
    )
    assert "Do not share what you mean to seal" in page_text(page)


@pytest.mark.parametrize("game", ["diplomacy", "rsp-diplomacy"])
def test_the_positions_of_the_rules_can_be_laid_and_tried(small_site: Site, game: str) -> None:
    visitor = small_site.visitor()
    chapter = visitor.get(f"/rules/{game}").text.partition('id="trials"')[2].partition("<h2")[0]
    examples = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", chapter, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        page = page_text(visitor.post(f"/games/{game}/try", {"text": unescape(example)}))
        assert "What would come of it" in page and "was not tried" not in page
    assert "Not everything" not in page_text(
        visitor.get(f"/games/{game}/try?position={quote(unescape(examples[1]))}")
    )
