# SPDX-License-Identifier: GPL-3.0-or-later
"""Coasts: the reach of waves, the cliffs they cut, and the beaches they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from . import beaches as beaches
    from . import cliffs as cliffs
    from . import process as process
    from . import rock as rock
    from . import shore as shore
    from . import waves as waves
else:
    __getattr__ = late_modules(__name__)
