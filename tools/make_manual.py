# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the manual that ships with the extension: docs/ as pages for a browser, in manual/.

python tools/make_manual.py                    # does nothing if manual/ is up to date

Blender's "Online Manual", F1 and the buttons with a question mark open its pages from disk: see
operators/bridge/manual.py. Everything that makes a zip runs this first; manual/ is not in the repository.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
import string
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(__file__).resolve().parent
sys.path[:0] = [str(TOOLS)]

import manual_pages  # noqa: E402  (found through the path set above)
from manual_pages import Page  # noqa: E402
from manual_pictures import Pictures  # noqa: E402

MANUAL = ROOT / "manual"
DOCS = ROOT / "docs"
STYLE = TOOLS / "manual.css"
TEMPLATE = TOOLS / "manual.html"
DIGEST = ".digest"
"""Says what a manual was made of. The builder leaves files with a dot out of the zip."""

ANCHORS = "anchors.json"
"""Which anchors each page has: ui/manual.py leads to these."""

PLACES = "at"
"""Folder with a page for each anchor, which leads to it: at/layers/masks.html to layers.html#masks. Windows and
macOS leave out what stands behind the # when a program has the browser open a file."""

PLACE = string.Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Terrane</title>
<meta http-equiv="refresh" content="0; url=$target">
<script>location.replace("$target")</script>
</head>
<body><a href="$target">$target</a></body>
</html>
""")

INDEX = "index"
WELCOME = "Procedural terrain and textures inside Blender. This is the manual of the version that is installed."
WELCOME_PICTURE = "render_alps.jpg"


def main() -> None:
    """Make the manual, unless it is there and made of the same."""
    digest = _digest()
    made = MANUAL / DIGEST
    if made.exists() and made.read_text(encoding="utf-8") == digest:
        return
    # Beside, so that whoever builds a zip meanwhile finds a whole manual.
    with tempfile.TemporaryDirectory(prefix=".manual-", dir=ROOT) as name:
        folder, old = Path(name) / "new", Path(name) / "old"
        folder.mkdir()
        write(folder)
        (folder / DIGEST).write_text(digest, encoding="utf-8")
        if MANUAL.exists():
            MANUAL.rename(old)
        folder.rename(MANUAL)
    print(f"manual/ has {len(list(MANUAL.glob('*.html')))} pages")


def _digest() -> str:
    """Return a number of everything that the manual is made of."""
    sources = [STYLE, TEMPLATE, *TOOLS.glob("*manual*.py"), ROOT / "blender_manifest.toml"]
    sources += [ROOT / "pyproject.toml", *DOCS.rglob("*")]
    told = hashlib.sha256()
    for path in sorted(path for path in sources if path.is_file()):
        told.update(path.relative_to(ROOT).as_posix().encode())
        told.update(hashlib.sha256(path.read_bytes()).digest())
    return told.hexdigest()


def write(folder: Path) -> None:
    """Write every page, the style and the pictures into an empty folder."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    listed = manual_pages.pages(DOCS)
    known = manual_pages.targets(listed)
    pictures = Pictures(DOCS / "images")
    template = string.Template(TEMPLATE.read_text(encoding="utf-8"))
    shown = list(manual_pages.every(listed))
    texts = {page.name: article(page, known, pictures) for page in shown}
    texts[INDEX] = contents(listed, pictures)
    for name, text in texts.items():
        page = next((one for one in shown if one.name == name), None)
        filled = template.substitute(
            title=html.escape(page.title if page else "Manual"),
            product=html.escape(f"{manifest['name']} {manifest['version']}"),
            contents=navigation(listed, page),
            article=text,
            steps=steps(shown, page) if page else "",
        )
        (folder / f"{name}.html").write_text(filled, encoding="utf-8")
    anchors = {page.name: re.findall(r'\bid="([^"]+)"', texts[page.name]) for page in shown}
    (folder / ANCHORS).write_text(json.dumps(anchors, indent=1), encoding="utf-8")
    for name, names in anchors.items():
        write_places(folder / PLACES / name, name, names)
    shutil.copy(STYLE, folder / "style.css")
    pictures.save(folder)


