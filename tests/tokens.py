"""Tokens of letters, without a letter."""

from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.tokens import hash_token
from adjudicator.service.tokens import filling, references
from adjudicator.service.tokens.filling import Unstored
from adjudicator.service.tokens.references import MASTER, Reference


def tell_token(database: Database, keyring: Keyring, wanted: Reference) -> str:
    """Return a token as a letter tells it, and let it work as after that letter."""
    with database.write_tx() as session:
        opened = references.find_opened(session, wanted)
        assert opened is not None
        token = references.token_for(keyring, wanted, opened)
        assert filling.store(session, Unstored(wanted, opened, hash_token(token)))
    return MASTER + token if wanted.purpose == "master" else token
