"""Rules, the mailbox, pages for programs, and error pages."""

from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import pytest

from adjudicator.mail.sending.mailbox import LocalMailbox
from adjudicator.service.views import game_info
from tests.cast import ALICE, BOB, address
from tests.harness import Harness
from tests.mail.composed import as_written
from tests.web.site import Site, page_text


def test_the_rules_are_told_with_pictures(small_site: Site) -> None:
    assert "Rock Paper Pyramid" in page_text(small_site.visitor().get("/rules"))
    page = small_site.visitor().get("/rules/pyramid")
    assert (
        page.status_code == 200
        and page.text.count('class="board pyramid"') == 6
        and 'id="orders"' in page.text
    )
    assert small_site.visitor().get("/rules/chess").status_code == 404


def test_every_game_is_listed_with_its_rules_a_picture_and_a_way_to_a_match(
    small_site: Site,
) -> None:
    page = small_site.visitor().get("/rules").text
    for about in game_info.games():
        assert (
            f'href="/rules/{about.key}"' in page and f'href="/matches/new?game={about.key}"' in page
        )
        assert f'class="board {about.key}"' in page


def test_rules_in_two_languages_lead_to_each_other(small_site: Site) -> None:
    english, russian = (
        small_site.visitor().get(path) for path in ("/rules/genesis", "/rules/genesis/ru")
    )
    assert 'href="/rules/genesis/ru" hreflang="ru"' in english.text
    assert (
        'href="/rules/genesis" hreflang="en"' in russian.text and '<div lang="ru">' in russian.text
    )
    assert "Правила" in page_text(english) and "Анубис" in page_text(russian)
    assert small_site.visitor().get("/rules/genesis/en").text.count("Правила по-русски") == 1


@pytest.mark.parametrize("path", ["/rules/genesis/la", "/rules/pyramid/ru", "/rules/chess/ru"])
def test_rules_that_are_not_told_in_a_language_are_not_found(small_site: Site, path: str) -> None:
    assert small_site.visitor().get(path).status_code == 404


# --- the mailbox


def post(site: Site, to: str, subject: str, name: str) -> None:
    """Put a letter into the site's mailbox."""
    message = EmailMessage()
    message["To"], message["Subject"], message["Message-ID"] = to, subject, f"<{name}@localhost>"
    message["Date"] = format_datetime(site.harness.now)
    message.set_content("Read http://localhost:8000/matches/abc & <b>so</b> on.")
    message.add_alternative(
        "<!doctype"
        " html><html><head></head><body><script>alert(1)</script><b>Hello</b></body></html>",
        subtype="html",
    )
    LocalMailbox(site.app.extensions["settings"].data_dir / "mailbox").post(as_written(message))


def test_letters_are_listed_and_can_be_asked_for_by_address(small_site: Site) -> None:
    post(small_site, address(ALICE), "For Alice", "one")
    post(small_site, address(BOB), "For Bob", "two")
    visitor = small_site.visitor()
    assert "For Alice" in page_text(
        visitor.get("/mailbox")
    ) and "Whoever can open this page can read all of them" in page_text(visitor.get("/mailbox"))
    assert "For Alice" not in page_text(visitor.get(f"/mailbox?to={address(BOB)}"))


def test_a_letter_is_shown_where_nothing_in_it_can_run(small_site: Site) -> None:
    post(small_site, address(ALICE), "Subject & <i>more</i>", "one")
    page = small_site.visitor().get("/mailbox/one")
    assert (
        '<iframe class="mail-frame"' in page.text
        and "<script>alert" not in page.text
        and "Subject &amp; &lt;i&gt;more" in page.text
    )
    assert (
        'href="http://localhost:8000/matches/abc"' in page.text
        and "&lt;b&gt;so&lt;/b&gt;" in page.text
    )
    inside = small_site.visitor().get("/mailbox/one/html")
    policy = inside.headers["Content-Security-Policy"]
    assert (
        '<base target="_top">' in inside.text
        and "default-src 'none'" in policy
        and "sandbox allow-popups" in policy
    )
    assert "allow-scripts" not in policy and "frame-ancestors 'self'" in policy


