# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of docs/targets/: exported land in the programs that it is for, or the contents of the files.

    nox -s "pictures(targets)"
    nox -s "pictures(targets)" -- unity godot

Names after ``--`` are those of pages. MuJoCo, PyBullet, MapLibre, CesiumJS and GDAL draw theirs themselves;
for Godot and OpenUSD they are drawn here from the files. It takes some minutes in the environment of the session
`clients`, with Pillow and matplotlib.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import target_files  # noqa: E402  (found through the path set above)
import target_maps  # noqa: E402
import target_scenes  # noqa: E402
from pixels import save_jpeg  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 100_000
"""Bytes of a picture: little beside the 300 KB that a picture in the repository may have."""

PICTURES: dict[str, Callable[[Path], Image.Image]] = {
    "unreal": target_files.draw_unreal,
    "unity": target_files.draw_unity,
    "godot": target_files.draw_godot,
    "terrain3d": target_files.draw_terrain3d,
    "gazebo": target_files.draw_gazebo,
    "plain_files": target_files.draw_plain,
    "mujoco": target_scenes.draw_mujoco,
    "pybullet": target_scenes.draw_pybullet,
    "usd": target_scenes.draw_usd,
    "meshes": target_scenes.draw_meshes,
    "geotiff": target_maps.draw_gdal,
    "maplibre": target_maps.draw_maplibre,
    "cesiumjs": target_maps.draw_cesium,
}


def main(names: list[str]) -> None:
    """Draw the pictures of some pages; all if none is named."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            save(name, PICTURES[name](Path(folder)))


def save(name: str, picture: Image.Image) -> None:
    """Save a picture at the best quality that is small enough."""
    path = IMAGES / f"target_{name}.jpg"
    save_jpeg(picture, path, LARGEST)
    print(
        f"{path.relative_to(ROOT)}: {picture.width} x {picture.height}, {path.stat().st_size} bytes"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
