# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of streams."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from .. import flow_routing
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress, checkpoint
from ..base.params import number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..flow_routing.tree import FlowTree
    from ..rasters.height_field import HeightField

_DIGIT = 4
"""Bits: a count of up to eight donors fits in without a carry."""


_AT_ONCE = 1 << 18
"""Samples between two checkpoints: some milliseconds."""


@map_type("strahler", "Strahler Order")
class Strahler(Map):
    """Stream order: 1 at sources, one more where two equal orders meet.

    References
    ----------
    Arthur N. Strahler (1957). Quantitative analysis of watershed geomorphology. Transactions of
    the American Geophysical Union 38.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import Strahler
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(129, 129, size=10000.0)
    >>> height = 800.0 * Fractal().sample_grid(grid, seed=1)
    >>> order = Strahler(threshold=200000.0).values(height, grid)

    Orders are whole numbers, 0 off the streams:

    >>> sorted(set(order.ravel().tolist()))[:3]
    [0.0, 1.0, 2.0]
    """

    whole_land: ClassVar[str] = "the order of a stream depends on all streams above it"

    threshold: float = number(
        0.0,
        help="Drainage area at which a stream begins in square meters; less has order 0",
        minimum=0.0,
        maximum=1e12,
        soft_maximum=1e6,
    )

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`."""
        return self.threshold > 0.0

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, math.inf)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        areas = flow_routing.surface_flow.drainage_areas(surface) * surface.cell_area
        is_stream = (areas >= self.threshold).reshape(-1)
        blocks.checkpoint()
        return orders(flow_routing.surface_flow.flow_tree(surface), is_stream).reshape(
            surface.level.shape
        )


def orders(tree: FlowTree, is_stream: npt.NDArray[np.bool_]) -> Field:
    """Return the order of every cell of a flow tree, 0 off the streams.

    Parameters
    ----------
    tree : FlowTree
    is_stream : ndarray of shape (cells,), bool
        Every cell downstream of a stream must be one too.
    """
    order, starts = tree.order, tree.starts.tolist()
    place, receiver = np.empty(len(order), np.intp), np.empty(len(order), np.intp)
    is_source = np.empty(len(order), np.int32)

    def find_places(start: int, stop: int) -> None:
        place[order[start:stop]] = np.arange(start, stop, dtype=np.intp)

    def gather(start: int, stop: int) -> None:
        cells = order[start:stop]
        receiver[start:stop] = place[tree.receivers[cells]]
        is_source[start:stop] = is_stream[cells]

    blocks.run(find_places, len(order), _AT_ONCE)
    blocks.run(gather, len(order), _AT_ONCE)
    result = _count_up(starts, receiver, is_source)
    fields = np.empty(len(order), np.float32)

    def scatter(start: int, stop: int) -> None:
        fields[order[start:stop]] = result[start:stop]

    blocks.run(scatter, len(order), _AT_ONCE)
    return fields


def _count_up(
    starts: list[int], receiver: npt.NDArray[np.intp], is_source: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """Return the orders of cells in the order of the tree, layer by layer down the streams.

    Each donor of order k adds 16^k to its receiver: the leading digit of the sum, to the base 16,
    says the highest order, and how many donors have it.
    """
    sums = np.zeros(len(receiver), np.float64)
    result = np.empty(len(receiver), np.int32)
    for group in range(len(starts) - 2, -1, -1):
        layer = slice(starts[group], starts[group + 1])
        amounts = np.empty(layer.stop - layer.start, np.float64)
        for first in range(0, len(amounts), _AT_ONCE):
            checkpoint()
            part = slice(layer.start + first, min(layer.start + first + _AT_ONCE, layer.stop))
            # The place of the sum's highest bit: 4 k if one donor has the highest order k, more if
            # several have, -1 if there is none.
            place_of_bit = np.frexp(sums[part])[1] - 1
            orders = place_of_bit // _DIGIT + (place_of_bit % _DIGIT != 0)
            np.maximum(orders, is_source[part], out=orders)
            result[part] = orders
            amounts[first : first + len(orders)] = np.ldexp(
                (orders > 0).astype(np.float64), _DIGIT * orders
            )
        if group and len(amounts):  # a layer may be empty
            _add(sums, receiver[layer], amounts)
    return result


def _add(
    sums: npt.NDArray[np.float64],
    receiver: npt.NDArray[np.intp],
    amounts: npt.NDArray[np.float64],
) -> None:
    """Add amounts to the sums of their receivers, which may repeat."""
    first, last = receiver.min(), receiver.max() + 1
    places = receiver - first
    checkpoint()
    added = np.bincount(places, amounts, last - first)
    checkpoint()
    sums[first:last] += added
