# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of Dask and xarray, in and out."""
