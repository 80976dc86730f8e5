# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of arguments that no declaration checks: switches, objects, functions that are called back."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from .errors import ParameterError, format_value

Kind = TypeVar("Kind")


def check_kind(value: Kind, kind: type | tuple[type, ...], who: str, noun: str) -> Kind:
    """Return a value of a class, or raise a ParameterError that names the expected kind.

    Parameters
    ----------
    value : object
        Annotated with the expected type.
    kind : type or tuple of types
    who : str
        Name that starts the message, with the argument's.
    noun : str
        Name of the expected kind, with its article.
    """
    if not isinstance(value, kind):
        raise ParameterError("{} must be {}", who, noun, got=format_value(value))
    return value


def check_switch(value: object, who: str) -> bool:
    """Return a switch, or raise a ParameterError unless it is True or False."""
    return bool(check_kind(value, (bool, np.bool_), who, "True or False"))


def check_callable(function: object, who: str) -> None:
    """Raise a ParameterError unless something that is called back can be called, or is None."""
    if function is not None and not callable(function):
        raise ParameterError("{} must be a function or None", who, got=format_value(function))
