# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache of the layers that settings are read into.

An unchanged layer is the same object again, so that it is checked and written as text only once.
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
    """Return the layer of a type with some values, from the cache if possible."""
    parts = (values.get("noise"), values.get("chain"), values.get("mask"))
    if any(_has_pixels(one) for one in parts if one):  # too large for the cache
        return _new_layer(cls, values.items())
    own_class: Any = cls
    return _kept_layer(own_class, tuple((name, _by_identity(one)) for name, one in values.items()))


class _Identity:
    """Noise or mask that is compared by identity; equal ones that were read are the same object."""

    def __init__(self, held: object) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


def _by_identity(value: object) -> object:
    """Return a value that compares quickly."""
    if isinstance(value, tuple):
        return tuple(_by_identity(one) for one in value)
    return _Identity(value) if isinstance(value, Declared) else value


def _without_identity(value: object) -> object:
    """Undo `_by_identity`."""
    if isinstance(value, tuple):
        return tuple(_without_identity(one) for one in value)
    return value.held if isinstance(value, _Identity) else value


def _has_pixels(value: object) -> bool:
    """Return whether a noise, a layer, a mask or a tuple of them contains a stored picture."""
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
"""Returns the same object for an unchanged layer, which is checked only once."""


def text_of(recipe: Recipe) -> str:
    """Return a text that identifies a recipe; quick to compute while few layers change."""
    texts = [
        _text(_Identity(one)) if _has_pixels(one) else _kept_text(_Identity(one))
        for one in recipe.layers
    ]
    return "\n".join((f"{recipe.seed} {recipe.height!r} {recipe.size!r}", *texts))


def _text(layer: _Identity) -> str:
    held: Any = layer.held
    return json.dumps(to_plain(held))


_kept_text = functools.lru_cache(maxsize=512)(_text)
