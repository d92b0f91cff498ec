"""`stop`: no more letters, but sign-in links and answers to one's own."""

from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.service.letters import bounces

WORD, USAGE, MEANING, CHANGES = "stop", "stop", "no more letters; your seats stay yours", True


def do(writer: Writer, said: str) -> Done:
    """Stop the player's letters."""
    nothing_more(said, USAGE)
    if writer.player is None and writer.proved:
        bounces.never_to(writer.session, writer.address, now=writer.now)
        return Done("Nothing goes to your address any more, whoever asks for it, but links to sign in.")
    bounces.stop_letters(writer.session, writer.known().id)
    return Done(
        "You get no more letters, only answers to your own. Your seats stay yours, and phases close without asking you: "
        "`start` brings the letters back."
    )
