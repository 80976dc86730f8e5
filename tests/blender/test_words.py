# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of the interface: texts that read badly stay few, and one thing has one word."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.extension import module
from tests.blender.panels import RecordingLayout
from tests.glossary import read_rules

ROOT = Path(__file__).resolve().parents[2]


def _tool(name):
    if f"{name}_tool" not in sys.modules:
        spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / f"tools/{name}.py")
        tool = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = tool
        spec.loader.exec_module(tool)
    return sys.modules[f"{name}_tool"]


@pytest.fixture(scope="module")
def texts(terrane):
    """Return all texts of the interface."""
    catalog = _tool("translations").template()
    return [str(message.id) for message in catalog if message.id]


def test_texts_that_read_badly_stay_few(texts):
    counter = _tool("count_words")
    assert counter.LIMITS['"got {}"'] == 40 and len(texts) > 2000
    for kind, matches in counter.matches(texts).items():
        assert len(matches) <= counter.LIMITS[kind], "\n".join([kind, *matches])


def test_the_counter_knows_what_reads_badly():
    counter = _tool("count_words")
    bad = ["How wide it is", "Rows; got {!r}", "a" * 81, "A share of all", "Let it be"]
    good = ["However", "Forgot {}", "a" * 80, "Shared", "Outlet", "Which"]
    counts = {kind: len(texts) for kind, texts in counter.matches([*bad, *good]).items()}
    assert list(counts.values()) == [1, 1, 1, 1, 1]


