# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of settings from files of version 0.1.0 to layers.

Those files store a recipe as text, a few values of its noise as properties, and a list of modifiers
with separate texts. Where a property equals the text's value, rounded to a 32-bit float, the text has
the exact value; otherwise the property counts. The properties are read as Blender stored them, since
they are no longer declared.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping
from typing import Any, cast

from ....noise_core.base.errors import RecipeError, TerraneError
from ....noise_core.maps.bases.map import map_types
from ....noise_core.masks.bases.mask import mask_types
from ....noise_core.modifiers.bases.modifier import modifier_types
from ....noise_core.noises.bases.noise import Noise, noise_types
from ....noise_core.recipes import chains
from ....noise_core.recipes.layers import flatten, number_layers
from ....noise_core.recipes.migrations import migrate, use_american_keys
from ....noise_core.recipes.recipe import Recipe
from ....noise_core.recipes.serial import from_plain, to_plain
from ..datablocks import compat
from ..datablocks.ref import Ref
from . import layers, mask_settings, settings
from .layers import LayerState
from .properties import enum_number
from .values import json_parameters, number

FORMAT = 4
"""Format of the recipes in such settings."""

_BRITISH = {"centre": "center", "normalise": "normalize", "base_colour": "base_color"}

Plain = dict[str, Any]


def convert(owner: Any, name: str) -> None:
    """Convert a scene's, an object's or an image's settings from an old file.

    `name` is that of the property that holds the settings.
    """
    group, stored = getattr(owner, name), compat.stored_properties(owner, name)
    _rename(stored, group)
    old = _OldSettings(stored)
    recipe = old.recipe(number(group.size))
    measured = dataclasses.replace(
        recipe,
        seed=group.seed,
        height=number(group.height, recipe.height),
        size=number(group.size, recipe.size),
        depth=number(group.size, recipe.size) * number(group.depth),
    )
    settings.write(group, measured, old.states(recipe))
    old.restore_unknown_types(getattr(group, layers.LAYERS))
    for key in ("tree", "modifiers"):
        if key in stored:
            del stored[key]


def keep_unreadable(owner: Any, name: str, reason: str) -> None:
    """Put a layer with the reason into settings of an old file that cannot be converted."""
    group = getattr(owner, name)
    group.is_filled = True
    entries = getattr(group, layers.LAYERS)
    entries.clear()
    entry = entries.add()
    entry.type, entry.text = "unreadable", reason
    layers.set_name(entry, "Unreadable")


def _rename(stored: Any, group: Any) -> None:
    """Copy values of renamed properties to their present names."""
    options = stored.get("image_options")
    if options is not None and "colours" in options:
        item = _keys().get(int(options["colours"]))
        if item in group.image_options.bl_rna.properties["colors"].enum_items:
            group.image_options.colors = item


