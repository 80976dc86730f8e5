# SPDX-License-Identifier: GPL-3.0-or-later
"""Additions to MkDocs: pages made of the declarations, and the manual inside the zip.

The manual is the site without the pages for developers, made to be read from disk (see manual.yml). Blender
opens its pages at a setting or an operator. Windows and macOS drop the text behind a # when a program has
the browser open a file, so each anchor has a page that leads to it: at/noise_perlin/fade.html leads to
reference/noises_basic.html#noise_perlin.fade.
"""

from __future__ import annotations

import json
import re
import string
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parents[1]
sys.path[:0] = [str(ROOT), str(TOOLS)]

import bundled_works  # noqa: E402  (found through the path set above)
import operator_topics  # noqa: E402
import type_topics  # noqa: E402
from pictures import PictureSizes, save_copies, use_copies  # noqa: E402

DEVELOPERS = ("develop/", "api/")
"""Where the pages lie that the manual leaves out."""

SITE_ONLY = re.compile(r"<!-- site -->.*?<!-- /site -->", re.DOTALL)
"""Parts of pages that the manual leaves out: they lead to pages that it does not have."""

ANCHORS = "anchors.json"
"""Which anchors each page and each subject of the reference has; ui/manual.py leads to these."""

PLACES = "at"

PLACE = string.Template("""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Terrane</title>
<meta http-equiv="refresh" content="0; url=$target"><a href="$target">Terrane</a></html>
""")

UNUSED = ("404.html", "sitemap.xml", "sitemap.xml.gz", "search/search_index.json")
UNUSED_PATTERNS = ("**/*.map", "objects.inv", "**/.*")
"""Files that a reader of the manual has no use for."""

OTHER_LANGUAGES = ("assets/javascripts/lunr/**/*",)
"""Searching in them, for which neither the manual nor the site has pages."""

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TOOLS / "templates"), undefined=jinja2.StrictUndefined
)
_sizes = PictureSizes()
_anchors: dict[str, set[str]] = {}
"""The anchors of each page, by its address."""

_subjects: set[str] = set()
"""What the reference has an entry for: "noise_perlin"."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the version, the pictures' sizes and, for the manual, a shorter list of pages."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    config.site_name = f"{manifest['name']} {manifest['version']}"
    config.markdown_extensions.append(_sizes)  # type: ignore[arg-type]
    _sizes.widths.clear()
    _anchors.clear()
    if _is_manual(config):
        config.nav = list(_without_developers(config.nav or []))
    return config


def _is_manual(config: MkDocsConfig) -> bool:
    return bool(config.extra.get("manual"))


def _without_developers(entries: list[Any]) -> Iterator[Any]:
    for entry in entries:
        if isinstance(entry, dict):
            ((title, below),) = entry.items()
            kept = below
            if isinstance(below, list):
                kept = list(_without_developers(below))
            elif below.startswith(DEVELOPERS):
                kept = []
            if kept:
                yield {title: kept}
        elif not entry.startswith(DEVELOPERS):
            yield entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the reference, the gallery and the licenses."""
    topics = [*type_topics.topics(), *operator_topics.topics()]
    _subjects.update(entry.subject for topic in topics for entry in topic.entries)
    pages = {f"reference/{topic.name}.md": _render("topic.md", topic=topic) for topic in topics}
    pages["reference/index.md"] = _render("reference.md", topics=topics)
    pages["licenses.md"] = _render("licenses.md", works=bundled_works.works())
    pages["gallery.md"] = _render("gallery.md", gallery=type_topics.gallery())
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    if _is_manual(config):
        for file in [file for file in files if file.src_uri.startswith(DEVELOPERS)]:
            files.remove(file)
    return files


def _render(template: str, **values: object) -> str:
    return _templates.get_template(template).render(values)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Remove links to pages that the manual does not have."""
    return SITE_ONLY.sub("", markdown) if _is_manual(config) else markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Note the anchors of a page; let the manual show its own copies of pictures."""
    _anchors[page.file.dest_uri] = set(page.present_anchor_ids or ())
    return use_copies(html) if _is_manual(config) else html


@event_priority(-200)  # after the plugins have written their files
def on_post_build(config: MkDocsConfig) -> None:
    """Remove unused files; make the manual small, and its anchors places that Blender can open."""
    folder = Path(config.site_dir)
    unused = OTHER_LANGUAGES
    if _is_manual(config):
        save_copies(folder / "images", _sizes.widths)
        unused = (*unused, *UNUSED, *UNUSED_PATTERNS)
    for path in _matching(folder, unused):
        if path.is_file():
            path.unlink()
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    if _is_manual(config):
        _save_places(folder)


def _matching(folder: Path, patterns: Iterable[str]) -> Iterator[Path]:
    for pattern in patterns:
        yield from folder.glob(pattern)


def _save_places(folder: Path) -> None:
    """Write the list of anchors, and the pages that lead to them."""
    listed: dict[str, list[str]] = {}
    for subject, anchor, page in sorted(_places()):
        listed.setdefault(subject, [])
        name = subject
        if anchor:
            listed[subject].append(anchor)
            name = f"{subject}/{anchor}"
        target = f"{'../' * (name.count('/') + 1)}{page}"
        path = folder / PLACES / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PLACE.substitute(target=target), encoding="utf-8")
    (folder / ANCHORS).write_text(json.dumps(listed, indent=1), encoding="utf-8")


def _places() -> Iterator[tuple[str, str, str]]:
    """Yield the subject and the anchor of each place, and the address in the manual.

    A subject is a page, or a type, preset, surface or operator in the reference.
    """
    for page, anchors in _anchors.items():
        for anchor in anchors:
            if not anchor.isascii():
                continue
            address = f"{page}#{anchor}"
            subject, _, name = anchor.partition(".")
            if subject in _subjects:
                yield subject, name, address
            elif not page.startswith("reference/"):
                yield page.removesuffix(".html"), anchor, address
