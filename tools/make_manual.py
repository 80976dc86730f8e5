# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the manual that ships with the extension, in manual/: MkDocs with tools/docs/manual.yml.

python tools/make_manual.py                    # does nothing if manual/ is up to date

Everything that builds a zip runs this first; manual/ is not in the repository.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MANUAL = ROOT / "manual"
CONFIGURATION = ROOT / "tools" / "docs" / "manual.yml"
DIGEST = ".digest"
"""Digest of all that a manual was made from. The builder leaves files with a dot out of the zip."""

SOURCES = ("docs", "tools/docs", "noise_core", "operators")
FILES = ("mkdocs.yml", "pyproject.toml", "blender_manifest.toml", "tools/make_manual.py")


def main() -> None:
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
