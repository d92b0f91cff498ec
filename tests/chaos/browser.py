"""A player's browser without scripts: reads a match's page, sends the form, and reads the
answer.
"""

import http.client
import re
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from urllib.parse import urlencode

from tests.chaos.ledger import Fate
from tests.seat_forms import hidden_fields

PATIENCE = 20.0  # seconds for an answer
_FORM_TOKEN = re.compile(r'"X-CSRFToken": "([^"]+)"')
_PHASE = re.compile(r'name="phase" value="(\d+)"')
_CHOICE = re.compile(r'name="slot-pick" value="([^"]+)"')
_DEADLINE = re.compile(r'<time[^>]* datetime="([^"]+)"')
_ANSWER = re.compile(r'id="receipt" class="receipt (\w+)"')
_SEAL = re.compile(r'<code class="hash">([0-9a-f]{64})</code>')
_NUMBERS = re.compile(r"Submission (\d+) of [^,]*, phase (\d+), received")
_REASON = re.compile(r"<h2>Not taken</h2><p>(.*?)</p>", re.DOTALL)


class NoAnswer(Exception):
    """The site could not be reached, hung up, or reported an error of its own."""


@dataclass(frozen=True)
class Look:
    """What a match's page shows to a seat."""

    over: bool
    phase: int | None
    choices: tuple[str, ...]
    deadline: float | None


@dataclass(frozen=True)
class Answer:
    """What the page says of submitted orders."""

    fate: Fate
    phase: int | None = None
    seq: int = 0
    seal: str = ""
    reason: str = ""


class Browser:
    """Keeps the session cookie and the form token."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self._forms = self._secret = self._page = ""

    def look(self, uid: str) -> Look:
        """Open a match's page. Raises NoAnswer."""
        status, page = self._ask("GET", f"/matches/{uid}")
        if status != http.HTTPStatus.OK:
            raise NoAnswer(str(status))
        self._page = page
        found, phase = _FORM_TOKEN.search(page), _PHASE.search(page)
        self._secret = found[1] if found else self._secret
        choices = tuple(dict.fromkeys(_CHOICE.findall(page)))
        deadline = _DEADLINE.search(page[page.find('id="owed"') :])
        return Look(
            "<h2>The match is over</h2>" in page,
            int(phase[1]) if phase else None,
            choices,
            _moment(deadline),
        )

    def hand_in(self, uid: str, phase: int, piece: str, says: str) -> Answer:
        """Send the form. Raises NoAnswer if its outcome is unknown."""
        path, said = f"/matches/{uid}/orders", {"says": says} if says else {}
        form = hidden_fields(path, self._page) | {
            "csrf_token": self._secret,
            "phase": phase,
            "slot-pick": piece,
            **said,
        }
        status, self._page = self._ask("POST", path, urlencode(form))
        page = self._page
        answer = _ANSWER.search(page)
        if answer is None:
            if status in (http.HTTPStatus.CONFLICT, http.HTTPStatus.BAD_REQUEST):
                return Answer("refused", reason=f"status {status}")
            raise NoAnswer(str(status))
        seal, numbers, reason = _SEAL.search(page), _NUMBERS.search(page), _REASON.search(page)
        fate: Fate = (
            "accepted" if answer[1] == "accepted" else "late" if answer[1] == "late" else "refused"
        )
        return Answer(
            fate,
            int(numbers[2]) if numbers else None,
            int(numbers[1]) if numbers else 0,
            seal[1] if seal else "",
            unescape(reason[1]).strip() if reason else "",
        )

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        cookies = "; ".join(filter(None, (f"sealed={self._token}", self._forms)))
        headers = {"Cookie": cookies, "User-Agent": "player", "Connection": "close"}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            page = answer.read().decode()
        except (OSError, http.client.HTTPException) as fault:
            raise NoAnswer(type(fault).__name__) from fault
        finally:
            line.close()
        if (
            answer.status >= http.HTTPStatus.INTERNAL_SERVER_ERROR
            or answer.status == http.HTTPStatus.TOO_MANY_REQUESTS
        ):
            raise NoAnswer(str(answer.status))
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            if cookie.startswith("sealed-forms="):
                self._forms = cookie.partition(";")[0]
        return answer.status, page


def _moment(found: re.Match[str] | None) -> float | None:
    try:
        return datetime.fromisoformat(found[1]).timestamp() if found else None
    except ValueError:
        return None
