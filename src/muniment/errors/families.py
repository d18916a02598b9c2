"""The six families of what can go wrong, and what all errors have.

`code` and `family` are the contract; the message is for people and may change.
`at` is the path of the field or the place in a file that the error speaks of.
"""

from __future__ import annotations

from typing import ClassVar


class MunimentError(Exception):
    """An answer of Muniment that is not the one that was asked for."""

    family: ClassVar[str]
    code: ClassVar[str]
    exit: ClassVar[int] = 1

    def __init__(self, detail: str, *, at: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.at = at

    def __str__(self) -> str:
        """What went wrong, behind its place where it has one."""
        return f"{self.at}: {self.detail}" if self.at else self.detail


class Refused(MunimentError):
    """A rule said no; nothing was written."""

    family = "refused"
    code = "refused"


class Conflict(Refused):
    """Somebody else's write, or an earlier one of the caller's, stands in the way."""

    family = "conflict"
    code = "conflict"


class Overflow(MunimentError):
    """What must be shown does not fit into the budget."""

    family = "overflow"
    code = "overflow"


class NotFound(MunimentError):
    """No such id or scope here; another scope's id gets the same answer."""

    family = "not_found"
    code = "not_found"


class Unavailable(MunimentError):
    """The file cannot be used now or by this program; what it holds is untouched."""

    family = "unavailable"
    code = "unavailable"


class BadInput(MunimentError):
    """The request itself is wrong; `at` is the path of the field."""

    family = "bad_input"
    code = "bad_input"
    exit = 2


class Corrupt(MunimentError):
    """Stored bytes are not what was written."""

    family = "corrupt"
    code = "corrupt"
    exit = 3


FAMILIES = (Refused, Conflict, Overflow, NotFound, Unavailable, BadInput, Corrupt)