@pytest.mark.parametrize(
    "path",
    [
        "/mailbox/nothing",
        "/mailbox/..%2Fsecret_key",
        "/mailbox/nothing/html",
        "/mailbox/one/picture.png",
    ],
)
def test_what_is_not_in_the_mailbox_is_not_found(small_site: Site, path: str) -> None:
    post(small_site, address(ALICE), "For Alice", "one")
    assert small_site.visitor().get(path).status_code == 404


def test_where_a_mail_server_is_set_there_is_no_mailbox(sqlite_url: str, tmp_path: Path) -> None:
    harness = Harness(sqlite_url)
    site = Site.create(harness, tmp_path, smtp_url="smtp://mail.example.org:25")
    visitor = site.visitor()
    assert visitor.get("/mailbox").status_code == 404 and "/mailbox" not in visitor.get("/").text
    harness.dispose()


# --- pages for programs


def test_the_public_keys_and_their_fingerprint(small_site: Site) -> None:
    told = small_site.visitor().get("/.well-known/sealed-keys.json").json
    public = small_site.harness.keyring.public
    assert told == public.document | {
        "fingerprint": public.fingerprint,
        "public_log": None,
        "changes": [],
        "former_keys": [],
    }


def test_the_site_says_that_it_is_well_and_what_robots_may_read(site: Site) -> None:
    assert site.visitor().get("/healthz").json == {"status": "ok", "swept_seconds_ago": None}
    assert "Disallow: /mailbox" in site.visitor().get("/robots.txt").text


# --- faults


@pytest.mark.parametrize(
    "path", ["/nothing", "/matches/nothing", "/matches/no/phases/x", "/static/nothing.css"]
)
def test_what_is_not_there_has_a_page_that_says_what_to_do(small_site: Site, path: str) -> None:
    answer = small_site.visitor().get(path)
    assert (
        answer.status_code == 404
        and "There is nothing here" in page_text(answer)
        and "Nothing was lost" in page_text(answer)
    )


def test_a_wrong_method_names_the_right_one(small_site: Site) -> None:
    answer = small_site.visitor().get("/sign-out")
    assert (
        answer.status_code == 405
        and "POST" in answer.headers["Allow"]
        and "Nothing was changed" in page_text(answer)
    )


def test_too_much_is_refused_with_a_page(small_site: Site) -> None:
    answer = small_site.visitor(ALICE).post(
        f"/matches/{small_site.begin_match()}/orders", {"text": "B" * 600_000}
    )
    assert answer.status_code == 413 and "That is too long" in page_text(answer)


def test_a_fault_of_ours_says_so_and_keeps_what_was_typed(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError("the fifth column")

    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    alice.token()
    monkeypatch.setattr("web.matches.orders.submitting.submit_orders", break_down)
    small_site.app.testing = False
    small_site.app.config["PROPAGATE_EXCEPTIONS"] = False
    for htmx in (False, True):
        answer = alice.post(
            f"/matches/{uid}/orders", {"phase": "1", "text": "B3 with my reasons"}, htmx=htmx
        )
        assert answer.status_code == 500 and "Something broke here" in page_text(answer)
        assert "fifth column" not in answer.text
        # htmx keeps the form as it is, and shows the response above it
        assert ("B3 with my reasons" in answer.text) != htmx
        assert (answer.headers.get("HX-Retarget"), answer.headers.get("HX-Reswap")) == (
            ("#owed", "afterbegin show:top") if htmx else (None, None)
        )


def test_a_database_that_is_away_is_a_page_too(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = small_site.visitor(ALICE)
    small_site.app.testing = False
    small_site.app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("web.http.request_context.database", lambda: 1 / 0)
    answer = alice.get("/")
    assert answer.status_code == 500 and "What you handed in before still stands" in page_text(
        answer
    )


@pytest.mark.parametrize(
    ("asking", "status"),
    [("127.0.0.1", 200), ("::1", 200), ("::ffff:127.0.0.1", 200), ("192.0.2.7", 404), ("", 404)],
)
def test_the_mailbox_is_shown_to_browsers_on_this_machine_only(
    small_site: Site, asking: str, status: int
) -> None:
    environ = {"REMOTE_ADDR": asking, "HTTP_HOST": "localhost"}
    assert small_site.visitor().get("/mailbox", environ_overrides=environ).status_code == status
    assert (
        "mailbox of this machine"
        in page_text(small_site.visitor().get("/", environ_overrides=environ))
    ) == (status == 200)
