# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of an image in addition to its recipe: colors, or a coloring and its parameters.

Each coloring has a group of properties, made from its declaration; panels show that of the chosen
coloring. Operators have the same groups, and also take values as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.props import EnumProperty, PointerProperty, StringProperty

from ....noise_core.base.errors import ParameterError
from ....noise_core.base.params import Parameter, title_of
from ....noise_core.materials.colorings.bases.coloring import Coloring, coloring_types
from ....noise_core.materials.colors import PALETTES, Ramp
from ....noise_core.noises.bases.noise import Noise
from ..datablocks.ref import Ref
from . import color_ramps
from .enum_items import enum_items, grouped_items, type_items
from .picture_options import COLORS, IMAGE, KIND, PALETTE, SEQUENCE, SOURCE, coloring_choice
from .properties import blender_property, declared_properties, group_class
from .type_choice import TypeChoice
from .values import parse_values

RAMP = "ramp"
TEXTURE = "ramp_texture"
CHOICES = ("source", "palette")
"""Properties with the same name in the panel and in the operators."""

PREFERRED = "marble"
"""Default coloring, where it is registered."""


@dataclass(frozen=True)
class ImageLook:
    """Colors or coloring of an image."""

    coloring: str  # "gray", "palette", "ramp", or the key of a coloring
    palette: str  # name of a shipped color ramp
    ramp: str  # JSON; see `Ramp.from_json`
    values: Mapping[str, object] = field(default_factory=dict)
    """Parameters of the coloring, without its noise."""
    texture: Ref[bpy.types.Texture] | None = None
    """The texture with the ramp; None if the text has another source."""

    def ramp_of(self) -> Ramp | None:
        """Return the color ramp, None if there is none; raise a ParameterError if it is not known."""
        if self.coloring == RAMP:
            return Ramp.from_json(self.ramp)
        if self.coloring != "palette":
            return None
        return PALETTES[str(PALETTE.check(self.palette, "Image"))]

    def coloring_of(self, noise: Noise) -> Coloring | None:
        """Return the coloring of a noise, None if there is none; raise as its type does."""
        cls: Any = coloring_types().get(self.coloring)
        return None if cls is None else cls(**self.values).with_noise(noise)


def is_formula(coloring: str) -> bool:
    """Return whether a choice is a coloring by a formula, not a color ramp."""
    return coloring in coloring_types()


def label(coloring: str) -> str:
    """Return the label of a coloring by a formula, "" for other choices."""
    return coloring_types()[coloring].label if is_formula(coloring) else ""


def has_noise(coloring: str) -> bool:
    """Return whether a choice colors a noise; some formulas have none."""
    cls = coloring_types().get(coloring)
    return cls is None or cls.name_of("noise") is not None


def uses_recipe(options: Any) -> bool:
    """Return whether the options of the panel use the recipe's noise."""
    is_coloring_it = options.source == "recipe" and has_noise(options.coloring)
    return options.kind == "noise" or (options.kind == "coloring" and is_coloring_it)


def parameters(coloring: str) -> tuple[Parameter, ...]:
    """Return the parameters of a coloring without its noise."""
    return tuple(
        parameter
        for parameter in coloring_types()[coloring].parameters()
        if parameter.kind != "noise"
    )


COLORINGS = TypeChoice(
    "coloring",
    lambda: {key: (cls.label, parameters(key)) for key, cls in coloring_types().items()},
    prefix="coloring_",
)
"""Groups of the parameters of colorings, in settings and operators."""


def image_group() -> type[bpy.types.PropertyGroup]:
    """Return the group of the image options; those of the colorings must be registered."""
    return group_class(
        "TERRANE_PG_image",
        (*IMAGE, *SEQUENCE, COLORS, PALETTE),
        description="What an image is like",
        extra={
            KIND.name: _row_of_buttons(KIND),
            SOURCE.name: _row_of_buttons(SOURCE),
            "coloring": EnumProperty(
                name="Coloring",
                description="Formula of the image",
                items=type_items(coloring_types()),
                default=PREFERRED if is_formula(PREFERRED) else None,
            ),
            RAMP: ramp_property(),
            TEXTURE: PointerProperty(
                type=bpy.types.Texture,
                name="Ramp",
                description="Texture with the color ramp",
            ),
            **COLORINGS.properties(),
        },
    )


