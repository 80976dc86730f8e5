# SPDX-License-Identifier: GPL-3.0-or-later
# Written by tools/type_stubs.py; a test compares it.
from .cells import Cells as Cells
from .clouds import Clouds as Clouds
from .four_color_warp import FourColorWarp as FourColorWarp
from .inverted_cells import InvertedCells as InvertedCells
from .marble import Marble as Marble
from .sea_level import SeaLevel as SeaLevel
from .voronoi_regions import VoronoiRegions as VoronoiRegions
from .wood_rings import WoodRings as WoodRings
