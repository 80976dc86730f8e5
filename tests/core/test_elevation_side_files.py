# SPDX-License-Identifier: GPL-3.0-or-later
"""Files beside an elevation file: world files, auxiliary files, coordinate systems; turned and flipped coordinates."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.io.elevation_reading import probe_elevation, read_elevation
from tests import drawing
from tests.core import elevation_files as files
from tests.core.elevation_files import write

WORLD = "30\n0\n0\n-20\n1015\n1990\n"
"""Samples of 30 x 20 m, the middle of the first one at 1015, 1990."""

WORDS = {"ncols": 6, "nrows": 5, "xllcorner": 100, "yllcorner": 200, "cellsize": 10}

FEET = (
    'PROJCS["x",GEOGCS["y",DATUM["d",SPHEROID["s",6378137,298.25]],PRIMEM["Greenwich",0],'
    'UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",9],'
    'UNIT["Foot_US",0.3048006096012192]]'
)


def field(kind="u1"):
    return np.arange(30).reshape(5, 6).astype(kind)


def picture(folder, name):
    """Write a file without a place."""
    return write(folder, name, files.png(field()) if name.endswith("png") else files.tiff(field()))


def auxiliary(text):
    return f"<PAMDataset>{text}</PAMDataset>"


def band(text, number=1):
    return f'<PAMRasterBand band="{number}">{text}</PAMRasterBand>'


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        *(("land.tif", f"land.{one}") for one in ("tfw", "TFW", "tifw", "TiFw", "wld", "WLD")),
        *(("land.TIFF", f"land.{one}") for one in ("tfw", "tiffw", "wld")),
        *(("land.png", f"LAND.{one}") for one in ("pgw", "PGW", "pngw", "PNGW", "wld")),
    ],
)
def test_world_files_of_any_case(tmp_path, name, beside):
    path = picture(tmp_path, name)
    assert probe_elevation(path).spacing is None
    write(tmp_path, beside, WORLD.replace("\n", "\r\n"))
    info = probe_elevation(path)
    assert info.spacing == (30.0, 20.0) and info.georeference.origin == (1015.0, 1910.0)
    assert info.is_metric and info.says_meters and f"Place by {beside}" in info.lines


@pytest.mark.parametrize(
    "text", ["30 0 0 -30 100 200", "30\n0\n0\n-30\n100\n", "a\nb\nc\nd\ne\nf\n", "\0\0\0"]
)
def test_damaged_world_files(tmp_path, text):
    path = picture(tmp_path, "land.tif")
    write(tmp_path, "land.tfw", text)
    message = "^land.tfw must have a number in each of six lines, as world files have; got "
    with pytest.raises(ParameterError, match=message):
        read_elevation(path)
    for text in ("0\n0\n0\n0\n1\n2\n", "nan\n0\n0\n-1\n1\n2\n", "1e300\n0\n0\n-1\n1\n2\n"):
        write(tmp_path, "land.tfw", text)
        with pytest.raises(ParameterError, match="^land.tfw: steps from sample to sample must be"):
            read_elevation(path)


def test_a_file_that_knows_its_place_needs_no_world_file(tmp_path):
    path = write(tmp_path, "land.tif", files.tiff(field(), extra=files.geo_tags()))
    write(tmp_path, "land.tfw", "damaged")
    assert probe_elevation(path).spacing == (30.0, 20.0)
    path = write(tmp_path, "land.asc", files.asc(field(), WORDS))
    write(tmp_path, "land.wld", "damaged")
    assert probe_elevation(path).spacing == (10.0, 10.0)


@pytest.mark.parametrize(
    ("name", "is_first"), [("land.tif", True), ("land.png", False), ("land.asc", None)]
)
def test_auxiliary_files(tmp_path, name, is_first):
    data = files.asc(field(), WORDS)
    path = write(tmp_path, name, data) if name.endswith("asc") else picture(tmp_path, name)
    says = "<GeoTransform> 1, 50, 0, 2, 0, -50</GeoTransform>" + band("<Scale>9</Scale>", 2)
    says += band("<NoDataValue>7</NoDataValue><Offset>-3</Offset><UnitType>ft</UnitType>")
    write(tmp_path, name.upper() + ".AUX.XML", auxiliary(says))
    write(tmp_path, f"land.{name[5]}{name[-1]}w", WORLD)
    found = read_elevation(path)
    expected = {None: (10.0, 10.0), True: (50.0, 50.0), False: (30.0, 20.0)}[is_first]
    assert found.spacing == expected
    known = field()[::-1] != (7 if is_first is not None else -1)
    np.testing.assert_array_equal(found.holes if found.holes is not None else ~known, ~known)
    heights = (field()[::-1] - 3.0) * 0.3048
    np.testing.assert_allclose(found.heights[known], heights[known], rtol=1e-6)
    assert f"More by {name.upper()}.AUX.XML" in found.lines


def test_auxiliary_files_count_before_the_file(tmp_path):
    extra = files.geo_tags() | {42113: ("s", [b"3\0"])}
    extra |= files.metadata(("scale", "2", 0), ("offset", "5", 0))
    path = write(tmp_path, "land.tif", files.tiff(field("i2"), extra=extra))
    says = band("<NoDataValue>4</NoDataValue><Scale>3</Scale>") + f"<SRS>{FEET}</SRS>"
    write(tmp_path, "land.tif.aux.xml", auxiliary(says))
    found = read_elevation(path)
    assert found.info.nodata == 4 and found.spacing == pytest.approx(
        (30 * 0.3048006, 20 * 0.3048006)
    )
    assert found.heights[-1, 1] == 3.0, "the scale took the old offset away"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<PAMDataset>", "is damaged: its XML cannot be read: "),
        ("", "cannot be read: it is empty"),
        ("<html/>", "must begin with PAMDataset or GeodataXform, as auxiliary files of GDAL do"),
        (auxiliary("<GeoTransform>1, 2</GeoTransform>"), "GeoTransform must have 6 numbers; got 2"),
        (auxiliary("<GeoTransform>a, 2</GeoTransform>"), "GeoTransform must be a number; got 'a'"),
        (auxiliary(band("<NoDataValue>x</NoDataValue>")), "nodata must be a number; got 'x'"),
        (auxiliary(band("<Scale>0</Scale>")), "scale must be a number up to"),
        ("<!DOCTYPE a><PAMDataset/>", "XML with declarations of its own cannot be read"),
        (
            auxiliary(
                '<Metadata domain="xml:ESRI"><GeodataXform type="typens:PolynomialXform"/></Metadata>'
            ),
            "a transformation of the kind PolynomialXform cannot be read; IdentityXform can",
        ),
    ],
)
def test_damaged_auxiliary_files(tmp_path, text, message):
    path = picture(tmp_path, "land.tif")
    write(tmp_path, "land.tif.aux.xml", text)
    with pytest.raises(ParameterError, match=f"^land.tif.aux.xml:? {message}") as refused:
        read_elevation(path)
    assert "\n" not in str(refused.value)


def test_units_that_are_not_known_are_refused(tmp_path):
    path = picture(tmp_path, "land.tif")
    write(tmp_path, "land.tif.aux.xml", auxiliary(band("<UnitType>ells</UnitType>")))
    with pytest.raises(ParameterError, match=r"^land\.tif\b.*ells"):
        read_elevation(path)
    np.testing.assert_allclose(read_elevation(path, unit="ft").heights, field()[::-1] * 0.3048)


def test_a_system_beside_the_file(tmp_path):
    for name in ("land.tif", "land.png", "land.asc"):
        data = files.asc(field(), WORDS)
        path = write(tmp_path, name, data) if name.endswith("asc") else picture(tmp_path, name)
        write(tmp_path, f"land.{name[5]}{name[-1]}w", WORLD)
        plain = probe_elevation(path).spacing
        beside = write(tmp_path, "land.PRJ", FEET)
        info = probe_elevation(path)
        assert info.spacing == pytest.approx([one * 0.3048006 for one in plain])
        assert "Coordinate system by land.PRJ" in info.lines
        beside.unlink()


def test_turned_and_sheared_coordinates_keep_the_size_of_samples(tmp_path):
    generator = drawing.generator("turned")
    for _ in range(drawing.count_of(400)):
        steps = [generator.uniform(-50.0, 50.0) for _ in range(4)]
        across, down = (steps[0], steps[1]), (steps[2], steps[3])
        if abs(across[0] * down[1] - across[1] * down[0]) < 1.0:
            continue
        path = place(tmp_path, generator, across, down)
        found = read_elevation(path)
        assert found.spacing == pytest.approx((math.hypot(*across), math.hypot(*down)), rel=1e-6)
        is_top_first = across[0] * down[1] - across[1] * down[0] < 0.0
        np.testing.assert_array_equal(found.heights, field()[::-1] if is_top_first else field())
        assert found.georeference is None
        note = "Turned or sheared: the size of its samples is kept, its place is not"
        assert note in found.lines


def place(folder, generator: random.Random, across, down):
    """Write a file whose coordinates stand in it, or in one of two kinds of files beside it."""
    for old in folder.iterdir():
        old.unlink()
    way = generator.choice(("matrix", "world", "auxiliary"))
    corner = (500_000.0, 5_000_000.0)
    if way == "matrix":
        first, second = (across[0], down[0], 0, corner[0]), (across[1], down[1], 0, corner[1])
        tags = {34264: ("d", [*first, *second, 0, 0, 0, 0, 0, 0, 0, 1.0])}
        return write(folder, "land.tif", files.tiff(field(), extra=tags))
    if way == "world":
        numbers = (*across, *down, *corner)
        write(folder, "land.tfw", "\n".join(map(repr, numbers)) + "\n")
    else:
        numbers = (corner[0], across[0], down[0], corner[1], across[1], down[1])
        text = ",".join(map(repr, numbers))
        write(folder, "land.tif.aux.xml", auxiliary(f"<GeoTransform>{text}</GeoTransform>"))
    return write(folder, "land.tif", files.tiff(field()))


@pytest.mark.parametrize("x", [30.0, -30.0])
@pytest.mark.parametrize("y", [20.0, -20.0])
def test_flipped_files_are_read_the_right_way_round(tmp_path, x, y):
    numbers = (x, 0.0, 0.0, y, 1000.0, 2000.0)
    write(tmp_path, "land.tfw", "\n".join(map(repr, numbers)) + "\n")
    path = write(tmp_path, "land.tif", files.tiff(field(), tile=(16, 16)))
    found = read_elevation(path)
    expected = field()[:: -1 if y < 0 else 1, :: -1 if x < 0 else 1]
    np.testing.assert_array_equal(found.heights, expected)
    assert found.spacing == (30.0, 20.0)
    origin = (1000.0 + min(0.0, 5 * x), 2000.0 + min(0.0, 4 * y))
    assert found.georeference.origin == origin and found.georeference.step == (30.0, 20.0)
    reduced = read_elevation(path, samples=3)
    np.testing.assert_allclose(reduced.heights[:, 0] < reduced.heights[:, -1], x > 0)


def test_places_that_are_told_in_part(tmp_path):
    tags = files.geo_tags()
    no_tie = {tag: value for tag, value in tags.items() if tag != 33922}
    info = probe_elevation(write(tmp_path, "land.tif", files.tiff(field(), extra=no_tie)))
    assert info.spacing == (30.0, 20.0) and info.georeference is None
    assert "Its place is not known" in info.lines
    negative = tags | {33550: ("d", [30.0, -20.0, 0.0])}
    info = probe_elevation(write(tmp_path, "land.tif", files.tiff(field(), extra=negative)))
    assert info.georeference.origin == (515.0, 810.0)
    assert "A negative scale of y is taken for positive, as GDAL does" in info.lines
    one = {33922: ("d", [0, 0, 0, 1, 2, 0])}
    info = probe_elevation(write(tmp_path, "land.tif", files.tiff(field(), extra=one)))
    assert "Tie points alone: neither its place nor its size is known" in info.lines
    wrong = tags | {33550: ("d", [math.nan, 20.0, 0.0])}
    with pytest.raises(ParameterError, match="^land.tif is damaged: tag 33550 must have numbers"):
        probe_elevation(write(tmp_path, "land.tif", files.tiff(field(), extra=wrong)))


@pytest.mark.parametrize("way", ["tag", "auxiliary"])
def test_tie_points_tell_the_size_of_samples(tmp_path, way):
    generator = drawing.generator("ties")
    for _ in range(drawing.count_of(200)):
        across, down = ((generator.uniform(5, 50), generator.uniform(-9, 9)) for _ in range(2))
        down = (down[1], -down[0])
        pixels = [(generator.uniform(0, 6), generator.uniform(0, 5)) for _ in range(9)]
        pixels += [(0, 0), (6, 0), (0, 5)]
        ties = [
            (c, r, 5e5 + c * across[0] + r * down[0], 5e6 + c * across[1] + r * down[1])
            for c, r in pixels
        ]
        ties = [(c, r, x + generator.gauss(0, 0.01), y) for c, r, x, y in ties]
        found = probe_elevation(tie(tmp_path, way, ties))
        assert found.spacing == pytest.approx((math.hypot(*across), math.hypot(*down)), rel=0.005)
    bent = [(c, r, x + c * c * 9.0, y) for c, r, x, y in ties]
    with pytest.raises(ParameterError, match="tie points must be on a plane grid within 0.25 samp"):
        probe_elevation(tie(tmp_path, way, bent))
    line = [(c, 2 * c, c, c) for c in range(5)]
    with pytest.raises(ParameterError, match="tie points must be at least 3 that do not lie on"):
        probe_elevation(tie(tmp_path, way, line))


def tie(folder, way, ties):
    """Write a file whose place is told by tie points."""
    if way == "tag":
        numbers = [one for c, r, x, y in ties for one in (c, r, 0, x, y, 0)]
        return write(folder, "land.tif", files.tiff(field(), extra={33922: ("d", numbers)}))
    points = "".join(
        f'<GCP Pixel="{c!r}" Line="{r!r}" X="{x!r}" Y="{y!r}"/>' for c, r, x, y in ties
    )
    write(folder, "land.tif.aux.xml", auxiliary(f"<GCPList>{points}</GCPList>"))
    return write(folder, "land.tif", files.tiff(field()))


TAB = """!table
!version 300

Definition Table
  File "land.tif"
  Type "RASTER"
  (1000,2000) (0,0) Label "Pt 1",
  (1180,2000) (6,0) Label "Pt 2",
  (1000,1900) (0,5) Label "Pt 3"
"""

COORDINATES = '  CoordSys Earth Projection 8, 104, "m", 9, 0, 0.9996, 500000, 0\n  Units "m"\n'

METADATA = (
    "<metadata><refSysInfo><RefSystem><refSysID><identCode code='{}'/></refSysID></RefSystem>"
    "</refSysInfo></metadata>"
)


@pytest.mark.parametrize("beside", ["land.tab", "LAND.TAB"])
def test_points_of_map_info_count_before_world_files(tmp_path, beside):
    path = picture(tmp_path, "land.tif")
    write(tmp_path, "land.tfw", "7\n0\n0\n-7\n0\n0\n")
    write(tmp_path, beside, TAB)
    info = probe_elevation(path)
    assert info.spacing == pytest.approx((30.0, 20.0)) and f"Place by {beside}" in info.lines
    assert info.georeference.origin == pytest.approx((1015.0, 1910.0))
    write(tmp_path, beside, TAB + COORDINATES)
    message = f"^{beside}: a coordinate system of MapInfo cannot be read: give system"
    with pytest.raises(ParameterError, match=message):
        probe_elevation(path)
    found = probe_elevation(path, system="local ft")
    assert found.spacing == pytest.approx((9.144, 6.096))


def test_points_of_map_info_that_do_not_count(tmp_path):
    path = picture(tmp_path, "land.png")
    write(tmp_path, "land.tab", TAB)
    assert probe_elevation(path).spacing is None, "GDAL reads them beside TIFF files alone"
    path = picture(tmp_path, "land.tif")
    write(tmp_path, "land.tab", TAB.replace("RASTER", "NATIVE"))
    assert probe_elevation(path).spacing is None
    write(tmp_path, "land.tab", TAB.replace("(6,0)", "(5,0)") + '  (1180,1900) (6,5) Label "4"')
    with pytest.raises(ParameterError, match="^land.tab: tie points must be on a plane grid"):
        probe_elevation(path)


@pytest.mark.parametrize(("code", "unit"), [("2263", 1200.0 / 3937.0), ("32632", 1.0)])
def test_metadata_of_esri_tell_the_system(tmp_path, code, unit):
    path = write(tmp_path, "land.tif", files.tiff(field(), extra=files.geo_tags()))
    write(tmp_path, "land.XML", METADATA.format(code))
    info = probe_elevation(path)
    assert info.georeference.system.epsg == int(code)
    assert info.spacing == pytest.approx((30.0 * unit, 20.0 * unit))
    assert "Coordinate system by land.XML" in info.lines


@pytest.mark.parametrize("text", [METADATA.format("0"), "<metadata/>", "hello", ""])
def test_metadata_without_a_system(tmp_path, text):
    path = write(tmp_path, "land.tif", files.tiff(field(), extra=files.geo_tags()))
    (tmp_path / "land.xml").write_text(text or "\n", encoding="utf-8")
    assert probe_elevation(path).georeference.system.epsg == 32632


def test_codes_of_esri(tmp_path):
    path = write(tmp_path, "land.tif", files.tiff(field(), extra=files.geo_tags()))
    write(tmp_path, "land.xml", METADATA.format("102100"))
    assert probe_elevation(path).georeference.system.epsg == 3857
    write(tmp_path, "land.xml", METADATA.format("103166"))
    with pytest.raises(ParameterError, match="^land.xml: .*; got ESRI:103166: give system"):
        probe_elevation(path)


@pytest.mark.parametrize("name", ["land.tif", "land.png", "land.asc"])
def test_numbers_for_holes_of_all_bands_in_an_auxiliary_file(tmp_path, name):
    data = files.asc(field(), WORDS)
    path = write(tmp_path, name, data) if name.endswith("asc") else picture(tmp_path, name)
    holes = '<Metadata><MDI key="Nodata_Values">7</MDI></Metadata>'
    write(tmp_path, f"{name}.aux.xml", auxiliary(holes + band("<NoDataValue>3</NoDataValue>")))
    np.testing.assert_array_equal(files.holes_of(read_elevation(path)), field()[::-1] == 7)
    write(tmp_path, f"{name}.aux.xml", auxiliary(holes.replace(">7<", ">7 8<")))
    assert read_elevation(path).holes is None, "GDAL wants as many as there are bands"
    write(
        tmp_path, f"{name}.aux.xml", auxiliary(holes.replace("<Metadata>", '<Metadata domain="x">'))
    )
    assert read_elevation(path).holes is None


def test_numbers_for_holes_of_several_bands_are_refused(tmp_path):
    path = write(tmp_path, "land.tif", files.tiff(np.stack([field()] * 2, axis=2)))
    write(
        tmp_path,
        "land.tif.aux.xml",
        auxiliary('<Metadata><MDI key="NODATA_VALUES">7 8</MDI></Metadata>'),
    )
    with pytest.raises(
        ParameterError, match="^land.tif.aux.xml: holes by the numbers of all bands"
    ):
        read_elevation(path)


@pytest.mark.parametrize(
    ("color", "has_alpha", "expected"),
    [
        ("Alpha", True, True),
        ("Undefined", True, True),
        ("Gray", True, False),
        ("Alpha", False, None),
        ("Gray", False, False),
    ],
)
def test_an_auxiliary_file_says_what_a_band_is_for(tmp_path, color, has_alpha, expected):
    pixels = np.stack([field(), np.where(field() == 7, 0, 255).astype("u1")], axis=2)
    extra = {338: ("H", [2])} if has_alpha else {}
    path = write(tmp_path, "land.tif", files.tiff(pixels, extra=extra))
    write(tmp_path, "land.tif.aux.xml", auxiliary(band(f"<ColorInterp>{color}</ColorInterp>", 2)))
    if expected is None:
        with pytest.raises(ParameterError, match="^land.tif.aux.xml: transparency that it alone"):
            read_elevation(path)
        return
    holes = files.holes_of(read_elevation(path))
    np.testing.assert_array_equal(holes, (field()[::-1] == 7) & expected)
