# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual's pages, read from the Markdown in docs/.

A page of docs/ becomes a page of the manual, but for the reference, of which each type becomes one: whoever
presses F1 over a slider has to find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

CONTENTS: dict[str, tuple[str, ...]] = {
    "Begin": ("first_terrain", "panels", "gallery"),
    "Use": ("layers", "relief", "terrain_materials", "pictures", "live_materials"),
    "Look up": ("reference",),
    "Go further": (*("conventions", "bounds", "adding_a_surface", "adding_a_noise", "benchmarks"),),
}
"""What stands where in the table of contents."""

REFERENCE = "reference"
KINDS = {
    "Modifiers": "modifier",
    "Masks": "mask",
    "Maps": "map",
    "Colorings": "coloring",
    "Surfaces": "surface",
    "Operators": "operator",
}
"""How the names of a section's pages begin; the other sections are families of noise."""

NAMED = {"parameter": "", "keyword": "", "preference": "", "map": "map-"}
"""Headings of first columns whose cells get an anchor, and how it begins: a modifier can have a parameter
of the same name as a map that it makes."""

NOTES = ("**Notes.**", "**References.**")
"""Begin what is written of a type for those who want to know more."""

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclass
class Page:
    """One page: its file's name without an ending, its title, and what is on it."""

    name: str
    title: str
    section: str
    tokens: list[Token]
    source: str
    subtitle: str = ""
    children: list[Page] = field(default_factory=list)

    def anchors(self) -> Iterator[tuple[str, str, str]]:
        """Yield level, anchor and text of every heading below the title."""
        for token, inline in zip(self.tokens, self.tokens[1:]):
            if token.type == "heading_open" and token.tag != "h1":
                yield token.tag, str(token.attrGet("id")), plain(inline)


def pages(docs: Path) -> list[Page]:
    """Return every page in the order of the contents, those of types below the reference.

    Raises
    ------
    ValueError
        If a page in docs/ has no place in the contents, or the contents name one that is not there.
    """
    named = [name for names in CONTENTS.values() for name in names]
    there = {path.stem for path in docs.glob("*.md")}
    if set(named) != there:
        raise ValueError(
            f"manual_pages.CONTENTS and docs/ differ by {sorted(set(named) ^ there)}: say where they belong"
        )
    made = []
    for section, names in CONTENTS.items():
        for name in names:
            tokens = read(docs / f"{name}.md")
            page = Page(name, _title(tokens), section, tokens, name)
            made.append(_split(page) if name == REFERENCE else page)
    return made


def every(listed: Sequence[Page]) -> Iterator[Page]:
    """Yield pages, each followed by those below it."""
    for page in listed:
        yield page
        yield from page.children


def read(path: Path) -> list[Token]:
    """Return a Markdown file as tokens: headings and named rows have ids, empty table heads are gone."""
    tokens = [
        token
        for token in _MARKDOWN.parse(path.read_text(encoding="utf-8"))
        if not (token.type == "html_block" and token.content.startswith("<!--"))
    ]
    for token, inline in zip(tokens, tokens[1:]):
        if token.type == "heading_open":
            token.attrSet("id", slug(inline.content))
    return list(_without_empty_heads(tokens))


