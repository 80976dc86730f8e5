# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuttings, embankments and beds along drawn curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import alignment as alignment
    from . import banks as banks
    from . import placement as placement
    from . import profile as profile
    from . import stamping as stamping
    from . import surfaces as surfaces
    from . import works as works
else:
    __getattr__ = late_modules(__name__)
