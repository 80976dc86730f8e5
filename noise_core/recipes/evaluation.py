# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers on a grid: the field of those that are one noise, and all others laid over it or applied to it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from ..base import blending
from ..base.arrays import Field
from ..base.blocks import Cancel, Progress
from ..base.errors import ParameterError, format_value
from ..base.grid import Grid
from ..modifiers.bases.layer import Layer, layer_share
from ..modifiers.bases.modifier import Modifier, Relief
from ..noises.bases.noise import Noise
from ..noises.bases.pointwise import Pointwise
from ..noises.constant import Constant
from .folding import Scope, fold, layer_noise
from .land_memory import LandMemory
from .layered_land import LayeredLand
from .layers import BlendedLayer, Group, number_layers

Finished = Callable[[tuple[int, ...]], None]
"""Function that is called with the numbers of layers (see `number_layers`) as soon as they are evaluated: with those
of all that are one noise, then with one number at a time. A group counts with the layers in it."""

MOST_UNITS = 1e12
"""How many units high a layer in a group may be, before the group is counted in larger ones: squares are finite."""


@dataclasses.dataclass(frozen=True)
class Sampling:
    """Grid, evolution and threads with which noises are sampled; see `Noise.sample_grid`."""

    grid: Grid
    evolution: tuple[float, ...] = ()
    threads: int | None = None
    cancel: Cancel | None = None

    def sample(self, noise: Noise, seed: int, progress: Progress | None = None) -> Field:
        """Return a noise on the grid."""
        return noise.sample_grid(
            self.grid,
            seed,
            evolution=self.evolution,
            threads=self.threads,
            progress=progress,
            cancel=self.cancel,
        )


def relief(
    layers: Sequence[Layer],
    scope: Scope,
    sampling: Sampling,
    ground: Field | None,
    progress: Progress | None,
    finished: Finished | None = None,
    memory: LandMemory | None = None,
) -> Relief:
    """Return the height field of a recipe's layers, in meters, and the maps that the modifiers made.

    Parameters
    ----------
    layers : sequence of Layer
    scope : Scope
        Of the recipe.
    sampling : Sampling
    ground : ndarray of shape (rows, columns), float32, optional
        The values of the layers that are one noise, if they are known.
    progress : callable, optional
        See `blocks.Progress`.
    finished : callable, optional
        See `Finished`; not called with layers whose values are given, or known from a memory.
    memory : LandMemory, optional
        Of this grid. Painted masks and motion are not remembered.

    Raises
    ------
    ParameterError
        If heights come out that float32 does not hold.
    Cancelled
    """
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        result = _evaluate(layers, scope, sampling, ground, progress, finished, memory)
    _require_finite(result.height)
    return result


def _require_finite(height: Field) -> None:
    lowest, highest = float(height.min()), float(height.max())
    if not math.isfinite(lowest) or not math.isfinite(highest):
        raise ParameterError(
            "Recipe.evaluate: heights must be finite; got {:g} to {:g}: make layers lower, or clamp them",
            lowest,
            highest,
        )


def _evaluate(
    layers: Sequence[Layer],
    scope: Scope,
    sampling: Sampling,
    ground: Field | None,
    progress: Progress | None,
    finished: Finished | None,
    memory: LandMemory | None,
) -> Relief:
    """Return the height field and the maps, with infinite heights where they are too large; see `relief`."""
    recall = None
    if memory is not None and not scope.painted and not sampling.evolution:
        recall = memory.begin(layers, scope, sampling.grid)
    if recall is not None and recall.known is not None:
        first, land = len(recall.known.layers), recall.known.land
    else:
        first, land = _evaluate_noise(layers, scope, sampling, ground, progress, finished)
    numbered = list(number_layers(layers))
    steps = 1 + sum(not layer.muted for _, layer in numbered[first:])
    step = 0
    for place, (number, layer) in enumerate(numbered[first:], first):
        if recall is not None:
            recall.note(place, land)
        if layer.muted:
            continue
        step += 1
        report = _share(progress, step, steps)
        if isinstance(layer, BlendedLayer):
            height = lay_over(land.height, layer, number, scope, sampling, report)
            land = dataclasses.replace(land, height=height)
            if report is not None:
                report(1.0)
        else:
            land = _modified(land, layer, number, scope, sampling, report)
        if finished is not None:
            finished((number,))
    if recall is not None:
        recall.note(len(numbered), land)
    return Relief(land.height, land.maps)


def _evaluate_noise(
    layers: Sequence[Layer],
    scope: Scope,
    sampling: Sampling,
    ground: Field | None,
    progress: Progress | None,
    finished: Finished | None,
) -> tuple[int, LayeredLand[Field]]:
    """Return how many of the first layers are one noise, and the land that they are."""
    folded, count = fold(layers, scope)
    numbered = list(number_layers(layers))
    steps = 1 + sum(not layer.muted for _, layer in numbered[count:])
    report = _share(progress, 0, steps)
    if ground is None:
        height = sampling.sample(folded or Constant(value=0.0), scope.seed, report)
        height *= scope.height
        if finished is not None:
            finished(tuple(number for number, layer in numbered[:count] if not layer.muted))
    else:
        height = ground * np.float32(scope.height)
        if report is not None:
            report(1.0)
    return count, LayeredLand(height)


