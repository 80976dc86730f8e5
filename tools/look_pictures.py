# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the picture of docs/looks.md: exported materials as MaterialX's own renderer shows them.

    nox -s "pictures(looks)"

It needs xvfb, and the environment of the session `clients`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from pixels import save_jpeg  # noqa: E402  (found through the path set above)

from noise_core import ExportOptions, Grid, Recipe, export_heightmap, save_image  # noqa: E402
from noise_core.io.looks.surface_look import ImageFiles, surface_texts  # noqa: E402
from noise_core.io.targets import UsdChunks  # noqa: E402
from noise_core.materials.colors.spaces import linear_to_srgb  # noqa: E402
from noise_core.materials.surfaces import surface  # noqa: E402

PICTURE = ROOT / "docs" / "images" / "looks.jpg"
LARGEST = 160_000
RENDERER = ROOT / "tests" / "clients" / "materialx_pictures.py"
SURFACES = ("cracked_mud", "granite", "pebbles", "brick")
MAPS = ("base_color", "roughness", "metallic", "normal")
SIDE = 320
LIGHT = (0.62, -0.30, -0.72)
GROUND_IS = 3.0
"""How much brighter the ground is shown, whose colors are those of stones and grass, than it is."""


def rendered(folder: Path, file: Path, material: str, pixels: int) -> np.ndarray:
    """Return the linear colors of a material by MaterialX, the top row first."""
    asked, answer = folder / "asked.json", folder / "answer.npy"
    request = {"path": str(file), "material": material, "pixels": pixels, "light": LIGHT}
    asked.write_text(json.dumps(request), encoding="utf-8")
    command = ["xvfb-run", "-a", sys.executable, str(RENDERER), str(asked), str(answer)]
    subprocess.run(command, check=True)
    return np.load(answer)


def draw_surface(folder: Path, key: str) -> np.ndarray:
    """Write and render a surface."""
    entry = surface(key)
    textures = entry.textures(Grid(SIDE, SIDE, wrap=True, size=entry.size), maps=MAPS)
    files = {name: f"{key}_{name}.png" for name in MAPS}
    for name, file in files.items():
        save_image(textures.encode(name), folder / file, bits=8, is_color=name == "base_color")
    images = ImageFiles(files, textures.size, textures.depth)
    file = folder / f"{key}.mtlx"
    file.write_text(surface_texts(key, "materialx", entry, images)[".mtlx"], encoding="utf-8")
    return rendered(folder, file, key, SIDE)


def draw_ground(folder: Path) -> np.ndarray:
    """Export and render the ground of a preset."""
    target = UsdChunks(levels=1, material="pbr")
    options = ExportOptions(ground="alpine")
    recipe = Recipe.from_preset("alps")
    export_heightmap(recipe, folder / "alps", target=target, samples=2 * SIDE, options=options)
    return GROUND_IS * rendered(folder, folder / "alps.mtlx", "alps", 2 * SIDE)


def main() -> None:
    """Draw the picture."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiles = [draw_surface(folder, key) for key in SURFACES]
        rows = [np.concatenate(tiles[at : at + 2], axis=1) for at in (0, 2)]
        colors = np.concatenate([np.concatenate(rows), draw_ground(folder)], axis=1)
    shown = linear_to_srgb(np.clip(colors, 0.0, 1.0)) * 255.0
    save_jpeg(Image.fromarray(np.rint(shown).astype(np.uint8)), PICTURE, LARGEST)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
