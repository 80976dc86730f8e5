# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files that have been opened: their samples, with facts from them and the files beside them."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from ...base.errors import Message, ParameterError
from ...base.georeference import Georeference, SpatialSystem
from ..spatial_reference.reference import (
    AS_THE_FILE_SAYS,
    UNSAID,
    Extent,
    SpatialOptions,
    SpatialReference,
    read_height_unit,
    settle_height_unit,
    settle_system,
)
from .bands import Band
from .geotransform import GeoTransform
from .source import HeightSource, nodata_of, value_range_of


@dataclasses.dataclass(frozen=True)
class ElevationFile:
    """Samples of a file as it holds them, and facts about them.

    Attributes
    ----------
    source : HeightSource
        Numbers; `settle` makes heights of them.
    transform : GeoTransform, optional
        Coordinates of the samples; None if they are not told.
    reference : SpatialReference
        Coordinate system and unit of height.
    band : Band
        Number for holes, scale, offset and unit of the band that is read.
    mask : HeightSource, optional
        Samples that are 0 where there is no height. It counts instead of the number for holes.
    bands : int
        Samples of each pixel in all.
    alpha : HeightSource, optional
        A mask that counts where there is no number for holes.
    is_top_first : bool
        Whether the first row is the one with the largest y, where coordinates do not tell.
    is_placed : bool
        Whether coordinates tell the place; otherwise they tell the steps alone.
    is_metric : bool
        Whether numbers are taken for meters where nothing is said of them.
    notes : tuple of Message
    """

    source: HeightSource
    transform: GeoTransform | None = None
    reference: SpatialReference = UNSAID
    band: Band = Band()
    bands: int = 1
    mask: HeightSource | None = None
    alpha: HeightSource | None = None
    is_top_first: bool = True
    is_placed: bool = True
    is_metric: bool = False
    notes: tuple[Message, ...] = ()

    @property
    def says_meters(self) -> bool:
        """Whether the file, or one beside it, says in which unit its numbers are, or where on Earth."""
        return (
            self.transform is not None
            or self.reference != UNSAID
            or self.band.unit is not None
            or self.band.is_scaled
        )

    def settle(self, options: SpatialOptions = AS_THE_FILE_SAYS) -> HeightSource:
        """Return the source of heights in meters.

        Parameters
        ----------
        options : SpatialOptions
            System and unit that the caller gives.

        Raises
        ------
        ParameterError
            If a fact is not understood or cannot be true.
        """
        source, info = self.source, self.source.info
        dtype = np.dtype(info.sample_type)
        self._settle_heights(options)
        self._settle_holes(dtype)
        source.is_top_first = self.is_top_first
        place, spacing = None, None
        notes: tuple[Message, ...] = ()
        if self.transform is not None:
            source.is_top_first = self.transform.is_top_first
            source.is_mirrored = self.transform.is_mirrored
            place, spacing, notes = self._settle_place(self.transform, options)
        elif options.system is not None:
            raise ParameterError(
                "{}: system must be given for files with coordinates alone; it has none", info.name
            )
        if (source.factor, source.offset) != (1.0, 0.0):
            scaled = Message(
                "Numbers become meters: times {:.6g}, plus {:.6g}", source.factor, source.offset
            )
            notes = (*notes, scaled)
        says_meters = self.says_meters or options.height_unit is not None
        is_metric = says_meters or self.is_metric
        source.info = dataclasses.replace(
            info,
            georeference=place,
            spacing=spacing,
            nodata=None if self.mask is not None else self.band.nodata,
            value_range=None if is_metric else value_range_of(dtype),
            says_meters=says_meters,
            notes=(*info.notes, *notes, *self.notes),
        )
        return source

    def _settle_heights(self, options: SpatialOptions) -> None:
        """Let the source give meters."""
        name, reference = self.source.info.name, self.reference
        if self.band.unit is not None:
            reference = read_height_unit(self.band.unit, name).or_else(reference)
        size = settle_height_unit(reference, options) or 1.0
        scale = 1.0 if self.band.scale is None else self.band.scale
        self.source.factor, self.source.offset = size * scale, size * (self.band.offset or 0.0)

    def _settle_holes(self, dtype: np.dtype[Any]) -> None:
        """Let the source know its holes: by a mask, or else by a number, or else by a band of transparency."""
        source, nodata = self.source, self.band.nodata
        source.nodata, source.mask = None, self.mask
        if self.mask is None:
            source.nodata = nodata_of(nodata, dtype)
            is_nan = nodata is not None and math.isnan(nodata) and dtype.kind == "f"
            if source.nodata is None and not is_nan:
                source.mask = self.alpha
        if source.mask is not None:
            source.is_sequential |= source.mask.is_sequential
            source.band_rows = max(source.band_rows, source.mask.band_rows)

    def _settle_place(
        self, transform: GeoTransform, options: SpatialOptions
    ) -> tuple[Georeference | None, tuple[float, float], tuple[Message, ...]]:
        """Return the place, meters from sample to sample, and notes."""
        info = self.source.info
        rows, columns = info.rows, info.columns
        origin = transform.lowest(rows, columns)
        step = (
            math.hypot(transform.column_x, transform.column_y),
            math.hypot(transform.row_x, transform.row_y),
        )
        extent = Extent(origin, step, rows, columns)
        system, notes = settle_system(self.reference, options, extent, info.name)
        if transform.is_straight and self.is_placed:
            place = Georeference(system, origin, step, transform.is_point)
            return place, place.spacing(rows), notes
        return None, self._lengths(transform, system), (*notes, self._lost_note(transform, system))

    def _lengths(self, transform: GeoTransform, system: SpatialSystem) -> tuple[float, float]:
        """Return meters from sample to sample along columns and rows, at the middle of the land."""
        info = self.source.info
        _, middle = transform.coordinates(info.rows / 2.0, info.columns / 2.0)
        return transform.lengths(*system.unit_lengths(middle if self.is_placed else 0.0))

    def _lost_note(self, transform: GeoTransform, system: SpatialSystem) -> Message:
        if not transform.is_straight:
            return Message("Turned or sheared: the size of its samples is kept, its place is not")
        if system.is_geographic:
            return Message("Its place is not known: sizes are taken at the equator")
        return Message("Its place is not known")
