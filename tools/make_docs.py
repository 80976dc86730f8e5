# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the gallery and write the reference, both from the declarations.

python tools/make_docs.py                      # everything
python tools/make_docs.py --pages              # the text, without drawing
python tools/make_docs.py --draw surface       # the text, and pictures whose names begin so
python tools/make_docs.py --check              # write nothing; fail if something is out of date
"""

from __future__ import annotations

import argparse
import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import operator_pages  # noqa: E402  (found through the path set above)
import palettes  # noqa: E402
import shading  # noqa: E402
import swatches  # noqa: E402
from landscapes import landscape  # noqa: E402

from noise_core import (  # noqa: E402
    Grid,
    Group,
    Map,
    Noise,
    NoiseLayer,
    coloring_types,
    map_types,
    mask_types,
    modifier_types,
    noise_types,
)
from noise_core.colors import hexadecimal, linear_to_srgb  # noqa: E402
from noise_core.params import Declared, Parameter  # noqa: E402
from noise_core.preset_library import preset, preset_names  # noqa: E402
from noise_core.surfaces import surface, surface_names  # noqa: E402

DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
SIDE = 256
SURFACE_SIDE = 320
"""Of each half of a surface's picture: two by two tiles, and a sphere."""
LARGEST = 60_000
"""Bytes of a surface's picture."""
SEED = 7
Drawing = Callable[[], Image.Image]
FAMILIES = {
    "basic": "Basic noises",
    "fractal": "Fractals",
    "shape": "Shapes",
    "combine": "Combinations",
    "domain": "Changes of the domain",
}
GENERATED = "<!-- Made by tools/make_docs.py; do not edit. -->\n"


def main() -> None:
    """Write, or check, everything that is generated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a page is out of date")
    parser.add_argument("--pages", action="store_true", help="write the pages, draw nothing")
    parser.add_argument(
        "--draw", action="append", metavar="NAME", help="draw only pictures whose names begin so"
    )
    arguments = parser.parse_args()
    pages = {
        DOCS / "reference.md": "\n".join(reference()),
        DOCS / "gallery.md": "\n".join(gallery()),
    }
    if arguments.check:
        check(pages)
        return
    IMAGES.mkdir(parents=True, exist_ok=True)
    if not arguments.pages:
        for name, draw in pictures().items():
            if name.startswith(tuple(arguments.draw or [""])):
                save(draw(), name)
    # The gallery is told anew: it lists what is there.
    pages[DOCS / "gallery.md"] = "\n".join(gallery())
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")


def check(pages: dict[Path, str]) -> None:
    """Leave with an error if a page or a picture is not what it should be."""
    stale = [
        path.name
        for path, text in pages.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    missing = [name for name in pictures() if not (IMAGES / name).exists()]
    if stale or missing:
        what = ", ".join([*stale, *missing])
        sys.exit(f"out of date: {what}; run python tools/make_docs.py")


def pictures() -> dict[str, Drawing]:
    """Return what draws each picture, by its file's name.

    One per noise type, one per option that changes its look, one per preset, coloring, surface.
    """
    return {
        **{f"{name}.png": partial(noise_picture, noise) for name, noise in pictured()},
        **{f"preset_{name}.png": partial(preset_picture, name) for name in preset_names()},
        **{f"coloring_{key}.jpg": partial(coloring_picture, key) for key in coloring_types()},
        **{f"surface_{name}.jpg": partial(surface_picture, name) for name in surface_names()},
    }


def pictured() -> Iterator[tuple[str, Noise]]:
    """Yield every noise that gets a picture, with the picture's name."""
    for key, cls in noise_types().items():
        yield f"noise_{key}", cls()
        for parameter in cls.parameters():
            if is_shown(parameter):
                for option in parameter.options:
                    yield f"noise_{key}_{option}", cls(**{parameter.name: option})


def is_shown(parameter: Parameter) -> bool:
    """Whether each option of a parameter gets a picture of its own: those that name a look."""
    return parameter.kind == "choice" and parameter.name in {"kind", "output", "shape", "metric"}


def noise_picture(noise: Noise) -> Image.Image:
    """Return one seamless tile of a noise in gray, from its lowest to its highest value here."""
    values = noise.sample_grid(Grid(SIDE, SIDE, wrap=True), SEED)
    low, high = values.min(), values.max()
    level = (values - low) / (high - low) if high > low else np.full_like(values, 0.5)
    return Image.fromarray(shading.bytes_of(level))


def preset_picture(name: str) -> Image.Image:
    """Return a preset as shaded relief, or flat if it is a texture."""
    chosen = preset(name)
    grid = Grid(384, 384, size=chosen.size, wrap=name in palettes.FLAT)
    relief = chosen.recipe.evaluate(grid)
    height = relief.height
    if name in palettes.FLAT:
        level = (height - height.min()) / (height.max() - height.min())
        colors = shading.tinted(level, palettes.FLAT[name])
    else:
        colors = landscape(height, relief.maps, grid.spacing, palettes.LOOKS[name])
    return Image.fromarray(shading.bytes_of(colors))


