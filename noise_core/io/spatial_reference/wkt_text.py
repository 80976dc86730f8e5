# SPDX-License-Identifier: GPL-3.0-or-later
"""Parser of well-known text: keywords with values in brackets, of every dialect.

References
----------
ISO 19162 (2019). Geographic information: well-known text representation of coordinate reference systems.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Union

Value = Union["WktNode", str, float]

LONGEST = 1 << 16
"""Characters of a text."""

_DEEPEST = 40

_TOKEN = re.compile(
    r"""\s*(?:
    "(?P<text>(?:[^"]|"")*)"
    | (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?=[\s,\])]|$)
    | (?P<word>[^\s"\[\](),]+)
    | (?P<sign>[\[\](),])
    )""",
    re.VERBOSE,
)


class WktError(ValueError):
    """A text is no well-known text."""


@dataclasses.dataclass(frozen=True)
class WktNode:
    """A keyword with its values.

    Attributes
    ----------
    keyword : str
        In upper case.
    values : tuple of WktNode, str or float
    """

    keyword: str
    values: tuple[Value, ...]

    @property
    def name(self) -> str:
        """The first text; empty if there is none."""
        return next((value for value in self.values if isinstance(value, str)), "")

    @property
    def nodes(self) -> Iterator[WktNode]:
        """The values that are nodes."""
        return (value for value in self.values if isinstance(value, WktNode))

    def number(self, place: int) -> float | None:
        """Return a value if it is a number, also if it is written as text."""
        try:
            value = self.values[place]
            return None if isinstance(value, WktNode) else float(value)
        except (IndexError, ValueError):
            return None

    def all(self, *keywords: str) -> list[WktNode]:
        """Return the nodes in it that have one of some keywords."""
        return [node for node in self.nodes if node.keyword in keywords]

    def first(self, *keywords: str) -> WktNode | None:
        """Return the first of these nodes; None if there is none."""
        return next(iter(self.all(*keywords)), None)


def parse(text: str) -> tuple[WktNode, ...]:
    """Return the nodes of a text: mostly one, two in files of ESRI with a vertical system.

    Raises
    ------
    WktError
        If it is no well-known text.
    """
    if len(text) > LONGEST:
        raise WktError(f"it has {len(text)} characters")
    tokens = list(_tokens(text))
    values, at = _parse_values(tokens, 0, 0)
    if at < len(tokens):
        raise WktError("a bracket is closed that was not opened")
    nodes = tuple(value for value in values if isinstance(value, WktNode))
    if not nodes or len(nodes) < len(values):
        raise WktError("it has no keyword with brackets")
    return nodes


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of every token and its text."""
    at, text = 0, text.rstrip("\0 \t\r\n")
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise WktError(f"{text[at : at + 20]!r} cannot be read")
        yield match.lastgroup, match.group(match.lastgroup)
        at = match.end()


def _parse_values(
    tokens: list[tuple[str, str]], at: int, depth: int
) -> tuple[tuple[Value, ...], int]:
    """Return values up to a closing bracket or the end, and the place after them."""
    if depth > _DEEPEST:
        raise WktError("its brackets are too deep")
    values: list[Value] = []
    while at < len(tokens):
        kind, text = tokens[at]
        at += 1
        if kind == "text":
            values.append(text.replace('""', '"'))
        elif kind == "number":
            values.append(float(text))
        elif kind == "word":
            if at < len(tokens) and tokens[at][1] in "[(" and tokens[at][0] == "sign":
                inner, at = _parse_values(tokens, at + 1, depth + 1)
                if at >= len(tokens):
                    raise WktError("a bracket is not closed")
                values.append(WktNode(text.upper(), inner))
                at += 1
            else:
                values.append(text)
        elif text in "])":
            return tuple(values), at - 1
        elif text != ",":
            raise WktError("a bracket has no keyword")
    return tuple(values), at
