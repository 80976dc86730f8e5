# SPDX-License-Identifier: GPL-3.0-or-later
"""Names as a person reads them, in the spelling of Blender's own interface, which is American."""

from __future__ import annotations

_AMERICAN = {
    "centre": "center",
    "colour": "color",
    "colouring": "coloring",
    "colours": "colors",
    "grey": "gray",
    "normalise": "normalize",
}
"""Words of names: names stand in saved files and scripts, and stay as they are."""


def title_of(name: str) -> str:
    """Return the name of a parameter or a key as a label: "base_colour" is Base Color."""
    words = (_AMERICAN.get(word, word) for word in name.split("_"))
    return " ".join(words).title()
