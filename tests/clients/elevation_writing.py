# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the drawn elevation files of `elevation_cases` by GDAL, through rasterio, with the files beside them."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import rasterio
import rasterio.shutil
from rasterio.enums import ColorInterp

from tests.clients import system_texts
from tests.clients.elevation_cases import GEOTIFF_OPTIONS, NODATA, SHAPE, Case
from tests.clients.system_texts import horizontal

TFW = ("tfw", "TFW", "tifw", "wld")
"""Extensions of world files that GDAL looks for beside a TIFF file."""


def write(case: Case, folder: Path) -> Path:
    """Write the file of a case and those beside it, and return its path."""
    if case.way.startswith("asc "):
        return _write_grid(case, folder, case.transform())
    return _write_tiff(case, folder, case.transform())


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():  # it warns while it creates a file, before the place is written
        warnings.simplefilter("ignore")
        yield


def _write_tiff(case: Case, folder: Path, transform: rasterio.Affine) -> Path:
    path, options = folder / "land.tif", dict(GEOTIFF_OPTIONS[case.way])
    first = folder / "first.tif" if case.way == "cog" else path
    crs = rasterio.crs.CRS.from_user_input(case.code)
    if case.way == "tfw and prj":
        _write_world_file(path.with_suffix("." + random.Random(case.seed).choice(TFW)), transform)
        path.with_suffix(".prj").write_text(system_texts.wkt(case.system, "WKT1_ESRI"))
        place: dict[str, object] = {}
    else:
        place = {"transform": transform, "crs": crs}
    if case.way == "aux.xml over keys":
        place["crs"] = "EPSG:2263" if horizontal(case.system).is_geographic else "EPSG:4326"
    _write_samples(case, first, {**place, **options})
    if case.way == "cog":
        version = random.Random(case.seed).choice(("1.0", "1.1"))
        with _quiet():
            rasterio.shutil.copy(first, path, driver="COG", GEOTIFF_VERSION=version)
        for old in folder.glob("first.tif*"):
            old.unlink()
    if case.way == "aux.xml over keys":
        path.with_name("land.tif.aux.xml").write_text(system_texts.pam(case.system, ()))
    return path


def _write_samples(case: Case, path: Path, options: Mapping[str, object]) -> None:
    samples, holes = case.samples(), case.holes()
    if case.mask == "nan":
        samples[:, holes] = np.nan
    if case.mask == "nodata":
        missing = random.Random(case.seed).choice(NODATA[samples.dtype.name])
        samples[:, holes] = missing
        options = {**options, "nodata": missing}
    if case.mask == "alpha":
        samples = np.concatenate([samples, np.where(holes, 0, 65535)[None].astype(samples.dtype)])
        options = {**options, "ALPHA": "YES"}
    count = len(samples)
    profile = {"driver": "GTiff", "height": SHAPE[0], "width": SHAPE[1], "count": count}
    is_inside = case.mask != "msk"
    with _quiet(), rasterio.Env(GDAL_TIFF_INTERNAL_MASK=is_inside), rasterio.open(
        path, "w", dtype=samples.dtype, **profile, **options
    ) as file:  # fmt: skip
        file.write(samples)
        extra = [(1.0, 0.0, "")] * (count - len(case.bands))
        scales, offsets, units = zip(*case.bands, *extra)
        if any(band != (1.0, 0.0, "") for band in case.bands):
            file.scales, file.offsets, file.units = scales, offsets, units
        if case.mask == "alpha":
            file.colorinterp = (*file.colorinterp[:-1], ColorInterp.alpha)
        if case.mask in ("internal", "msk"):
            file.write_mask(~holes)


def _write_world_file(path: Path, transform: rasterio.Affine) -> None:
    a, b, c, d, e, f = transform[:6]
    values = (a, d, b, e, c + (a + b) / 2.0, f + (d + e) / 2.0)
    path.write_text("".join(f"{value!r}\n" for value in map(float, values)))


def _write_grid(case: Case, folder: Path, transform: rasterio.Affine) -> Path:
    path, system = folder / "land.asc", case.way.removeprefix("asc ")
    samples, (rows, columns) = case.samples()[0], SHAPE
    nodata = -9999
    if case.mask == "nodata":
        samples = np.where(case.holes(), nodata, samples.astype(np.float64))
    low = transform.f + transform.e * rows
    head = f"ncols {columns}\nnrows {rows}\nxllcorner {transform.c!r}\nyllcorner {low!r}\ncellsize {transform.a!r}\n"
    head += f"NODATA_value {nodata}\n" if case.mask == "nodata" else ""
    lines = (" ".join(f"{value:g}" for value in row) for row in samples)
    path.write_text(head.replace("np.float64(", "").replace(")", "") + "\n".join(lines) + "\n")
    if system == "aux.xml":
        path.with_name("land.asc.aux.xml").write_text(system_texts.pam(case.system, case.bands[0]))
        return path
    suffix = ".PRJ" if system == "upper case" else ".prj"
    path.with_suffix(suffix).write_text(system_texts.prj(case.system, system))
    return path
