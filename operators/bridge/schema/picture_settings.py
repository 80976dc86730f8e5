# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels and operators say of an image besides its recipe: colors, or a coloring and how it is set.

There is one group of properties per coloring, made from its declaration: panels show the one of
the chosen coloring. Operators have the same groups, and take values as JSON besides.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.props import EnumProperty, PointerProperty, StringProperty

from ....noise_core.base.errors import ParameterError
from ....noise_core.base.params import Parameter, title_of
from ....noise_core.materials.colors import PALETTES, Ramp
from ....noise_core.serial import from_plain
from ....noise_core.types.coloring import Coloring, coloring_types
from ....noise_core.types.noise import Noise, noise_types
from ..datablocks.ref import Ref
from . import color_ramps
from .color_ramps import ramp_from_json
from .keywords import (
    COLORS,
    IMAGE,
    KIND,
    PALETTE,
    SEQUENCE,
    SOURCE,
    coloring_choice,
    coloring_label,
    coloring_options,
)
from .modifier_values import declared_properties
from .properties import blender_property, enum_items, group_class, grouped_items
from .values import json_parameters, read_values

RAMP = "ramp"
TEXTURE = "ramp_texture"
CHOICES = ("source", "palette")
"""Properties that the panel and the operators call the same."""

PREFERRED = "marble"
"""The coloring to begin with, where there is one."""


@dataclass(frozen=True)
class Look:
    """What becomes of a recipe in an image.

    Attributes
    ----------
    coloring : str
        "gray", "palette", "ramp", or the key of a coloring.
    palette : str
        Name of a shipped ramp.
    ramp : str
        JSON; see `color_ramps.ramp_from_json`.
    values : mapping of str to value
        Parameters of the coloring, without its noise.
    texture : Ref or None
        The texture whose ramp it is; None if the text came from elsewhere.
    """

    coloring: str
    palette: str
    ramp: str
    values: Mapping[str, object] = field(default_factory=dict)
    texture: Ref[bpy.types.Texture] | None = None

    def ramp_of(self) -> Ramp | None:
        """Return the row of colors, None if there is none.

        Raises
        ------
        ParameterError
            If the text is no ramp, or the palette is unknown.
        """
        if self.coloring == RAMP:
            return ramp_from_json(self.ramp)
        if self.coloring != "palette":
            return None
        return PALETTES[str(PALETTE.check(self.palette, "Image"))]

    def coloring_of(self, noise: Noise) -> Coloring | None:
        """Return the formula over a noise, None if there is none.

        Raises
        ------
        ParameterError
            If a value is not allowed.
        """
        cls: Any = coloring_types().get(self.coloring)
        return None if cls is None else cls(**self.values).with_noise(noise)


def is_formula(coloring: str) -> bool:
    """Return whether a choice is a coloring with a formula of its own, not a row of colors."""
    return coloring in coloring_types()


def label(coloring: str) -> str:
    """Return what a picture by a formula is called; nothing if the choice is none."""
    return coloring_label(coloring) if is_formula(coloring) else ""


def has_noise(coloring: str) -> bool:
    """Return whether a noise is colored: all but pictures whose formula has none."""
    cls = coloring_types().get(coloring)
    return cls is None or cls.child() is not None


def uses_recipe(options: Any) -> bool:
    """Return whether the recipe's noise counts, by the options of the panel."""
    if options.kind == "noise":
        return True
    return options.kind == "coloring" and options.source == "recipe" and has_noise(options.coloring)


def parameters(coloring: str) -> tuple[Parameter, ...]:
    """Return the parameters of a coloring that have a property."""
    return tuple(one for one in coloring_types()[coloring].parameters() if one.kind != "noise")


def group_name(coloring: str) -> str:
    """Return the name of the property that holds a coloring's parameters."""
    return f"coloring_{coloring}"


@functools.cache
def groups() -> Mapping[str, type[bpy.types.PropertyGroup]]:
    """Return the group of each coloring, by the name of its property."""
    return {
        group_name(key): group_class(
            f"TERRANE_PG_coloring_{key}",
            parameters(key),
            description=f"The parameters of {cls.label}",
        )
        for key, cls in coloring_types().items()
    }


def pointers(options: frozenset[Any] = frozenset()) -> dict[str, Any]:
    """Return the properties that hold the groups, which must be registered."""
    return {
        name: PointerProperty(type=cls, name=str(cls.__doc__), options=set(options))
        for name, cls in groups().items()
    }


def image_group() -> type[bpy.types.PropertyGroup]:
    """Return the group of what an image is like; those of the colorings must be registered."""
    return group_class(
        "TERRANE_PG_image",
        (*IMAGE, *SEQUENCE, COLORS, PALETTE),
        description="What an image is like",
        extra={
            KIND.name: _row_of_buttons(KIND),
            SOURCE.name: _row_of_buttons(SOURCE),
            "coloring": EnumProperty(
                name="Coloring",
                description="The formula of the picture",
                items=_formula_items(),
                default=PREFERRED if PREFERRED in coloring_types() else None,
            ),
            RAMP: ramp_property(),
            TEXTURE: PointerProperty(
                type=bpy.types.Texture,
                name="Ramp",
                description="The texture that has the row of colors",
            ),
            **pointers(),
        },
    )