class _OldSettings:
    """Settings as Blender stored them for version 0.1.0."""

    def __init__(self, stored: Any) -> None:
        self.stored = stored
        self.entries = [dict(one.items()) for one in stored.get("modifiers", ())]
        self.unknown: dict[int, Plain] = {}
        self.noise: Plain | None = None

    def recipe(self, size: float) -> Recipe:
        """Return the recipe, with placeholders for unknown types."""
        text = self.stored.get("tree", "")
        if not text:  # a recipe that was never changed was the default preset of that time
            return settings.default_preset().recipe
        plain = migrate({"size": size, **json_parameters(text)}, newest=FORMAT)
        noise = self._noise(plain["noise"])
        listed = [self._modifier(place, one) for place, one in enumerate(self.entries)]
        muted = bool(self.stored.get("noise_muted", plain.get("noise_muted", False)))
        plain.update(noise=noise, modifiers=listed or plain["modifiers"], noise_muted=muted)
        return Recipe.from_plain(plain)

    def _noise(self, plain: object) -> Plain:
        try:
            return to_plain(_apply_values(_noise_of(plain), self.stored))
        except TerraneError:
            self.noise = plain if isinstance(plain, dict) else {}
            return {"type": "constant", "value": 0.0}

    def _modifier(self, place: int, entry: Plain) -> Plain:
        try:
            return _modifier_of(entry)
        except TerraneError:
            self.unknown[place] = entry
            return {"type": "blur", "radius": 0.0, "muted": True}

    def states(self, recipe: Recipe) -> list[LayerState]:
        """Return the states of the recipe's layers."""
        found = [LayerState() for _ in flatten(recipe.layers)]
        if not found or not self.stored.get("tree", ""):
            return found
        found[0] = LayerState(
            is_solo=bool(self.stored.get("noise_solo", False)), pictures=_pictures(self.stored)
        )
        rows = [row for row, _ in number_layers(recipe.layers)]
        for row, entry in zip(rows[len(rows) - len(self.entries) :], self.entries):
            image = entry.get("mask_image")
            own = entry.get("modifier_noise_layer", {}).get("noise", {})
            found[row] = LayerState(
                mask=str(entry.get("mask", "")),
                is_solo=bool(entry.get("solo", False)),
                pictures=_pictures(own),
                mask_image=0 if image is None else Ref.of(image).uid,
            )
        return found

    def restore_unknown_types(self, entries: Any) -> None:
        """Restore unknown types in place of their placeholders, so that they are kept and reported."""
        if self.noise is not None:
            element = entries[0].chain[0]
            element.type, element.text = str(self.noise.get("type", "")), json.dumps(self.noise)
            layers.set_name(entries[0], element.type)
        start = len(entries) - len(self.entries)
        for place, old in self.unknown.items():
            entry = entries[start + place]
            entry.type = str(old.get("type", ""))
            layers.set_name(entry, str(old.get("name", "")) or entry.type)
            entry.is_named = True
            entry.muted, entry.text = bool(old.get("muted", False)), str(old.get("text", ""))


def _modifier_of(entry: Plain) -> Plain:
    """Return the modifier of an entry as plain data of the old format."""
    key = str(entry.get("type", ""))
    types = modifier_types()
    if key != "noise_layer" and key not in types:
        raise RecipeError("the type {!r} is not known", key)
    plain: Plain = {"type": key}
    if entry.get("text"):
        (held,) = migrate(json_parameters(entry["text"]), newest=FORMAT)["modifiers"]  # type: ignore[misc]
        plain = use_american_keys(held)
    own = dict(entry.get(f"modifier_{key}", {}).items())
    if key == "noise_layer":
        noise = _noise_of(plain["noise"]) if "noise" in plain else None
        if noise is not None and "noise" in own:
            plain["noise"] = to_plain(_apply_values(noise, own["noise"]))
        own.pop("noise", None)
    plain.update({name: _value(one, plain.get(name)) for name, one in own.items()})
    for name in ("influence", "muted"):
        if name in entry and not isinstance(plain.get(name), dict):
            plain[name] = _value(entry[name], plain.get(name))
    label = "Noise Layer" if key == "noise_layer" else types[key].label
    name = str(entry.get("name", ""))
    plain["name"] = "" if name == (plain.get("name") or label) == label else name
    plain["muted"] = bool(plain.get("muted", False))
    if "where" in entry:
        plain["where"] = _mask_of(entry["where"], plain.get("where"))
    return plain


def _mask_of(stored: Any, before: Plain | None) -> Plain | None:
    """Return the mask of a group of properties as plain data."""
    key = _keys().get(int(stored.get("source", 0)), mask_settings.EVERYWHERE)
    source = mask_settings.sources().get(key)
    if source is None:
        return None
    name = next((one.name for one in source.mask.parameters() if one.kind == "map"), None)
    plain: Plain = dict(to_plain(source.mask()))
    held = before if before is not None and before.get("type") == source.mask.key else None
    if held is not None and (name is None or held[name].get("type") == key):
        plain = dict(held)
    own = stored.get(f"mask_{key}", {}).items()
    limits = ("limits", "low", "high", "falloff", "inverted")
    plain.update({one: _value(stored[one], plain[one]) for one in limits if one in stored})
    plain["inverted"] = bool(plain["inverted"])
    inner = plain
    if source.map is not None:
        inner = dict(plain[str(name)])
        if inner.get("type") != key:
            inner = dict(to_plain(source.map()))
        plain[str(name)] = inner
    inner.update({one: _value(value, inner.get(one)) for one, value in own})
    return plain


