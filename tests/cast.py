"""The cast of the tests: Alice makes the match, Bob is invited, Carol takes the open seat, Mallory is a stranger.

In a Pyramid match Alice has seat 1, Bob seat 2 and Carol seat 3.
"""

ALICE, BOB, CAROL, MALLORY = "Alice", "Bob", "Carol", "Mallory"
PLAYERS = (ALICE, BOB, CAROL)
EVERYBODY = (*PLAYERS, MALLORY)


def address(name: str) -> str:
    """Return where letters to somebody of the cast go."""
    return f"{name.lower()}@example.org"
