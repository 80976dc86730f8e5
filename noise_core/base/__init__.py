# SPDX-License-Identifier: GPL-3.0-or-later
"""Foundation: arrays, grids, blocks of work, declared parameters, errors."""

from __future__ import annotations
