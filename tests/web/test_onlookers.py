"""What onlookers see of a player who hides the own name, or who was erased: the seat's name, on
every page and in every file.
"""

import re

from adjudicator.service.erasure import erasing
from adjudicator.service.matches import masters
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import AccountChanges, Shown
from adjudicator.service.ratings import counting
from adjudicator.service.tournaments import entering, making
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.service.test_archive import archive_all
from tests.service.tournament_play import DIRECTOR
from tests.web.site import Site, page_text
from tests.web.test_security import walk

NAME = "Quillfeather"
# pages of letters that their reader got from the player
TO_ONE = ("/invitations/", "/offers/", "/mailbox", "/sign-in/")


def show(site: Site, shown: Shown) -> None:
    """Give Alice the name NAME, and let onlookers see this of her."""
    wishes = AccountChanges(NAME, "UTC", receipts=True, letters=True, shown=shown)
    accounts.change_account(site.harness.database, site.harness.player(ALICE), wishes)


def everything(site: Site) -> list[str]:
    """Return the address of every page that anybody may open, on a site where Alice has done a bit
    of everything.
    """
    paths = [path for path in walk(site) if not path.startswith(TO_ONE)]
    show(site, "page")
    harness, tournament = (
        site.harness,
        next(path for path in paths if path.startswith("/tournaments/")).split("/")[2],
    )
    running = next(path for path in paths if path.endswith("/about")).split("/")[2]
    masters.pause_match(harness.database, running, harness.people[ALICE], now=harness.now)
    making.add_director(
        harness.database,
        tournament,
        harness.people[DIRECTOR],
        harness.people[ALICE],
        now=harness.now,
    )
    entering.leave(harness.database, tournament, harness.people[ALICE], now=harness.now)
    archive_all(harness)
    counting.count_waiting(harness.database, now=harness.now)
    return paths


def telling(site: Site, paths: list[str], who: str | None) -> set[str]:
    """Return the addresses, of all these, at which a visitor reads NAME."""
    visitor = site.visitor(who)
    return {path for path in paths if NAME.casefold().encode() in visitor.get(path).data.lower()}


def test_no_surface_names_who_hides_the_name_or_was_erased(site: Site) -> None:
    paths = everything(site)
    named = telling(site, paths, None)
    kinds = {re.sub(r"/[a-z0-9]{9}(?=[/.?]|$)", "/ID", path).partition("?")[0] for path in named}
    wanted = {
        "/matches/ID",
        "/matches/ID.json",
        "/matches/ID/about",
        "/matches/ID/history",
        "/archive",
        "/ladder/pyramid",
    }
    assert wanted | {"/tournaments/ID", "/tournaments/ID.json"} <= kinds, (
        "the name is told while it is shown"
    )
    show(site, "seat")
    assert telling(site, paths, None) == telling(site, paths, MALLORY) == set()
    show(site, "page")
    # the player's page is at another address now
    shown = sorted(path for path in named if not path.startswith("/players/"))
    assert shown and telling(site, shown, None) == set(shown), "it is told again"
    erasing.erase_player(site.harness.database, site.harness.people[ALICE], now=site.harness.now)
    assert (
        telling(site, paths, BOB)
        == telling(site, shown, None)
        == telling(site, shown, MALLORY)
        == set()
    )


def test_who_plays_with_them_still_reads_the_name(small_site: Site) -> None:
    uid, done = small_site.begin_match(), small_site.play_to_end()
    show(small_site, "seat")
    for each in (uid, done):
        assert NAME in page_text(small_site.visitor(BOB).get(f"/matches/{each}"))
        assert NAME in page_text(small_site.visitor(ALICE).get(f"/matches/{each}"))
        stranger = page_text(small_site.visitor().get(f"/matches/{each}"))
        assert NAME not in stranger and CHARLIE in stranger and "Seat 1" in stranger
    assert [
        each["player"] for each in small_site.visitor().get(f"/matches/{uid}.json").json["seats"]
    ] == ["Seat 1", BOB, CHARLIE]
    show(small_site, "name")
    assert NAME in page_text(small_site.visitor().get(f"/matches/{uid}"))


def test_the_account_page_keeps_the_choice(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    assert 'value="name" checked' in alice.get("/account").text, "at first"
    saved = {"name": ALICE, "zone": "UTC", "letters": "1", "receipts": "1"}
    for shown in ("seat", "page", "name", "seat"):
        assert (
            f'value="{shown}" checked'
            in alice.post("/account", saved | {"shown": shown}, follow=True).text
        )
    assert (
        'value="seat" checked' in alice.post("/account", saved | {"shown": "all"}, follow=True).text
    ), "an unknown choice changes nothing"
