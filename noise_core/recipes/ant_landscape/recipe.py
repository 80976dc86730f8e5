# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a landscape of A.N.T. Landscape.

References
----------
Jimmy Hazevoet (2009-2017). Another Noise Tool 0.1.8, an add-on of Blender 3.4. (formulas)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from ...base.elementary import power_of
from ...base.errors import Message
from ...noises.abs import Absolute
from ...noises.bases.noise import Noise
from ...noises.clamp import Clamp
from ...noises.constant import Constant
from ...noises.curve import Curve
from ..recipe import Recipe
from .effects import fractal_effect
from .frame import CoordinateFrame
from .kinds import Kinds
from .parts import AntBases, Land, bend, group, layer, scale, sine
from .settings import EFFECTS, NOISES, AntSettings

_PLACEHOLDER = Constant(value=0.0)

_MODES = ("mix", "add", "subtract", "multiply", "difference", "screen", "add", "min", "max")
"""How an effect is blended, in the order of the numbers; the seventh takes the sum modulo 1."""

_MODULO = 6


class AntRecipe(NamedTuple):
    """A recipe, and the settings that it cannot follow.

    Attributes
    ----------
    recipe : Recipe
    messages : tuple of Message
        One for each setting that has no counterpart, or that is beyond the limits of its counterpart.
    """

    recipe: Recipe
    messages: tuple[Message, ...]


def recipe_from_ant(
    keywords: Mapping[str, object], *, unit: float = 1.0, is_globe: bool = False
) -> AntRecipe:
    """Return the recipe for settings of A.N.T. Landscape.

    Parameters
    ----------
    keywords : mapping of str to object
        The settings by their own names; see `AntSettings`.
    unit : float
        Meters that one of Blender's units stands for.
    is_globe : bool
        Whether a sphere is one of noise in space, around the origin; otherwise it is laid flat.

    Notes
    -----
    The same kind of land: its spectrum, its range of heights, its profile, the geometry of its effect. The
    noises are Terrane's, so that hills lie elsewhere.

    Raises
    ------
    ParameterError
        If a setting has a value that A.N.T. Landscape does not allow.
    """
    settings = AntSettings(keywords)
    measure = abs(settings.number("height")) or 1.0
    steps = _falloff(settings, measure), _strata(settings, measure), _limits(settings, measure)
    name = NOISES[settings.text("noise_type")]
    middle = 0.0 if is_globe else 0.5
    land = (*_ground_layers(settings, measure, middle), *steps[0])
    whole = group(land, *steps[1], *steps[2], name=name)
    recipe = Recipe(
        layers=(whole,),
        seed=settings.integer("random_seed") % 2**32,
        size=settings.width * unit,
        depth=settings.width * unit * settings.depth,
        height=measure * unit,
    )
    return AntRecipe(recipe, tuple(find_losses(settings, is_globe=is_globe)))


def find_losses(settings: AntSettings, *, is_globe: bool) -> list[Message]:
    """Return a line for each setting that the recipe does without."""
    losses = [
        Message(text)
        for is_lost, text in (
            (
                settings.text("noise_type") == "blender_texture",
                "Blender Texture: left flat; add an Image layer",
            ),
            (
                settings.is_on("sphere_mesh") and not is_globe,
                "Sphere: laid flat; Add > Mesh > Planet makes a globe",
            ),
            (settings.is_on("vert_group"), "Vertex Group: left out; give the layer a mask"),
            (settings.is_on("tri_face"), "Triangulate: left out; add a Triangulate modifier"),
            (
                settings.is_on("noise_offset_z"),
                "Offset Z: left out; another Seed gives another slice",
            ),
            (settings.is_on("water_plane"), "Water Plane: a plane of its own, left as it is"),
        )
        if is_lost
    ]
    for name, label, low, high in (
        ("lacunarity", "Lacunarity", 1.0, 8.0),
        ("frequency", "Freq", 1.0, 8.0),
        ("offset", "Offset", 0.0, 4.0),
    ):
        value = settings.number(name)
        if not low <= value <= high:
            losses.append(
                Message("{}: {:g} becomes {:g}", label, value, min(high, max(low, value)))
            )
    return losses


def _ground_layers(settings: AntSettings, measure: float, middle: float) -> Land:
    """Return the noise and the effect times the height, plus its offset."""
    land = _noise_and_effect(settings, middle)
    sign = settings.number("height") / measure
    offset = settings.number("height_offset") / measure
    if settings.is_on("height_invert"):
        sign, offset = -sign, offset + sign
    if (sign, offset) == (1.0, 0.0):
        return land
    return (group(land, scale(_PLACEHOLDER, sign, offset), name="Height"),)


