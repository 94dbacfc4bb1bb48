"""Exceptions and warnings of the package."""


class TreeforkError(Exception):
    """The library reports an error: its text, and the name of its status in `status`."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


class BuildError(TreeforkError):
    """A C file does not build; the text has the diagnostics of treefork or of the C compiler."""


class TreeforkWarning(UserWarning):
    """A function ran, but not as it might: on the host, for the reason that the text gives."""
