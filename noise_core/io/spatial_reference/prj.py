# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems in files beside files of heights: in .prj, or as GDAL's .aux.xml holds them."""

from __future__ import annotations

from .arc_info import is_arc_info, read_arc_info
from .reference import UNSAID, SpatialReference
from .wkt import read_wkt


def read_prj(text: str, name: str) -> SpatialReference:
    """Return the systems in the text of a .prj file: well-known text of any dialect, or words of ArcInfo.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.
    """
    if not text.strip("\0 \t\r\n\ufeff"):
        return UNSAID
    return read_arc_info(text, name) if is_arc_info(text) else read_wkt(text, name)
