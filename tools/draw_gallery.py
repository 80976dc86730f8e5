# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of the gallery and of the reference.

python tools/draw_gallery.py                   # all of them
python tools/draw_gallery.py surface           # those whose names begin so
python tools/draw_gallery.py --check           # draw nothing; fail if one is missing
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(TOOLS), str(TOOLS / "docs")]

import preset_pictures  # noqa: E402  (found through the path set above)
import swatches  # noqa: E402
from pixels import image_of, save_jpeg  # noqa: E402
from type_topics import has_pictures  # noqa: E402

from noise_core import Grid, Noise, coloring_types, noise_types  # noqa: E402
from noise_core.landscapes.preset_library import preset, preset_names  # noqa: E402
from noise_core.materials.colors import linear_to_srgb  # noqa: E402
from noise_core.materials.surfaces import surface, surface_names  # noqa: E402

DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
SIDE = 256
PRESET_SIDE, FINER = 256, 2
"""Pixels of a preset's picture, and samples along each side of one."""

SURFACE_SIDE = 320
"""Of each half of a surface's picture: two by two tiles, and a sphere."""
LARGEST = 60_000
"""Bytes of a surface's picture."""
CLOSE, CLOSE_SIDE, LARGEST_CLOSE = "_close.jpg", 1024, 300_000
"""End of the names of close-ups of surfaces: one tile. Their pixels and bytes."""
SEED = 7
Drawing = Callable[[], Image.Image]


def main() -> None:
    """Draw, or check, the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a picture is missing")
    parser.add_argument("names", nargs="*", help="draw only pictures whose names begin so")
    arguments = parser.parse_args()
    if arguments.check:
        missing = missing_pictures()
        if missing:
            sys.exit(f"missing: {', '.join(missing)}; run python tools/draw_gallery.py")
        return
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, draw in pictures().items():
        if name.startswith(tuple(arguments.names or [""])):
            save(draw(), name)


def missing_pictures() -> list[str]:
    """Return the file names of pictures that were not drawn yet; close-ups may be missing."""
    needed = (name for name in pictures() if not name.endswith(CLOSE))
    return [name for name in needed if not (IMAGES / name).exists()]


def pictures() -> dict[str, Drawing]:
    """Return the function that draws each picture, by its file's name.

    One per noise type, one per option that changes its look, one per preset, coloring, surface.
    """
    return {
        **{f"{name}.png": partial(noise_picture, noise) for name, noise in pictured()},
        **{f"preset_{name}.png": partial(preset_picture, name) for name in preset_names()},
        **{f"coloring_{key}.jpg": partial(coloring_picture, key) for key in coloring_types()},
        **{f"surface_{name}.jpg": partial(surface_picture, name) for name in surface_names()},
        **{f"surface_{name}{CLOSE}": partial(close_up, name) for name in surface_names()},
    }


def pictured() -> Iterator[tuple[str, Noise]]:
    """Yield every noise that gets a picture, with the picture's name."""
    for key, cls in noise_types().items():
        yield f"noise_{key}", cls()
        for parameter in cls.parameters():
            if has_pictures(parameter):
                for option in parameter.options:
                    yield f"noise_{key}_{option}", cls(**{parameter.name: option})


def noise_picture(noise: Noise) -> Image.Image:
    """Return one seamless tile of a noise in gray, from its lowest to its highest value here."""
    values = noise.sample_grid(Grid(SIDE, SIDE, wrap=True), SEED)
    low, high = values.min(), values.max()
    level = (values - low) / (high - low) if high > low else np.full_like(values, 0.5)
    return image_of(level)


def preset_picture(name: str) -> Image.Image:
    """Return the thumbnail of a preset, larger than panels show it."""
    return preset_pictures.draw(preset(name), PRESET_SIDE, FINER)


def coloring_picture(key: str) -> Image.Image:
    """Return one seamless tile of a coloring."""
    colors = coloring_types()[key]().paint(Grid(SIDE, SIDE, wrap=True), SEED)
    return Image.fromarray((linear_to_srgb(colors)[::-1] * 255.0 + 0.5).astype(np.uint8))


def surface_picture(name: str) -> Image.Image:
    """Return two by two tiles of a surface, and a sphere of it beside them."""
    material = surface(name)
    textures = material.textures(Grid(512, 512, wrap=True, size=material.size), 0, swatches.MAPS)
    side = SURFACE_SIDE
    picture = Image.new("RGB", (2 * side, side))
    tiles = Image.fromarray(swatches.swatch(textures))
    picture.paste(tiles.resize((side, side), Image.Resampling.LANCZOS), (0, 0))
    picture.paste(Image.fromarray(swatches.sphere(textures, side)), (side, 0))
    return picture


def close_up(name: str) -> Image.Image:
    """Return one tile of a surface at full size."""
    material = surface(name)
    grid = Grid(CLOSE_SIDE, CLOSE_SIDE, wrap=True, size=material.size)
    tiles = swatches.swatch(material.textures(grid, 0, swatches.MAPS))
    return Image.fromarray(np.ascontiguousarray(tiles[:CLOSE_SIDE, :CLOSE_SIDE]))


def save(image: Image.Image, name: str) -> None:
    """Save a picture, in few enough colors to stay small."""
    path = IMAGES / name
    if path.suffix == ".jpg":
        save_jpeg(image, path, LARGEST_CLOSE if name.endswith(CLOSE) else LARGEST)
        return
    if image.mode == "RGB":
        image = image.quantize(192, dither=Image.Dither.FLOYDSTEINBERG)
    image.save(path, optimize=True)


if __name__ == "__main__":
    main()
