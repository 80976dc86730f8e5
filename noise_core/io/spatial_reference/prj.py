# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of coordinate systems beside files of heights: .prj, and the system in GDAL's .aux.xml."""

from __future__ import annotations

import html
import os
import re

from .arc_info import is_arc_info, read_arc_info
from .reference import UNSAID, SpatialReference
from .wkt import read_wkt
from .wkt_text import LONGEST

_SRS = re.compile(r"<SRS\b[^>]*>(.*?)</SRS>", re.DOTALL | re.IGNORECASE)


def read_prj(text: str, name: str) -> SpatialReference:
    """Return the systems in a .prj file: well-known text of any dialect, or words of ArcInfo.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.
    """
    if not text.strip("\0 \t\r\n\ufeff"):
        return UNSAID
    return read_arc_info(text, name) if is_arc_info(text) else read_wkt(text, name)


def read_aux_xml(text: str, name: str) -> SpatialReference:
    """Return the systems in a .aux.xml file of GDAL.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.
    """
    found = _SRS.search(text)
    return read_prj(html.unescape(found.group(1)), name) if found is not None else UNSAID


def read_prj_beside(path: str) -> SpatialReference:
    """Return the systems in the .prj file beside a file, in any case of its letters; unsaid without one."""
    folder, name = os.path.split(path)
    wanted = os.path.splitext(name)[0] + ".prj"
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return UNSAID
    # The same letters come before others.
    for one in sorted(
        (one for one in names if one.lower() == wanted.lower()), key=lambda one: one != wanted
    ):
        try:
            with open(os.path.join(folder, one), "rb") as file:
                data = file.read(LONGEST)
        except OSError:
            continue
        return read_prj(_decode(data), one)
    return UNSAID


def _decode(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")
