# SPDX-License-Identifier: GPL-3.0-or-later
"""Images as bytes, without a notion of land."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import image_files as image_files
else:
    __getattr__ = late_modules(__name__)
