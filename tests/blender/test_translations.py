# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations: complete, loaded for the present language only, and unloaded with the extension.

Blender's Python module has no languages: there the files are checked, and the rest in executables.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from pathlib import Path

import bpy
import pytest
from babel.messages.catalog import Catalog

from tests.blender.extension import module
from tools.make_shipped import compiled_translations

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "translations").glob("*.po"))
LANGUAGES = ("de_DE", "ja_JP", "ko_KR")
HAS_LANGUAGES = bool(bpy.app.translations.locales)


def translate(text):
    return module("operators.bridge.interface.messages").translate(text)


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location(
        "translations_tool", ROOT / "tools/translations.py"
    )
    tool = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = tool
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture(scope="module")
def texts(terrane, tool):
    """Return a catalog of all texts of the interface."""
    return tool.template()


@pytest.fixture
def files(tool, monkeypatch, tmp_path):
    """Return a folder with a copy of the German translations, for the tool to work in."""
    (tmp_path / "de.po").write_bytes((ROOT / "translations/de.po").read_bytes())
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def language(terrane):
    """Return a function that changes the language; afterwards it is as it was."""
    view = bpy.context.preferences.view
    language_before = view.language

    def change(name):
        view.language = name

    yield change
    view.language = language_before


def copy_of(catalog, leave_out=()):
    """Return a catalog with the same texts."""
    copy = Catalog()
    for message in catalog:
        if message.id and message.id not in leave_out:
            copy.add(message.id, locations=message.locations)
    return copy


def of_texts(**translations):
    """Return a catalog of a few texts, by keyword or with the texts in a dictionary."""
    catalog = Catalog(locale="de")
    for text, translation in translations.items():
        catalog.add(text, translation)
    return catalog


@pytest.mark.slow
def test_every_text_is_translated_and_no_other(texts, tool):
    assert len(texts) > 1000, "the tool finds too little"
    wrong = [*tool.formatted(), *tool.problems(texts)]
    assert not wrong, "\n".join(["run tools/translations.py --update, and translate", *wrong[:20]])


def test_the_tool_finds_all_kinds_of_texts(texts):
    for text in (
        "Add Terrain",  # a button
        "Stream Erosion",  # a type
        "Paint Mask",  # an operator
        "Steepest stable slope, in degrees",  # a parameter
        "Rivers cut valleys, slopes follow them, and lakes fill up",  # a choice
        "{} is still running: wait, or press Esc to cancel it",  # a message with a value
        "Vertices along the longer side of new terrains",  # a preference
        "Alps",  # a preset
        "Granite",  # a surface
        "Stopped: press Update to finish",  # a note of live update
        "{} must be in {}",  # an error of the core
        "{}; got {}",  # the value that came instead
        "Recipe: {} ({}) has the parameters {}",  # an error in a recipe
        "The preset {} was left out: {}",  # drawn in lines by a panel
        "Erosion of the Mesh",  # in a table of a menu
        "Revert to Mesh",  # a label of a button
        "Preview: press Update to finish",  # a constant
    ):
        assert text in texts, text


def test_the_tool_extracts_calls_and_nothing_else(tool, monkeypatch, tmp_path):
    source = tmp_path / "operators" / "sample.py"
    source.parent.mkdir()
    source.write_text(
        """NOTE = Message("A note")
live_note = "Not marked"
raise ParameterError("{} is too {:g}", name, 2.0)
report(self, {"INFO"}, "One" if one else "Many, {}", count)
layout.label(text="A label", icon="NONE")
layout.prop(group, "name", text=f"{title} ({unit})")
layout.label(text="")
raise ValueError("An error of the program")
raise TerraneError(f"{name} is formatted")
layout.label(text=f"{name} is drawn")
"""
    )
    with source.open("rb") as file:
        results = [text for _, _, text, _ in tool.extract(file, {}, [], {})]
    assert sorted(results) == ["A label", "A note", "Many, {}", "One", "{} is too {:g}"]
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    lines = [line.split(": ")[0] for line in tool.formatted()]
    assert lines == ["operators/sample.py:9", "operators/sample.py:10"]


def test_the_tool_reports_what_is_wrong(texts, tool, files):
    assert not tool.problems(texts)
    more = copy_of(texts)
    for word in ("Base Colour", "in metres", "Grey", "Normalise", "Centre", "cancelled", "Fibres"):
        more.add(word)
    more.add("Greyhound, parametric, raised")
    wrong = tool.problems(more)
    assert "de: missing: 'Grey'" in wrong
    assert sum("not American" in line for line in wrong) == 7
    assert tool.problems(copy_of(texts, ["Granite"])) == ["de: not used any more: 'Granite'"]
    few = {"b {:g}": "{}", "c {} {}": "{1} {0}", "a": "", "Recipe: x": "x", "e": "f  g"}
    (files / "de.po").write_bytes(tool.dump(of_texts(**few)))
    wrong = tool.problems(copy_of(of_texts(**few)))
    assert wrong == [
        "de: does not begin with 'Recipe: ': 'x'",
        "de: missing: 'a'",
        "de: other fields than 'b {:g}': '{}'",
        "de: needless spaces: 'f  g'",
    ]