def keyword_properties(options: frozenset[Any]) -> dict[str, Any]:
    """Return the annotations of an operator's keywords."""
    rows = enum_items(COLORS.options)
    names = {item[0] for item in rows}
    hidden: set[Any] = {"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"}
    return {
        "coloring": EnumProperty(
            name="Coloring",
            description=coloring_choice().help,
            items=grouped_items(
                [*rows, *_formula_items()], lambda key: "Noise" if key in names else "Picture"
            ),
            default="gray",
            options=set(options),
        ),
        **declared_properties((SOURCE, PALETTE), options),
        RAMP: ramp_property(options),
        "parameters": StringProperty(
            name="Parameters",
            description="Parameters of the coloring as a JSON object; they win over all else",
            options=hidden,
        ),
        **pointers(options),
    }


def ramp_property(options: frozenset[Any] = frozenset()) -> Any:
    """Return the property that holds a row of colors."""
    return StringProperty(
        name="Ramp",
        description='Places from 0 to 1 with colors, as JSON: [[0, "#102040"], [1, "#ffffff"]]',
        default='[[0, "#102040"], [0.5, "#b06030"], [1, "#fff4d0"]]',
        options=set(options),
    )


def chosen(options: Any) -> str:
    """Return what the options of a panel or an image come to, as the operators' keyword.

    Raises
    ------
    ParameterError
        If they are about a surface.
    """
    if options.kind == "surface":
        raise ParameterError("kind must be noise or coloring to make an image; got surface")
    return str(options.colors if options.kind == "noise" else options.coloring)


def write_chosen(options: Any, look: Look) -> None:
    """Make the options of an image say how it looks."""
    if is_formula(look.coloring):
        options.kind, options.coloring = "coloring", look.coloring
        write_values(options, look)
    else:
        options.kind, options.colors = "noise", look.coloring
    options.palette, options.ramp = look.palette, look.ramp
    setattr(options, TEXTURE, None if look.texture is None else look.texture.find())


def ramp_text(options: Any) -> str:
    """Return the row of colors of a panel or an image: that of its texture, if it has one."""
    texture = getattr(options, TEXTURE)
    if texture is None or texture.color_ramp is None:
        return str(options.ramp)
    return color_ramps.to_json(texture)


def texture_of(options: Any, text: str) -> Ref[bpy.types.Texture] | None:
    """Return the texture that a row of colors is from, None if it is from none."""
    texture = getattr(options, TEXTURE)
    return Ref.of(texture) if texture is not None and ramp_text(options) == text else None


def begin_ramp(options: Any) -> None:
    """Give a panel or an image a row of colors to be edited: its palette's, or its present one.

    Raises
    ------
    ParameterError
        If that is no row of colors.
    """
    is_palette = options.colors == "palette"
    ramp = PALETTES[options.palette] if is_palette else ramp_from_json(ramp_text(options))
    name = title_of(options.palette) if is_palette else "Ramp"
    setattr(options, TEXTURE, color_ramps.new_texture(name, ramp))
    options.colors = RAMP


def read_group(group: Any, coloring: str, base: Mapping[str, object]) -> dict[str, object]:
    """Return what a group of properties says of a coloring."""
    return read_values(getattr(group, group_name(coloring)), parameters(coloring), base)


def write_values(group: Any, look: Look) -> None:
    """Make a group of properties say how a coloring is set."""
    own = getattr(group, group_name(look.coloring))
    for name, value in look.values.items():
        setattr(own, name, value)


def defaults(coloring: str) -> dict[str, object]:
    """Return what a coloring's parameters are unless told otherwise, without its noise."""
    return {one.name: one.default for one in parameters(coloring)}


def own_noise(coloring: str) -> Noise | None:
    """Return the noise that a coloring brings with it, None if it has none."""
    cls = coloring_types().get(coloring)
    return None if cls is None else cls().noise


def parsed(coloring: str, text: str) -> tuple[dict[str, object], Noise | None]:
    """Return the parameters that JSON text gives, and the noise if it is among them.

    Raises
    ------
    TerraneError
        If it is no JSON object, or the coloring has no such parameter.
    """
    if not text:
        return {}, None
    plain = json_parameters(text)
    if not is_formula(coloring):
        raise ParameterError("parameters are for a coloring with a formula; got {}", coloring)
    cls = coloring_types()[coloring]
    known = [one.name for one in cls.parameters()]
    for name in plain:
        if name not in known:
            allowed = ", ".join(known)
            raise ParameterError("{}.parameters must be of {}; got {!r}", coloring, allowed, name)
    child = cls.child()
    noise = None
    if child in plain:
        noise = from_plain(plain.pop(child), noise_types(), f"parameters.{child}")
    return plain, noise


def _row_of_buttons(choice: Parameter) -> Any:
    """Return a choice that panels draw as a row of buttons.

    Blender keeps a button's value as a 32-bit float, which hashes of keys do not fit into. So
    these count from 0: what is added to such a choice goes to its end.
    """
    items = [
        (key, title_of(key), text, "NONE", place)
        for place, (key, text) in enumerate(choice.options.items())
    ]
    return blender_property(choice, items=items)


def _formula_items() -> list[Any]:
    options = coloring_options()
    return enum_items(options, {key: coloring_label(key) for key in options})
