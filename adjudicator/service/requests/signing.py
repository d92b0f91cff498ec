"""Who vouches for what a transaction writes: each process puts that into its sessions' `info`.

The site knows the key of the session that asks, by its cookie; a worker vouches for what it read
itself.
"""

from collections.abc import Callable

from sqlmodel import Session

from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import SessionKey, SignedRequest, Voucher, WorkerSigner
from adjudicator.service.base.errors import SignInAgain
from adjudicator.service.base.rows import token_hash
from adjudicator.service.base.tables import SignedIn

WHOEVER = -1  # in the place of a player's id: whoever this process acts for
SIGNERS = "signers"  # key in a session's info, of a `Signers`
# the signer for a player's request, or for the host's (None)
Signers = Callable[[Session, int | None], Voucher | None]

AGAIN = (
    "This sign-in is older than the keys by which your requests are known, so it shows pages only."
    " Sign in once more, and send it again."
)


def find_signer(session: Session, player_id: int | None) -> Voucher:
    """Return who vouches for a player's request; raises SignInAgain where nobody can."""
    signers: Signers | None = session.info.get(SIGNERS)
    signer = signers(session, player_id) if signers is not None else None
    if signer is None:
        raise SignInAgain(AGAIN)
    return signer


def sign_request(
    session: Session, player_id: int | None, request: SignedRequest
) -> tuple[bytes | None, bytes]:
    """Return the key that signs a player's request, None for the worker's, and its signature;
    raises SignInAgain.
    """
    signer = find_signer(session, player_id)
    return signer.public, signer.sign(request)


def as_worker(database: Database, keyring: Keyring) -> Database:
    """Return the database for a process with the key file: it vouches for everything that it
    writes.
    """
    signer = WorkerSigner(keyring)
    return database.knowing(**{SIGNERS: lambda _session, _player_id: signer})


def as_session(database: Database, cookie: str, player_id: int | None, *, keyed: bool) -> Database:
    """Return the database for one request to the site: the key of its cookie vouches for what its
    own player asks. Whether the session is `keyed` is read where nobody has read it.
    """

    def find(session: Session, asks: int | None) -> SessionKey | None:
        if asks not in (player_id, WHOEVER):
            return None
        return SessionKey.of_cookie(cookie) if keyed else session_key(session, cookie)

    return database.knowing(**{SIGNERS: find})


def session_key(session: Session, cookie: str) -> SessionKey:
    """Return the key of a cookie's session; raises SignInAgain where the session has none."""
    row = session.get(SignedIn, token_hash(cookie))
    if row is None or row.public is None:
        raise SignInAgain(AGAIN)
    return SessionKey.of_cookie(cookie)
