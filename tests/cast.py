"""The cast of the tests: Alice makes the match, Bob is invited, Charlie takes the open seat,
Mallory is a stranger.

In a Pyramid match Alice has seat 1, Bob seat 2 and Charlie seat 3.
"""

ALICE, BOB, CHARLIE, MALLORY = "Alice", "Bob", "Charlie", "Mallory"
PLAYERS = (ALICE, BOB, CHARLIE)
EVERYBODY = (*PLAYERS, MALLORY)


def address(who: str) -> str:
    """Return the e-mail address of a person, given by name or by the address itself."""
    return who if "@" in who else f"{who.lower()}@example.org"