def _noise_of(plain: object) -> Noise:
    if not isinstance(plain, dict):
        raise RecipeError("Recipe: noise must be an object with a type")
    return from_plain(use_american_keys(plain), noise_types(), "noise")


def _apply_values(noise: Noise, stored: Any) -> Noise:
    """Return a noise with the values that old properties give its basis, fractal and warp."""
    before = chains.values(noise)
    given: Plain = {}
    for name in ("noise", "fractal", "frequency", "warp"):
        if name in stored:
            value = _value(stored[name], before.get(name))
            if isinstance(stored[name], int) and name in ("noise", "fractal"):
                value = _key(stored[name])
            if value != before.get(name):
                given[name] = value
    noise = chains.with_values(noise, **given)
    parts = list(chains.elements(noise))
    parts[0] = _apply_parameters(parts[0], stored.get(f"noise_{parts[0].key}"))
    for key, name in (("fractal", "fractal_options"), ("warp", "warp_options")):
        places = [place for place, one in enumerate(parts) if one.key == key]
        if places:
            parts[places[-1]] = _apply_parameters(parts[places[-1]], stored.get(name))
    return chains.from_elements(parts)


def _apply_parameters(noise: Noise, stored: Any) -> Noise:
    """Return an element with the values of a stored group."""
    kinds = {one.name: one.kind for one in noise.parameters()}
    values = {
        name: _value(value, getattr(noise, name))
        for name, value in use_american_keys(dict((stored or {}).items())).items()
        if kinds.get(name) in ("number", "integer", "boolean", "vector", "choice")
    }
    changed: Any = {name: one for name, one in values.items() if one != getattr(noise, name)}
    return cast(Noise, noise.with_values(**changed)) if changed else noise


def _value(stored: Any, before: Any) -> Any:
    """Return a stored value as the core has it, given the one that it was written from."""
    if isinstance(before, bool):
        return bool(stored)
    if isinstance(before, str) and isinstance(stored, int):
        return _key(stored)
    if isinstance(stored, float):
        return number(stored, before if isinstance(before, (int, float)) else None)
    if hasattr(stored, "to_list"):
        olds = before if isinstance(before, (list, tuple)) else [None] * len(stored)
        return tuple(_value(one, old) for one, old in zip(stored.to_list(), olds))
    return stored


def _key(stored: int) -> str:
    """Return the key of a choice by its number; raise a RecipeError if there is none."""
    if stored not in _keys():
        raise RecipeError("this file's choice is not known to this Terrane")
    return _keys()[stored]


@functools.cache
def _keys() -> Mapping[int, str]:
    """Return all keys by the number that they are stored under, including former spellings."""
    keys = {"noise", chains.NONE, "gray", "palette", "ramp"}
    for types in (noise_types(), modifier_types(), mask_types(), map_types()):
        for key, cls in types.items():
            keys |= {key, *(option for one in cls.parameters() for option in one.options)}
    former = {**_BRITISH, "grey": "gray"}
    return {enum_number(old): new for old, new in [*zip(keys, keys), *former.items()]}


def _pictures(stored: Any) -> tuple[tuple[str, int], ...]:
    """Return the image that the basis of a noise takes its pixels from, for a `LayerState`."""
    is_raster = _keys().get(int(stored.get("noise", 0) or 0)) == "raster"
    image = stored.get("noise_raster", {}).get("pixels") if is_raster else None
    return () if image is None else (("0.pixels", Ref.of(image).uid),)
