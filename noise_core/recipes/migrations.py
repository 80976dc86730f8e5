# SPDX-License-Identifier: GPL-3.0-or-later
"""Old recipes stay readable: one function per step from a format to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..base.errors import RecipeError, format_value
from ..base.grid import SIZE

FORMAT = 6
"""The format that `Recipe.to_json` writes."""

Step = Callable[[dict[str, object]], dict[str, object]]


def _with_names_and_masks(plain: dict[str, object]) -> dict[str, object]:
    """1 to 2: modifiers have a name, and a mask of the recipe's own."""
    stack = plain.get("modifiers", [])
    if not isinstance(stack, list):
        return plain  # for the reader to refuse
    added: dict[str, object] = {"where": None, "name": ""}
    modifiers = [{**added, **one} if isinstance(one, dict) else one for one in stack]
    return {**plain, "modifiers": modifiers}


def _with_a_switch_of_the_noise(plain: dict[str, object]) -> dict[str, object]:
    """2 to 3: the noise can be muted as modifiers can."""
    return {"noise_muted": False, **plain}


def _add_size(plain: dict[str, object]) -> dict[str, object]:
    """3 to 4: the width in meters is the recipe's; before, it was that of a preset, object or image."""
    return {"size": SIZE, **plain}


_BRITISH = {"base_colour": "base_color", "centre": "center", "normalise": "normalize"}
"""Keys, and names of types and options, as they were spelled before 0.1.0."""


def use_american_keys(plain: dict[str, object]) -> dict[str, object]:
    """Return plain data with American spelling in all keys, types and options, at any depth."""

    def spell(value: object) -> object:
        if isinstance(value, dict):
            return {_BRITISH.get(key, key): spell(one) for key, one in value.items()}
        if isinstance(value, list):
            return [spell(one) for one in value]
        return _BRITISH.get(value, value) if isinstance(value, str) else value

    return {_BRITISH.get(key, key): spell(value) for key, value in plain.items()}


def _to_layers(plain: dict[str, object]) -> dict[str, object]:
    """4 to 5: the noise and the modifiers are layers of one list; keys are American."""
    plain = use_american_keys(plain)
    noise, modifiers = plain.pop("noise", None), plain.pop("modifiers", [])
    muted = plain.pop("noise_muted", False)
    if not isinstance(modifiers, list):
        return {**plain, "layers": modifiers}  # for the reader to refuse
    base: dict[str, object] = {"type": "noise", "muted": muted, "chain": _chain(noise)}
    if any(_names_first_layer(one) for one in modifiers):
        # A mask stands for all of it, even if it becomes several layers.
        base = {
            "type": "group",
            "muted": muted,
            "layers": [{"type": "noise", "chain": _chain(noise)}],
        }
    above = [_layer(one, place) for place, one in enumerate(modifiers)]
    return {**plain, "layers": [base, *above]}


_SOURCES = {"blend": "first"}
"""The name of the primary source of a type; that of all others is "source"."""


def _chain(noise: object) -> object:
    """Return a tree of noises as the list of its primary sources, from the innermost outward."""
    chain: list[object] = []
    while isinstance(noise, dict):
        source = _SOURCES.get(str(noise.get("type")), "source")
        own = {name: value for name, value in noise.items() if name != source}
        chain.insert(0, _with_new_seeds(own))
        if source not in noise:  # a basis, or a filter of what it has by default
            return chain
        noise = noise[source]
    return [noise, *chain]  # for the reader to refuse


def _with_new_seeds(value: object) -> object:
    """Return plain data in which the seed offsets of blends count seeds, of which each has two."""
    if isinstance(value, list):
        return [_with_new_seeds(one) for one in value]
    if not isinstance(value, dict):
        return value
    changed = {name: _with_new_seeds(one) for name, one in value.items()}
    offset = changed.get("seed_offset")
    if changed.get("type") == "blend" and type(offset) is int and offset > 0:
        changed["seed_offset"] = 2 * offset - 1
    return changed


_LAYER_SEEDS, _INFLUENCE_SEED = 0x301, 0x1F
"""Where the seeds of noise layers began, beyond those of blends; the seed of a noise as influence."""

_SMALLEST_HEIGHT = 1e-6
"""Stands for a height of 0, which now means that of the recipe."""


def _layer(modifier: object, place: int) -> object:
    """Return a modifier or a noise layer of format 4 as a layer."""
    if not isinstance(modifier, dict):
        return modifier  # for the reader to refuse
    layer = {name: value for name, value in modifier.items() if name not in ("influence", "where")}
    is_noise = layer.get("type") == "noise_layer"
    if is_noise:
        offset = layer.get("seed_offset", 1)
        layer["type"], layer["chain"] = "noise", _chain(layer.pop("noise", {"type": "fractal"}))
        if type(offset) is int:
            layer["seed_offset"] = _LAYER_SEEDS + offset - 1 if offset > 0 else offset
        height = layer.get("height", 20.0)
        layer["height"] = _SMALLEST_HEIGHT if height == 0.0 else height
    else:
        layer = {**_with_new_seeds_in(layer), "seed_offset": place}
    influence, mask = modifier.get("influence", 1.0), modifier.get("where")
    if not isinstance(influence, dict):
        return {**layer, "opacity": influence, "mask": mask}
    own: dict[str, object] = {"type": "noise", "span": "positive", "chain": _chain(influence)}
    if is_noise:
        own["seed_offset"] = _INFLUENCE_SEED
    if mask is None:
        return {**layer, "mask": own}
    return {**layer, "mask": {"type": "product", "first": own, "second": mask}}


def _with_new_seeds_in(layer: dict[str, object]) -> dict[str, object]:
    return {name: _with_new_seeds(value) for name, value in layer.items()}


def _names_first_layer(modifier: object) -> bool:
    """Return whether the mask of a modifier of format 4 stands for the recipe's own noise."""
    mask = modifier.get("where") if isinstance(modifier, dict) else None
    return isinstance(mask, dict) and mask.get("type") == "layer" and not mask.get("layer")


BEFORE: Mapping[str, Mapping[str, float]] = {"stream_erosion": {"valley_fill": 0.0}}
"""By type of modifier: parameters that came after format 5, and what they were in effect until then."""


def _keep_land(plain: dict[str, object]) -> dict[str, object]:
    """5 to 6: parameters that came later do nothing, so that a land stays what it was."""
    layers = plain.get("layers", [])
    if not isinstance(layers, list):
        return plain  # for the reader to refuse
    kept = [
        {**BEFORE.get(str(one.get("type")), {}), **one} if isinstance(one, dict) else one
        for one in layers
    ]
    return {**plain, "layers": kept}


STEPS: Mapping[int, Step] = {
    1: _with_names_and_masks,
    2: _with_a_switch_of_the_noise,
    3: _add_size,
    4: _to_layers,
    5: _keep_land,
}
"""For each old format, the function that makes the next one out of it."""


def migrate(
    plain: dict[str, object], steps: Mapping[int, Step] = STEPS, newest: int = FORMAT
) -> dict[str, object]:
    """Return a recipe's plain data in the newest format.

    Raises
    ------
    RecipeError
        If the format is missing, unknown, or newer than this Terrane, or if the data is nested too
        deeply to be followed.
    """
    version = plain.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise RecipeError(
            "Recipe: format must be a number from 1 to {}; got {}", newest, format_value(version)
        )
    if version > newest:
        raise RecipeError(
            "Recipe: format {} is newer than this Terrane reads ({}); update Terrane",
            version,
            newest,
        )
    while version < newest:
        if version not in steps:
            raise RecipeError("Recipe: format {} can no longer be read", version)
        try:
            plain = {**steps[version](plain), "format": version + 1}
        except RecursionError:
            raise RecipeError("Recipe: nested too deeply") from None
        version += 1
    return plain