def _noise_and_effect(settings: AntSettings, middle: float) -> Land:
    """Return both, with the middle of the land at so many widths, and as many depths, from the origin."""
    width, depth = settings.width, settings.depth
    size = settings.number("noise_size")
    x = width / (size * settings.number("noise_size_x"))
    y = width / (size * settings.number("noise_size_y"))
    offset = settings.number("noise_offset_x"), settings.number("noise_offset_y")
    frame = CoordinateFrame(x, y, middle - offset[0] / x, middle * depth - offset[1] / y, depth)
    noise = Kinds(settings, AntBases(x, y / x, offset), frame).build()
    kind = settings.integer("fx_type")
    if not kind:
        return noise
    k = 2.0 * width / settings.number("fx_size")
    place = settings.number("fx_loc_x"), settings.number("fx_loc_y")
    effect = fractal_effect(
        CoordinateFrame(k, k, middle - place[0] / k, middle * depth - place[1] / k, depth),
        kind,
        settings.integer("fx_bias"),
        warp=settings.number("fx_turb"),
        depth=settings.integer("fx_depth"),
        amplitude=settings.number("fx_amplitude"),
        frequency=settings.number("fx_frequency"),
    )
    factor, shift = settings.number("fx_height"), settings.number("fx_offset")
    if settings.is_on("fx_invert"):
        factor, shift = -factor, shift + factor
    return _mix(noise, effect, factor, shift, settings, EFFECTS[kind])


def _mix(
    noise: Land, effect: Land, factor: float, shift: float, settings: AntSettings, name: str
) -> Land:
    """Return noise and effect blended, each with its share of the mix factor."""
    mode, mix = settings.integer("fx_mix_mode"), settings.number("fx_mixfactor")
    opacity = 1.0
    if _MODES[mode] == "mix":
        opacity = (1.0 + mix) / 2.0
        mix = 0.0
    lower: Land = noise if mix == 0.0 else (group(noise, scale(_PLACEHOLDER, 1.0 - mix)),)
    change = scale(_PLACEHOLDER, factor * (1.0 + mix), shift * (1.0 + mix))
    upper = group(effect, change, mode=_MODES[mode], name=name, opacity=opacity)
    if mode != _MODULO:
        return (*lower, upper)
    jumps = [point for step in range(-4, 5) for point in ((step, 0.0), (step + 1 - 1e-4, 1.0))]
    return (
        group(
            (*lower, upper), Curve(source=_PLACEHOLDER, points=tuple(jumps), interpolation="linear")
        ),
    )


def _falloff(settings: AntSettings, measure: float) -> Land:
    """Return the layers that bring the land down to the level of its edges."""
    kind, level = settings.integer("edge_falloff"), settings.number("edge_level") / measure
    if kind == 0 or settings.is_on("sphere_mesh"):
        return ()
    depth = settings.depth
    frame = CoordinateFrame(2.0, 2.0 / depth, 0.5, depth / 2, depth)
    sides: Land = ()
    for is_used, x, y, name in (
        (kind in (2, 3), 1.0, 0.0, "falloff_x"),
        (kind in (1, 3), 0.0, 1.0, "falloff_y"),
    ):
        if is_used:
            exponent = settings.number(name)
            ramp = Absolute(source=frame.ramp(x, y))

            def raised(ratio: float, exponent: float = exponent) -> float:
                return power_of(ratio, exponent) if ratio > 0.0 else 0.0

            sides += (layer(bend(ramp, raised, 0.0, 1.0, count=32)),)

    def inside(total: float) -> float:
        distance = min(1.0, math.sqrt(max(0.0, total)))
        return 1.0 - distance * distance * (3.0 - 2.0 * distance)

    fall = group(
        sides, bend(_PLACEHOLDER, inside, 0.0, 1.0, count=64), mode="multiply", name="Falloff"
    )
    if level == 0.0:
        return (fall,)
    edge = Constant(value=level)
    return (layer(edge, "subtract"), fall, layer(edge, name="Edge Level"))


def _strata(settings: AntSettings, measure: float) -> tuple[Noise, ...]:
    """Return the filter that makes layers of heights, in units of the height."""
    kind = settings.integer("strata_type")
    if not kind:
        return ()
    count = settings.number("strata") * (2.0 if kind == 1 else 1.0)
    size = 0.1 * math.pi / count
    low = max(-2.0, settings.number("minimum") / measure - 0.1)
    high = min(3.0, settings.number("maximum") / measure + 0.1)
    high = max(high, low + 0.1)

    def change(value: float) -> float:
        wave = sine(value * count * math.pi) * size
        if kind <= 3:
            return value + (wave, -abs(wave), abs(wave))[kind - 1]
        level = math.trunc(value * count + math.copysign(1e-7, value)) / count
        return level if kind == 4 else (value + level) / 2.0

    if kind >= 4:
        first, last = math.floor(low * count), math.ceil(high * count)
        last = min(last, first + 400)
        places = [
            height
            for step in range(first, last + 1)
            for height in (step / count - 2e-4, step / count + 2e-4)
        ]
        points = tuple((place, round(change(place), 6)) for place in places)
        return (Curve(source=_PLACEHOLDER, points=points, interpolation="linear"),)
    per_step = 12 if kind == 1 else 8
    points_count = max(48, min(900, math.ceil((high - low) * count * per_step)))
    return (bend(_PLACEHOLDER, change, low, high, count=points_count, is_sharp=1),)


def _limits(settings: AntSettings, measure: float) -> tuple[Clamp, ...]:
    low, high = (settings.number(name) / measure for name in ("minimum", "maximum"))
    low, high = max(-1000.0, low), min(1000.0, high)
    return (Clamp(source=_PLACEHOLDER, minimum=low, maximum=max(low, high)),)
