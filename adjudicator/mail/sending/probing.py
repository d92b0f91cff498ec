"""A test letter, sent at once and stored nowhere: whether the mail server takes what a worker would
send.
"""

import json
from contextlib import closing
from datetime import datetime

from adjudicator.mail.composing.compose import compose_letter
from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import entropy
from adjudicator.platform.config import Settings
from adjudicator.service.letters import kinds
from adjudicator.service.letters.contents.host_content import ProbeLetter
from adjudicator.service.letters.outbox import LetterToSend


def send_probe(settings: Settings, address: str, *, fingerprint: str, now: datetime) -> str:
    """Send a test letter to an address as workers send theirs, signed where DKIM_KEY_FILE is set;
    return its Message-ID.

    Raises smtp.NotSent, signing.DkimKeyError, and ValueError for what is no address.
    """
    content = json.loads(kinds.dump_context(ProbeLetter(fingerprint=fingerprint)))
    letter = LetterToSend(
        id=0,
        uid=entropy.token_hex(12),
        kind=ProbeLetter.KIND,
        address=address,
        context=content,
        made_at=now,
        match_id=None,
        seat=None,
        tries=1,
        receipt=None,
        until=now,
    )
    message = compose_letter(settings, letter)
    with closing(Carrier(settings)) as carrier:
        carrier.hand_over(letter, message, now)
        carrier.await_answer()
    return message.message_id