def _modified(
    land: LayeredLand[Field],
    layer: Layer,
    number: int,
    scope: Scope,
    sampling: Sampling,
    progress: Progress | None,
) -> LayeredLand[Field]:
    """Return a land after a modifier."""
    assert isinstance(layer, Modifier)
    modified = layer.apply(
        land.height,
        sampling.grid,
        layer.seed_in(scope.seed),
        mask=scope.painted.get(number),
        progress=progress,
        cancel=sampling.cancel,
        noises=scope.noises,
        evolution=sampling.evolution,
    )
    return land.after(layer, modified.height, modified.maps, np.add)


def lay_over(
    lower: Field,
    layer: BlendedLayer,
    number: int,
    scope: Scope,
    sampling: Sampling,
    progress: Progress | None = None,
) -> Field:
    """Return ground with a layer laid over it.

    Parameters
    ----------
    lower : ndarray of shape (rows, columns), float32
        In meters. Not written to.
    layer : BlendedLayer
    number : int
        Of the layer; see `number_layers`.
    scope : Scope
    sampling : Sampling
    progress : callable, optional
        See `blocks.Progress`.

    Raises
    ------
    ParameterError, Cancelled
    """
    return _blend(lower, lower, 1.0, layer, number, scope, sampling, progress)


def _blend(
    lower: Field,
    ground: Field,
    base: float,
    layer: BlendedLayer,
    number: int,
    scope: Scope,
    sampling: Sampling,
    progress: Progress | None = None,
) -> Field:
    """Return a layer blended with a field in which a 1 is so many meters; masks read the ground."""
    context = scope.mask_context(layer, sampling.evolution)
    share = layer_share(layer, ground, sampling.grid, context, scope.painted.get(number))
    height, counted = layer.height or scope.height, _counted_in(layer, scope)
    upper = _layer_field(ground, layer, number, scope, sampling, progress, counted)
    smoothness = layer.smoothness if counted == height else layer.smoothness * (height / counted)
    unit = counted / base if base else scope.scale(layer)
    blended = blending.blend(layer.mode, lower, upper, smoothness, unit)
    return blended if share is None else lower + (blended - lower) * share


def _layer_field(
    ground: Field,
    layer: BlendedLayer,
    number: int,
    scope: Scope,
    sampling: Sampling,
    progress: Progress | None,
    counted: float,
) -> Field:
    """Return the field of a layer without height, opacity and mask, in units of so many meters."""
    noise = layer_noise(layer, scope, number)
    if noise is not None:
        return sampling.sample(noise, layer.seed_in(scope.seed), progress)
    assert isinstance(layer, Group)
    inside = scope.enter(layer)
    folded, count = fold(layer.layers, inside, number + 1)
    field: Field = np.zeros(sampling.grid.shape, np.float32)
    if folded is not None:
        field = sampling.sample(folded, inside.seed, progress)
        if counted != inside.height:
            field *= np.float32(inside.height / counted)
    for inner_number, inner in list(number_layers(layer.layers, number + 1))[count:]:
        if not inner.muted:
            assert isinstance(inner, BlendedLayer)
            field = _blend(field, ground, counted, inner, inner_number, inside, sampling)
    if layer.chain:  # in units of a group that is next to nothing high
        _require_finite(field)
    for element in layer.chain:
        if not isinstance(element, Pointwise):
            raise ParameterError(
                "Group.chain must only change values, since a layer in the group {} needs a grid",
                format_value(layer.name),
                got=element.label,
            )
        element.change(field)
    return field


def _counted_in(layer: BlendedLayer, scope: Scope) -> float:
    """Return the meters that a 1 in the field of a layer stands for: its height, as a rule.

    Layers in a group that is next to nothing high are beyond float32 in units of the group. Where they
    are only added and compared, they are the same in any unit.
    """
    height = layer.height or scope.height
    if (
        not height
        or not isinstance(layer, Group)
        or layer.chain
        or layer.mode in ("multiply", "screen")
    ):
        return height
    least = _highest(layer) / MOST_UNITS
    return height if abs(height) >= least else math.copysign(least, height)


def _highest(group: Group) -> float:
    """Return the largest height of the layers in a group, in meters; 0 if all have that of the group."""
    heights = (
        max(layer.height, _highest(layer)) if isinstance(layer, Group) else layer.height
        for layer in group.layers
    )
    return max(heights, default=0.0)


def _share(progress: Progress | None, step: int, steps: int) -> Progress | None:
    """Return a progress that fills only one step's share of the whole."""
    if progress is None:
        return None
    report: Callable[[float], None] = progress
    return lambda done: report((step + done) / steps)
