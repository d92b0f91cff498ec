"""The one kind of error that is for the host: the command line shows its sentence and no traceback."""


class HostFault(Exception):
    """Something the host can mend; the message is one sentence that says what it is and what would be right."""