def write_places(folder: Path, page: str, anchors: Sequence[str]) -> None:
    """Write the pages that lead to the anchors of a page, as far as they can be names of files anywhere."""
    folder.mkdir(parents=True)
    for anchor in anchors:
        if anchor.isascii():
            text = PLACE.substitute(target=f"../../{page}.html#{anchor}")
            (folder / f"{anchor}.html").write_text(text, encoding="utf-8")


def article(page: Page, known: dict[str, str], pictures: Pictures) -> str:
    """Return what is on a page, as HTML."""
    summaries = {child.name: manual_pages.summary(child) for child in page.children}
    manual_pages.link(page.tokens, page.source, known)
    manual_pages.name_rows(page.tokens)
    pictures.take(page.tokens)
    parts = []
    if page.section not in manual_pages.CONTENTS:
        parts.append(f"<h1>{html.escape(page.title)}</h1>\n<p class='subtitle'>{page.subtitle}</p>")
        parts += [pictures.html(path.name, 480) for path in pictures.images.glob(f"{page.name}.*")]
    if page.children:
        parts += _with_lists(page, summaries)
    else:
        parts.append(manual_pages.rendered(page.tokens))
    return "\n".join(parts)


def _with_lists(page: Page, summaries: dict[str, str]) -> Iterator[str]:
    """Yield a page section by section, each with a list of the pages that belong to it."""
    places = [n for n, token in enumerate(page.tokens) if token.type == "heading_open"]
    starts = [n for n in places if page.tokens[n].tag == "h2"]
    yield manual_pages.rendered(page.tokens[: starts[0]])
    for start, end in zip(starts, [*starts[1:], len(page.tokens)]):
        yield manual_pages.rendered(page.tokens[start:end])
        section = manual_pages.plain(page.tokens[start + 1])
        below = [child for child in page.children if child.section == section]
        rows = "\n".join(
            f"<dt>{_link(child)}</dt>\n<dd>{summaries[child.name]}</dd>" for child in below
        )
        yield f"<dl>\n{rows}\n</dl>" if below else ""


def contents(listed: Sequence[Page], pictures: Pictures) -> str:
    """Return the first page: what there is to read."""
    parts = ["<h1>Terrane</h1>", f"<p>{WELCOME}</p>", pictures.html(WELCOME_PICTURE, 960)]
    for section, pages in groupby(listed, lambda page: page.section):
        rows = (f"<dt>{_link(page)}</dt>\n<dd>{manual_pages.summary(page)}</dd>" for page in pages)
        parts.append(f"<h2>{html.escape(section)}</h2>\n<dl>\n{chr(10).join(rows)}\n</dl>")
    return "\n".join(parts)


def navigation(listed: Sequence[Page], current: Page | None) -> str:
    """Return the table of contents: all pages, and what is on the current one or beside it."""
    parts = []
    for section, pages in groupby(listed, lambda page: page.section):
        parts.append(f"<p>{html.escape(section)}</p>\n<ul>")
        for page in pages:
            is_here = page is current
            parts.append(f"<li>{_link(page, is_here)}")
            if is_here:
                parts += _list(
                    f"<li><a href='#{anchor}'>{html.escape(text)}</a></li>"
                    for tag, anchor, text in page.anchors()
                    if tag == "h2"
                )
            elif current in page.children:
                section_of = current.section if current else ""
                parts.append(f"<p>{html.escape(section_of)}</p>")
                parts += _list(
                    f"<li>{_link(child, child is current)}</li>"
                    for child in page.children
                    if child.section == section_of
                )
            parts.append("</li>")
        parts.append("</ul>")
    return "\n".join(parts)


def _list(items: Iterator[str]) -> list[str]:
    listed = list(items)
    return ["<ul>", *listed, "</ul>"] if listed else []


def steps(shown: Sequence[Page], page: Page) -> str:
    """Return links to the pages before and after one."""
    place = shown.index(page)
    before, after = shown[place - 1 : place], shown[place + 1 : place + 2]
    parts = [f"<a rel='prev' href='{one.name}.html'>{html.escape(one.title)}</a>" for one in before]
    parts += [f"<a rel='next' href='{one.name}.html'>{html.escape(one.title)}</a>" for one in after]
    return "\n".join(parts)


def _link(page: Page, is_here: bool = False) -> str:
    current = " aria-current='page'" if is_here else ""
    return f"<a href='{page.name}.html'{current}>{html.escape(page.title)}</a>"


if __name__ == "__main__":
    main()
