"""What a use case answers when it does not do what it was asked; the message is a sentence for the person who asked."""


class Refused(Exception):
    """This cannot be done; the message says why and what to do. `field` names what of the request is wrong, "" where it is all of it."""

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class NotFound(Refused):
    """There is nothing of this name, or nothing this person may know of."""


class NotAllowed(Refused):
    """Somebody else may do this, this person may not."""


class NotNow(Refused):
    """This was possible before, or will be later."""