def test_an_update_guesses_what_is_like_another_text(terrane, texts, tool, files):
    recipe_before = tool.read("de")
    more = copy_of(texts, ["Granite"])
    more.add("Add Terrains")
    tool.update(more)
    wrong = tool.problems(more)
    assert wrong == ["de: fuzzy: 'Add Terrains'"]
    written = (files / "de.po").read_text(encoding="utf-8")
    assert '#, fuzzy\nmsgid "Add Terrains"\nmsgstr "Terrain hinzufügen"\n' in written
    loaded = json.loads(compiled_translations(files))["texts"]
    assert "Granite" not in loaded and len(loaded) > 1000
    assert "Add Terrains" not in loaded, "it is fuzzy"
    read_after = tool.read("de")
    for message in recipe_before:
        if message.id and message.id != "Granite":
            assert read_after[message.id].string == message.string


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_survive_a_round_trip(terrane, tool, path):
    catalog = tool.read(path.stem)
    assert tool.dump(catalog) == path.read_bytes(), "run tools/translations.py --update"
    expected = {message.id: message.string for message in catalog if message.id}
    assert len(expected) > 1000
    assert module("translations").read(f"{path.stem}_XX") == expected, "nox -s shipped"


def test_files_of_other_editors_are_read_too(terrane, tool, monkeypatch, tmp_path):
    catalog = of_texts(**{
        'Quotes " and \\ and\nlines\tand tabs': 'Anführung " und \\ und\nZeilen\tund \\n',
        "A long text " + "that goes on and on " * 9: "Ein langer Text, " + "der weitergeht " * 9,
        "{} of {}": "{1}: {0}",
        "Not translated": "",
    })  # fmt: skip
    catalog.add("Fuzzy", "Unklar", flags=["fuzzy"], previous_id="Fuzz")
    catalog.add("Format", "100 %", flags=["python-format"], auto_comments=["a comment"])
    catalog.obsolete["Obsolete"] = of_texts(Obsolete="Alt")["Obsolete"]
    with (tmp_path / "wrapped.po").open("wb") as file:
        tool.write_po(file, catalog, width=40, include_previous=True)
    text = (tmp_path / "wrapped.po").read_text(encoding="utf-8")
    assert "#~ msgid" in text and "#| msgid" in text and text.count('msgid ""') >= 3
    kept = {message.id: message.string for message in catalog if message.string and message.id}
    del kept["Fuzzy"]
    (tmp_path / "wrapped.po").rename(tmp_path / "de.po")
    made = tmp_path / "texts.json"
    made.write_text(compiled_translations(tmp_path), encoding="utf-8")
    monkeypatch.setattr(module("translations"), "FILE", made)
    assert module("translations").read("de_AT") == kept and len(kept) == 4


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_texts_are_in_their_language(terrane, path):
    translations = module("translations").read(path.stem)
    script = {"de": "äöüß", "ja": "のをル", "ko": "이의를"}[path.stem]
    letters = "".join(translations.values())
    assert all(letter in letters for letter in script)
    for text, other in translations.items():
        is_sentence = len(text) > 20 and path.stem != "ja"
        assert not is_sentence or other.endswith(".") == text.endswith("."), text


def test_there_are_no_translations_for_other_languages(terrane):
    read = module("translations").read
    assert read("") == read("en_US") == read("fr_FR") == {}
    if not HAS_LANGUAGES:
        assert translate("Select a mesh first") == "Select a mesh first"


def test_messages_are_translated_with_their_values(terrane, monkeypatch):
    messages = module("operators.bridge.interface.messages")
    errors = module("noise_core.base.errors")
    german = {
        "{} is still running: wait": "{} läuft noch: warten",
        "{} holds no recipe: {}": "{} enthält kein Rezept: {}",
        "Recipe: not JSON: {}": "Recipe: kein JSON: {}",
        "bits must be {} for {}; got {}": "bits muss für {1} {0} sein; war {2}",
        "{:.1f} m": "{:.1f} Meter",
        "Select a mesh": "Ein Mesh wählen",
        "The clipboard": "Die Zwischenablage",
    }
    monkeypatch.setattr(messages, "pgettext_rpt", lambda text: german.get(text, text))
    message, translate = messages.Message, messages.translate
    assert translate("Select a mesh") == translate(message("Select a mesh")) == "Ein Mesh wählen"
    assert translate(message("{} is still running: wait", "Digging {x}")) == (
        "Digging {x} läuft noch: warten"
    )
    assert translate(message("bits must be {} for {}; got {}", 8, "png", 7)) == (
        "bits muss für png 8 sein; war 7"
    )
    assert translate(message("{:.1f} m", 2.25)) == "2.2 Meter"
    inner = errors.RecipeError("Recipe: not JSON: {}", "line 1")
    assert translate(inner.message) == "Recipe: kein JSON: line 1"
    reason = inner.message.removeprefix("Recipe: ")
    outer = errors.RecipeError("{} holds no recipe: {}", message("The clipboard"), reason)
    assert str(outer) == "The clipboard holds no recipe: not JSON: line 1"
    assert translate(outer.message) == "Die Zwischenablage enthält kein Rezept: kein JSON: line 1"
    # A value that happens to be a text of the interface is a name, and stays as it is.
    assert translate(message("{} has no vertices", "Select a mesh")) == (
        "Select a mesh has no vertices"
    )
    assert translate("Not known {}") == "Not known {}" and translate("") == ""

    class Operator:
        def report(self, kind, text):
            self.reported = kind, text

    operator = Operator()
    messages.report(operator, {"ERROR"}, outer.message)
    assert operator.reported[1].startswith("Die Zwischenablage enthält kein Rezept")
    messages.report(operator, {"INFO"}, "{:.1f} m", 3.0)
    assert operator.reported == ({"INFO"}, "3.0 Meter")


