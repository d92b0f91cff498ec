"""The inbox: an SMTP or LMTP listener for the host's mail server.

1. An unknown address is refused at RCPT.
2. A letter is stored sealed, byte for byte as it came; only then it is acknowledged.
3. The workers read it: this process holds no private key and parses no letter.

TLS, reputation and the addresses that every host needs (postmaster@, abuse@) are left to the mail
server in front. It connects over loopback or the host's own network.
"""

import asyncio
import signal
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import structlog

from adjudicator.mail import addresses
from adjudicator.platform import clock
from adjudicator.platform.config import Settings
from adjudicator.platform.db import FAULTS, Database
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.public_keys import pinned
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import Arrival, Full, HandedOver, Target
from adjudicator.service.phases import stamps
from worker.inbox.batch import BatchQueue, UnstoredLetter
from worker.inbox.smtp import MOST_RECIPIENTS, Delivery, LmtpConnection, Load, SmtpConnection

if TYPE_CHECKING:
    from worker.inbox.broker import LetterNews

STOP_SECONDS = 4.0  # for letters in transfer when the inbox stops
TAKEN = "250 2.6.0 The letter is stored"
FULL = "452 4.2.2 So many letters to this address wait to be read that no more are taken just now"
AWAY = "451 4.3.0 Letters cannot be stored just now; try again in a moment"
FORMER = (
    "550 5.1.6 This address was a seat's. The seat changed hands since, so your letter was not"
    " taken; its new player has another one"
)
UNKNOWN = (
    "550 5.1.1 No such address here; if it was a seat's, a newer letter of the match has its"
    " new one"
)
ELSEWHERE = "550 5.7.1 Letters to other hosts are not taken here"
CROWD = (
    f"452 4.5.3 A letter goes to {MOST_RECIPIENTS} addresses at most; send the others another one"
)

log = structlog.get_logger()


class LetterHandler:
    """The handler of all connections: finds recipients and stores letters."""

    def __init__(self, settings: Settings, database: Database, sent: Callable[[], object]) -> None:
        self._settings, self._database, self._sent = settings, database, sent
        self._queue = BatchQueue(self._store)

    async def handle_RCPT(  # noqa: N802 the name is aiosmtpd's
        self,
        _server: SmtpConnection,
        _session: object,
        delivery: Delivery,
        address: str,
        _options: list[str],
    ) -> str:
        """Accept a recipient, or refuse it."""
        token = addresses.token_of(self._settings, address)
        if token is None:
            ours = address.lower().endswith(f"@{addresses.mail_host(self._settings)}")
            return UNKNOWN if ours else ELSEWHERE
        if len(delivery.targets) >= MOST_RECIPIENTS:
            return CROWD
        try:
            target = await asyncio.to_thread(self._target, token)
        except FAULTS as fault:
            log.error("inbox.no_database", fault=type(fault).__name__)
            return AWAY
        if isinstance(target, str):
            return target
        delivery.targets.append(target)
        delivery.rcpt_tos.append("")  # the target is known; the address itself is not kept
        return "250 2.1.5 Go on"

    def _target(self, token: str) -> Target | str:
        """Return what an address stands for, or the reply that refuses it."""
        with self._database.read_tx() as session:
            target = receiving.find_target(session, token)
            return target or (FORMER if receiving.was_seat(session, token) else UNKNOWN)

    async def handle_DATA(  # noqa: N802 aiosmtpd's name
        self, server: SmtpConnection, _session: object, delivery: Delivery
    ) -> str:
        """Store a letter; returns the reply, for LMTP one for each recipient."""
        fates = await self._deliver(delivery, "lmtp" if server.each_recipient else "smtp")
        # the worst: then the sender tries again
        return "\r\n".join(fates) if server.each_recipient else max(fates)

    async def _deliver(self, delivery: Delivery, via: str) -> list[str]:
        if delivery.trouble:
            return [delivery.trouble] * len(delivery.targets)
        raw = bytes(delivery.content or b"")  # type: ignore[arg-type]  # never decoded
        targets = list(dict.fromkeys(delivery.targets))
        null_sender = delivery.mail_from == "<>"
        taken = [UnstoredLetter(each, raw, delivery.came_at, via, null_sender) for each in targets]
        faults = await asyncio.gather(
            *(self._queue.add(each) for each in taken), return_exceptions=True
        )
        fates = {target: _reply(fault) for target, fault in zip(targets, faults, strict=True)}
        return [fates[each] for each in delivery.targets]

    def _store(self, taken: Sequence[UnstoredLetter]) -> None:
        now = self._database.now()
        arrivals = [
            Arrival(
                each.target,
                each.raw,
                clock.moment_of(now, each.came_at),
                each.via,
                each.null_sender,
            )
            for each in taken
        ]
        uids = receiving.store_letters(self._database, arrivals)
        self._sent()
        log.info("inbox.stored", letters=uids)

    async def handle_exception(self, error: Exception) -> str:
        """Reply to an internal error with a code that makes the client try again."""
        return _reply(error)


def _reply(fault: BaseException | None) -> str:
    """Return the reply to a letter. Only the fault's type is logged, since its text may repeat the
    letter.
    """
    if fault is None:
        return TAKEN
    if isinstance(fault, HandedOver):
        log.info("inbox.handed_over")
        return AWAY
    if isinstance(fault, Full):
        log.warning("inbox.full")
        return FULL
    known = isinstance(fault, (NotNow, *FAULTS))
    log.error("inbox.not_stored" if known else "inbox.failed", fault=type(fault).__name__)
    return AWAY


# --- the process


def run_server(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Accept letters on a listening socket until SIGTERM; calls `ready` once letters can be
    accepted.
    """
    asyncio.run(_serve(settings, listener, ready))


async def _serve(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    loop, stop, stored, load = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event(), Load()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    database = Database(settings.database_url, info=pinned(settings.key_fingerprint))
    reception = LetterHandler(settings, database, lambda: loop.call_soon_threadsafe(stored.set))
    kind = LmtpConnection if urlsplit(settings.inbox_url).scheme == "lmtp" else SmtpConnection
    sending = asyncio.create_task(_send_wakeups(settings.redis_url, database, stored))
    server = await loop.create_server(
        lambda: kind(reception, load, host=addresses.mail_host(settings)), sock=listener
    )
    stamps.stamp_beside(settings.database_url, stamps.INBOX)
    ready()
    await stop.wait()
    server.close()
    await _shut_down(load)
    sending.cancel()
    database.engine.dispose()


async def _send_wakeups(redis_url: str, database: Database, stored: asyncio.Event) -> None:
    """Wake the workers after commits; letters stored while a wakeup is being sent share the next
    one.
    """
    if not redis_url:
        return
    await stored.wait()
    news = await asyncio.to_thread(_open_broker, redis_url)
    while await stored.wait():
        stored.clear()
        await asyncio.to_thread(news.tell, database.clock)


def _open_broker(redis_url: str) -> "LetterNews":
    from worker.inbox.broker import LetterNews

    return LetterNews(redis_url, "the inbox")


async def _shut_down(load: Load) -> None:
    """Wait up to STOP_SECONDS for letters in transfer, then close every connection with 421."""
    loop = asyncio.get_running_loop()
    end = loop.time() + STOP_SECONDS
    while load.letters and loop.time() < end:
        await asyncio.sleep(0.02)
    goodbye = [
        asyncio.wait_for(
            each.push("421 4.3.2 The inbox is being stopped; try again in a moment"), 1
        )
        for each in load.connections
    ]
    await asyncio.gather(*goodbye, return_exceptions=True)
