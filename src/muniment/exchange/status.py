"""The statuses 0 to 12 of the formats, and the error that carries one."""

from __future__ import annotations

from typing import get_args

from muniment.errors import BadExchange
from muniment.model.contextual import Code

CODES: tuple[Code, ...] = get_args(Code)
NUMBERS: dict[Code, int] = {code: number for number, code in enumerate(CODES, start=1)}
OK = 0

assert NUMBERS["format"] == 1
assert NUMBERS["unavailable"] == 12


def refused(code: Code, detail: str, at: str) -> BadExchange:
    """The error that says which rule of the formats was broken, and where."""
    error = BadExchange(f"{code} ({NUMBERS[code]}): {detail}", at=at)
    error.status = NUMBERS[code]
    return error


def of(error: BadExchange) -> Code:
    """The status that an error carries, as a word."""
    return CODES[error.status - 1]
