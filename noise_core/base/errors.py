# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the core, and messages that can be translated."""

from __future__ import annotations

import reprlib
from typing import Any

MAX_MESSAGE_LENGTH = 360
"""Characters of an error message; panels and reports show one line."""

_END = 100
"""Characters of its end that are kept if it is longer: the refused value stands there."""

_GAP = " ... "


class Message(str):
    """English sentence that keeps its template and its values, so that it can be translated.

    It is a string of one line and at most `MAX_MESSAGE_LENGTH` characters. The interface translates the
    template, and `fill` puts the values into the translation.

    Parameters
    ----------
    template : str
        Sentence with a replacement field of `str.format` for each value. Without values it is taken
        as it is, braces included. It has to be a literal: `tools/translations.py` extracts it.
    *values : object
        Values of the fields, in order. Values that are messages, or errors of the core, are
        translated too.

    Examples
    --------
    >>> from noise_core.base.errors import Message
    >>> message = Message("{} must be at most {}; got {}", "rows", 8, 9)
    >>> print(message)
    rows must be at most 8; got 9
    >>> message.fill("{} darf höchstens {} sein, nicht {}", "rows", 8, 9)
    'rows darf höchstens 8 sein, nicht 9'
    """

    template: str
    values: tuple[object, ...]
    _prefix = ""

    def __new__(cls, template: str, *values: object) -> Message:
        """Put the values into the template; a message alone is returned as it is."""
        if isinstance(template, Message) and not values:
            return template
        # No exceptions: their tracebacks would keep all arrays of their frames.
        plain = tuple(
            _text_of(value) if isinstance(value, BaseException) else value for value in values
        )
        self = super().__new__(cls, _one_line(template.format(*plain) if plain else template))
        self.template, self.values = template, plain
        return self

    def fill(self, template: str, *values: object) -> str:
        """Return a translation of the template with translated values, in the order of `values`."""
        text = template.format(*values) if values else template
        return _one_line(text.removeprefix(self._prefix))

    @property
    def rule(self) -> Message:
        """The message without the value that came instead, if it ends in one."""
        rule = self.values[0] if self.template == "{}; got {}" else self
        return rule if isinstance(rule, Message) else self

    def removeprefix(self, prefix: str, /) -> Message:
        """Return the message without a prefix, which its translations have too."""
        short = str.__new__(Message, super().removeprefix(prefix))
        short.template, short.values, short._prefix = self.template, self.values, prefix
        return short


class TerraneError(Exception):
    """Base class of all errors that the core raises on purpose.

    Parameters
    ----------
    template : str
    *values : object
        See `Message`.
    got : object, optional
        Value that came instead, as text, number or `Message`. It stands at the end of the message.

    Examples
    --------
    >>> from noise_core import Recipe, TerraneError
    >>> from noise_core.base.errors import ParameterError
    >>> print(ParameterError("{} must be at most {}", "rows", 8, got=9))
    rows must be at most 8; got 9

    All errors of the core have one base, and one line each:

    >>> try:
    ...     Recipe.from_json("no recipe")
    ... except TerraneError as error:
    ...     print(type(error).__name__)
    RecipeError
    """

    message: Message
    """Message to the user, with the value that came."""

    def __init__(self, template: str = "", *values: object, got: object = None) -> None:
        self.message = Message(template, *values)
        if got is not None:
            self.message = Message("{}; got {}", self.message, got)
        super().__init__(str(self.message))

    @property
    def rule(self) -> Message:
        """Message without the value that came, for a panel that shows the value itself."""
        return self.message.rule


class ParameterError(TerraneError, ValueError):
    """A parameter or an argument is outside the range of its declaration.

    Examples
    --------
    >>> from noise_core.noises import Perlin
    >>> Perlin(frequency=-1.0)
    Traceback (most recent call last):
        ...
    noise_core.base.errors.ParameterError: Perlin.frequency must be in [0.0001, 1e+06]; got -1.0
    """


class RecipeError(TerraneError, ValueError):
    """A saved recipe cannot be read: not JSON, an unknown type, a newer format.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> Recipe.from_json("alps")
    Traceback (most recent call last):
        ...
    noise_core.base.errors.RecipeError: Recipe: not JSON: Expecting value: line 1 column 1 (char 0)
    """


def format_value(value: object) -> str:
    """Return a value as error messages show it: its `repr`, shortened if it is long.

    Parameters
    ----------
    value : object

    Examples
    --------
    >>> from noise_core.base.errors import format_value
    >>> format_value("perlin"), format_value(0.5)
    ("'perlin'", '0.5')
    >>> format_value(list(range(1000)))
    '[0, 1, 2, 3, 4, 5, 6, 7, ...]'
    """
    return _SHORT.repr(value)


class _Short(reprlib.Repr):
    """Representation of values in which large ones are shortened."""

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


def _one_line(text: str) -> str:
    """Return a text without line breaks, and without its middle if it is too long."""
    line = " ".join(text.splitlines())
    if len(line) <= MAX_MESSAGE_LENGTH:
        return line
    return line[: MAX_MESSAGE_LENGTH - _END - len(_GAP)] + _GAP + line[-_END:]


def _text_of(error: BaseException) -> str:
    return error.message if isinstance(error, TerraneError) else str(error)


class Cancelled(TerraneError):  # noqa: N818  (it is an outcome, not a fault)
    """The caller's `cancel` returned True; nothing was changed.

    Examples
    --------
    >>> from noise_core import Cancelled, Grid
    >>> from noise_core.noises import Fractal
    >>> try:
    ...     Fractal().sample_grid(Grid(2049, 2049), cancel=lambda: True)
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """
