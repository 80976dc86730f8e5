# SPDX-License-Identifier: GPL-3.0-or-later
"""Spatial reference: units, well-known text, .prj of ArcInfo, GeoKeys, options; and the part that exports keep.

`tests/systems` compares all codes and dialects with PROJ and GDAL.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from noise_core import ParameterError, Recipe
from noise_core.base.ellipsoid import WGS84 as WGS84_BODY
from noise_core.base.ellipsoid import Ellipsoid
from noise_core.base.georeference import (
    GEOGRAPHIC,
    LOCAL,
    PROJECTED,
    Georeference,
    SpatialSystem,
)
from noise_core.io.elevation_reading import measured_land, probe_elevation, read_elevation
from noise_core.io.heightmaps import export_heightmap
from noise_core.io.spatial_reference import tables
from noise_core.io.spatial_reference.epsg import read_code
from noise_core.io.spatial_reference.geokeys import read_geokeys
from noise_core.io.spatial_reference.guesses import is_degrees
from noise_core.io.spatial_reference.options import spatial_options
from noise_core.io.spatial_reference.prj import read_prj
from noise_core.io.spatial_reference.reference import read_height_unit
from noise_core.io.spatial_reference.tables import FILE
from noise_core.io.spatial_reference.units import unit_of
from noise_core.io.spatial_reference.wkt import read_wkt
from noise_core.io.targets import GeoTiff
from tests import drawing
from tests.core import elevation_files as files
from tests.degrees import meters_per_degree

US_FOOT = 1200.0 / 3937.0

WGS84 = 'DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0]'
DEGREES = f'GEOGCS["GCS_WGS_1984",{WGS84},UNIT["Degree",0.0174532925199433]]'
MOON = (
    'GEOGCS["GCS_Moon_2000",DATUM["D_Moon_2000",SPHEROID["Moon_2000_IAU_IAG",1737400.0,0.0]],'
    'PRIMEM["Reference_Meridian",0.0],UNIT["Degree",0.0174532925199433]]'
)


def projcs(method, unit='UNIT["Meter",1.0]', more="", ground=DEGREES):
    """Return WKT of ESRI or OGC with a projection."""
    return f'PROJCS["name",{ground},PROJECTION["{method}"],{more}{unit}]'


# --- units ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "names"),
    [
        (1.0, ["m", "metre", "Meters", 9001]),
        (0.3048, ["ft", "foot", "FEET", 9002, "Foot (International)"]),
        (US_FOOT, ["us-ft", "ftUS", "US survey foot", "Foot_US", "US_survey_foot", 9003]),
        (1.8288, ["fathom", "Fathom", "fath", 9014]),
        (0.1, ["dm", "Decimeter", "decimetre"]),
        (0.01, ["cm", "centimetre", 1033]),
        (1000.0, ["km", "Kilometer", "kilometre", 9036]),
        (20.116765121552632, ["British chain (Sears 1922)", "Chain_Sears"]),
    ],
)
def test_units_have_many_names(size, names):
    for name in names:
        unit = unit_of(name)
        assert unit is not None and unit.kind == "length", name
        assert unit.size == pytest.approx(size, rel=1e-9), name


@pytest.mark.parametrize("name", ["", "furlongs per fortnight", "K", 9999, "dmm", "nm", "ft m"])
def test_other_words_are_no_units(name):
    assert unit_of(name) is None


def test_other_signs_make_other_units():
    """A micrometer is no meter, and a square meter neither; drawn from all names."""
    generator = drawing.generator("unit signs")
    names = [name for *_, known in tables.units() for name in known]
    assert len(names) > 100
    for _ in range(drawing.count_of(5000)):
        name, sign = (
            generator.choice(names),
            generator.choice("\u00b5\u03bc\u00b2\u00b3\u00b1~%/*^+?\u00e8\u7c73\u00b7|&="),
        )
        at = generator.randint(0, len(name))
        assert unit_of(name) is not None and unit_of(name[:at] + sign + name[at:]) is None, name
        assert unit_of("-" + name) is None and unit_of(name + "-") is None


# --- well-known text -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "unit", "up"),
    [
        (DEGREES, GEOGRAPHIC, 1.0, None),
        (DEGREES.replace("[", "(").replace("]", ")"), GEOGRAPHIC, 1.0, None),
        (DEGREES.replace('"Degree",0.0174532925199433', '"Grad",0.0157079632679489'), GEOGRAPHIC, 0.9, None),
        (projcs("Transverse_Mercator"), PROJECTED, 1.0, None),
        (projcs("Lambert_Conformal_Conic", 'UNIT["Foot_US",0.3048006096012192]'), PROJECTED, US_FOOT, None),
        (projcs("Krovak", 'UNIT["odd",2.5]'), PROJECTED, 2.5, None),
        (
            projcs("Albers") + ',VERTCS["NAVD88",VDATUM["x"],PARAMETER["Direction",1.0],UNIT["Foot",0.3048]]',
            *(PROJECTED, 1.0, 0.3048),
        ),
        (
            f'COMPD_CS["x",{projcs("Albers")},VERT_CS["y",VERT_DATUM["z",2005],UNIT["m",1.0],AXIS["Up",UP]]]',
            *(PROJECTED, 1.0, 1.0),
        ),
        ('LOCAL_CS["site",UNIT["yard",0.9144]]', LOCAL, 0.9144, None),
        (f'BOUNDCRS[SOURCECRS[{DEGREES}],TARGETCRS[{DEGREES}]]', GEOGRAPHIC, 1.0, None),
    ],
)  # fmt: skip
def test_well_known_text(text, kind, unit, up):
    reference = read_wkt(text, "a.prj")
    assert reference.system.kind == kind and reference.system.unit == pytest.approx(unit, rel=1e-8)
    assert reference.height_unit == (None if up is None else pytest.approx(up))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "must be well-known text; it has no keyword with brackets: give system"),
        ("PROJCS[", "must be well-known text; a bracket is not closed: give system"),
        ('GEOGCS["x"]]', "must be well-known text; a bracket is closed that was not opened"),
        ("A[" * 100 + "]" * 100, "must be well-known text; its brackets are too deep: give system"),
        (projcs("Mollweide"), "must be one whose scale is known; got 'Mollweide': give system, such as 'local'"),
        (projcs("Albers", ""), "must have a unit: give system, such as 'local ft'"),
        (projcs("Albers", 'UNIT["cubit"]'), "the unit must be a length that is known; got 'cubit' of no size"),
        (projcs("Albers", 'UNIT["Meter",0.3048]'), "the unit must be a length that is known; got 'Meter' of 0.3048"),
        (projcs("Albers", 'UNIT["Degree",0.0174532925199433]'), "the unit must be a length that is known; got 'Degree'"),
        (projcs("Albers", 'UNIT["Meter",-1]'), "the unit must be a length that is known; got 'Meter' of -1.0"),
        (f'GEOCCS["x",{WGS84},UNIT["m",1]]', "must be one of a map; got a geocentric one: give system"),
        ('FITTED_CS["x"]', "must be one of a map; got FITTED_CS: give system"),
        (projcs("Mercator", more='PARAMETER["Scale_Factor",0.5],'), "must be one whose scale is known; got 'Mercator'"),
        (projcs("Mercator_1SP", more='PARAMETER["latitude_of_origin",40.0],'), "must be one whose scale is known; got"),
        (projcs("Mercator_Auxiliary_Sphere", more='PARAMETER["Standard_Parallel_1",40.0],'), "must be one whose scale"),
        (projcs("Plate_Carree", more='PARAMETER["Standard_Parallel_1",40.0],'), "must be one whose scale is known; got"),
        (projcs("Behrmann", more='PARAMETER["Standard_Parallel_1",10.0],'), "must be one whose scale is known; got"),
        (projcs("Equidistant_Cylindrical", ground=DEGREES.replace("298.25", "169.89")), "must be one whose scale is"),
        (f'DERIVEDPROJCRS["x",BASEPROJCRS["y",{DEGREES}],DERIVINGCONVERSION["z"],UNIT["m",1]]', "must not be derived"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_where_it_is_needed(text, message):
    found = read_wkt(text, "a.prj").system
    assert isinstance(found, ParameterError) and message in str(found)


def test_depths_are_refused_unless_a_unit_is_given():
    esri = 'VERTCS["d",VDATUM["x"],PARAMETER["Direction",-1.0],UNIT["Meter",1.0]]'
    ogc = 'VERT_CS["d",VERT_DATUM["x",2005],UNIT["m",1.0],AXIS["Depth",DOWN]]'
    for found in (read_wkt(esri, "a"), read_wkt(ogc, "a"), read_code(5715, "a")):
        assert found.system is None and "heights must be counted upward" in str(found.height_unit)
        # Another unit, such as that of a band, does not turn them around.
        both = read_height_unit("cm", "a").or_else(found)
        assert "heights must be counted upward" in str(both.height_unit)


def test_heights_that_are_no_lengths_are_refused():
    text = (
        f'COMPOUNDCRS["x",{projcs("Albers")},PARAMETRICCRS["Pressure",PARAMETRICUNIT["hPa",100]]]'
    )
    found = read_wkt(text, "a")
    assert found.system.kind == PROJECTED
    assert "has another quantity, 'Pressure': give unit" in str(found.height_unit)


def test_words_of_proj_count_before_a_definition():
    """PROJ writes false coordinates of Web Mercator in meters into WKT 1, also where its unit is feet."""
    words = "+proj=merc +x_0=304800.6 +y_0=-152400.3 +units=ft +nadgrids=@null"
    shifts = 'PARAMETER["false_easting",304800.6],PARAMETER["false_northing",-152400.3],'
    text = projcs("Mercator_1SP", f'UNIT["ft",0.3048],EXTENSION["PROJ4","{words}"]', shifts)
    cylinder = read_wkt(text, "a").system.cylinder
    assert (cylinder.easting, cylinder.northing) == (304800.6, -152400.3)
    assert cylinder.radius == 6378137.0


def test_a_code_counts_where_its_definition_agrees():
    code = 'AUTHORITY["EPSG","32632"]'
    agrees = read_wkt(projcs("Transverse_Mercator", f'UNIT["m",1],{code}'), "a").system
    assert agrees == read_code(32632, "a").system
    other = read_wkt(projcs("Transverse_Mercator", f'UNIT["ft",0.3048],{code}'), "a").system
    assert (other.epsg, other.unit) == (0, 0.3048)


# --- what is not true to scale -------------------------------------------------------------------

AT_60 = (
    # name, text, y, and meters on the ground in a unit at 60 degrees north, by pyproj's Geod
    ("3857", projcs("Mercator_Auxiliary_Sphere", more='PARAMETER["Auxiliary_Sphere_Type",0.0],'), 8399737.89, 0.501261, 0.500418),
    ("3395", projcs("Mercator"), 8362698.55, 0.501260, 0.501260),
    ("6933", projcs("Behrmann"), 6351420.0, 0.578330, 1.729117),
    ("4087", projcs("Equidistant_Cylindrical"), 6666621.0, 0.501260, 1.000413),
    ("mercator in feet", projcs("Mercator", 'UNIT["Foot",0.3048]'), 8362698.55 / 0.3048, 0.152784, 0.152784),
)  # fmt: skip


@pytest.mark.parametrize(("text", "y", "across", "along"), [one[1:] for one in AT_60], ids=[one[0] for one in AT_60])  # fmt: skip
def test_cylinders_tell_the_size_on_the_ground(text, y, across, along):
    system = read_wkt(text, "a").system
    assert system.unit_lengths(y) == pytest.approx((across, along), rel=2e-5)
    assert system.longitude_latitude(0.0, y) == pytest.approx((0.0, 60.0), abs=1e-3)


@pytest.mark.parametrize(("parallel", "latitude"), [(0.0, 69.0), (30.0, 65.0), (60.0, 51.0)])
def test_land_on_whose_size_programs_differ_is_refused(tmp_path, parallel, latitude):
    """Errors of the mean of both opinions grow with latitude; up to these ones they are below half a percent."""
    text = projcs("Equidistant_Cylindrical", more=f'PARAMETER["Standard_Parallel_1",{parallel}],')
    y = WGS84_BODY.from_equator(math.radians(latitude))
    probe_elevation(write_asc(tmp_path, text, y=y))
    path = write_asc(tmp_path, text, y=y + 3e5)
    with pytest.raises(ParameterError, match=r"^land.asc: programs must agree on the size"):
        probe_elevation(path)
    assert probe_elevation(path, system="local").spacing == (10.0, 10.0)
    sphere = text.replace("298.257223563", "0.0")
    probe_elevation(write_asc(tmp_path, sphere, y=y + 3e5))


def test_degrees_are_those_of_the_body():
    earth, moon = (read_wkt(text, "a").system for text in (DEGREES, MOON))
    assert earth.unit_lengths(47.0) == pytest.approx(meters_per_degree(47.0), rel=1e-6)
    across = math.radians(1737400.0)
    assert moon.unit_lengths(60.0) == pytest.approx((0.5 * across, across))
    assert moon.longitude_latitude(7.0, 47.0) is None, "no place on Earth"


# --- ArcInfo -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "kind", "unit", "up"),
    [
        (("Projection    GEOGRAPHIC", "Units         DD", "Zunits        NO"), GEOGRAPHIC, 1.0, None),
        (("projection geographic", "units ds"), GEOGRAPHIC, 1.0 / 3600.0, None),
        (("Projection UTM", "Zone 10", "Units METERS", "Spheroid GRS1980"), PROJECTED, 1.0, None),
        (("Projection STATEPLANE", "Fipszone 3104", "Zunits FEET", "Units FEET"), PROJECTED, US_FOOT, US_FOOT),
        (("Projection ALBERS", "Zunits 100", "Units 4", "Parameters", "29 30 0 /* first"), PROJECTED, 0.25, 0.01),
        (("Projection LOCAL", "Units FEET"), LOCAL, US_FOOT, None),
    ],
)  # fmt: skip
def test_projection_files_of_arc_info(lines, kind, unit, up):
    reference = read_prj("\r\n".join(lines) + "\r\n", "a.prj")
    assert (reference.system.kind, reference.height_unit) == (
        kind,
        up if up is None else pytest.approx(up),
    )
    assert reference.system.unit == pytest.approx(unit)


def test_what_arc_info_does_not_say_clearly_is_refused():
    for text, message in (
        ("Projection UTM\nUnits CUBITS\n", "its unit must be a length that is known; got 'cubits'"),
        ("Projection ROBINSON\nUnits METERS\n", "must be one whose scale is known; got 'robinson'"),
        ("Projection GEOGRAPHIC\nUnits DD\nSpheroid VULCAN\n", "the ellipsoid must be one"),
        ("Projection GEOGRAPHIC\nUnits FEET\n", "Units must be DD, DM, DS"),
    ):
        assert message in str(read_prj(text, "a.prj").system)
    assert "give unit" in str(read_prj("Projection UTM\nUnits METERS\nZunits X\n", "a").height_unit)


# --- GeoKeys -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "kind", "unit", "up"),
    [
        ({1024: 1, 3072: 2263, 4096: 6360}, PROJECTED, US_FOOT, US_FOOT),  # as GDAL writes it
        ({1024: 1, 3072: 26918, 4096: 8228}, PROJECTED, 1.0, 0.3048),
        ({1024: 1, 3072: 26918, 4096: 5703}, PROJECTED, 1.0, 1.0),
        ({1024: 1, 3072: 2263, 4096: 5103, 4099: 9003}, PROJECTED, US_FOOT, US_FOOT),  # of GeoTIFF 1.0
        ({1024: 1, 3072: 26918, 4099: 9014}, PROJECTED, 1.0, 1.8288),
        ({1024: 1, 3072: 26918, 3076: 9003}, PROJECTED, US_FOOT, None),  # the key of the unit counts
        ({1024: 1, 3072: 32767, 3076: 32767, 3077: 0.25}, PROJECTED, 0.25, None),
        ({1024: 1, 3072: 32767, 3073: "PCS Name = x|LUnits = Foot_US"}, PROJECTED, US_FOOT, None),
        ({1024: 1, 3072: 7415}, PROJECTED, 1.0, 1.0),
        ({1024: 2, 2048: 4807, 2054: 9105}, GEOGRAPHIC, 0.9, None),
        ({1024: 2, 2048: 4326, 4096: 4979}, GEOGRAPHIC, 1.0, 1.0),
        ({1024: 2, 2048: 32767, 2057: 1737400.0, 2058: 1737400.0, 2054: 9102}, GEOGRAPHIC, 1.0, None),
        ({1024: 32767, 3072: 32767, 3073: "ESRI PE String = " + projcs("Krovak")}, PROJECTED, 1.0, None),
        ({1025: 1, 1026: "site", 3076: 9002}, LOCAL, 0.3048, None),
        ({1024: 1, 2048: 4326, 3072: 32767, 3074: 16032, 3076: 9002}, PROJECTED, 0.3048, None),
    ],
)  # fmt: skip
def test_keys(keys, kind, unit, up):
    reference = read_geokeys(keys, "a.tif")
    assert reference.system.kind == kind and reference.system.unit == pytest.approx(unit, rel=1e-8)
    assert reference.height_unit == (None if up is None else pytest.approx(up))


@pytest.mark.parametrize(
    ("keys", "y", "expected"),
    [
        ({3074: 19883}, 8.4e6, 0.49873),  # World Mercator
        ({3074: 3856}, 8.4e6, 0.50129),  # Pseudo-Mercator
        ({3074: 6928}, 5e6, 0.84443),  # EASE-Grid 2.0
        ({3075: 7, 3078: 40.0}, 8.4e6, 0.45240),
        ({3075: 7, 3078: 40.0, 2048: 4807, 2054: 9105}, 8.4e6, 0.46633),  # 40 grads
        ({3075: 7, 3092: 0.5}, 8.4e6, 0.28481),
    ],
)
def test_projections_in_keys_that_are_not_true_to_scale(keys, y, expected):
    """Meters by rasterio's reading of such files, and pyproj's Geod; `tests/systems` draws more."""
    told = {1024: 1, 2048: 4326, 3072: 32767, 3076: 9001}
    system = read_geokeys(told | keys, "a.tif").system
    assert system.unit_lengths(y)[0] == pytest.approx(expected, rel=1e-3)


def test_a_projection_that_is_not_told_is_said(tmp_path):
    reference = read_geokeys({1024: 1, 3072: 32767, 3076: 9001}, "a.tif")
    assert [str(one) for one in reference.notes] == [
        "Its projection is not told: its lengths are taken as they are"
    ]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {1024: 1, 3072: 32767, 3074: 8854, 3076: 9001},
            "scale is known; got 8854 (Equal Earth): give system",
        ),
        (
            {1024: 1, 3072: 32767, 3074: 99, 3076: 9001},
            "scale is known; got 99 (unknown): give system",
        ),
        (
            {1024: 1, 3072: 32767, 3075: 7, 3081: 40.0, 3076: 9001},
            "scale is known; got 'Mercator_1SP'",
        ),
        ({1024: 1, 3072: 29999}, "must be one that is known; got EPSG:29999: give system, such as"),
        (
            {1024: 1, 3072: 32767, 3076: 9999},
            "a length that is known; got the code 9999: give system",
        ),
        ({1024: 1, 3072: 32767, 3076: 32767}, "got the code 32767: give system"),
        ({1024: 1, 3072: 8857}, "got EPSG:8857 (Equal Earth): give system, such as 'local'"),
        ({1024: 1, 3072: 32767, 3075: 24, 3076: 9001}, "got 'Sinusoidal': give system"),
        ({1024: 3, 2048: 4978}, "got a geocentric one: give system"),
        ({1024: 1, 3072: 26918, 4096: 29999}, "got EPSG:29999: give unit"),
        ({1024: 1, 3072: 26918, 4096: 6360, 4099: 9001}, "in the unit of EPSG:6360"),
        ({1024: 1, 3072: 26918, 4096: 5715}, "got EPSG:5715, whose numbers are depths: give unit"),
        ({1024: 1, 3072: 26918, 4099: 9999}, "got the code 9999: give unit"),
    ],
)
def test_keys_that_are_not_understood(keys, message):
    reference = read_geokeys(keys, "a.tif")
    errors = [
        one for one in (reference.system, reference.height_unit) if isinstance(one, ParameterError)
    ]
    assert len(errors) == 1 and message in str(errors[0])


def test_the_table_is_small():
    assert FILE.stat().st_size <= 60_000


# --- what nobody says, and what callers say ------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "step", "columns", "expected"),
    [
        ((0.125, 0.125), 0.25, 321, False),  # 25 centimeters
        ((7.0, 46.0), 0.01, 1000, False),
        ((7.0, 46.0), 1.0 / 3600.0, 3601, True),
        ((7.0, 46.0), 1.0 / 1200.0, 1201, True),
        ((7.0, 46.0), 1.0 / 10800.0, 3601, True),
        ((-179.5, -89.5), 1.0, 360, True),
        ((-180.0, -60.0), 0.25, 1440, True),
        ((600_000.0, 5e6), 1.0 / 3600.0, 3601, False),
        ((0.0, 0.0), 0.001, 400, False),  # a millimeter, in a laboratory
    ],
)
def test_degrees_are_guessed_where_meters_cannot_be(origin, step, columns, expected):
    rows = round(180 / step) if columns == 360 else 100
    assert is_degrees(origin, (step, step), rows, columns) is expected


@pytest.mark.parametrize(
    ("system", "unit", "kind", "size", "up"),
    [
        ("EPSG:2056", None, PROJECTED, 1.0, None),
        ("epsg:2263 + 6360", None, PROJECTED, US_FOOT, US_FOOT),
        ("4326", "ft", GEOGRAPHIC, 1.0, 0.3048),
        ("geographic", 0.1, GEOGRAPHIC, 1.0, 0.1),
        ("local", "", LOCAL, 1.0, None),
        ("local US survey foot", None, LOCAL, US_FOOT, None),
        ("local 0.25", "dm", LOCAL, 0.25, 0.1),
        (projcs("Krovak"), None, PROJECTED, 1.0, None),
    ],
)
def test_callers_may_say_it(system, unit, kind, size, up):
    options = spatial_options(system, unit)
    assert (options.system.kind, options.system.unit) == (kind, pytest.approx(size))
    assert options.height_unit == (None if up is None else pytest.approx(up))


@pytest.mark.parametrize(
    ("system", "unit", "message"),
    [
        ("Mars", None, "^system must be such as 'EPSG:2056', 'geographic', 'local', 'local ft' or a WKT; got 'Mars'"),
        (4326, None, "^system must be such as"),
        ("EPSG:29999", None, "^system: the coordinate system must be one that is known; got EPSG:29999"),
        ("EPSG:5703", None, "^system must be one of coordinates; got 'EPSG:5703'"),
        ("local cubits", None, "^system must name a length"),
        (None, "cubits", "^unit must name a length, such as 'ft' or 'us survey foot', or be meters in it; got 'cubits'"),
        (None, 0.0, "^unit must name a length"),
        (None, math.nan, "^unit must name a length"),
        (None, True, "^unit must name a length"),
        (None, "degree", "^unit must name a length"),
    ],
)  # fmt: skip
def test_callers_that_are_not_understood(system, unit, message):
    with pytest.raises(ParameterError, match=message):
        spatial_options(system, unit)


def write_asc(folder, prj="", *, x=500_000.0, y=4_000_000.0, step=10.0):
    """Write an ASCII grid, with a file of its system beside it if one is given; return its path."""
    words = {"ncols": 3, "nrows": 2, "xllcorner": x, "yllcorner": y, "cellsize": step}
    path = folder / "land.asc"
    path.write_bytes(files.asc(np.full((2, 3), 100.0), words))
    if prj:
        (folder / "land.prj").write_text(prj, encoding="utf-8")
    return path


def test_what_a_file_says_badly_can_be_said_by_the_caller(tmp_path):
    path = write_asc(tmp_path, projcs("Mollweide") + ',VERTCS["x",UNIT["cubit"]]')
    with pytest.raises(ParameterError, match="land.prj: the projection must be one whose scale"):
        probe_elevation(path, unit="m")
    with pytest.raises(ParameterError, match="land.prj: the unit must be a length .* or unit"):
        read_elevation(path, system="local")
    elevation = read_elevation(path, system="local ft", unit="dm")
    assert elevation.spacing == pytest.approx((3.048, 3.048)) and elevation.heights[
        0, 0
    ] == pytest.approx(10.0)
    assert "Coordinate system as given, not by the file" in elevation.lines


def test_coordinates_beyond_the_poles_are_refused(tmp_path):
    for text, y in ((DEGREES, 4_000_000.0), (projcs("Behrmann"), 8e6)):
        with pytest.raises(ParameterError, match=r"land.asc: y must be in \[.*: give system"):
            probe_elevation(write_asc(tmp_path, text, y=y))


# --- what exports keep ---------------------------------------------------------------------------

MARS = Ellipsoid(3_396_190.0, 1.0 / 169.894447223612)

SYSTEMS = [
    (SpatialSystem(), 0.0),
    (SpatialSystem(LOCAL, 0, 0.3048), 0.0),
    (SpatialSystem(PROJECTED, 0, 0.75), 5e6),
    (read_code(2263, "").system, 60_000.0),
    (read_code(3857, "").system, 8.4e6),
    (read_code(3994, "").system, -3e6),
    (read_code(6933, "").system, -4e6),
    (read_code(4087, "").system, 6e6),
    (read_code(4807, "").system, 50.0),
    (read_wkt(projcs("Mercator", 'UNIT["Foot",0.3048]', 'PARAMETER["Standard_Parallel_1",40.0],PARAMETER["False_Northing",1000.0],'), "").system, 2e7),
    (read_wkt(projcs("Cylindrical_Equal_Area", more='PARAMETER["Standard_Parallel_1",20.0],'), "").system, 4e6),
    (read_wkt(projcs("Miller_Cylindrical"), "").system, 6e6),
    (read_wkt(projcs("Equidistant_Cylindrical", ground=MOON, more='PARAMETER["Standard_Parallel_1",30.0],'), "").system, 1e6),
    (SpatialSystem(GEOGRAPHIC, 0, 1.0, MARS, 5.0), -40.0),
    (SpatialSystem(GEOGRAPHIC, 0, 1.0 / 3600.0), 160_000.0),
    (read_code(900_913, "").system, 8.4e6),
]  # fmt: skip


@pytest.mark.parametrize(("system", "y"), SYSTEMS, ids=lambda one: str(one)[:30])
def test_import_recipe_and_export_keep_the_meters(system, y, tmp_path):
    step = 1e-3 / system.unit if system.is_geographic else 30.0
    place = Georeference(system, (7.0 if system.is_geographic else 1000.0, y), (step, step))
    plain = read_elevation(write_asc(tmp_path), system="local")
    shape = (12, 19)
    heights = np.linspace(100.0, 900.0, shape[0] * shape[1], dtype=np.float32).reshape(shape)
    elevation = dataclasses.replace(
        plain, heights=heights, georeference=place, spacing=place.spacing(shape[0])
    )
    land = measured_land(elevation)
    recipe = Recipe.from_json(land.recipe.to_json())
    assert recipe.georeference == land.recipe.georeference
    held = recipe.georeference
    assert held.system == system and held.origin == place.origin
    path = tmp_path / "land.tif"
    export_heightmap(recipe, path, target=GeoTiff(system="land"), samples=land.grid().shape)
    probe = probe_elevation(path)
    assert probe.georeference.system.kind == system.kind
    assert probe.georeference.system.epsg == system.epsg
    x, along = probe.spacing
    assert x * (probe.columns - 1) == pytest.approx(recipe.size, rel=1e-5)
    assert x == pytest.approx(along, rel=2e-3), "samples of an export are squares"
    first, second = probe.georeference.longitude_latitude(), place.longitude_latitude()
    assert (first is None) == (second is None)
    if first is not None:
        assert first == pytest.approx(second, abs=1e-6)
