# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of files beside an elevation file; a format says which of them count."""

from __future__ import annotations

from typing import NamedTuple


class SideFiles(NamedTuple):
    """Which files beside it count for a format."""

    has_mask: bool = False
    """A mask, such as "land.tif.msk"."""
    has_numbers: bool = False
    """Scale, offset and unit in an auxiliary file."""
    has_holes: bool = False
    """Number for holes in an auxiliary file."""
    has_place: bool = False
    """Coordinates and system in an auxiliary file; world files."""
    has_system: bool = False
    """System in a file such as "land.prj"."""
    is_auxiliary_first: bool = False
    """Whether coordinates of an auxiliary file count instead of those of the file and of world files."""