def coloring_picture(key: str) -> Image.Image:
    """Return one seamless tile of a coloring."""
    colors = coloring_types()[key]().paint(Grid(SIDE, SIDE, wrap=True), SEED)
    return Image.fromarray((linear_to_srgb(colors)[::-1] * 255.0 + 0.5).astype(np.uint8))


def surface_picture(name: str) -> Image.Image:
    """Return two by two tiles of a surface, and a sphere of it beside them."""
    one = surface(name)
    textures = one.textures(Grid(512, 512, wrap=True, size=one.size), 0, swatches.MAPS)
    side = SURFACE_SIDE
    picture = Image.new("RGB", (2 * side, side))
    tiles = Image.fromarray(swatches.swatch(textures))
    picture.paste(tiles.resize((side, side), Image.Resampling.LANCZOS), (0, 0))
    picture.paste(Image.fromarray(swatches.sphere(textures, side)), (side, 0))
    return picture


def save(image: Image.Image, name: str) -> None:
    """Save a picture, in few enough colors to stay small."""
    path = IMAGES / name
    if path.suffix == ".jpg":
        for quality in range(88, 30, -4):
            image.save(path, quality=quality, optimize=True)
            if path.stat().st_size <= LARGEST:
                return
        raise ValueError(f"{name} is larger than {LARGEST} bytes whatever its quality")
    if image.mode == "RGB":
        image = image.quantize(192, dither=Image.Dither.FLOYDSTEINBERG)
    image.save(path, optimize=True)


def gallery() -> Iterator[str]:
    """Yield the lines of the gallery page."""
    yield GENERATED
    yield "# Gallery\n"
    yield "All presets, surfaces, colorings and noises in pictures.\n"
    yield "## Presets\n"
    yield from table(
        (f"preset_{name}.png", f"**{preset(name).label}**<br>{preset(name).description}")
        for name in preset_names()
    )
    rendered = [name for name in preset_names() if (IMAGES / f"render_{name}.jpg").exists()]
    yield "## The same, rendered in Blender\n"
    yield "`examples/terrain.py` with Cycles: materials that read the maps of the terrain, nothing else.\n"
    yield from table((f"render_{name}.jpg", preset(name).label) for name in rendered)
    yield "## Surfaces\n"
    yield (
        "Sets of textures for materials, all seamless: two by two tiles under a lamp, and a sphere. "
        "What can be set of each: [reference](reference.md#surfaces).\n"
    )
    yield from table(
        (
            (f"surface_{name}.jpg", f"**{surface(name).label}**<br>{surface(name).description}")
            for name in surface_names()
        ),
        columns=2,
    )
    yield "## Colorings\n"
    yield "Pictures in color from a formula, each with its own noise or any other.\n"
    yield from table(
        (f"coloring_{key}.jpg", f"**{cls.label}**<br>{summary(cls)}")
        for key, cls in coloring_types().items()
    )
    for family, title in FAMILIES.items():
        yield f"## {title}\n"
        cells = []
        for key, cls in noise_types().items():
            if cls.family != family:
                continue
            cells.append((f"noise_{key}.png", f"**{cls.label}**<br>{summary(cls)}"))
            for parameter in filter(is_shown, cls.parameters()):
                for option, text in parameter.options.items():
                    cells.append((f"noise_{key}_{option}.png", f"{cls.label}, {option}<br>{text}"))
        yield from table(iter(cells))


def table(cells: Iterator[tuple[str, str]], columns: int = 4) -> Iterator[str]:
    """Yield a table of pictures with texts, so many abreast."""
    listed = list(cells)
    if not listed:
        return
    yield "|" + " |" * columns
    yield "|" + " :---: |" * columns
    for row in range(math.ceil(len(listed) / columns)):
        part = listed[row * columns : (row + 1) * columns]
        yield "| " + " | ".join(f"![](images/{image})<br>{text}" for image, text in part) + " |"
    yield ""


