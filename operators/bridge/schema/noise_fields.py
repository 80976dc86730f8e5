# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of noise that panels show first: noise, fractal, octaves, frequency, persistence and warp.

They store nothing. They read and write the chain of one layer: the active layer of noise, or else the one that
keywords of scripts change too (`Recipe.base`). So they act on every recipe, whatever its chains are made of, and
what a chain holds beyond them stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpy.props import EnumProperty

from ....noise_core.base.errors import Message
from ....noise_core.noises.fractal import Fractal
from ....noise_core.noises.warp import Warp
from ....noise_core.recipes import chain_keywords
from . import changes, elements, layer_list, layers, settings
from .enum_items import enum_number
from .keywords import NOISE_KEYWORDS, keywords
from .properties import blender_property

FIELDS = tuple(name for name in NOISE_KEYWORDS if name not in ("seed", "lacunarity"))
"""The fields of a chain that panels show first; the elements of a chain have the rest, such as the lacunarity."""

SHOWN = tuple(name for name in NOISE_KEYWORDS if name in ("seed", *FIELDS))
"""The fields and the seed, which is the recipe's, in the order of the keywords."""


def noise_layer(group: Any) -> Any | None:
    """Return the entry whose chain the fields show, None if there is none yet.

    It is the active layer if that is noise; else the first whose basis has a frequency, or else the first.
    """
    active = layer_list.active_entry(group)
    if active is not None and _has_noise(active):
        return active
    noises = [entry for entry in layer_list.entries(group) if _has_noise(entry)]
    return min(noises, key=_frequency_rank, default=None)


def layer_name(group: Any) -> str:
    """Return the name of the layer that the fields change, "" if a recipe has no noise."""
    entry = noise_layer(group)
    if entry is not None:
        return str(entry.name)
    base = None if group.is_filled else settings.default_preset().recipe.base
    return "" if base is None else base.name or base.label


def why_inactive(group: Any, name: str) -> str:
    """Return why a field changes nothing at present, "" if it acts."""
    if not group.is_filled:
        return ""
    entry = noise_layer(group)
    if entry is None:
        return Message("Add a noise layer first")
    if name == "frequency" and _frequency_element(entry) is None:
        cls = elements.NOISES.find_class(entry.chain[0])
        return Message("{} has no frequency", entry.chain[0].type if cls is None else cls.label)
    fractal = _outermost(entry, Fractal.key)
    if name == "persistence" and fractal is not None and elements.own_group(fractal).octaves <= 1.0:
        return Message("One octave has no persistence")
    return ""


def properties() -> dict[str, Any]:
    """Return the properties of the fields, for the group of settings."""
    declared = {name: blender_property(keywords()[name]) for name in FIELDS}
    accessors: Mapping[str, Any] = {
        name: {"get": _reader(name), "set": _writer(name)} for name in FIELDS
    }
    items = {
        "noise": elements.basis_items(),
        "fractal": declared["fractal"].keywords["items"],
    }
    fields = {}
    for name, prop in declared.items():
        shared = {key: prop.keywords[key] for key in ("name", "description", "translation_context")}
        if name in items:
            fields[name] = EnumProperty(items=items[name], **shared, **accessors[name])
        else:
            fields[name] = prop.function(**{**prop.keywords, **accessors[name]})
    return fields


# Reading


def _reader(name: str) -> Any:
    """Return the function that reads a field; enums are read by their numbers."""

    def read(group: Any) -> Any:
        value = _value(group, name)
        return enum_number(value) if isinstance(value, str) else value

    return read


def _value(group: Any, name: str) -> Any:
    """Return the value of a field; without a fractal the numbers are those that a new one begins with."""
    entry = noise_layer(group)
    if entry is None:
        return _default_value(group, name)
    if name == "noise":
        return entry.chain[0].type
    if name == "frequency":
        element = _frequency_element(entry)
        return (
            keywords()[name].default if element is None else elements.own_group(element).frequency
        )
    element = _outermost(entry, Warp.key if name == "warp" else Fractal.key)
    if element is None:
        return {"fractal": chain_keywords.NONE, "warp": 0.0}.get(name, keywords()[name].default)
    parameters = elements.own_group(element)
    return getattr(parameters, {"fractal": "kind", "warp": "strength"}.get(name, name))


