# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of JSON whose entries are checked one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .errors import ParameterError, format_value


def entries_of(plain: object, place: str, allowed: Sequence[str]) -> Mapping[str, object]:
    """Return the entries of an object whose names are allowed.

    Parameters
    ----------
    plain : object
        Any JSON.
    place : str
        Name of the object, which starts the error message.
    allowed : sequence of str

    Raises
    ------
    ParameterError
        If it is no object, or has another entry.
    """
    if not isinstance(plain, dict):
        raise ParameterError("{} must be an object", place, got=format_value(plain))
    if unknown := sorted(set(plain) - set(allowed)):
        raise ParameterError(
            "{} has the keys {}", place, ", ".join(allowed), got=format_value(unknown[0])
        )
    return plain
