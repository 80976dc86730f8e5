# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of a file that another program has loaded."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...base.arguments import check_kind, check_switch
from ...base.arrays import check_size
from ...base.errors import Message, ParameterError
from ..spatial_reference.reference import SpatialOptions
from .elevation import ElevationInfo
from .elevation_file import ElevationFile
from .sidecars import Sidecar
from .source import ArraySource, HeightSource, Samples


@dataclasses.dataclass(frozen=True, eq=False)
class LoadedHeights:
    """Samples of a file that another program has loaded, such as Blender an OpenEXR file.

    Parameters
    ----------
    array : ndarray of shape (rows, columns)
        Numbers of any real type.
    name, label : str
        Name of the file and of its format.
    is_top_first : bool
        Whether row 0 is the first one in the file.
    sidecar : Sidecar, optional
        Description that was exported with the file; see `find_sidecar`. Without one the first row in the
        file is the one with the largest y.

    Raises
    ------
    ParameterError
        If the array is of another shape or type, or too large.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import LoadedHeights
    >>> LoadedHeights(np.zeros((2, 3), np.float32), "scan.exr", "OpenEXR").array.shape
    (2, 3)
    """

    array: Samples
    name: str
    label: str
    is_top_first: bool = False
    sidecar: Sidecar | None = None

    def __post_init__(self) -> None:
        """Check the values."""
        check_kind(self.array, np.ndarray, "LoadedHeights: array", "an array")
        check_switch(self.is_top_first, "LoadedHeights: is_top_first")
        if self.sidecar is not None:
            check_kind(self.sidecar, Sidecar, "LoadedHeights: sidecar", "a Sidecar or None")
        dtype = self.array.dtype
        if self.array.ndim != 2 or dtype.kind not in "iuf" or dtype.itemsize > 8:
            raise ParameterError(
                "{} must hold numbers of shape (rows, columns)",
                self.name,
                got=Message("{} of shape {}", dtype, self.array.shape),
            )
        check_size(self.name, *self.array.shape)

    def source(self, spatial: SpatialOptions) -> HeightSource:
        """Return the samples as a source of heights."""
        rows, columns = self.array.shape
        info = ElevationInfo(self.name, self.label, rows, columns, self.array.dtype.name)
        plain = ArraySource(info, self.array, is_top_first=self.is_top_first)
        source = ElevationFile(plain, is_top_first=self.is_top_first).settle(spatial)
        if self.sidecar is not None:
            is_turned = self.is_top_first == self.sidecar.is_top_first
            dataclasses.replace(self.sidecar, is_top_first=is_turned).apply(source)
        return source
