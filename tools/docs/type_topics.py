# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference and the gallery: every type, preset and surface, from the declarations in noise_core."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from entries import Entry, Row, Topic, cell, describe, describe_parameter, summarize

from noise_core import Map, coloring_types, map_types, mask_types, modifier_types, noise_types
from noise_core.base.params import Parameter
from noise_core.io.targets.bases.target import target_types
from noise_core.landscapes.preset_library import GROUPS, preset, preset_names
from noise_core.materials.surfaces import surface, surface_names
from noise_core.modifiers.bases.modifier import Modifier

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"

FAMILIES = {
    "basic": "Basic noises",
    "fractal": "Fractals",
    "shape": "Shapes",
    "combine": "Combinations",
    "domain": "Changes of the domain",
}
"""Titles of the pages on noises, by family."""

PRESET_KINDS = dict(
    zip(GROUPS, ("Landforms", "Noises", "Textures", "Ground for robots"), strict=True)
)
"""Kinds of presets on pages, by group."""

NOISE = (
    "Classes from `noise_core.noises`. All take their parameters by keyword. In Blender they are in the "
    'list of noises of the panel, and scripts give their keys: `noise="{key}"`.'
)
MODIFIERS = (
    "Modifiers change a finished height field; see `Modifier.apply`. All have `opacity`, `mask` (a "
    "[mask](masks.md)), `muted` and `name`."
)
MASKS = "A mask says where a layer acts. It is read when the layer's turn comes; see [layers](../layers.md)."
MAPS = (
    "Maps are read off a finished height field: `Slope().values(height, grid)`, or `slope(height, grid)` "
    "from `noise_core.maps`. Those with one number per sample also give masks: "
    "`slope_mask(height, grid, low, high, falloff)` is 1 between the limits and falls smoothly to 0 over "
    "the falloff, all in the map's unit."
)
COLORINGS = (
    "Pictures in color: `Marble().paint(grid, seed)`, classes from `noise_core.materials.colorings`. In Blender "
    '`bpy.ops.terrane.image_new(coloring="marble")`.'
)
TARGETS = (
    "What programs want of a heightmap, classes from `noise_core.io.targets`: their parameters are the options of an "
    'export that are their own. In Blender `bpy.ops.terrane.heightmap_export(filepath=..., target="{key}")`, with '
    'options as JSON, `parameters=\'{"byte_order": "mac"}\'`. See [the pages on programs](../engines.md#targets).'
)
SURFACES = (
    'Sets of seamless textures: `surface("granite", scale=20).textures(grid, seed)` from '
    '`noise_core.materials.surfaces`. In Blender `bpy.ops.terrane.material_add(surface="granite")`, with parameters '
    "as JSON: `parameters='{\"scale\": 20}'`. The size is the width of a tile, the depth the distance from "
    "the lowest to the highest point."
)
PRESETS = (
    'Recipes that come with Terrane: `Recipe.from_preset("alps", seed=7)`, in Blender '
    '`bpy.ops.terrane.terrain_add(preset="alps", seed=7)`.'
)


def topics() -> Iterator[Topic]:
    """Yield the pages about types, presets and surfaces."""
    for family, title in FAMILIES.items():
        types = [cls for cls in noise_types().values() if cls.family == family]
        entries = (
            describe(cls, "noise", pictures=_existing(f"noise_{cls.key}.png")) for cls in types
        )
        text = NOISE.replace("{key}", types[0].key)
        yield Topic(f"noises_{family}", title, text, tuple(entries))
    yield Topic(
        "modifiers", "Modifiers", MODIFIERS, tuple(map(_modifier, modifier_types().values()))
    )
    yield Topic(
        "masks", "Masks", MASKS, tuple(describe(cls, "mask") for cls in mask_types().values())
    )
    yield Topic("maps", "Maps", MAPS, tuple(_map(cls) for cls in map_types().values()))
    types = target_types().items()
    yield Topic(
        "targets",
        "Export Targets",
        TARGETS.replace("{key}", next(key for key, _ in types)),
        tuple(describe(cls, "target") for _, cls in types),
    )
    by_kind = sorted(preset_names(), key=lambda name: GROUPS.index(preset(name).group))
    yield Topic("presets", "Presets", PRESETS, tuple(map(_preset, by_kind)))
    yield Topic("surfaces", "Surfaces", SURFACES, tuple(map(_surface, surface_names())))
    colorings = coloring_types().items()
    entries = (
        describe(cls, "coloring", pictures=_existing(f"coloring_{key}.jpg"))
        for key, cls in colorings
    )
    yield Topic("colorings", "Colorings", COLORINGS, tuple(entries))


