"""Delivers a player's letter to the inbox over one connection, as a mail server does; any answer
but 250 is a failure.
"""

import smtplib

PATIENCE = 20.0  # seconds for an answer


class NotTaken(Exception):
    """The inbox did not answer 250; whether it stored the letter is unknown."""


def hand_over(port: int, sender: str, recipient: str, message_id: str, text: str) -> None:
    """Deliver one letter. Raises NotTaken. Equal arguments give equal bytes."""
    head = (
        f"From: {sender}",
        f"To: {recipient}",
        f"Message-ID: {message_id}",
        "Subject: my move",
        "Content-Type: text/plain; charset=utf-8",
    )
    letter = "\r\n".join([*head, "", text, ""])
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as server:
            server.sendmail(sender, [recipient], letter)
    except (OSError, smtplib.SMTPException) as fault:
        raise NotTaken(type(fault).__name__) from fault
