"""Push and the home screen on the site: off until asked for by a button of the account page."""

import json

from playwright.sync_api import expect
from sqlmodel import select

from adjudicator.seal.web_push import public_point, push_key
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import PushBrowser
from tests.cast import ALICE
from tests.mail.test_push import Phone
from tests.web.live import Live
from tests.web.site import Site

_STAND_IN = """(given) => {
  const unsubscribe = async () => { window.kept = null; };
  const subscription = { endpoint: given.address, options: { applicationServerKey: null }, unsubscribe };
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer;
  subscription.getKey = (name) => bytes(name === 'p256dh' ? given.public : given.secret);
  window.kept = null;
  Notification.requestPermission = async () => 'granted';
  PushManager.prototype.getSubscription = async () => window.kept;
  PushManager.prototype.subscribe = async (asked) => {
    subscription.options.applicationServerKey = asked.applicationServerKey.buffer;
    return (window.kept = subscription);
  };
}"""  # no push service of a browser's maker can be reached from a test


def publish(site: Site) -> None:
    with site.harness.database.write_tx() as session:
        key = public_point(push_key(site.harness.keyring))
        public_keys.publish_keys(
            session, site.harness.keyring.public, site.harness.now, push_key=key
        )


def stored(site: Site) -> list[tuple[int, str]]:
    with site.harness.database.read_tx() as session:
        return [(row.player_id, row.address) for row in session.exec(select(PushBrowser))]


def test_nothing_is_offered_to_visitors_and_the_manifest_names_files_that_are_there(
    small_site: Site,
) -> None:
    publish(small_site)
    assert "manifest" not in small_site.visitor().get("/").text
    account = small_site.visitor(ALICE).get("/account").text
    assert 'rel="manifest"' in account and "Tell me on this device" in account
    told = json.loads(small_site.visitor().get("/manifest.webmanifest").text)
    assert told["start_url"] == "/" and told["display"] == "standalone"
    for icon in told["icons"]:
        answer = small_site.visitor().get(icon["src"])
        assert answer.status_code == 200 and answer.mimetype == icon["type"]


def test_keys_and_addresses_that_are_none_are_refused_and_nobody_else_can_ask(
    small_site: Site,
) -> None:
    alice, given = small_site.visitor(ALICE), Phone("one").given()
    for changes in ({"address": "https://127.0.0.1/x"}, {"public": "x"}, {"secret": ""}):
        assert alice.post("/account/push", {**vars(given), **changes}).status_code == 400
    assert (
        small_site.visitor().post("/account/push", vars(given)).status_code == 403
        and stored(small_site) == []
    )
    assert alice.post("/account/push", vars(given)).status_code == 303
    assert stored(small_site) == [(small_site.harness.people[ALICE], given.address)]
    assert alice.post("/account/push/off", {}).status_code == 303 and stored(small_site) == []


def test_the_button_turns_it_on_and_off_and_signing_out_turns_it_off(live: Live) -> None:
    publish(live.site)
    page = live.context(ALICE, permissions=["notifications"]).new_page()
    page.add_init_script(f"({_STAND_IN})({json.dumps(vars(Phone('one').given()))})")
    page.goto("/account")
    page.get_by_role("button", name="Tell me on this device").click()
    stop = page.get_by_role("button", name="Stop telling me on this device")
    expect(stop).to_be_visible()
    assert len(stored(live.site)) == 1
    stop.click()
    expect(page.get_by_role("button", name="Tell me on this device")).to_be_visible()
    assert stored(live.site) == []
    page.get_by_role("button", name="Tell me on this device").click()
    expect(stop).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert stored(live.site) == []