def _existing(*names: str) -> tuple[str, ...]:
    return tuple(name for name in names if (IMAGES / name).is_file())


def _modifier(cls: type[Modifier]) -> Entry:
    maps = tuple(Row(name, cell(text)) for name, text in cls.makes.items())
    return describe(cls, "modifier", maps=maps)


def _map(cls: type[Map]) -> Entry:
    entry = describe(cls, "map")
    values = f"**Values.** {_range(cls())}."
    return Entry(**{**vars(entry), "text": f"{entry.text}\n\n{values}"})


def _range(kind: Map) -> str:
    """Return the unit and the limits of a map's values."""
    low, high = (f"{bound:g}" for bound in kind.bounds())
    limits = {
        (False, False): "",
        (True, False): f"from {low} up",
        (False, True): f"up to {high}",
        (True, True): f"from {low} to {high}",
    }[(math.isfinite(kind.bounds()[0]), math.isfinite(kind.bounds()[1]))]
    parts = [kind.unit or "a plain number", *([limits] if limits else [])]
    each = "" if kind.channels == 1 else f"{kind.channels} numbers per sample, each "
    return (each + ", ".join(parts)).capitalize()


def _preset(name: str) -> Entry:
    entry = preset(name)
    return Entry(
        subject=f"preset_{name}",
        title=entry.label,
        code=f"`{name}`",
        text=f"{PRESET_KINDS[entry.group]}: {entry.description.rstrip('.')}. {entry.size:g} m wide.",
        pictures=_existing(f"preset_{name}.png", f"render_{name}.jpg"),
    )


def _surface(name: str) -> Entry:
    entry = surface(name)
    return Entry(
        subject=f"surface_{name}",
        title=entry.label,
        code=f"`{name}`",
        text=f"{entry.description.rstrip('.')}. {entry.size:g} m wide, {1000.0 * entry.depth:g} mm deep.",
        rows=tuple(describe_parameter(parameter) for parameter in entry.parameters),
        pictures=_existing(f"surface_{name}.jpg", f"surface_{name}_close.jpg"),
    )


# --- the gallery --------------------------------------------------------------------------------

Picture = tuple[str, str]
"""A file in docs/images, and the Markdown below it."""


def gallery() -> dict[str, list[Picture]]:
    """Return the gallery's pictures by heading."""
    presets = {name: preset(name) for name in preset_names()}
    shown: dict[str, list[Picture]] = {
        **{
            f"Presets: {kind.lower()}": [
                (f"preset_{name}.png", f"**{entry.label}**<br>{cell(entry.description)}")
                for name, entry in presets.items()
                if entry.group == group
            ]
            for group, kind in PRESET_KINDS.items()
        },
        "Landforms, rendered in Blender": [
            (f"render_{name}.jpg", entry.label)
            for name, entry in presets.items()
            if _existing(f"render_{name}.jpg")
        ],
        "Surfaces": [
            (f"surface_{name}.jpg", f"**{entry.label}**<br>{cell(entry.description)}")
            for name, entry in ((name, surface(name)) for name in surface_names())
        ],
        "Colorings": [
            (f"coloring_{key}.jpg", f"**{cls.label}**<br>{cell(summarize(cls))}")
            for key, cls in coloring_types().items()
        ],
    }
    for family, title in FAMILIES.items():
        shown[title] = list(_noise_pictures(family))
    return shown


def _noise_pictures(family: str) -> Iterator[Picture]:
    for key, cls in noise_types().items():
        if cls.family != family:
            continue
        yield f"noise_{key}.png", f"**{cls.label}**<br>{cell(summarize(cls))}"
        for parameter in filter(has_pictures, cls.parameters()):
            for option, text in parameter.options.items():
                yield f"noise_{key}_{option}.png", f"{cls.label}, {option}<br>{cell(text)}"


def has_pictures(parameter: Parameter) -> bool:
    """Return whether each option of a parameter has a picture of its own: those that name a look."""
    return parameter.kind == "choice" and parameter.name in {"kind", "output", "shape", "metric"}
