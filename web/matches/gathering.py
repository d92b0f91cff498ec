"""The waiting list, the muster and more days to fill on the page of a match that has not begun; the
next match after its end.
"""

from flask import Blueprint

from adjudicator.service.matches import waiting_list
from adjudicator.service.starting import again, expiry, muster
from web.act_forms import OFTEN, ActForm, add_forms
from web.http import request_context
from web.http.page_rules import Rate

bp = Blueprint("gathering", __name__)
_AGAIN = Rate("20 per hour", by_person=True)

add_forms(
    bp,
    "matches.match",
    ActForm("queue", waiting_list.wait_for_seat, rate=OFTEN, signs_in=True),
    ActForm("confirm", muster.confirm, rate=OFTEN),
    ActForm("renew", expiry.renew_match, rate=OFTEN),
    ActForm("again", again.make_again, request_context.caps, _AGAIN, makes=True),
)
