"""The error that is for the host: the command line prints its sentence without a traceback."""


class HostFault(Exception):
    """A problem that the host can solve; the message is one sentence with the cause and the remedy."""
