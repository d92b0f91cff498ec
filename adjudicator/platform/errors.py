"""Errors that are for the host: the command line prints their sentence without a traceback."""

import os
from typing import ClassVar


class HostFault(Exception):
    """A problem that the host can solve; the message is one sentence with the cause and the
    remedy.
    """

    exit_code: ClassVar[int] = 1


class WrongSetting(HostFault):
    """A start cannot succeed until the host changes something, so nobody should repeat it
    (`RestartPreventExitStatus` in systemd).
    """

    exit_code = os.EX_CONFIG
