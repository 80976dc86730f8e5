# SPDX-License-Identifier: GPL-3.0-or-later
"""Old surfaces stay readable: one function per step from a format to the next."""

from __future__ import annotations

from collections.abc import Mapping

from .. import migrations
from ..migrations import Step

FORMAT = 2
"""The format that `Surface.to_json` writes."""

STEPS: Mapping[int, Step] = {1: migrations.use_american_keys}
"""For each old format, the function that makes the next one out of it."""


def migrate(plain: dict[str, object]) -> dict[str, object]:
    """Return a surface's plain data in the newest format.

    Raises
    ------
    RecipeError
        If the format is missing, unknown, or newer than this Terrane.
    """
    return migrations.migrated(plain, STEPS, FORMAT)
