"""Tokens of letters follow from the worker's key file, and from nothing that is stored."""

import hmac
from base64 import b32encode
from dataclasses import replace
from hashlib import sha256

from adjudicator.core.jcs import jcs
from adjudicator.platform import entropy
from adjudicator.seal import tokens
from tests.harness import fresh_keys

ALICE, BOB = "alice@example.org", "bob@example.org"


def test_a_token_is_the_truncated_hmac_of_its_purpose_row_person_and_number() -> None:
    keys = fresh_keys()
    said = b"sealed/1/auth/seat\n" + jcs({"row": "M/Red", "whom": "w", "n": 2})
    wanted = b32encode(hmac.digest(keys.auth, said, "sha256")).decode().lower()[:26]
    assert tokens.derive_token(keys, "seat", row="M/Red", whom="w", n=2) == wanted


def test_tokens_of_another_purpose_row_person_number_or_key_file_are_others() -> None:
    keys = fresh_keys()
    others = replace(keys, auth=entropy.token_bytes(32))
    drawn = [
        tokens.derive_token(keys, purpose, row="M/Red", whom="w") for purpose in tokens.PURPOSES
    ]
    drawn += [
        tokens.derive_token(keys, "seat", row="M/Blue", whom="w"),
        tokens.derive_token(keys, "seat", row="M/Red", whom="v"),
        tokens.derive_token(keys, "seat", row="M/Red", whom="w", n=1),
        tokens.derive_token(others, "seat", row="M/Red", whom="w"),
    ]
    assert len(set(drawn)) == len(drawn) and {len(each) for each in drawn} == {tokens.LENGTH}


def test_who_somebody_is_needs_the_key_file() -> None:
    keys = fresh_keys()
    assert tokens.who_is(keys, ALICE) == tokens.who_is(keys, ALICE) != tokens.who_is(keys, BOB)
    assert tokens.who_is(fresh_keys(), ALICE) != tokens.who_is(keys, ALICE)


def test_what_is_stored_of_a_token_is_its_sha_256() -> None:
    assert tokens.hash_token("abc") == sha256(b"abc").hexdigest()
    assert (
        tokens.same_token("abc", "abc")
        and not tokens.same_token("abc", "abd")
        and not tokens.same_token("abc", "å")
    )
