"""Refusals of use cases; the message is a sentence for the person who asked."""


class Refused(Exception):
    """The request cannot be carried out; the message says why and what to do. `field` names the
    wrong field, "" for none.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class NotFound(Refused):
    """Nothing has this name, or the person may not know of it."""


class Gone(NotFound):
    """Something had this name, and was taken away for good."""


class NotAllowed(Refused):
    """This person may not do this."""


class NotNow(Refused):
    """This was possible before, or will be later."""


class Busy(Refused):
    """As much of this is being done as may be at a time; a moment later it may be possible."""


class SignInAgain(NotAllowed):
    """The session has no key, because it began before sessions had keys."""