@pytest.mark.skipif(not HAS_LANGUAGES, reason="Blender's Python module has no languages")
@pytest.mark.parametrize(
    ("name", "label", "tooltip"),
    [
        ("de_DE", "Terrain hinzufügen", "Die steilste Neigung, die stehen bleibt, in Grad"),
        ("ja_JP", "地形を追加", "保たれる最大傾斜(度)"),
        ("ko_KR", "지형 추가", "버티는 가장 가파른 경사(도)"),
    ],
)
def test_labels_change_with_the_language(language, name, label, tooltip):
    translations = bpy.app.translations
    language(name)
    assert translations.pgettext_iface("Add Terrain", "Operator") == label
    assert translations.pgettext_tip("Steepest stable slope, in degrees") == tooltip
    message = module("operators.bridge.interface.messages").Message(
        "{} more objects share this mesh and have changed too", 17
    )
    assert "17" in translate(message) and translate(message) != message
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.terrane.terrain_update()
    assert "Select a mesh first" not in str(refused.value)
    # Blender has other words for it: those of keys on keyboards.
    found = bpy.types.Scene.bl_rna.properties["terrane"].fixed_type
    for one in ("layers", "chain", "bricks"):
        found = found.properties[one].fixed_type
    shift = found.properties["shift"]
    assert shift.translation_context == module("translations").CONTEXT
    own = module("translations").read(name)["Shift"]
    assert translations.pgettext_iface("Shift", shift.translation_context) == own
    language("en_US")
    assert translations.pgettext_iface("Add Terrain", "Operator") == "Add Terrain"


@pytest.mark.skipif(not HAS_LANGUAGES, reason="Blender's Python module has no languages")
@pytest.mark.parametrize("name", LANGUAGES)
def test_it_works_in_every_language(language, name):
    language(name)
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    bpy.ops.terrane.layer_add(type="terraces")
    bpy.ops.terrane.mask_paint()
    bpy.ops.terrane.mask_paint()
    bpy.ops.terrane.terrain_update()
    assert entry_name(bpy.context.active_object) == "Terraces", "names in files are English"


def entry_name(obj):
    entry = obj.terrane.layers[obj.terrane.active_layer]
    return module("operators.bridge.schema.layers").LAYER_TYPES.find_class(entry).label


@pytest.mark.skipif(not HAS_LANGUAGES, reason="Blender's Python module has no languages")
def test_notes_and_errors_of_the_core_are_translated(language):
    language("de_DE")
    assert translate(module("operators.bridge.tasks.queue").STOPPED).startswith("Angehalten")
    with pytest.raises(RuntimeError, match=r"Perlin\.frequency muss in .* liegen; war"):
        bpy.ops.terrane.terrain_add(noise="perlin", frequency=-1.0, resolution=9)
    with pytest.raises(
        RuntimeError, match="Die Zwischenablage enthält kein Rezept: .*hat die Parameter"
    ):
        bpy.ops.terrane.recipe_paste(text='{"format": 1, "layers": [{"type": "blur", "fades": 1}]}')
    with pytest.raises(RuntimeError, match=r"^(Fehler|Error): Recipe: kein JSON: "):
        bpy.ops.terrane.terrain_add(recipe="{")
    message, errors = (
        module("operators.bridge.interface.messages").Message,
        module("noise_core.base.errors"),
    )
    reason = errors.RecipeError("look.sea must be a number of meters or null", got="'x'").message
    line = message("The preset {} was left out: {}", "mine", reason)
    assert translate(line).endswith("look.sea muss eine Zahl in Metern oder null sein; war 'x'")
    with pytest.raises(RuntimeError, match=r"Fractal\.octaves darf der feinsten Oktave höchstens"):
        bpy.ops.terrane.terrain_add(frequency=1e6, octaves=24, lacunarity=8, resolution=9)


@pytest.mark.parametrize("name", LANGUAGES if HAS_LANGUAGES else ("",))
def test_disabling_takes_the_translations_away(terrane, name):
    view = bpy.context.preferences.view
    language_before = view.language
    if name:
        view.language = name
    try:
        terrane.unregister()
        assert bpy.app.translations.pgettext_iface("Add Terrain", "Operator") == "Add Terrain"
        terrane.register()
        assert (
            bpy.app.translations.pgettext_iface("Add Terrain", "Operator") != "Add Terrain"
        ) == bool(name)
    finally:
        view.language = language_before
