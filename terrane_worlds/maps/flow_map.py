# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers and brooks of a land on a logarithmic scale, in tiles."""

from __future__ import annotations

from noise_core.maps.flow_map import Flow
from noise_core.rasters.level import Level

from ..flow.surface import drained_cells
from ..stream.lakes import write_flow
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import register


@register(Flow, Cost(worker=80.0, caller=200.0, disk=13.0))
def flow(flow_map: Flow, land: Land, height: TiledField) -> TiledField:
    """Return the share of the ground that drains through each sample, from 0 to 1."""
    cells, result = drained_cells(height, land), land.new_field("flow", "float32")
    write_flow(cells, Level.from_grid(land.grid), result, land.engine)
    cells.remove()
    return result