def reference() -> Iterator[str]:
    """Yield the lines of the reference page."""
    yield GENERATED
    yield "# Reference\n"
    yield "Every type with every parameter, as declared. All take their parameters by keyword.\n"
    for family, title in FAMILIES.items():
        yield f"## {title}\n"
        for cls in noise_types().values():
            if cls.family == family:
                yield from described(cls)
    yield "## Layers\n"
    yield "What a recipe is a list of, beside modifiers; see [layers](layers.md).\n"
    for layer in (NoiseLayer, Group):
        yield from described(layer)
    yield "## Modifiers\n"
    yield (
        "What they do to a finished height field; see `Modifier.apply`. As all layers they have `opacity`, a "
        "`mask` ([types](#masks)), `muted`, `name` and `seed_offset`.\n"
    )
    for modifier in modifier_types().values():
        yield from described(modifier)
        if modifier.makes:
            yield "| map | what it shows |"
            yield "| --- | --- |"
            yield from (f"| `{name}` | {text} |" for name, text in modifier.makes.items())
            yield ""
    yield "## Masks\n"
    yield "Where a layer acts, read when its turn comes; see [layers](layers.md).\n"
    for mask in mask_types().values():
        yield from described(mask)
    yield "## Maps\n"
    yield (
        "What can be read off a finished height field: `Slope().values(height, grid)`, or "
        "`slope(height, grid)` from `noise_core.maps`. Those with one number per sample are masks "
        "too: `slope_mask(height, grid, low, high, falloff)` is 1 between the limits and falls "
        "smoothly to 0 over the falloff, all in the map's unit.\n"
    )
    for read in map_types().values():
        yield from described(read)
        yield f"{measured(read())}\n"
    yield "## Colorings\n"
    yield (
        "Pictures in color: `Marble().paint(grid, seed)`, classes from `noise_core.colorings`. In Blender "
        '`bpy.ops.terrane.image_new(coloring="marble")`.\n'
    )
    for coloring in coloring_types().values():
        yield from described(coloring)
    yield from surfaces()
    yield from operator_pages.operators()
    yield from operator_pages.preferences()


def surfaces() -> Iterator[str]:
    """Yield the lines about every surface: how large and deep it is, and its sliders."""
    yield "## Surfaces\n"
    yield (
        'Sets of textures: `surface("granite", scale=20).textures(grid, seed)` from '
        '`noise_core.surfaces`. In Blender `bpy.ops.terrane.material_add(surface="granite")`, what is '
        "exposed as JSON: `parameters='{\"scale\": 20}'`. A size is a tile's width, a depth from the "
        "lowest to the highest.\n"
    )
    for name in surface_names():
        one = surface(name)
        yield f"### {one.label}: `{name}`\n"
        yield f"{one.description.rstrip('.')}. {one.size:g} m wide, {1000.0 * one.depth:g} mm deep.\n"
        if not one.parameters:
            continue
        yield "| parameter | default | allowed | what it does |"
        yield "| --- | --- | --- | --- |"
        for parameter in one.parameters:
            default = default_of(parameter)
            allowed = allowed_by(parameter)
            if parameter.unit == "color":
                default, allowed = f"`{hexadecimal(parameter.default)}`", "a color"
            yield f"| `{parameter.name}` | {default} | {allowed} | {parameter.help} |"
        yield ""


def measured(one: Map) -> str:
    """Return in what, and between which limits, a map's values are."""
    low, high = (f"{bound:g}" for bound in one.bounds())
    limits = {
        (False, False): "",
        (True, False): f"from {low} up",
        (False, True): f"up to {high}",
        (True, True): f"from {low} to {high}",
    }[tuple(map(math.isfinite, one.bounds()))]
    parts = [one.unit or "a plain number", *([limits] if limits else [])]
    each = "" if one.channels == 1 else f"{one.channels} numbers per sample, each "
    return f"**Values.** {(each + ', '.join(parts)).capitalize()}."


def described(cls: type[Declared]) -> Iterator[str]:
    """Yield one type's section."""
    yield f"### {cls.label}: `{cls.__name__}`, key `{cls.key}`\n"
    text = inspect.cleandoc(cls.__doc__ or "")
    yield re.sub(r"^(\w+)\n-+\n", r"**\1.**\n", text, flags=re.MULTILINE)
    yield ""
    if cls.parameters():
        yield "| parameter | default | allowed | what it does |"
        yield "| --- | --- | --- | --- |"
    for parameter in cls.parameters():
        yield (
            f"| `{parameter.name}` | {default_of(parameter)} | {allowed_by(parameter)} "
            f"| {parameter.help} |"
        )
    yield ""


def summary(cls: type[Declared]) -> str:
    """Return the first line of a type's docstring."""
    return inspect.cleandoc(cls.__doc__ or "").splitlines()[0]


def default_of(parameter: Parameter) -> str:
    """Return a parameter's default as the reference shows it."""
    if parameter.kind in ("noise", "chain", "map"):
        return f"`{parameter.default()!r}`" if callable(parameter.default) else ""
    if parameter.kind == "pixels":
        return "a small pattern"
    if isinstance(parameter.default, np.ndarray):
        return "an array"
    return f"`{parameter.default!r}`"


def allowed_by(parameter: Parameter) -> str:
    """Return what a parameter allows as the reference shows it."""
    if parameter.options:
        return "<br>".join(f"`{key}`: {text}" for key, text in parameter.options.items())
    if parameter.kind in {"number", "integer", "vector", "number_or_noise"}:
        interval = f"{parameter.minimum:g} to {parameter.maximum:g}"
        return interval.replace("-inf to inf", "any").replace("to inf", "and more")
    return _KINDS.get(parameter.kind, parameter.kind)


_KINDS = {"chain": "a noise", "filters": "noises with a source", "layers": "noise layers, groups"}
"""How kinds are called whose name says too little."""


if __name__ == "__main__":
    main()
