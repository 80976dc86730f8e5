# SPDX-License-Identifier: GPL-3.0-or-later
"""Make what the zip holds and the repository does not: the manual and the translations in the form that is loaded.

    python tools/make_shipped.py                   # leaves the manual as it is if it is up to date

MkDocs makes manual/ with tools/docs/manual.yml; translations/texts.json is made of the .po files. Everything that builds a
zip runs this first.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]
MANUAL = ROOT / "manual"
TRANSLATIONS = ROOT / "translations"
TEXTS = TRANSLATIONS / "texts.json"
CONFIGURATION = ROOT / "tools" / "docs" / "manual.yml"
DIGEST = ".digest"
"""Digest of all that a manual was made from. The builder leaves files with a dot out of the zip."""

SOURCES = ("docs", "tools/docs", "noise_core", "operators")
FILES = ("mkdocs.yml", "pyproject.toml", "blender_manifest.toml", "tools/make_shipped.py")


def main() -> None:
    """Make both."""
    texts = compiled_translations(TRANSLATIONS)
    if not TEXTS.exists() or TEXTS.read_text(encoding="utf-8") != texts:
        TEXTS.write_text(texts, encoding="utf-8", newline="\n")
    make_manual()


def compiled_translations(folder: Path) -> str:
    """Return the translations of all .po files of a folder as JSON: the English texts, then those of each language.

    Texts of one language stand together: the zip compresses them to four fifths of what rows of all languages take.
    Empty and fuzzy ones are empty. `translations.read` loads it.
    """
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.stem)
        found[path.stem] = {
            str(message.id): str(message.string)
            for message in catalog
            if message.id and message.string and not message.fuzzy
        }
    texts = sorted(set().union(*found.values()))
    columns = {"texts": texts}
    columns |= {one: [here.get(text, "") for text in texts] for one, here in found.items() if here}
    return json.dumps(columns, ensure_ascii=False, indent=0) + "\n"


def make_manual() -> None:
    """Build the manual, unless it is there and made from the same sources."""
    digest = _digest()
    kept = MANUAL / DIGEST
    if kept.exists() and kept.read_text(encoding="utf-8") == digest:
        return
    # Built in another folder and renamed: another session may build a zip at the same time.
    with tempfile.TemporaryDirectory(prefix=".manual-", dir=ROOT) as name:
        folder, old = Path(name) / "new", Path(name) / "old"
        build(CONFIGURATION, folder)
        (folder / DIGEST).write_text(digest, encoding="utf-8")
        if MANUAL.exists():
            MANUAL.rename(old)
        folder.rename(MANUAL)
    print(f"manual/ has {len(list(MANUAL.glob('*.html')))} pages and a reference")


def build(configuration: Path, folder: Path) -> None:
    """Build a site with MkDocs; a broken link or a page without a place in the contents is an error."""
    # The theme announces its successor on the console unless told not to. `--quiet` would hide warnings
    # from `--strict`, so the console is kept and shown if something is wrong.
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    command += ["--config-file", str(configuration), "--site-dir", str(folder)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def _digest() -> str:
    """Return a digest of everything that the manual is made from."""
    sources = [ROOT / name for name in FILES]
    sources += [path for name in SOURCES for path in (ROOT / name).rglob("*")]
    digest = hashlib.sha256()
    for path in sorted(path for path in sources if path.is_file() and path.suffix != ".pyc"):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