def keyword_properties(options: frozenset[Any]) -> dict[str, Any]:
    """Return the annotations of an operator's keywords."""
    rows = enum_items(COLORS.options)
    names = {item[0] for item in rows}
    return {
        "coloring": EnumProperty(
            name="Coloring",
            description=coloring_choice().help,
            items=grouped_items(
                [*rows, *type_items(coloring_types())],
                lambda key: "Noise" if key in names else "Coloring",
            ),
            default="gray",
            options=set(options),
        ),
        **declared_properties((SOURCE, PALETTE), options),
        RAMP: ramp_property(options),
        "parameters": StringProperty(
            name="Parameters",
            description="Parameters of the coloring as a JSON object; they win over all else",
            options={"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"},
        ),
        **COLORINGS.properties(options),
    }


def ramp_property(options: frozenset[Any] = frozenset()) -> Any:
    """Return the property that holds a color ramp."""
    return StringProperty(
        name="Ramp",
        description='Places from 0 to 1 with colors, as JSON: [[0, "#102040"], [1, "#ffffff"]]',
        default='[[0, "#102040"], [0.5, "#b06030"], [1, "#fff4d0"]]',
        options=set(options),
    )


def chosen_coloring(options: Any) -> str:
    """Return the operators' keyword `coloring` for the options of a panel or an image."""
    if options.kind == "surface":
        raise ParameterError("kind must be 'noise' or 'coloring' to make an image; got 'surface'")
    return str(options.colors if options.kind == "noise" else options.coloring)


def read_look(options: Any) -> ImageLook:
    """Return the look that the options of a panel or an image select."""
    key = chosen_coloring(options)
    values = COLORINGS.read(options, key) if is_formula(key) else {}
    return ImageLook(key, options.palette, ramp_text(options), values)


def write_look(options: Any, look: ImageLook) -> None:
    """Write the look of an image into its options."""
    if is_formula(look.coloring):
        options.kind, options.coloring = "coloring", look.coloring
        COLORINGS.write(options, look.coloring, look.values)
    else:
        options.kind, options.colors = "noise", look.coloring
    options.palette, options.ramp = look.palette, look.ramp
    setattr(options, TEXTURE, None if look.texture is None else look.texture.find())


def ramp_text(options: Any) -> str:
    """Return the color ramp of a panel or an image: that of its texture, if it has one."""
    texture = getattr(options, TEXTURE)
    if texture is None or texture.color_ramp is None:
        return str(options.ramp)
    return color_ramps.to_json(texture)


def texture_of(options: Any, text: str) -> Ref[bpy.types.Texture] | None:
    """Return the texture that holds a color ramp, None if none does."""
    texture = getattr(options, TEXTURE)
    return Ref.of(texture) if texture is not None and ramp_text(options) == text else None


def begin_ramp(options: Any) -> None:
    """Add an editable color ramp to a panel or an image: a copy of its palette, or of its ramp."""
    is_palette = options.colors == "palette"
    ramp = PALETTES[options.palette] if is_palette else Ramp.from_json(ramp_text(options))
    name = title_of(options.palette) if is_palette else "Ramp"
    setattr(options, TEXTURE, color_ramps.new_texture(name, ramp))
    options.colors = RAMP


def defaults(coloring: str) -> dict[str, object]:
    """Return the default parameters of a coloring, without its noise."""
    return {parameter.name: parameter.default for parameter in parameters(coloring)}


def own_noise(coloring: str) -> Noise | None:
    """Return the default noise of a coloring, None if it has none."""
    cls = coloring_types().get(coloring)
    return None if cls is None else cls().noise


def parse_parameters(coloring: str, text: str) -> tuple[dict[str, object], Noise | None]:
    """Return the parameters in JSON text, and the noise if it is among them.

    Raises a TerraneError if it is no JSON object, or the coloring has no such parameter.
    """
    if not text:
        return {}, None
    if not is_formula(coloring):
        raise ParameterError("parameters are for a coloring with a formula", got=coloring)
    cls = coloring_types()[coloring]
    values = parse_values(text, coloring, cls.parameters())
    return values, values.pop(str(cls.name_of("noise")), None)


def _row_of_buttons(choice: Parameter) -> Any:
    """Return a choice that panels draw as a row of buttons.

    Blender stores a button's value as a 32-bit float, which cannot hold hashes of keys. So the
    items are numbered from 0, and new ones are added at the end.
    """
    items = [
        (key, title_of(key), text, "NONE", place)
        for place, (key, text) in enumerate(choice.options.items())
    ]
    return blender_property(choice, items=items)
