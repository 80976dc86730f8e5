#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the presets `ant_...` from the settings of A.N.T. Landscape's own ones.

    python tools/ant_presets.py

`tools/ant_presets.json` holds those settings that differ from their defaults, by their names. One of Blender's units
becomes a kilometer: a landscape of 2 units is 2 km wide.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from noise_core.ant_landscape.recipe import recipe_from_ant  # noqa: E402  (found through the path)
from noise_core.ant_landscape.settings import NOISES, AntSettings  # noqa: E402
from noise_core.io.preset_files import ANT_FOLDER, ant_label  # noqa: E402

UNIT = 1000.0
"""Meters of one of Blender's units."""


def main() -> None:
    """Write one file for each preset."""
    ANT_FOLDER.mkdir(exist_ok=True)
    for name, given in json.loads((ROOT / "tools/ant_presets.json").read_text()).items():
        text = preset_text(name, given)
        (ANT_FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def preset_text(name: str, given: dict[str, object]) -> str:
    """Return the file of a preset."""
    settings = AntSettings(given)
    look = {"sea": settings.number("water_level") * UNIT} if settings.is_on("water_plane") else {}
    plain = {
        "label": ant_label(name),
        "description": f"A preset of A.N.T. Landscape, made of its noise {NOISES[settings.text('noise_type')]}",
        **({"look": look} if look else {}),
        "recipe": json.loads(recipe_from_ant(given, unit=UNIT).recipe.to_json()),
    }
    return json.dumps(plain, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    main()
