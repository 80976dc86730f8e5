# SPDX-License-Identifier: GPL-3.0-or-later
# Written by tools/type_stubs.py; a test compares it.
from .amplify import Amplify as Amplify
from .blur import Blur as Blur
from .coastal_erosion import CoastalErosion as CoastalErosion
from .debris_flow import DebrisFlow as DebrisFlow
from .fill_lakes import FillLakes as FillLakes
from .footprint import Footprint as Footprint
from .glacial_erosion import GlacialErosion as GlacialErosion
from .gully_erosion import GullyErosion as GullyErosion
from .meanders import Meanders as Meanders
from .normalize import Normalize as Normalize
from .path import Path as Path
from .sediment_erosion import SedimentErosion as SedimentErosion
from .snow import Snow as Snow
from .stamp import Stamp as Stamp
from .strata import Strata as Strata
from .stream_erosion import StreamErosion as StreamErosion
from .tectonics import Tectonics as Tectonics
from .terraces import Terraces as Terraces
from .thermal_erosion import ThermalErosion as ThermalErosion
from .wind_erosion import WindErosion as WindErosion
