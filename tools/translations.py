# SPDX-License-Identifier: GPL-3.0-or-later
"""Extract the texts of the interface, and keep the translations in translations/*.po up to date.

    python tools/translations.py --update    write the texts into all files, and list the texts to translate
    python tools/translations.py --check     list missing, fuzzy, unused and wrong texts; fail if there are any

Python needs the modules bpy and Babel. Labels and tooltips are read from the registered classes, which include those
made from declarations; messages, and texts that panels draw, are extracted from the source.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import os
import re
import string
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blender_module import EXTENSION, ROOT, start

FOLDER = ROOT / "translations"

SOURCES = ("noise_core", "operators", "ui")

TEMPLATES = {
    "Message": 0, "TerraneError": 0, "ParameterError": 0, "RecipeError": 0, "report": 2,
    "pgettext_iface": 0, "pgettext_tip": 0, "iface_": 0, "translate": 0, "draw_text": 2, "titled_row": 1,
}  # fmt: skip
"""Calls with a text for the user, and the position of its argument: an exact text, never an f-string."""

LABELS = {"text", "heading", "placeholder"}
"""Keywords of the calls of a layout whose text Blender translates and draws."""

LAYOUTS = {"label", "operator", "prop", "menu", "progress", "operator_menu_enum", "column", "row", "popover"}  # fmt: skip

BLENDER_NAME = "Unique name used in the code"
"""Start of the tooltip of the name that every property group has."""

BRITISH = re.compile(
    r"\w*(?:colour|neighbour|armour|fibre|ancelle|ancelli)\w*|grey\b|\w*metres?\b|centres?\b|\w+alise[ds]?\b",
    re.IGNORECASE,
)
"""British spellings of words in this interface; Blender's interface is in American English."""

UNTRANSLATED = frozenset({"Terrane", "UV", "X", "Y", "Z"})
"""Names, the same in every language."""

PREFIX = "Recipe: "
"""Start of messages about recipes. Translations keep it, since `Message.removeprefix` removes it."""


def template() -> Catalog:
    """Return a catalog of all texts of the interface; Blender runs, and the extension is enabled."""
    catalog = Catalog()
    for text, place in (*_registered(), *_presets(), *_written()):
        text = text.strip()
        if text not in UNTRANSLATED and any(map(str.isalpha, text)) and text not in catalog:
            catalog.add(text, locations=[(place, 1)])
            catalog[text].flags.discard("python-format")  # a percentage is no format
    return catalog


def languages() -> list[str]:
    """Return the languages that there are files of."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def read(language: str) -> Catalog:
    """Return the translations into a language."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def dump(catalog: Catalog) -> bytes:
    """Return the contents of a .po file: sorted, one line for each text, without unused texts.

    Places in the code are left out: they would take a fifth of the space of the files in the zip.
    """
    file = io.BytesIO()
    write_po(file, catalog, width=0, sort_output=True, no_location=True, ignore_obsolete=True)
    return file.getvalue()


def update(texts: Catalog) -> None:
    """Bring all files up to date; a new text gets the translation of the most similar one as fuzzy."""
    for language in languages():
        catalog = read(language)
        catalog.update(texts, update_creation_date=False)
        (FOLDER / f"{language}.po").write_bytes(dump(catalog))


def problems(texts: Catalog) -> list[str]:
    """Return the errors of the texts and their translations, one line each."""
    wrong = []
    for text in _ids(texts):
        wrong += [f"not American: {word!r} in {text!r}" for word in BRITISH.findall(text)]
    for language in languages():
        wrong += [f"{language}: {line}" for line in _problems_of(read(language), texts)]
    return wrong


def _problems_of(catalog: Catalog, texts: Catalog) -> Iterator[str]:
    for text in sorted({*_ids(texts), *_ids(catalog)}):
        if text not in texts:
            yield f"not used any more: {text!r}"
        elif text not in catalog or not catalog[text].string:
            yield f"missing: {text!r}"
        else:
            yield from _mistakes(catalog[text])


def _mistakes(message: Message) -> Iterator[str]:
    text, translation = str(message.id), str(message.string)
    if message.fuzzy:
        yield f"fuzzy: {text!r}"
    if _fields(text) != _fields(translation):
        yield f"other fields than {text!r}: {translation!r}"
    if text.startswith(PREFIX) and not translation.startswith(PREFIX):
        yield f"does not begin with {PREFIX!r}: {translation!r}"
    if translation != translation.strip() or "  " in translation:
        yield f"needless spaces: {translation!r}"


def _ids(catalog: Catalog) -> list[str]:
    return sorted(str(message.id) for message in catalog if message.id)


