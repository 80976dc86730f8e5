# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache of the layers that settings were read into.

A layer that stays as it is is the same object again: it is checked once, and once written as text.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ....noise_core.base.params import Declared
from ....noise_core.recipe import Recipe
from ....noise_core.serial import to_plain
from ....noise_core.types.layer import Layer
from ....noise_core.types.noise import Noise


def make_layer(cls: type[Layer], values: Mapping[str, object]) -> Layer:
    """Return the layer of a type with some values, made before if it can be."""
    parts = (values.get("noise"), values.get("chain"), values.get("mask"))
    if any(_has_pixels(one) for one in parts if one):  # which are too large to be kept
        return _new_layer(cls, values.items())
    own_class: Any = cls
    return _kept_layer(own_class, tuple((name, _by_identity(one)) for name, one in values.items()))


class _Identity:
    """A noise or a mask that is compared by identity: those that are read are the same if alike."""

    def __init__(self, held: object) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


def _by_identity(value: object) -> object:
    """Return a value for comparing quickly."""
    if isinstance(value, tuple):
        return tuple(_by_identity(one) for one in value)
    return _Identity(value) if isinstance(value, Declared) else value


def _without_identity(value: object) -> object:
    """Return the value again that `_by_identity` was given."""
    if isinstance(value, tuple):
        return tuple(_without_identity(one) for one in value)
    return value.held if isinstance(value, _Identity) else value


def _has_pixels(value: object) -> bool:
    """Return whether a stored picture stands in a noise, a layer, a mask or several of them."""
    if isinstance(value, Noise):
        return value.has_picture
    if isinstance(value, tuple):
        return any(_has_pixels(one) for one in value)
    names = ("noise", "layers", "chain", "mask", "first", "second")
    parts = (getattr(value, name, None) for name in names)
    return any(_has_pixels(one) for one in parts if one)


def _new_layer(cls: type[Any], values: Iterable[tuple[str, object]]) -> Layer:
    layer: Layer = cls(**{name: _without_identity(one) for name, one in values})
    return layer


_kept_layer = functools.lru_cache(maxsize=512)(_new_layer)
"""A layer that stays as it is is the same object again, and checked once."""


def text_of(recipe: Recipe) -> str:
    """Return a text that tells recipes apart, quick to have while few of the layers change."""
    texts = [
        _text(_Identity(one)) if _has_pixels(one) else _kept_text(_Identity(one))
        for one in recipe.layers
    ]
    return "\n".join((f"{recipe.seed} {recipe.height!r} {recipe.size!r}", *texts))


def _text(layer: _Identity) -> str:
    held: Any = layer.held
    return json.dumps(to_plain(held))


_kept_text = functools.lru_cache(maxsize=512)(_text)
