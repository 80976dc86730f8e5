# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows and entries of a reference page, and the description of a declared parameter."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from noise_core.base.params import Declared, Parameter
from noise_core.materials.colors import hexadecimal, srgb_to_linear


@dataclass(frozen=True)
class Row:
    """One line of a table: a parameter, or a map that a modifier makes."""

    name: str
    text: str
    default: str = ""
    allowed: str = ""


@dataclass(frozen=True)
class Entry:
    """One type, preset or operator.

    Attributes
    ----------
    subject : str
        Its anchor, which those of its rows begin with: "noise_perlin", "noise_perlin.fade".
    title, code, text, notes : str
        The heading, the line of code below it, and the text before and after the tables; Markdown.
    rows, maps : tuple of Row
        The parameters, and the maps that it makes.
    heading : str
        Of the column with the parameters.
    pictures : tuple of str
        Files in docs/images.
    """

    subject: str
    title: str
    code: str
    text: str
    notes: str = ""
    rows: tuple[Row, ...] = ()
    maps: tuple[Row, ...] = ()
    heading: str = "parameter"
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Topic:
    """One page of the reference."""

    name: str
    title: str
    text: str
    entries: tuple[Entry, ...]


def describe(cls: type[Declared], kind: str, **values: object) -> Entry:
    """Return the entry of a declared type, from its docstring and its parameters."""
    text, notes = split_docstring(cls)
    return Entry(
        subject=f"{kind}_{cls.key}",
        title=cls.label,
        code=f"`{cls.__name__}`, key `{cls.key}`",
        text=text,
        notes=notes,
        rows=tuple(describe_parameter(item) for item in cls.parameters()),
        **values,  # type: ignore[arg-type]
    )


_SECTION = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
_NOTES = re.compile(r"^\*\*(Notes|References|Examples)\.\*\*$", re.MULTILINE)
_SESSION = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""Statements and their output, up to the next empty line."""


def split_docstring(cls: type) -> tuple[str, str]:
    """Return a docstring up to its notes, and its notes, references and examples, as Markdown.

    Headings become bold, examples blocks of code.
    """
    text = inspect.cleandoc(cls.__doc__ or "")
    text = _SESSION.sub(r"\n```pycon\n\g<0>\n```", _SECTION.sub(r"**\1.**\n", text))
    start = _NOTES.search(text)
    return (text, "") if start is None else (text[: start.start()], text[start.start() :])


def summarize(cls: type) -> str:
    """Return the first line of a docstring."""
    return inspect.cleandoc(cls.__doc__ or "").splitlines()[0]


def describe_parameter(parameter: Parameter) -> Row:
    """Return the row of a declared parameter."""
    default, allowed = _default(parameter), _allowed(parameter)
    if parameter.is_color:
        color: Any = parameter.default
        linear = color if parameter.unit == "color" else srgb_to_linear(color)
        default, allowed = f"`{hexadecimal(linear)}`", "a color"
    return Row(parameter.name, cell(parameter.full_help), default, allowed)


def _default(parameter: Parameter) -> str:
    if parameter.kind in ("noise", "map"):
        return f"`{parameter.default()!r}`" if callable(parameter.default) else ""
    if parameter.kind == "pixels":
        return "a small pattern"
    if parameter.kind == "curves":
        assert callable(parameter.default)
        return f"{len(parameter.default()) or 'no'} curve"
    if parameter.kind == "placements":
        assert callable(parameter.default)
        return f"{len(parameter.default()) or 'no'} placement"
    if isinstance(parameter.default, np.ndarray):
        return "an array"
    return f"`{parameter.default!r}`"


def _allowed(parameter: Parameter) -> str:
    if parameter.options:
        options = parameter.options.items()
        return "<br>".join(f"`{key}`: {cell(text)}" for key, text in options)
    if parameter.kind in {"number", "integer", "vector", "number_or_noise"}:
        interval = f"{parameter.minimum:g} to {parameter.maximum:g}"
        return interval.replace("-inf to inf", "any").replace("to inf", "and more")
    return parameter.kind


def cell(text: str) -> str:
    """Return text for a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
