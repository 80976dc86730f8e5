# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages that worlds need beside the core's."""

from __future__ import annotations

import importlib.util

NEEDED = ("zarr", "numcodecs", "google_crc32c", "dask", "distributed", "xarray")
"""Modules of the packages that the extra `worlds` installs."""


def require_extra() -> None:
    """Raise an ImportError with one line that names the extra, unless all its packages are there."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ImportError(
            "terrane_worlds needs the extra `worlds`: pip install 'terrane-noise-core[worlds]'; "
            f"missing: {', '.join(missing)}"
        )
