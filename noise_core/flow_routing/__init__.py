# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing on a height field: the exact flow tree, over flats and through depressions; standing water and streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import descent as descent
    from . import flow_scale as flow_scale
    from . import outlets as outlets
    from . import routing as routing
    from . import surface_flow as surface_flow
else:
    __getattr__ = late_modules(__name__)