def slug(heading: str) -> str:
    """Return the anchor of a heading, as code forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def plain(inline: Token) -> str:
    """Return the text of a heading without its markup."""
    return "".join(child.content for child in inline.children or ())


def _title(tokens: Sequence[Token]) -> str:
    return next(plain(after) for token, after in zip(tokens, tokens[1:]) if token.tag == "h1")


def _without_empty_heads(tokens: Sequence[Token]) -> Iterator[Token]:
    """Leave out table heads without a word: Markdown has to have them, pictures in rows do not."""
    places = iter(range(len(tokens)))
    for place in places:
        if tokens[place].type == "thead_open":
            end = next(i for i in range(place, len(tokens)) if tokens[i].type == "thead_close")
            if not any(token.content.strip() for token in tokens[place:end]):
                for _ in range(place, end):
                    next(places)
                continue
        yield tokens[place]


# --- the reference ------------------------------------------------------------------------------


def _split(page: Page) -> Page:
    """Return the reference with its sections' beginnings, and what they are about as pages below it.

    A type is one such page, and so is a section without types.
    """
    kept: list[Token] = []
    section, current = "", kept
    headings = [place for place, token in enumerate(page.tokens) if token.type == "heading_open"]
    levels = {place: page.tokens[place].tag for place in headings}
    after = {place: levels.get(later) for place, later in zip(headings, [*headings[1:], None])}
    for place, token in enumerate(page.tokens):
        level = levels.get(place)
        if level == "h2":
            section, current = plain(page.tokens[place + 1]), kept
            if after[place] != "h3":
                kept += page.tokens[place : place + 3]
        if level == "h3" or (level == "h2" and after[place] != "h3"):
            child = _part(section, page.tokens[place + 1], str(token.attrGet("id")))
            page.children.append(child)
            current = child.tokens
        current.append(token)
    page.tokens = kept
    for child in page.children:
        del child.tokens[:3]  # the heading, which is the page's title
        child.tokens = _with_notes_last(child.tokens)
    return page


def _part(section: str, heading: Token, anchor: str) -> Page:
    """Return an empty page of the reference, by a heading like "Perlin: `Perlin`, key `perlin`"."""
    title, _, subtitle = heading.content.partition(": ")
    keys = re.findall(r"`([^`]+)`", subtitle)
    name = f"{KINDS.get(section, 'noise')}_{keys[-1].rpartition('.')[2]}" if keys else anchor
    # What is no type keeps its anchor among the sections, where the reference lists it.
    source = f"{REFERENCE}#{anchor}" if keys else f"{REFERENCE}/{anchor}"
    return Page(name, title, section, [], source, _MARKDOWN.renderInline(subtitle))


def _with_notes_last(tokens: Sequence[Token]) -> list[Token]:
    """Let what a type does be followed by its parameters: notes and references come after them."""
    starts = [place for place, token in enumerate(tokens) if token.content.startswith(NOTES)]
    if not starts:
        return list(tokens)
    start = starts[0] - 1
    places = range(start, len(tokens))
    end = next((place for place in places if tokens[place].type == "table_open"), len(tokens))
    return [*tokens[:start], *tokens[end:], *tokens[start:end]]


# --- links, tables, text ------------------------------------------------------------------------


def targets(listed: Sequence[Page]) -> dict[str, str]:
    """Return where the links of the Markdown lead to, "layers#masks" to "layers.html#masks"."""
    found = {}
    for page in every(listed):
        found[page.source] = f"{page.name}.html"
        for _, anchor, _ in page.anchors():
            found[f"{page.source.partition('#')[0]}#{anchor}"] = f"{page.name}.html#{anchor}"
    return found


def link(tokens: Sequence[Token], source: str, known: dict[str, str]) -> None:
    """Let links lead to the pages of the manual.

    Raises
    ------
    ValueError
        If a page of the manual links to something that is not in it.
    """
    own = source.partition("#")[0]
    for child in children(tokens):
        address = str(child.attrGet("href") or "")
        if child.type != "link_open" or re.match(r"[a-z]+:", address):
            continue
        path, _, anchor = address.partition("#")
        asked = (path.removesuffix(".md") or own) + (f"#{anchor}" if anchor else "")
        if asked not in known:
            raise ValueError(f"docs/{own}.md links to {address}, which is not in the manual")
        child.attrSet("href", known[asked])


def children(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield what is within the lines of text: links, pictures, words."""
    for token in tokens:
        yield from token.children or ()


def tables(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each table."""
    start = 0
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            start = place
        elif token.type == "table_close":
            yield tokens[start : place + 1]


def columns(table: Sequence[Token]) -> int:
    """Return how many columns a table has."""
    end = next(place for place, token in enumerate(table) if token.type == "tr_close")
    return sum(token.type in ("th_open", "td_open") for token in table[:end])


def name_rows(tokens: Sequence[Token]) -> None:
    """Give rows of parameters, keywords and maps an anchor: their name.

    Raises
    ------
    ValueError
        If two things on a page have the same anchor.
    """
    taken = [str(token.attrGet("id")) for token in tokens if token.type == "heading_open"]
    for table in tables(tokens):
        rows = [place for place, token in enumerate(table) if token.type == "tr_open"]
        begin = NAMED.get(table[rows[0] + 2].content)
        if begin is None:
            continue
        for place in rows[1:]:
            name = begin + table[place + 2].content.strip("`")
            table[place].attrSet("id", name)
            taken.append(name)
    twice = sorted({name for name in taken if taken.count(name) > 1})
    if twice:
        raise ValueError(f"two things have the anchor {twice}")


def rendered(tokens: Sequence[Token]) -> str:
    """Return tokens as HTML."""
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def summary(page: Page) -> str:
    """Return the first sentence of a page, as HTML."""
    paragraphs = zip(page.tokens, page.tokens[1:])
    inline = next(after for token, after in paragraphs if token.type == "paragraph_open")
    first = re.split(r"(?<=[.])\s(?=[A-Z])", inline.content.replace("\n", " "), maxsplit=1)[0]
    return str(_MARKDOWN.renderInline(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", first)))
