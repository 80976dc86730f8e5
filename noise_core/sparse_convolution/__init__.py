# SPDX-License-Identifier: GPL-3.0-or-later
"""Sparse convolution: noise as a sum of kernels around random points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import impulses as impulses
    from . import kernel_sums as kernel_sums
    from . import kernels as kernels
else:
    __getattr__ = late_modules(__name__)
