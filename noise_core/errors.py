# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that the core raises; messages name the parameter, the allowed values and the given one."""

from __future__ import annotations

import reprlib
from typing import Any

MAX_MESSAGE_LENGTH = 300
"""Characters of an error message; panels and reports show one line."""

_END = 100
"""Characters of its end that are kept if it is longer: what came stands there."""

_GAP = " ... "


class TerraneError(Exception):
    """Base of all errors that the core raises.

    Its message is one line of at most `MAX_MESSAGE_LENGTH` characters: of a longer one the middle is
    left out.
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(_line(one) if isinstance(one, str) else one for one in arguments))


class ParameterError(TerraneError, ValueError):
    """A parameter or an argument is outside what its declaration allows."""


class RecipeError(TerraneError, ValueError):
    """A saved recipe cannot be read: not JSON, an unknown type, a newer format."""


def format_value(value: object) -> str:
    """Return a value as error messages show it: its `repr`, shortened if it is long."""
    return _SHORT.repr(value)


class _Short(reprlib.Repr):
    """Shows a value without writing out what is large."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxtuple = self.maxlist = self.maxdict = 8
        self.maxstring = self.maxother = 100

    def repr_int(self, value: int, level: int) -> str:
        """Return an integer; Python refuses to write very long ones."""
        many = value.bit_length()
        return repr(value) if many <= 128 else f"an integer of {many} bits"

    def repr_ndarray(self, value: Any, level: int) -> str:
        """Return an array of few numbers, of others the shape and type."""
        if 0 < value.size <= self.maxlist:
            return self.repr_instance(value, level)
        return f"an array of shape {value.shape} and {value.dtype}"


_SHORT = _Short()


def _line(message: str) -> str:
    line = " ".join(message.splitlines())
    if len(line) <= MAX_MESSAGE_LENGTH:
        return line
    return line[: MAX_MESSAGE_LENGTH - _END - len(_GAP)] + _GAP + line[-_END:]


class Cancelled(TerraneError):  # noqa: N818  (it is an outcome, not a fault)
    """The caller's `cancel` returned True; nothing was changed."""
