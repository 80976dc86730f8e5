# SPDX-License-Identifier: GPL-3.0-or-later
"""Additions to MkDocs: pages made of the declarations, and the manual inside the zip.

The manual is the site without the pages for developers, without scripts and with few pictures, made to be read
from disk (see manual.yml). Blender opens its pages at a setting or an operator: ui/manual.py.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
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
from pictures import FewPictures, PictureSizes, save_copies  # noqa: E402

SITE_PAGES = (
    *("develop/", "api/", "cookbook/", "recipes_by_programs.md", "recipe.schema.json"),
    *("bounds.md", "comparison.md", "gallery.md"),
)
"""Where the pages lie that the manual leaves out: those for developers, proofs, sources, and the one that is all pictures."""

SITE_ONLY = re.compile(r"<!-- site -->.*?<!-- /site -->", re.DOTALL)
"""Parts of pages that the manual leaves out."""

SITE_LINK = re.compile(
    rf"\[([^\]]+)\]\((?:\.\./)*(?:{'|'.join(map(re.escape, SITE_PAGES))})[^)]*\)"
)
"""Links to pages that the manual does not have; it keeps their words."""

OTHER_LANGUAGES = "assets/javascripts/lunr/**/*"
"""Searching in them, for which the site has no pages."""

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TOOLS / "templates"), undefined=jinja2.StrictUndefined
)
_few = FewPictures()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the version, the size of pictures and, for the manual, a shorter list of pages."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    config.site_name = f"{manifest['name']} {manifest['version']}"
    if "website" in manifest and not _is_manual(config):
        config.site_url = f"{manifest['website'].rstrip('/')}/"
    pictures = _few if _is_manual(config) else PictureSizes()
    config.markdown_extensions.append(pictures)  # type: ignore[arg-type]
    if _is_manual(config):
        config.nav = list(_without_site_pages(config.nav or []))
    return config


def _is_manual(config: MkDocsConfig) -> bool:
    return bool(config.extra.get("manual"))


def _without_site_pages(entries: list[Any]) -> Iterator[Any]:
    for entry in entries:
        if isinstance(entry, dict):
            ((title, below),) = entry.items()
            kept = below
            if isinstance(below, list):
                kept = list(_without_site_pages(below))
            elif below.startswith(SITE_PAGES):
                kept = []
            if kept:
                yield {title: kept}
        elif not entry.startswith(SITE_PAGES):
            yield entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the reference, the gallery and the licenses."""
    topics = [*type_topics.topics(), *operator_topics.topics()]
    works = () if _is_manual(config) else bundled_works.works()
    pages = {f"reference/{topic.name}.md": _render("topic.md", topic=topic) for topic in topics}
    pages["reference/index.md"] = _render("reference.md", topics=topics)
    pages["licenses.md"] = _render("licenses.md", works=works)
    pages["gallery.md"] = _render("gallery.md", gallery=type_topics.gallery())
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    if _is_manual(config):
        for file in [file for file in files if file.src_uri.startswith(SITE_PAGES)]:
            files.remove(file)
    return files


def _render(template: str, **values: object) -> str:
    return _templates.get_template(template).render(values)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Remove links to pages that the manual does not have."""
    if not _is_manual(config):
        return markdown
    return SITE_LINK.sub(r"\1", SITE_ONLY.sub("", markdown))


@event_priority(-200)  # after the plugins have written their files
def on_post_build(config: MkDocsConfig) -> None:
    """Remove what no reader asks for."""
    folder = Path(config.site_dir)
    if _is_manual(config):
        save_copies(folder / "images", _few.shown)
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (folder / name).unlink(missing_ok=True)
    for path in folder.glob(OTHER_LANGUAGES):
        if path.is_file():
            path.unlink()
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
