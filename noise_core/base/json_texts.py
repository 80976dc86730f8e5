# SPDX-License-Identifier: GPL-3.0-or-later
"""Strict reader for JSON from untrusted sources: recipes, presets, surfaces, parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, Union

from .errors import ParameterError, RecipeError, format_value
from .input_files import read_file

Value = TypeVar("Value")

_MAX_DIGITS = 308
"""Digits up to which every whole number is less than the largest float, about 1.8e308."""

_MAX_BYTES = 1 << 28
"""Bytes of a file; a recipe with the pixels of an 8192 x 8192 image has about as many."""


def text_of(path: Path, largest: int = _MAX_BYTES) -> str:
    """Return the text in a file; see `input_files.open_file`.

    Parameters
    ----------
    path : Path
    largest : int
        Bytes that it may have.

    Raises
    ------
    RecipeError
        If it is no file, cannot be read, is too large, or no text in UTF-8.
    """
    try:
        text = read_file(path, largest).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise RecipeError("cannot be read: {}", error.strerror or error) from error
    except UnicodeDecodeError as error:
        raise RecipeError("it is not text in UTF-8") from error


def json_value(text: str) -> object:
    """Return the value of a JSON text: None, a bool, a number, text, a list or a dictionary.

    A whole number beyond all floats is infinite, as one with a point is: who does not allow that
    says so, and every number can become a float.

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


def check_format(plain: Mapping[str, object], newest: int, who: str) -> None:
    """Raise a RecipeError unless this version can read the format of plain data.

    Parameters
    ----------
    plain : mapping
        JSON object whose entry ``"format"`` is the number of its format.
    newest : int
        Number of the format that this version writes, the only one that it reads.
    who : str
        Start of the message, such as ``"Recipe"``.
    """
    number = plain.get("format")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise RecipeError("{}: format must be {}", who, newest, got=format_value(number))
    if number > newest:
        raise RecipeError(
            "{}: format {} is newer than this Terrane reads ({}); update Terrane",
            *(who, format_value(number), newest),
        )


def _whole_number(digits: str) -> Union[int, float]:
    return int(digits) if len(digits.lstrip("-")) <= _MAX_DIGITS else float(digits)


@contextmanager
def errors_of(place: str) -> Iterator[None]:
    """Begin the messages of parameter errors with the name of the object that they are about.

    Parameters
    ----------
    place : str
        Name of an object in JSON.
    """
    try:
        yield
    except ParameterError as error:
        raise ParameterError("{}: {}", place, error) from error


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


def value_of(cls: type[Value], plain: object, place: str, **converted: object) -> Value:
    """Return the value of a dataclass that an object describes: its entries are the fields, by name.

    Parameters
    ----------
    cls : type
        The dataclass, which checks its values.
    plain : object
        Any JSON.
    place : str
        Name of the object, which starts the error message.
    **converted
        Values of fields that JSON has another form for.

    Raises
    ------
    ParameterError
        If it describes none.
    """
    fields: Any = dataclasses.fields(cls)  # type: ignore[arg-type]  # callers give dataclasses
    entries = entries_of(plain, place, tuple(field.name for field in fields))
    if missing := [name for name in _required(fields) if name not in entries]:
        raise ParameterError("{} must have the keys {}", place, ", ".join(missing), got="none")
    with errors_of(place):
        return cls(**{**entries, **converted})


def _required(fields: Any) -> list[str]:
    absent = dataclasses.MISSING
    return [each.name for each in fields if each.default is each.default_factory is absent]
