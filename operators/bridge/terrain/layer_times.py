# SPDX-License-Identifier: GPL-3.0-or-later
"""Times that layers took when a terrain or an image was last evaluated.

They belong to this session: nothing of them is saved. A layer that was not evaluated, as it is muted or its values came
from a cache, has none; layers that are one noise have one time together.
"""

from __future__ import annotations

import time  # noqa: TID251 (shown to the user, never in a result)
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.recipes.layers import flatten, number_layers
from ..datablocks.ref import Ref
from ..schema import layer_list, state

if TYPE_CHECKING:
    from ....noise_core.recipes.recipe import Recipe
    from .terrains import Request

Seconds = Mapping[tuple[int, ...], float]
"""Seconds by the numbers of the layers that took them together."""

_Layer = tuple[str, str, int]
"""Type, name and seed offset, by which a layer is known if the list changes."""

clock: Callable[[], float] = time.perf_counter
"""Clock that measures, in seconds."""

_MOST = 64
"""Number of terrains and images whose times are kept."""

_times: dict[int, list[tuple[tuple[_Layer, ...], float]]] = {}
"""Layers and their seconds by the session number of the terrain or image."""


class Stopwatch:
    """Measures layers while they are evaluated."""

    def __init__(self, seconds: dict[tuple[int, ...], float] | None = None) -> None:
        """Keep the times in a new dictionary, or in one that is given."""
        self.seconds = {} if seconds is None else seconds
        self.start()

    def start(self) -> None:
        """Begin the time of the next layer."""
        self._since = clock()

    def finish(self, numbers: tuple[int, ...]) -> None:
        """Note layers that are evaluated: see `evaluation.Finished`."""
        now = clock()
        for earlier in [key for key in self.seconds if not set(numbers).isdisjoint(key)]:
            del self.seconds[earlier]
        self.seconds[numbers] = now - self._since
        self._since = now


def numbers_in_noise(recipe: Recipe) -> tuple[int, ...]:
    """Return the numbers of the layers that `Recipe.noise` is."""
    on_grid = {id(layer) for layer in recipe.layers_on_grid}
    return tuple(
        number
        for number, layer in number_layers(recipe.layers)
        if not layer.muted and id(layer) not in on_grid
    )


def note(owner: bpy.types.Object | bpy.types.Image, request: Request, seconds: Seconds) -> None:
    """Keep the times of the layers of a request, the newest of a terrain or an image."""
    # A preset or a recipe of a script comes without states; then the list was written of it.
    group: Any = getattr(owner, state.PROPERTY)
    names = [layer.name for layer in request.states] or layer_list.names(group)
    layers = [
        (layer.key, name, layer.seed_offset)
        for (_, layer), name in zip(flatten(request.recipe.layers), names)
    ]
    uid = Ref.of(owner).uid
    _times.pop(uid, None)
    _times[uid] = [
        (tuple(layers[number] for number in numbers), duration)
        for numbers, duration in seconds.items()
        if numbers and max(numbers) < len(layers)
    ]
    for old in list(_times)[:-_MOST]:
        del _times[old]


def forget() -> None:
    """Forget all times."""
    _times.clear()


def texts(group: Any) -> dict[int, str]:
    """Return the times of the layers of some settings by place, as the list shows them.

    Several layers that are one noise show theirs at the last of them, after a sign of a sum.
    """
    if not layer_list.is_built(group):
        return {}
    return {
        places[-1]: f"{'Σ ' * (len(places) > 1)}{_text(duration)}"
        for places, duration in _present(group)
    }


def is_shared(group: Any, place: int) -> bool:
    """Return whether the layer at a place has a time together with others."""
    return layer_list.is_built(group) and any(
        len(places) > 1 and place in places for places, _ in _present(group)
    )


def _present(group: Any) -> Iterator[tuple[list[int], float]]:
    """Yield the places of layers in the list, from first to last, and their seconds, if all are still there once."""
    places: dict[_Layer, int] = {}
    repeated: set[_Layer] = set()
    for place, entry in enumerate(layer_list.entries(group)):
        layer = (entry.type, entry.name, entry.seed_offset)
        if places.setdefault(layer, place) != place:
            repeated.add(layer)
    known = places.keys() - repeated
    for layers, duration in _times.get(Ref.of(group.id_data).uid, ()):
        if known.issuperset(layers):
            yield sorted(places[layer] for layer in layers), duration


def _text(seconds: float) -> str:
    milliseconds = 1000.0 * seconds
    return f"{milliseconds:.1f} ms" if milliseconds < 9.95 else f"{milliseconds:.0f} ms"
