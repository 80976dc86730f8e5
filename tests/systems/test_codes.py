# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of EPSG codes, compared with PROJ's database by pyproj."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

import pyproj
import pytest
from pyproj.database import get_codes

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import epsg_table  # noqa: E402

from noise_core import ParameterError  # noqa: E402
from noise_core.base.georeference import GEOGRAPHIC, LOCAL, PROJECTED  # noqa: E402
from noise_core.io.spatial_reference import tables  # noqa: E402
from noise_core.io.spatial_reference.epsg import GOOGLE, read_code  # noqa: E402
from noise_core.io.spatial_reference.units import unit_of  # noqa: E402
from tests.drawing import count_of, generator  # noqa: E402
from tests.systems import truth  # noqa: E402

KINDS = (
    *("PROJECTED_CRS", "GEOGRAPHIC_2D_CRS", "GEOGRAPHIC_3D_CRS", "VERTICAL_CRS", "COMPOUND_CRS"),
    *("ENGINEERING_CRS", "GEOCENTRIC_CRS"),
)

UNSCALED = {3752, 8857, 8858, 8859}
"""Equal Earth, and a Mercator whose origin is not at the equator: PROJ itself cannot compute that one."""


@functools.cache
def codes() -> frozenset[int]:
    """Return all codes that pyproj knows, those of geocentric systems too."""
    return frozenset(
        int(code) for kind in KINDS for code in get_codes("EPSG", kind, allow_deprecated=True)
    )


def test_the_table_has_the_codes_that_pyproj_has():
    assert {*tables.systems(), *tables.compounds()} == codes() | {GOOGLE}


def test_the_table_is_what_the_tool_writes():
    assert tables.FILE.read_text(encoding="ascii") == epsg_table.table()


def test_codes_have_the_units_and_bodies_of_pyproj():
    drawn = sorted(codes())
    drawn = generator("codes").sample(drawn, count_of(len(drawn)))
    assert len(drawn) > 300
    for code in drawn:
        compare(code, pyproj.CRS.from_epsg(code))


def test_systems_that_are_not_true_to_scale():
    """All of them in every run, at places that are drawn."""
    numbers = generator("cylinders")
    cylinders = [code for code in tables.cylinders() if code != GOOGLE]
    assert len(cylinders) >= 25
    for code in cylinders:
        system, found = pyproj.CRS.from_epsg(code), read_code(code, "a").system
        ground = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True)
        prime = system.prime_meridian.longitude
        middle = found.cylinder.meridian - prime
        x, y = ground.transform(middle + numbers.uniform(-5, 5), numbers.uniform(-75, 75))
        exact = not truth.method_of(system).startswith(truth.TWO_OPINIONS)
        tolerance = 1e-6 if exact else 8e-3
        assert found.unit_lengths(y) == pytest.approx(
            truth.unit_lengths(system, x, y), rel=tolerance
        ), code


def compare(code: int, system: pyproj.CRS) -> None:
    """Compare the core's facts about a code with PROJ."""
    found, across = read_code(code, "a"), truth.parts(system)[0]
    up = truth.height_unit(system)
    if up is None or up > 0.0:
        assert found.height_unit == (up if up is None else pytest.approx(up, rel=1e-12)), code
    else:
        assert isinstance(found.height_unit, ParameterError), code
    if system.is_vertical and not system.is_compound:
        assert found.system is None, code
    elif not truth.is_map(system) or code in UNSCALED:
        assert isinstance(found.system, ParameterError), code
    else:
        compare_across(code, found.system, across)


def compare_across(code: int, found, across: pyproj.CRS) -> None:
    """Compare the horizontal part with PROJ."""
    kind = PROJECTED if across.is_projected else GEOGRAPHIC if across.is_geographic else LOCAL
    assert found.kind == kind, code
    size = 57.29577951308232 if kind == GEOGRAPHIC else 1.0
    for axis in across.axis_info[:2]:
        assert found.unit == pytest.approx(axis.unit_conversion_factor * size, rel=1e-12), code
    if kind != LOCAL:
        figure = across.ellipsoid
        inverse = figure.inverse_flattening
        expected = (figure.semi_major_metre, 1.0 / inverse if inverse else 0.0)
        body = found.ellipsoid
        assert (body.radius, body.flattening) == pytest.approx(expected, rel=1e-12), code
    if kind == GEOGRAPHIC:
        prime = across.prime_meridian
        degrees = prime.longitude * prime.unit_conversion_factor * 57.29577951308232
        assert found.meridian == pytest.approx(degrees, abs=1e-9), code
    is_cylinder = truth.method_of(across).startswith(truth.CYLINDERS)
    assert (found.cylinder is not None) == is_cylinder, code


def test_units_have_the_sizes_of_pyproj():
    for kind in ("linear", "angular"):
        for unit in pyproj.get_units_map(category=kind, allow_deprecated=True).values():
            if not unit.conv_factor or unit.auth_name == "PROJ":
                continue
            size = unit.conv_factor * (1.0 if kind == "linear" else 57.29577951308232)
            names = [unit.name, int(unit.code)] + ([unit.proj_short_name] if unit.auth_name == "EPSG" else [])  # fmt: skip
            for name in filter(None, names):
                found = unit_of(name)
                assert found is not None and found.size == pytest.approx(size, rel=1e-12), name