def _fields(text: str) -> list[tuple[str, str]]:
    """Return the fields of a template with their formats; {1} is the second value, wherever it stands."""
    try:
        parsed = [field for field in string.Formatter().parse(text) if field[1] is not None]
    except ValueError:  # text with a brace, without values
        return []
    return sorted(
        (name or str(place), f"{conversion or ''}:{spec}")
        for place, (_, name, spec, conversion) in enumerate(parsed)
    )


# --- what is registered -------------------------------------------------------------------------


def _registered() -> Iterator[tuple[str, str]]:
    """Yield labels and tooltips of classes, properties and choices."""
    import bpy

    seen: set[str] = set()
    for name in dir(bpy.types):
        if name.startswith("TERRANE"):
            cls = getattr(bpy.types, name)
            for attribute in ("bl_label", "bl_description"):
                yield getattr(cls, attribute, "") or "", f"{name}.{attribute}"
    for name in dir(bpy.ops.terrane):
        rna = getattr(bpy.ops.terrane, name).get_rna_type()
        yield rna.name, f"terrane.{name}"
        yield rna.description, f"terrane.{name}"
        yield from _properties(rna, seen)
    for owner in bpy.types.ID.__subclasses__():
        for prop in owner.bl_rna.properties:
            if prop.identifier.startswith("terrane"):
                yield from _property(prop, owner.__name__, seen)
    yield from _properties(bpy.context.preferences.addons[EXTENSION].preferences.bl_rna, seen)


def _properties(rna: Any, seen: set[str]) -> Iterator[tuple[str, str]]:
    if rna.identifier in seen:
        return
    seen.add(rna.identifier)
    for prop in rna.properties:
        is_from_blender = prop.identifier in ("rna_type", "bl_idname")
        is_from_blender = is_from_blender or prop.description.startswith(BLENDER_NAME)
        if not is_from_blender and not prop.is_hidden:
            yield from _property(prop, rna.identifier, seen)


def _property(prop: Any, owner: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    place = f"{owner}.{prop.identifier}"
    if prop.type in ("POINTER", "COLLECTION") and "TERRANE" in prop.fixed_type.identifier:
        yield from _properties(prop.fixed_type, seen)
        if prop.type == "POINTER":
            return  # its name is never drawn
    yield prop.name, place
    yield prop.description, place
    if prop.type == "ENUM":
        for item in prop.enum_items_static_ui:
            yield item.name, f"{place}.{item.identifier}"
            yield item.description, f"{place}.{item.identifier}"


def _presets() -> Iterator[tuple[str, str]]:
    """Yield the labels and descriptions of the presets that are shipped."""
    library = importlib.import_module(f"{EXTENSION}.noise_core.landscapes.preset_library")
    for name in (library.PLAIN, *library.shipped_names()):
        shipped = library.preset(name)
        yield shipped.label, f"noise_core/recipes/presets/{name}.json"
        yield shipped.description.rstrip("."), f"noise_core/recipes/presets/{name}.json"


# --- what is written ----------------------------------------------------------------------------


def _written() -> Iterator[tuple[str, str]]:
    """Yield the messages, and the texts that panels draw."""
    for folder in SOURCES:
        messages = extract_from_dir(ROOT / folder, [("**.py", extract)], keywords={})
        for name, _, text, _, _ in sorted(messages):
            yield text, f"{folder}/{name}"


def extract(
    file: Any, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the texts of a Python file; see "Writing extraction methods" in Babel's manual."""
    for node in _arguments(ast.parse(file.read())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
            yield node.lineno, None, node.value, []


def formatted() -> Iterator[str]:
    """Yield the places of f-strings where a template has to stand, since no translation fits them."""
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        for node in _arguments(ast.parse(path.read_bytes())):
            if isinstance(node, ast.JoinedStr) and any(map(_has_words, node.values)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: f-string instead of a template"


def _has_words(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and any(map(str.isalpha, part.value))


def _arguments(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are texts for the user."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = TEMPLATES.get(name, len(node.args))
        for argument in node.args[place : place + 1]:
            yield from _choices(argument)
        for keyword in node.keywords:
            if name in LAYOUTS and keyword.arg in LABELS:
                yield from _choices(keyword.value)


def _choices(node: ast.expr) -> Iterable[ast.expr]:
    """Return the expressions that an expression chooses from."""
    if isinstance(node, ast.IfExp):
        return (*_choices(node.body), *_choices(node.orelse))
    if isinstance(node, ast.BoolOp):
        return [choice for value in node.values for choice in _choices(value)]
    return (node,)


# --- the command --------------------------------------------------------------------------------


def main() -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true")
    action.add_argument("--update", action="store_true")
    options = parser.parse_args()
    start()
    texts = template()
    if options.update:
        update(texts)
    wrong = [*formatted(), *problems(texts)]
    print("\n".join(wrong) or f"{len(texts)} texts in {', '.join(languages())}", file=sys.stderr)
    return int(bool(wrong) and options.check)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # the module of 4.5 hangs in an ordinary exit
