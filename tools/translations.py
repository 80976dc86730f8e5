# SPDX-License-Identifier: GPL-3.0-or-later
"""Which texts the interface shows, and which of them are translated.

    python tools/translations.py --check               what is missing or no longer shown; fails if anything is
    python tools/translations.py --missing de       the texts without a translation, as JSON
    python tools/translations.py --add de new.json  take translations over, drop what is not shown any more

Python needs the module bpy. Labels and tooltips are read off what is registered, so that whatever was
made from declarations is there; texts that panels draw and messages are read off the source.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import json
import os
import re
import string
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = "bl_ext.user_default.terrane"
LANGUAGES = ("de", "ja", "ko")
FOLDER = ROOT / "translations"

DRAWN = ("text", "heading", "placeholder", "name", "description", "title")
"""Keywords of calls whose text is shown."""

SHOWN_CLASS_TEXTS = ("bl_label", "bl_description", "doing")

RAISED = {"TerraneError": 0, "ParameterError": 0, "RecipeError": 0, "report": 2, "draw_text": 2}
"""Calls that take a message, and where."""

TABLES = {"OBJECT": 1, "IMAGE": 1, "PAGE": 0}
"""Tables of what menus and pages show, by their names, and in which column the text is."""

TRANSLATED_AT_ONCE = ("pgettext_iface", "pgettext_tip", "iface_", "shown")
"""Calls that translate a text where it is shown."""

CORE = (
    "checks.py", "colors/ramp.py", "colors/spaces.py", "file_names.py", "json_texts.py", "masks/*.py",
    "migrations.py", "modifier.py", "noise.py", "noises/*.py", "preset_files.py", "preset_library.py", "recipe.py",
    "serial.py", "surfaces/*.py",
    "warping/reach.py",
)  # fmt: skip
"""Files of the core whose messages are translated: what is wrong with a parameter, with a recipe that
was pasted, or with a preset or a surface of a user's own; most of what it says."""

WHO = "Recipe: "
"""Begins messages about recipes; panels and reports, which speak of nothing else, leave it out."""

NOTES = {"queue.py", "live.py", "terrain_task.py", "image_task.py"}
"""Names of files whose constants are sentences for the user."""

_BLENDERS_NAME = "Unique name used in the code"
"""Begins the tooltip of the name that every group of properties has."""

BRITISH = re.compile(
    r"\w*(?:colour|neighbour|armour|fibre|ancelle|ancelli)\w*|grey\b|\w*metres?\b|centres?\b|\w+alise[ds]?\b",
    re.IGNORECASE,
)
"""Spellings that Blender's interface has otherwise; those that the texts would have, not all there are."""

SPELLED = frozenset()
"""Texts with keywords of scripts, which stay as they are for ever."""

SAME = frozenset({"Terrane", "UV", "X", "Y", "Z"})
"""Names, the same in every language."""


def collected() -> dict[str, str]:
    """Return every text that is shown, with one place where; Blender runs, the extension is enabled."""
    found: dict[str, str] = {}
    for text, where in (*_registered(), *_presets(), *_written()):
        text = text.strip()
        if _is_text(text):
            found.setdefault(text, where)
    return found


def translated(language: str) -> dict[str, str]:
    """Return the translations that there are, by the English text."""
    path = FOLDER / f"{language}.py"
    if not path.exists():
        return {}
    spec = importlib.util.spec_from_file_location(language, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.MESSAGES)


def problems(found: Iterable[str]) -> list[str]:
    """Return what is wrong with the translations, one line each."""
    wanted, wrong = set(found), []
    for text in sorted(wanted - SPELLED):
        wrong += [f"not American: {word!r} in {text!r}" for word in BRITISH.findall(text)]
    for language in LANGUAGES:
        there = translated(language)
        wrong += [f"{language}: missing {text!r}" for text in sorted(wanted - set(there))]
        wrong += [f"{language}: no longer shown {text!r}" for text in sorted(set(there) - wanted)]
        wrong += [
            f"{language}: other places for values than {text!r}: {there[text]!r}"
            for text in sorted(wanted & set(there))
            if len(_fields(text)) != len(_fields(there[text]))
        ]
        if list(there) != sorted(there):
            wrong.append(f"{language}: not sorted")
        wrong += [f"{language}: empty {text!r}" for text, other in there.items() if not other]
    return wrong


def write(language: str, messages: dict[str, str]) -> None:
    """Write the file of a language."""
    own = dict(sorted(messages.items()))
    name = {"de": "German", "ja": "Japanese", "ko": "Korean"}[language]
    lines = [
        "# SPDX-License-Identifier: GPL-3.0-or-later",
        f'"""The interface in {name}; sorted, written by tools/translations.py --add."""',
        "",
        "MESSAGES = {",
        *(f"    {_quoted(text)}: {_quoted(other)}," for text, other in own.items()),
        "}",
    ]
    path = FOLDER / f"{language}.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    double = json.dumps(text, ensure_ascii=False)
    return f"'{text}'" if '"' in text and not set("'\\") & set(text) else double


