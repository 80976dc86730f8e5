# SPDX-License-Identifier: GPL-3.0-or-later
"""Reader of spatial reference: the coordinate system of a file and the unit of its heights.

Formats of files take from it `read_geokeys`, `read_prj`, `read_aux_xml` and `read_wkt`, which return a
`SpatialReference`, and make of that and the options of the caller a system by `settle_system` and a unit
by `settle_height_unit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import epsg as epsg
    from . import geokeys_writing as geokeys_writing
else:
    __getattr__ = late_modules(__name__)
