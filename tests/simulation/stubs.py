"""Stubs for the machine while a world runs: clock, entropy, broker, mail server, pictures, mail
parser, log.
"""

import hashlib
import json
import smtplib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from email.message import EmailMessage
from functools import partial
from typing import Any
from unittest import mock

import structlog
from sqlalchemy import Engine, create_engine

from adjudicator.mail import addresses
from adjudicator.mail.composing import compose, pictures
from adjudicator.mail.composing.compose import Show
from adjudicator.mail.composing.headers import POLICY
from adjudicator.mail.composing.mime import WrittenLetter
from adjudicator.mail.drawing.chunks import strip_unseen
from adjudicator.mail.reading import letter, orderlike
from adjudicator.mail.reading.letter_text import LetterText
from adjudicator.mail.reading.sandbox import NoReader
from adjudicator.mail.sending import post
from adjudicator.platform import clock, db, db_clock, entropy, failpoints, heartbeat, queues
from adjudicator.platform.config import Settings
from adjudicator.platform.wakeups import Task
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.views import game_info
from tests.simulation.sink import Client
from tests.simulation.world import World
from worker import context, witness_posts

WHOLE_LETTERS = 10  # one world in ten composes letters completely


class InHouse:
    """Parses letters in this process: the same function, without the limits of the child
    process.
    """

    def __init__(self) -> None:
        orderlike.learn_orders(game_info.order_words())

    def read(self, raw: bytes, *, still: object = None) -> LetterText:
        """Parse a letter. Raises Unreadable, NoReader."""
        World.here.point("read a letter")
        if World.here.sink.faults.draw("no reader"):
            raise NoReader("no process can be started")
        return letter.parse_letter(raw)


def _png(svg: str, width: int = pictures.WIDTH) -> bytes:
    """Return a digest of the picture's drawing, since rendering takes a fifth of a second and is
    tested elsewhere.

    The order of its parts does not matter, because PostgreSQL returns a state's names in another
    order.
    """
    return (
        b"\x89PNG"
        + hashlib.sha256(f"{width}{sorted(strip_unseen(svg).split('<'))}".encode()).digest()
    )


def _composed(settings: Settings, letter: LetterToSend, show: Show) -> WrittenLetter:
    """Return a letter: complete in every tenth world, else its headers and its content as plain
    values, because composing is slow.
    """
    if World.here.seed % WHOLE_LETTERS == 0:
        return compose.compose_letter(settings, letter, show)
    message = EmailMessage(POLICY)
    message["From"], message["To"] = (
        addresses.service_address(settings),
        addresses.checked_address(letter.address),
    )
    message["Date"], message["Message-ID"] = (
        letter.made_at,
        addresses.message_id(settings, letter.uid),
    )
    message.set_content(
        json.dumps(
            letter.context | {"signature": letter.receipt.signature if letter.receipt else None}
        ),
        cte="8bit",
    )
    return WrittenLetter(
        letter.address,
        "",
        addresses.message_id(settings, letter.uid),
        letter.made_at,
        message.as_bytes(),
    )


def _put_task(_broker: object, task: Task, arguments: tuple[Any, ...]) -> None:
    World.here.broker.publish(task, arguments, priority=int(task.priority))


def _log(_logger: Any, method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Count what the service logs, and add it to the story."""
    World.here.logged(method, event)
    raise structlog.DropEvent


def _shown(engine: Engine) -> datetime:
    """Return the time of the world's database clock; the query is a statement and may fail."""
    with engine.connect() as connection:
        connection.exec_driver_sql("SELECT 1")
    return World.here.now()


def _bench() -> Any:
    """Return the context of the current worker, with the keys of the key file of now, as the real
    one has them.
    """
    process = World.here.current.process
    process.bench = context.with_newest_keys(process.bench)
    return process.bench


@contextmanager
def stub_machine() -> Iterator[None]:
    """Have the service's modules use the current world instead of the machine."""
    world = lambda: World.here  # noqa: E731 it reads better in the table below
    stand_ins: list[tuple[Any, str, Any]] = [
        (clock, "now", lambda: world().machine_now()),
        # connections are looked at before any world
        (clock, "monotonic", lambda: world().seconds if hasattr(World, "here") else 0.0),
        (clock, "cpu_seconds", lambda: 0.0),  # simulated work takes no CPU time
        (clock, "sleep", lambda seconds: world().sleep(seconds)),
        (entropy, "token_bytes", lambda size: world().token_bytes(size)),
        (failpoints, "kill_here", lambda point: world().point(f"at {point}")),
        (db_clock, "read_clock", _shown),
        (queues, "put_task", _put_task),
        (queues, "queued_tasks", lambda _: world().broker.queued()),
        (queues, "mark_queued", lambda _, name, arguments: world().broker.mark(name, arguments)),
        (
            queues,
            "unmark_queued",
            lambda _, name, arguments: world().broker.unmark(name, arguments),
        ),
        (smtplib, "SMTP", Client),
        (heartbeat, "note_alive", lambda *_: None),
        (context, "current_context", _bench),
        (context, "unmark_task", lambda name, arguments: world().broker.unmark(name, arguments)),
        (context, "release_idle", lambda: world().current.process.bench.carrier.rest()),
        (pictures, "draw_png", _png),
        (post, "compose_letter", _composed),
        (witness_posts, "ask_witness", lambda *asked: world().witness.ask(*asked)),
        (db, "create_engine", partial(create_engine, max_overflow=-1)),
    ]
    before = structlog.get_config()
    with ExitStack() as stack:
        for owner, name, stand_in in stand_ins:
            stack.enter_context(mock.patch.object(owner, name, stand_in))
        structlog.configure(
            processors=[_log],
            wrapper_class=structlog.make_filtering_bound_logger(0),
            cache_logger_on_first_use=False,
        )
        try:
            yield
        finally:
            structlog.configure(**before)