def _fields(text: str) -> list[str]:
    """Return the places of a text that values are put into; {1} is the second one, wherever it stands."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


def _is_text(text: str) -> bool:
    return text not in SAME and any(letter.isalpha() for letter in text.replace("{}", ""))


# --- what is registered -------------------------------------------------------------------------


def _registered() -> Iterator[tuple[str, str]]:
    """Yield labels and tooltips of classes, properties and choices."""
    import bpy

    seen: set[str] = set()
    for name in dir(bpy.types):
        if name.startswith("TERRANE"):
            cls = getattr(bpy.types, name)
            for attribute in SHOWN_CLASS_TEXTS[:2]:
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
    base = {"rna_type", "bl_idname"}
    if rna.identifier in seen:
        return
    seen.add(rna.identifier)
    for prop in rna.properties:
        is_blenders = prop.identifier in base or prop.description.startswith(_BLENDERS_NAME)
        if not is_blenders and not prop.is_hidden:
            yield from _property(prop, rna.identifier, seen)


def _property(prop: Any, owner: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    where = f"{owner}.{prop.identifier}"
    if prop.type in ("POINTER", "COLLECTION") and "TERRANE" in prop.fixed_type.identifier:
        yield from _properties(prop.fixed_type, seen)
        if prop.type == "POINTER":
            return  # its name is never drawn
    yield prop.name, where
    yield prop.description, where
    if prop.type == "ENUM":
        for item in prop.enum_items_static_ui:
            yield item.name, f"{where}: {item.identifier}"
            yield item.description, f"{where}: {item.identifier}"


def _presets() -> Iterator[tuple[str, str]]:
    """Yield what menus say of the presets that are shipped."""
    library = importlib.import_module(f"{EXTENSION}.noise_core.preset_library")
    for name in (library.PLAIN, *library.shipped_names()):
        shipped = library.preset(name)
        yield shipped.label, f"preset {name}"
        yield shipped.description.rstrip("."), f"preset {name}"


# --- what is written ----------------------------------------------------------------------------


def _written() -> Iterator[tuple[str, str]]:
    """Yield what panels draw, and messages; values that are put into them are {}."""
    paths = [path for folder in ("operators", "ui") for path in (ROOT / folder).rglob("*.py")]
    for path in sorted(
        [*paths, *(path for name in CORE for path in (ROOT / "noise_core").glob(name))]
    ):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        where = str(path.relative_to(ROOT))
        for node in (*_texts(tree), *(_sentences(tree) if path.name in NOTES else ())):
            for text in _options(node):
                yield text.removeprefix(WHO), f"{where}:{node.lineno}"


def _texts(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions whose text is shown."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _arguments(node)
        elif isinstance(node, ast.Assign):
            names = {one.id for one in node.targets if isinstance(one, ast.Name)}
            if names & {"reason", *SHOWN_CLASS_TEXTS}:
                yield node.value
            elif names & set(TABLES):
                yield from _rows(node.value, TABLES[(names & set(TABLES)).pop()])
        elif isinstance(node, ast.FunctionDef) and "why_not" in node.name:
            yield from (
                one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value
            )


def _sentences(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the constants of a module that are sentences, not the names of something."""
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Constant) and " " in str(value.value):
            yield value


def _rows(table: ast.expr, column: int) -> Iterator[ast.expr]:
    """Yield the texts in a column of a table that is written as tuples."""
    if isinstance(table, ast.Tuple):
        for row in table.elts:
            if isinstance(row, ast.Tuple) and len(row.elts) > column:
                yield row.elts[column]


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in RAISED and len(call.args) > RAISED[name]:
        yield call.args[RAISED[name]]
    elif name in TRANSLATED_AT_ONCE or name == "poll_message_set":
        yield from call.args[:1]
    elif name == "titled_row":
        yield from call.args[1:]
    elif name == "refuses":
        yield from call.args[1:]
    elif name in ("label", "operator", "prop", "menu", "progress", "operator_menu_enum"):
        yield from (one.value for one in call.keywords if one.arg in DRAWN)
    elif name in ("column", "row", "popover"):
        yield from (one.value for one in call.keywords if one.arg in ("heading", "text"))


def _options(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may have, if they are written in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "{}" for one in node.values]
        yield "".join(map(str, parts))
    elif isinstance(node, ast.IfExp):
        yield from _options(node.body)
        yield from _options(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for one in node.values:
            yield from _options(one)


# --- the command --------------------------------------------------------------------------------


def begin() -> None:
    """Start Blender's module with the extension as it lies here."""
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="terrane-profile-")
    folder = Path(os.environ["BLENDER_USER_RESOURCES"], "extensions", "user_default")
    folder.mkdir(parents=True)
    (folder / "terrane").symlink_to(ROOT)
    import bpy  # noqa: F401, I001  (before addon_utils, which it makes importable)
    import addon_utils

    if addon_utils.enable(EXTENSION, default_set=True) is None:
        raise SystemExit("the extension cannot be enabled: see above")


def main() -> int:
    """Do what the command line says; return whether it failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--missing", choices=LANGUAGES)
    parser.add_argument("--add", nargs=2, metavar=("LANGUAGE", "FILE"))
    options = parser.parse_args()
    begin()
    found = collected()
    if options.missing:
        there = translated(options.missing)
        json.dump(
            [one for one in sorted(found) if one not in there],
            sys.stdout,
            indent=0,
            ensure_ascii=False,
        )
        return 0
    if options.add:
        language, file = options.add
        messages = translated(language) | json.loads(Path(file).read_text(encoding="utf-8"))
        write(language, {text: other for text, other in messages.items() if text in found})
    wrong = problems(found)
    print("\n".join(wrong) or f"{len(found)} texts in {len(LANGUAGES)} languages", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # the module of 4.5 hangs in an ordinary exit
