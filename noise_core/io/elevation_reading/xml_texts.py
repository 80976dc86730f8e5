# SPDX-License-Identifier: GPL-3.0-or-later
"""Small XML texts of GDAL."""

from __future__ import annotations

from xml.etree import ElementTree

from ...base.errors import ParameterError


def parse_xml(name: str, text: str) -> ElementTree.Element:
    """Return the root of an XML text.

    Parameters
    ----------
    name : str
        Name of the file in messages.
    text : str

    Raises
    ------
    ParameterError
        If it is damaged, or declares entities, which GDAL never writes and which can be made to fill the memory.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ParameterError("{}: XML with declarations of its own cannot be read", name)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise ParameterError("{} is damaged: its XML cannot be read: {}", name, error) from None
