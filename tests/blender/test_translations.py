# SPDX-License-Identifier: GPL-3.0-or-later
"""German, Japanese and Korean: complete, loaded when they are wanted, and gone without a trace.

Blender's Python module knows no languages; there the data are checked, and the rest in executables.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

import bpy
import pytest

EXTENSION = "bl_ext.user_default.terrane"
ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("de_DE", "ja_JP", "ko_KR")
HAS_LANGUAGES = bool(bpy.app.translations.locales)


def module(name):
    return importlib.import_module(f"{EXTENSION}.{name}")


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
def found(terrane, tool):
    """Return all texts that the tool sees."""
    return frozenset(tool.collected())


@pytest.fixture
def language(terrane):
    """Return a function that changes the language; afterwards it is as it was."""
    view = bpy.context.preferences.view
    before = view.language

    def change(name):
        view.language = name

    yield change
    view.language = before


def test_every_text_is_translated_and_no_other(found, tool):
    assert len(found) > 1000, "the tool finds too little"
    wrong = tool.problems(found)
    assert not wrong, "\n".join(
        ["run tools/translations.py --missing, and --add what is said there", *wrong[:20]]
    )


def test_the_tool_sees_all_kinds_of_texts(found):
    for text in (
        "Add Terrain",  # a button
        "Stream Erosion",  # a type
        "Paint Mask",  # an operator
        "The steepest slope that stands, in degrees",  # a parameter
        "Rivers cut valleys, slopes follow them, and lakes fill up",  # a choice
        "{} is still running: wait, or press Esc to cancel it",  # a message with a value
        "Vertices along the longer side of a new terrain. The panel of a new file shows it from the "
        "next start of Blender on",  # a preference
        "Alps",  # a preset
        "Granite",  # a surface
        "Stopped: press Update to finish it",  # a note of live update
        "{} must be in {}; got {}",  # what the core says of a parameter
        "{} ({}) has the parameters {}; got {}",  # what it says of a recipe
        "The preset {} was left out: {}",  # drawn in lines by a panel
    ):
        assert text in found, text


def test_the_tool_would_see_what_is_wrong(found, tool, monkeypatch):
    assert any(
        "missing 'Words of nobody'" in one for one in tool.problems({*found, "Words of nobody"})
    )
    for word in ("Base Colour", "in metres", "Grey", "Normalise", "Centre", "cancelled", "Fibres"):
        assert any(f"in {word!r}" in one for one in tool.problems({word})), word
    assert not any(
        "American" in one for one in tool.problems({"Greyhound", "parametric", "raised"})
    )
    fewer = set(found) - {"Granite"}
    assert any("no longer shown 'Granite'" in one for one in tool.problems(fewer))
    monkeypatch.setattr(tool, "translated", lambda name: {"b {}": "no place", "a": ""})
    wrong = "\n".join(tool.problems({"b {}", "a"}))
    assert "other places" in wrong and "not sorted" in wrong and "empty" in wrong


@pytest.mark.parametrize("name", ["de", "ja", "ko"])
def test_texts_are_what_they_seem(terrane, name):
    messages = importlib.import_module(f"{EXTENSION}.translations.{name}").MESSAGES
    script = {"de": "äöüß", "ja": "のをル", "ko": "이의를"}[name]
    letters = "".join(messages.values())
    assert all(letter in letters for letter in script)
    for text, other in messages.items():
        assert other == other.strip() and "  " not in other, text
        is_sentence = len(text) > 20 and name != "ja"
        assert not is_sentence or other.endswith(".") == text.endswith("."), text


def test_blenders_without_languages_show_english(terrane):
    if HAS_LANGUAGES:
        pytest.skip("this one has languages")
    assert module("translations").messages() == {}
    assert module("operators.bridge.messages").shown("Select a mesh first") == "Select a mesh first"


def test_a_message_is_known_by_its_words(terrane, monkeypatch):
    messages = module("operators.bridge.messages")
    german = {
        "{} is still running: wait": "{} läuft noch: warten",
        "{} holds no recipe: {}": "{} enthält kein Rezept: {}",
        "it is not JSON ({})": "kein JSON ({})",
        "{} ({}) has the parameters {}; got {}": "{} ({}) hat die Parameter {}; war {}",
        "bits must be {} for {}; got {}": "bits muss für {1} {0} sein; war {2}",
        "Select a mesh": "Ein Mesh wählen",
    }
    monkeypatch.setattr(messages.translations, "messages", lambda: german)
    monkeypatch.setattr(messages, "pgettext_rpt", lambda text: german.get(text, text))
    shown = messages.shown
    assert shown("Select a mesh") == "Ein Mesh wählen"
    assert shown("Digging {x} is still running: wait") == "Digging {x} läuft noch: warten"
    assert shown("a.json holds no recipe: it is not JSON (line 1)") == (
        "a.json enthält kein Rezept: kein JSON (line 1)"
    )
    # The longer one would fit the whole as well, and leave its beginning in English.
    assert shown("a.json holds no recipe: noise (perlin) has the parameters a, b; got x") == (
        "a.json enthält kein Rezept: noise (perlin) hat die Parameter a, b; war x"
    )
    assert shown("Recipe: it is not JSON (line 1)") == "kein JSON (line 1)"
    assert shown("Recipe: Nobody knows this") == "Recipe: Nobody knows this"
    assert shown("bits must be 8 for png; got 7") == "bits muss für png 8 sein; war 7"
    assert shown("Nobody knows this") == "Nobody knows this"
    assert shown("") == ""


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
    assert translations.pgettext_tip("The steepest slope that stands, in degrees") == tooltip
    assert module("operators.bridge.messages").shown(
        "17 more objects share this mesh and have changed too"
    ) != ("17 more objects share this mesh and have changed too")
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.terrane.terrain_update()
    assert "Select a mesh first" not in str(refused.value)
    # Blender has other words for it: those of keys on keyboards.
    shift = bpy.types.Scene.bl_rna.properties["terrane"].fixed_type.properties["noise_bricks"].fixed_type.properties["shift"]  # fmt: skip
    assert shift.translation_context == module("translations").CONTEXT
    own = importlib.import_module(f"{EXTENSION}.translations.{name[:2]}").MESSAGES["Shift"]
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


def entry_name(thing):
    entry = thing.terrane.layers[thing.terrane.active_layer]
    return module("operators.bridge.schema.layers").modifier_class(entry).label


@pytest.mark.skipif(not HAS_LANGUAGES, reason="Blender's Python module has no languages")
def test_notes_and_errors_of_the_core_are_in_the_users_language(language):
    language("de_DE")
    shown = module("operators.bridge.messages").shown
    assert shown(module("operators.bridge.live.live_dispatcher").STOPPED).startswith("Angehalten")
    with pytest.raises(RuntimeError, match=r"Perlin\.frequency muss in .* liegen; war"):
        bpy.ops.terrane.terrain_add(noise="perlin", frequency=-1.0, resolution=9)
    with pytest.raises(
        RuntimeError, match="Die Zwischenablage enthält kein Rezept: .*hat die Parameter"
    ):
        bpy.ops.terrane.recipe_paste(text='{"format": 1, "noise": {"type": "perlin", "fades": 1}}')
    with pytest.raises(RuntimeError, match=r"^(Fehler|Error): kein JSON: "):
        bpy.ops.terrane.terrain_add(recipe="{")
    line = "The preset mine was left out: size must be a number of meters above 0; got 'x'"
    assert shown(line).endswith("size muss eine Zahl in Metern über 0 sein; war 'x'")
    with pytest.raises(RuntimeError, match=r"Fractal\.octaves darf der feinsten Oktave höchstens"):
        bpy.ops.terrane.terrain_add(frequency=1e6, octaves=24, lacunarity=8, resolution=9)


@pytest.mark.parametrize("name", LANGUAGES if HAS_LANGUAGES else ("",))
def test_disabling_takes_the_translations_away(terrane, name):
    view = bpy.context.preferences.view
    before = view.language
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
        view.language = before
