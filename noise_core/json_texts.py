# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads JSON that somebody else may have written: recipes, presets, surfaces, parameters."""

from __future__ import annotations

from typing import Union

_LONGEST = 308
"""Digits up to which every whole number is less than the largest float, about 1.8e308."""


def json_value(text: str) -> object:
    """Return what JSON text holds: None, a bool, a number, text, a list or a dictionary.

    A whole number beyond all floats is infinite, as one with a point is: who does not allow that
    says so, and nobody meets a number that cannot become a float.

    Raises
    ------
    ValueError
        If it is not JSON, no text, or nested deeper than Python can read; the standard library has
        errors of other kinds for these.
    """
    import json  # here, since noises alone need none of it

    try:
        value: object = json.loads(text, parse_int=_whole_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except TypeError as error:
        raise ValueError(str(error)) from None
    return value


def _whole_number(digits: str) -> Union[int, float]:
    return int(digits) if len(digits.lstrip("-")) <= _LONGEST else float(digits)
