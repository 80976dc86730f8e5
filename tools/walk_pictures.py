# SPDX-License-Identifier: GPL-3.0-or-later
"""Play docs/first_terrain.md as a user would, with the defaults, for the pictures of that page.

``nox -s "pictures(walk)"`` runs it; they go to build/walk_pictures/. The test of that page plays the same
with a smaller terrain: in software each picture of a viewport takes a while.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.gui.launch import played  # noqa: E402  (found through the path set above)

LIMIT = 2400.0
"""Seconds for all of it."""

SCREEN = "1600x900"
"""Pixels of the virtual screen."""


def main() -> int:
    """Play it; return whether it failed."""
    os.environ["TERRANE_FINE"] = "1"
    result = played("run_walk.py", ROOT / "build" / "walk_pictures", LIMIT, screen=SCREEN)
    print(result["error"] or f"{len(result['steps'])} steps done")
    return int(result["error"] is not None)


if __name__ == "__main__":
    sys.exit(main())
