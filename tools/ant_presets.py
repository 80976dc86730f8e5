#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the presets `ant_...` from the settings of A.N.T. Landscape's own ones.

    python tools/ant_presets.py

`tools/ant_presets.json` holds those settings that differ from their defaults, by their names, `tools/ant_seeds.json` the
seeds that `ant_seeds.py` has found, `tools/ant_looks.json` how each is colored. One of Blender's units becomes a
kilometer: a landscape of 2 units is 2 km wide.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from noise_core import Recipe  # noqa: E402  (found through the path)
from noise_core.recipes.ant_landscape.recipe import recipe_from_ant  # noqa: E402
from noise_core.recipes.ant_landscape.settings import NOISES, AntSettings  # noqa: E402
from noise_core.recipes.preset_files import ANT_FOLDER, ant_label  # noqa: E402

UNIT = 1000.0
"""Meters of one of Blender's units."""


def main() -> None:
    """Write one file for each preset."""
    ANT_FOLDER.mkdir(exist_ok=True)
    for name, preset in read("presets").items():
        text = preset_text(name, preset)
        (ANT_FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def read(which: str) -> dict[str, Any]:
    """Return a file of tools/ant_*.json, by the names of the presets."""
    content: dict[str, Any] = json.loads((ROOT / f"tools/ant_{which}.json").read_text("utf-8"))
    return content


def recipe_of(name: str, preset: dict[str, object]) -> Recipe:
    """Return the recipe of a preset; spheres, which are laid flat, keep their seeds."""
    recipe = recipe_from_ant(preset, unit=UNIT).recipe
    return replace(recipe, seed=read("seeds").get(name, recipe.seed))


def preset_text(name: str, preset: dict[str, object]) -> str:
    """Return the file of a preset."""
    settings, look = AntSettings(preset), read("looks")[name]
    if settings.is_on("water_plane"):
        look = {**look, "sea": round(settings.number("water_level") * UNIT, 3)}
    plain = {
        "label": ant_label(name),
        "description": f"A preset of A.N.T. Landscape, made of its noise {NOISES[settings.text('noise_type')]}",
        "look": look,
        "recipe": json.loads(recipe_of(name, preset).to_json()),
    }
    return json.dumps(plain, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    main()
