"""Hands a player's letter over to the inbox, as the mail server of a host does: one connection, and whatever is not 250 is no."""

import smtplib

PATIENCE = 20.0  # seconds for an answer


class NotTaken(Exception):
    """The inbox did not say 250 to this letter; whether it has it is not known."""


def hand_over(port: int, sender: str, recipient: str, message_id: str, text: str) -> None:
    """Hand one letter over; raises NotTaken. The same arguments make the same bytes."""
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
