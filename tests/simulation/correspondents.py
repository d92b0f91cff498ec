"""Players who write commands by letter, and mail servers that bounce our letters."""

import random
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from adjudicator.mail import addresses
from tests.simulation.ledger import Ledger, SentBack, Wrote
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.sink import Taken
from tests.simulation.world import World

COMMANDED, RETURNED, DELAYED = (
    "a command was written",
    "a letter came back",
    "a letter was reported late",
)
KINDS = (COMMANDED, RETURNED, DELAYED)
_SHARE_COMMANDS, _SHARE_BOUNCES = 0.4, 0.4  # of the worlds
_EVERY = 150.0  # mean seconds between a player's letters
_RETRIES = (5.0, 20.0, 60.0, 300.0)
_COMMANDS = (
    "status",
    "status",
    "status",
    "history",
    "help",
    "zone Europe/Paris",
    "zone Asia/Tokyo",
    "name",
    "name",
    "new address",
)


_REPORT = """\
From: MAILER-DAEMON@mail.example.org
To: {to}
Subject: Undelivered Mail
Date: {date}
Message-ID: <b{number}@players.example.org>
MIME-Version: 1.0
Content-Type: multipart/report; boundary="part"; report-type=delivery-status

--part
Content-Type: text/plain

Your letter was not delivered.
--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org

Final-Recipient: rfc822; {reader}
Action: {action}
Status: {status}

--part
Content-Type: message/rfc822

Message-ID: {of}

--part--
"""


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Add commands by letter and bounces to some worlds; the others are unchanged."""
    if service.faults.quiet or service.faults.crash_at is not None:
        return
    dice = random.Random(f"{world.seed}/correspondents")
    carrier = Carrier(world, service, dice)
    if dice.random() < _SHARE_COMMANDS:
        Writers(world, carrier, ledger, everybody, dice)
    if dice.random() < _SHARE_BOUNCES:
        Servers(world, carrier, ledger, dice.choice(everybody).address, dice)


class Carrier:
    """Delivers letters as mail servers do: again until the inbox answers."""

    def __init__(self, world: World, service: Service, dice: random.Random) -> None:
        self.world, self.service, self._dice = world, service, dice

    def carry(self, to: str, raw: bytes, taken: list[str], *, null_sender: bool = False) -> None:
        """Deliver a letter until it is answered 250 (its uid is added to `taken`) or the address
        does not exist.
        """
        process = self.world.slots["inbox"]
        again = lambda: self.world.at(  # noqa: E731
            self._dice.choice(_RETRIES), lambda: self.carry(to, raw, taken, null_sender=null_sender)
        )

        def heard(uid: Any, fault: BaseException | None) -> None:
            if fault is not None:
                again()
            elif uid is not None:
                taken.append(uid)

        def missed() -> None:
            if not taken and process.dead:
                again()

        work = lambda process: self.service.take_letter(process, to, raw, null_sender=null_sender)  # noqa: E731
        if self.service.ask("inbox", "letter", work, heard):
            self.world.at(70.0, missed)
        else:
            again()


class Writers:
    """Players who write commands to the addresses of their seats."""

    def __init__(
        self,
        world: World,
        carrier: Carrier,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._carrier, self._ledger, self._dice = world, carrier, ledger, dice
        for player in everybody:
            world.at(_EVERY * dice.random(), self._write, player)

    def _write(self, player: Player) -> None:
        if not self._carrier.service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._write, player)
        token = seat_token(self._carrier.service, player)
        if token is None:
            return
        number = len(self._ledger.wrote)
        line = self._dice.choice(_COMMANDS)
        wrote = Wrote(
            player.uid, player.id, f"name Somebody{number}" if line == "name" else line, token
        )
        self._ledger.wrote.append(wrote)
        self._world.fire(COMMANDED)
        settings = self._carrier.service.fixture_db.settings
        to = addresses.token_address(settings, token).addr_spec
        message = plain_message(
            player.address, to, "A word", f"<c{number}@players.example.org>", self._world
        )
        message.set_content(wrote.line + "\n")
        self._carrier.carry(to, message.as_bytes(), wrote.taken)


class Servers:
    """A player's mail server: accepts letters, and sometimes reports that one is undeliverable or
    delayed.
    """

    def __init__(
        self, world: World, carrier: Carrier, ledger: Ledger, address: str, dice: random.Random
    ) -> None:
        self._world, self._carrier, self._ledger, self._dice, self._address = (
            world,
            carrier,
            ledger,
            dice,
            address,
        )
        self._ends = dice.random() < 0.6  # whether it gives up on letters at all
        world.sink.readers.append(self._read)

    def _read(self, taken: Taken) -> None:
        if (
            taken.to != self._address
            or not self._carrier.service.faults.on
            or self._dice.random() > 0.6
        ):
            return
        final = self._ends and self._dice.random() < 0.5
        back = SentBack(taken.uid, final, forged=self._dice.random() < 0.2)
        self._ledger.sent_back.append(back)
        self._world.at(self._dice.random() * 60, self._report, back, taken)

    def _report(self, back: SentBack, taken: Taken) -> None:
        self._world.fire(RETURNED if back.final else DELAYED)
        own = addresses.service_address(self._carrier.service.fixture_db.settings).addr_spec
        to = own if back.forged else taken.sender or own
        number = self._ledger.sent_back.index(back)
        action, status = ("failed", "5.1.1") if back.final else ("delayed", "4.4.1")
        raw = _REPORT.format(
            to=to,
            date=format_datetime(self._world.now()),
            number=number,
            reader=taken.to,
            action=action,
            status=status,
            of=taken.message_id,
        )
        self._carrier.carry(to, raw.encode(), back.taken, null_sender=not back.forged)


def seat_token(service: Service, player: Player) -> str | None:
    """Return the secret of the address of a player's seat, as letters told it; None without a seat,
    or until a letter tells it.
    """
    return service.addresses.token_of(player.address, player.uid)


def plain_message(
    sender: str, to: str, subject: str, message_id: str, world: World
) -> EmailMessage:
    """Return an empty letter as a plain mail program writes it."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = format_datetime(world.now()), message_id
    return message
