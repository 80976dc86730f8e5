# SPDX-License-Identifier: GPL-3.0-or-later
"""The knobs of one noise: properties for all that lies on the spine of a tree.

A group has them for the noise that a recipe begins with, and each layer of noise has a group of its
own for its noise. Both keep the tree as text besides. Where a property says what the tree says,
rounded as Blender rounds, the tree is right to the last bit; where somebody has changed the
property, the property is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....noise_core import spine
from ....noise_core.errors import RecipeError
from ....noise_core.noise import Noise
from ....noise_core.noises.fractal import Fractal
from ....noise_core.noises.warp import Warp
from ....noise_core.params import Parameter
from ....noise_core.spine import Spine
from ..values import assign, number, read_values

FRACTAL_GROUP = "fractal_options"
WARP_GROUP = "warp_options"

Pictures = Mapping[str, Any]
"""The images that a leaf takes its pixels from, by parameter."""


def leaf_group(key: str) -> str:
    """Return the name of the property that holds a leaf type's own parameters."""
    return f"noise_{key}"


def leaf_parameters(cls: type[Noise]) -> tuple[Parameter, ...]:
    """Return the parameters of a leaf type that have a property in its own group.

    The frequency is shared by all types, so that changing the type keeps it.
    """
    return tuple(one for one in cls.parameters() if one.name != "frequency")


def fractal_parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the fractal's own group."""
    return tuple(one for one in Fractal.parameters() if one.name not in ("source", "kind"))


def warp_parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the warp's own group."""
    return tuple(one for one in Warp.parameters() if one.name not in ("source", "strength"))


def read(group: Any, base: Noise) -> Noise:
    """Return the noise that a group's knobs make of a tree.

    Raises
    ------
    TerraneError
        If a setting is not allowed.
    """
    trunk = Spine.of(base)
    frequency = None if trunk.frequency is None else number(group.frequency, trunk.frequency)
    return spine.with_parts(
        base,
        leaf=_read_leaf(group, trunk),
        fractal=_read_fractal(group, trunk),
        warp=_read_warp(group, trunk),
        frequency=frequency,
    )


def write(group: Any, noise: Noise, pictures: Pictures) -> None:
    """Turn a group's knobs to what a noise is, and let its leaf point to its images."""
    assign(group, values(noise))
    leaf = Spine.of(noise).leaf
    assign(getattr(group, leaf_group(leaf.key)), _all_pictures(leaf, pictures))


def values(noise: Noise) -> dict[str, Any]:
    """Return what the knobs have to be for a noise; nested groups as dictionaries."""
    knobs, trunk = spine.knobs(noise), Spine.of(noise)
    plain: dict[str, Any] = {
        "noise": knobs.noise,
        "fractal": knobs.fractal,
        "warp": knobs.warp,
        leaf_group(trunk.leaf.key): spine.parts(trunk.leaf, frozenset({"frequency"})),
    }
    if knobs.frequency is not None:
        plain["frequency"] = knobs.frequency
    if trunk.fractal is not None:
        plain[FRACTAL_GROUP] = spine.parts(trunk.fractal, frozenset({"kind"}))
    if trunk.warp is not None:
        plain[WARP_GROUP] = spine.parts(trunk.warp, frozenset({"strength"}))
    return plain


def pictures(group: Any) -> dict[str, Any]:
    """Return the images that a group's leaf takes its pixels from, by parameter."""
    cls = spine.leaf_types().get(group.noise)
    if cls is None:
        return {}
    own = getattr(group, leaf_group(cls.key))
    named = {one.name: getattr(own, one.name) for one in cls.parameters() if one.kind == "pixels"}
    return {name: image for name, image in named.items() if image is not None}


def without_pixels(noise: Noise, pictures: Pictures) -> Noise:
    """Return a noise with the smallest pixels in place of those that an image holds."""
    leaf = Spine.of(noise).leaf
    held = {name for name, image in _all_pictures(leaf, pictures).items() if image is not None}
    if not held:
        return noise
    return spine.with_leaf(noise, type(leaf)(**spine.parts(leaf, frozenset(held))))


def _all_pictures(leaf: Noise, pictures: Pictures) -> dict[str, Any]:
    """Return the image of each parameter of a leaf that holds pixels, None where there is none."""
    return {one.name: pictures.get(one.name) for one in leaf.parameters() if one.kind == "pixels"}


def _read_leaf(group: Any, trunk: Spine) -> Noise:
    types = spine.leaf_types()
    if group.noise not in types:
        raise RecipeError("noise: this file's noise type is not known to this Terrane")
    cls = types[group.noise]
    if type(trunk.leaf) is cls:
        base = trunk.leaf
    else:
        turned = spine.with_knobs(trunk.root, spine.Knobs(noise=cls.key))
        base = Spine.of(turned).leaf
    own = read_values(getattr(group, leaf_group(cls.key)), leaf_parameters(cls), spine.parts(base))
    return cls(**{**spine.parts(base), **own})


def _read_fractal(group: Any, trunk: Spine) -> Mapping[str, object] | None:
    if group.fractal == spine.NONE:
        return None
    base = spine.parts(trunk.fractal or Fractal())
    own = read_values(getattr(group, FRACTAL_GROUP), fractal_parameters(), base)
    return {**base, **own, "kind": group.fractal}


def _read_warp(group: Any, trunk: Spine) -> Mapping[str, object] | None:
    base = spine.parts(trunk.warp or Warp(strength=0.0))
    strength = number(group.warp, float(str(base["strength"])))
    if strength == 0.0 and (trunk.warp is None or trunk.warp.strength != 0.0):
        return None
    own = read_values(getattr(group, WARP_GROUP), warp_parameters(), base)
    return {**base, **own, "strength": strength}