class WordsLayout(RecordingLayout):
    """Stand-in for a layout; it records every text that a panel shows."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: self._say(**options)

    def _part(self, *arguments, **options):
        self._say(**options)
        return WordsLayout(self.shown)

    row = column = split = box = column_flow = grid_flow = menu_pie = _part

    def _say(self, *, text="", heading="", **options):
        self.shown |= {text, heading}
        return SimpleNamespace()

    def panel(self, name, **options):
        return WordsLayout(self.shown), WordsLayout(self.shown)

    def prop(self, group, name, *arguments, text=None, **options):
        declaration = group.bl_rna.properties[name]
        self.shown |= {declaration.name if text is None else text, declaration.description}

    def operator(self, name, *arguments, text=None, **options):
        topic, _, operator = name.partition(".")
        rna = getattr(getattr(bpy.ops, topic), operator).get_rna_type()
        self.shown |= {rna.name if text is None else text, rna.description}
        return SimpleNamespace()

    operator_menu_enum = operator

    def template_list(self, *arguments, **options):
        """Accept a list, whose rows are names that the user has given."""

    def label(self, **options):
        self._say(**options)


class DrawnPanel:
    """Stand-in for a panel with another layout; Blender makes panels itself."""

    def __init__(self, panel, layout):
        self.panel, self.layout = panel, layout

    def __getattr__(self, name):
        attribute = inspect.getattr_static(self.panel, name)
        value = getattr(self.panel, name)
        return value.__get__(self) if inspect.isfunction(attribute) else value


def _nothing():
    pass


def _terrain():
    bpy.ops.terrane.terrain_add(preset="alps", resolution=17)


def _landscape():
    bpy.ops.terrane.landscape_add(preset="fjords", resolution=17, plants=False)


def _planet():
    bpy.ops.terrane.planet_add(resolution=8)


def _masked_layer():
    bpy.ops.terrane.terrain_add(preset="perlin", resolution=17)
    bpy.ops.terrane.layer_add(type="stream_erosion")
    bpy.ops.terrane.layer_mask(source="slope")


@pytest.mark.parametrize("build", [_nothing, _terrain, _landscape, _planet, _masked_layer])
def test_panels_have_one_word_for_one_thing(terrane, build):
    build()
    shown, drawn = set(), 0
    for name in dir(bpy.types):
        panel = getattr(bpy.types, name)
        if not name.startswith("TERRANE_PT_") or not getattr(panel, "poll", lambda _: True)(
            bpy.context
        ):
            continue
        shown.add(panel.bl_label)
        DrawnPanel(panel, WordsLayout(shown)).draw(bpy.context)
        drawn += 1
    assert drawn >= 1 and len(shown) > 10
    mistakes = [line for rule in read_rules() for text in shown for line in rule.mistakes(text)]
    assert not mistakes, "\n".join(mistakes)


def test_the_interface_has_one_word_for_one_thing(texts):
    mistakes = [line for rule in read_rules() for text in texts for line in rule.mistakes(text)]
    assert not mistakes, "\n".join(mistakes)


def test_panels_show_labels_in_place_of_names_in_python(terrane):
    panel_text = module("operators.bridge.schema.panel_texts").panel_text
    errors = module("noise_core.base.errors")
    with pytest.raises(errors.ParameterError) as refused:
        module("noise_core.noises").Perlin(frequency=-1.0)
    assert panel_text(refused.value.message) == "Perlin: Frequency must be in [0.0001, 1e+06]"
    blur = errors.ParameterError("{} must be finite", "Blur.radius", got="nan")
    assert panel_text(blur.message) == "Blur: Radius must be finite"
    for text in ("Mine.file is damaged", "Perlin.nothing", "Stopped: press Update to finish"):
        assert panel_text(text) == text


def _operator(name, *, is_shown=True):
    """Return a stand-in for an operator that collects its reports."""
    said = []
    return SimpleNamespace(
        properties=SimpleNamespace(bl_rna=getattr(bpy.ops.terrane, name).get_rna_type()),
        options=SimpleNamespace(is_invoke=is_shown, is_repeat=False),
        report=lambda kind, text: said.append(text),
        said=said,
    )


REPORTS = {
    ("images_save", "bits must be {} for {}", "8", "png"): "Bits must be 8 for png",
    ("mesh_displace", "Displace.vector must have a length"): "Vector must have a length",
    ("mesh_displace", "Perlin.frequency must be above 0"): "Perlin: Frequency must be above 0",
    ("mesh_erode", "start must be 'present'"): "Begin With must be 'Present'",
    ("mesh_erode", "{} must be {}, as", "Terrain.seamless", False): "Seamless must be False, as",
    ("image_new", "Image.levels 'signed' has no colors"): "Levels 'Signed' has no colors",
    ("heightmap_export", "Range.high must be above Range.low, 5"): "High must be above Low, 5",
    (
        "heightmap_export",
        "TerrainRgb.system can be 'land'",
    ): "Terrain-RGB Tiles: System can be 'Land'",
    ("terrain_add", "Mine.json must be a file"): "Mine.json must be a file",
}


@pytest.mark.parametrize(("parts", "expected"), REPORTS.items())
def test_reports_name_fields_by_their_labels(terrane, parts, expected):
    report_error = module("operators.bridge.schema.panel_texts").report_error
    name, template, *values = parts
    error = module("noise_core.base.errors").ParameterError(template, *values)
    shown, script = _operator(name), _operator(name, is_shown=False)
    report_error(shown, error)
    report_error(script, error)
    assert shown.said == [expected] and script.said == [str(error)]


ONLY_SCRIPTS = {
    "place",
    "element",
    "parameters",
    "points",
    "index",
    "colors",
    "option",
    "size",
    "curves",
}
"""Keywords without a field, and options of the command line."""


def test_errors_of_operators_begin_with_keywords_that_have_labels(terrane):
    known = {
        item.identifier
        for name in dir(bpy.ops.terrane)
        for item in getattr(bpy.ops.terrane, name).get_rna_type().properties
    }
    begun = {}
    for message in _tool("translations").template():
        places = [place for place, _ in message.locations]
        match = re.match(r"([a-z]\w*) (?:must|can|needs)\b", str(message.id))
        if match and any("operators" in place for place in places):
            begun[match[1]] = str(message.id)
    assert len(begun) >= 6
    unknown = {word: text for word, text in begun.items() if word not in known | ONLY_SCRIPTS}
    assert not unknown


def test_a_button_reports_labels_and_a_script_keywords(terrane):
    bpy.ops.mesh.primitive_grid_add()
    with pytest.raises(RuntimeError, match="mask must name"):
        bpy.ops.terrane.mesh_displace(mask="nothing")
    with pytest.raises(RuntimeError, match="Mask must name"):
        bpy.ops.terrane.mesh_displace(from_panel=True, mask="nothing")


NAMES_OF_FORMATS = re.compile(r"(?:Quantized Mesh|Terrarium|Terrain-RGB) Tiles")


def test_exports_say_which_tiles_they_mean(terrane):
    holders = [bpy.ops.terrane.heightmap_export.get_rna_type()]
    holders += [
        cls.bl_rna
        for cls in bpy.types.PropertyGroup.__subclasses__()
        if cls.is_registered and cls.__name__.startswith("TERRANE_PG_target_")
    ]
    shown = [text for holder in holders for item in holder.properties for text in _texts_of(item)]
    assert len(shown) > 200
    left = [NAMES_OF_FORMATS.sub("", text) for text in shown]
    assert not [text for text in left if re.search(r"(?i)(?<!map )\btiles?\b", text)]


def _texts_of(item):
    """Return the label and the tooltip of a property, and those of its choices."""
    yield from (item.name, item.description)
    for choice in getattr(item, "enum_items_static", ()):
        yield from (choice.name, choice.description)