def _default_value(group: Any, name: str) -> Any:
    """Return the value of a field while settings have no layers: the default preset's, if they are not filled."""
    base = None if group.is_filled else settings.default_preset().recipe.base
    values = {} if base is None else chain_keywords.values(base.noise)
    return values.get(name, keywords()[name].default)


# Writing


def _writer(name: str) -> Any:
    """Return the function that writes a field; the property itself notifies listeners afterwards."""

    def write(group: Any, value: Any) -> None:
        with changes.paused.on():
            settings.fill(group)
            entry = noise_layer(group)
            if entry is not None:
                _write(entry, name, value)

    return write


def _write(entry: Any, name: str, value: Any) -> None:
    if name == "noise":
        entry.chain[0].basis = elements.basis_key(value)
    elif name == "frequency":
        _scale_frequencies(entry, value)
    elif name == "warp":
        _write_warp(entry, value)
    else:
        _write_fractal(entry, name, value)


def _write_fractal(entry: Any, name: str, value: Any) -> None:
    """Change the outermost fractal, put one around the basis, or take it out."""
    place = _place(entry, Fractal.key)
    if name == "fractal" and value == enum_number(chain_keywords.NONE):
        if place is not None:
            elements.remove_element(entry, place)
        return
    if place is None:
        place = 1
        elements.insert_filter(entry, Fractal.key, place)
    parameters = elements.own_group(entry.chain[place])
    if name == "fractal":
        kinds = parameters.bl_rna.properties["kind"].enum_items
        parameters.kind = next(item.identifier for item in kinds if item.value == value)
    else:
        setattr(parameters, name, value)


def _write_warp(entry: Any, strength: float) -> None:
    """Change the outermost warp, put one around the fractal, or take it out."""
    place = _place(entry, Warp.key)
    if strength == 0.0:
        if place is not None:
            elements.remove_element(entry, place)
        return
    if place is None:
        place = (_place(entry, Fractal.key) or 0) + 1
        elements.insert_filter(entry, Warp.key, place)
    elements.own_group(entry.chain[place]).strength = strength


def _scale_frequencies(entry: Any, frequency: float) -> None:
    """Set the frequency of the basis, and scale all others of the chain by the same ratio."""
    first = _frequency_element(entry)
    if first is None:
        return
    ratio = frequency / elements.own_group(first).frequency
    for element in entry.chain:
        for member in (element, *element.inner):
            parameters = elements.own_group(member)
            if hasattr(parameters, "frequency") and member != first:
                parameters.frequency *= ratio
    elements.own_group(first).frequency = frequency


# Elements of a chain


def _has_noise(entry: Any) -> bool:
    return entry.type == layers.NOISE and len(entry.chain) > 0


def _frequency_element(entry: Any) -> Any | None:
    """Return the basis if it has a frequency, or else the first element that has one."""
    for element in entry.chain:
        for member in (element, *element.inner):
            if hasattr(elements.own_group(member), "frequency"):
                return member
    return None


def _frequency_rank(entry: Any) -> int:
    """Return 0 if the basis has a frequency, 1 if another element has one, 2 if none has."""
    first = _frequency_element(entry)
    return 2 if first is None else int(first != entry.chain[0])


def _place(entry: Any, key: str) -> int | None:
    """Return the place of the outermost element of a type that is not muted, None without one."""
    places = (
        place
        for place in reversed(range(1, len(entry.chain)))
        if entry.chain[place].type == key and not entry.chain[place].muted
    )
    return next(places, None)


def _outermost(entry: Any, key: str) -> Any | None:
    place = _place(entry, key)
    return None if place is None else entry.chain[place]
