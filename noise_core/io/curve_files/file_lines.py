# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of a file, as the readers of all formats give them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from ...base.errors import Message
from ...base.georeference import GEOGRAPHIC, SpatialSystem

Row = tuple[float, ...]

Wanted = Callable[[Mapping[str, object]], bool]
"""Whether a feature of some properties is wanted: others are not looked at, whatever they are made of."""

DEGREES = SpatialSystem(GEOGRAPHIC, 4326)
"""Of WGS 84."""


@dataclasses.dataclass(frozen=True)
class FileLine:
    """A line or a ring.

    Attributes
    ----------
    rows : list of tuple of two or three floats
        Coordinates x, y and, of all or none, the height in meters; of a ring without the first one again.
    closed : bool
    properties : mapping of str to object
        Of the feature.
    """

    rows: list[Row]
    closed: bool
    properties: Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class FileLines:
    """Lines of a file.

    Attributes
    ----------
    lines : list of FileLine
    system : SpatialSystem
    notes : tuple of Message
        On what the file has besides.
    """

    lines: list[FileLine]
    system: SpatialSystem
    notes: tuple[Message, ...]
