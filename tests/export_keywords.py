# SPDX-License-Identifier: GPL-3.0-or-later
"""Keywords of exports, sorted into the arguments of `export_heightmap`."""

from __future__ import annotations

import dataclasses
from typing import Any

from noise_core import Control, ExportOptions

_NAMES = {
    cls: {field.name for field in dataclasses.fields(cls)} for cls in (ExportOptions, Control)
}


def sort_keywords(**keywords: Any) -> dict[str, Any]:
    """Return keywords with those of `ExportOptions` and `Control` put into such objects."""
    for argument, cls in (("options", ExportOptions), ("control", Control)):
        names = _NAMES[cls] & keywords.keys()
        if names:
            keywords[argument] = cls(**{name: keywords.pop(name) for name in names})
    return keywords
