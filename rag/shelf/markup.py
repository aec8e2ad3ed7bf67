"""Markdown and HTML to blocks: what a reader sees, without the marks.

Links keep their words and lose their address, images keep their description; nothing is ever fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PreformattedString
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag.shelf.blocks import Draft, fact_of, one_line

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<body>.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_META_LINE = re.compile(r"(?P<key>[\w-]+)[ \t]*:[ \t]*(?P<value>.*)")
BOLD_LINE = 7  # the level of a bold line that serves as a heading: below every real one
LONGEST_BOLD_LINE = 80
_SOFT = "\v"  # no text holds one: the cleaning of texts removes it
_LABEL_END = (".", ":", "?", "!", "؟", "：")


def read_markdown(text: str) -> Draft:
    """Return the blocks of a Markdown file; front matter becomes metadata."""
    draft = Draft()
    matter = _FRONT_MATTER.match(text)
    if matter:
        for line in matter["body"].splitlines():
            pair = _META_LINE.fullmatch(line.strip())
            if pair:
                draft.metadata[pair["key"].lower()] = pair["value"].strip().strip("\"'")
        text = text[matter.end() :]
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    _MarkdownWalk(draft).walk(tokens)
    return draft


class _MarkdownWalk:
    """One pass over the tokens of a Markdown file."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.level = 0
        self.items = 0  # how many lists we are inside
        self.marker = ""
        self.in_cell = False
        self.cells: list[str] = []
        self.columns: tuple[str, ...] = ()

    def walk(self, tokens: Sequence[Token]) -> None:
        """Add every token's words to the draft."""
        for token in tokens:
            match token.type:
                case "heading_open":
                    self.level = int(token.tag[1:])
                case "heading_close":
                    self.level = 0
                case "list_item_open":
                    self.items += 1
                    self.marker = f"{token.info}{token.markup} " if token.info else ""
                case "list_item_close":
                    self.items -= 1
                case "thead_open":
                    self.columns = ()
                case "tr_open":
                    self.cells = []
                case "tr_close":
                    self._row()
                case "th_open" | "td_open":
                    self.in_cell = True
                case "th_close" | "td_close":
                    self.in_cell = False
                case "inline":
                    self._inline(token)
                case "fence" | "code_block":
                    self.draft.add_lines(token.content)
                case "html_block":
                    _walk_html(_parsed(token.content), self.draft)
                case _:
                    pass

    def _row(self) -> None:
        if self.columns:
            self.draft.add_row(self.columns, self.cells)
        else:
            self.columns = tuple(self.cells)
            self.draft.add("columns", " | ".join(filter(None, self.cells)))

    def _inline(self, token: Token) -> None:
        words, marked, label = _inline_words(token.children or [])
        if self.in_cell:
            self.cells.append(words.replace("\n", " "))
        elif self.level:
            self.draft.add("heading", words.replace("\n", " "), level=self.level)
        elif _is_bold_line(words, marked) and not self.items:
            self.draft.add("heading", words, level=BOLD_LINE)
        elif self.items:
            fact = fact_of(words.replace("\n", " "))
            item = self.marker + words.replace("\n", " ")
            self.draft.add("item", item, label=fact[0] if fact else label, marked=marked)
            self.marker = ""
        else:
            self.draft.add_lines(words, label=label, marked=marked)


def _is_bold_line(words: str, marked: Sequence[str]) -> bool:
    """Return whether a paragraph is a heading in disguise: nothing but a few bold words."""
    return (
        len(marked) == 1
        and len(words) <= LONGEST_BOLD_LINE
        and words.strip().rstrip(".:?!؟：") == marked[0].strip().rstrip(".:?!؟：")
    )


def _inline_words(children: Sequence[Token]) -> tuple[str, list[str], str]:
    """Return the words of an inline token, those in bold, and the bold words that open it as a label."""
    parts: list[str] = []
    marked: list[str] = []
    opened: int | None = None
    label = ""
    for child in children:
        match child.type:
            case "softbreak":
                parts.append(_SOFT)
            case "hardbreak":
                parts.append("\n")
            case "strong_open":
                opened = len(parts)
            case "strong_close" if opened is not None:
                bold = "".join(parts[opened:]).strip()
                marked.append(bold.rstrip(".:?!؟："))
                if not "".join(parts[:opened]).strip() and bold.endswith(_LABEL_END):
                    label = marked[-1].strip()
                opened = None
            case "image":
                parts.append(child.content)
            case "html_inline" if child.content.lower().startswith("<br"):
                parts.append("\n")
            case "text" | "code_inline" | "text_special":
                parts.append(child.content)
            case _:
                pass
    return _joined("".join(parts)), [one_line(mark) for mark in marked], label


def _joined(words: str) -> str:
    """Return *words* with soft breaks as spaces, as Markdown means them, but between "key: value" lines."""
    lines = words.split(_SOFT)
    joined = lines[0]
    for before, line in pairwise(lines):
        joined += ("\n" if fact_of(line) and fact_of(before) else " ") + line
    return joined


_SPACES = re.compile(r"[ \t\n\r\f]+")  # what HTML runs together; no-break spaces stay
_UNSEEN = ("script", "style", "template", "noscript", "head", "iframe", "object", "svg", "select", "textarea")
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl"}
    | {"dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"}
    | {"hgroup", "hr", "html", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody"}
    | {"td", "tfoot", "th", "thead", "tr", "ul"}
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def read_html(text: str) -> Draft:
    """Return the blocks of an HTML file; scripts, styles, comments and hidden parts are left out."""
    soup = _parsed(text)
    draft = Draft()
    if soup.title is not None:
        draft.title = one_line(soup.title.get_text())
        draft.metadata["page_title"] = draft.title
    root = soup.find("html")
    if isinstance(root, Tag):
        draft.language = str(root.get("lang") or "").split("-")[0].lower()
    _walk_html(soup, draft)
    return draft


def _parsed(text: str) -> BeautifulSoup:
    return BeautifulSoup(f"{text}\n", "html.parser")  # one line is no file's name or address, of which it would warn


def _walk_html(soup: BeautifulSoup, draft: Draft) -> None:
    for element in soup.find_all(_UNSEEN):
        element.decompose()
    for unseen in soup.find_all(string=lambda string: isinstance(string, PreformattedString)):
        unseen.extract()  # comments, the document type, processing instructions
    for element in soup.find_all(_is_hidden):
        if not element.decomposed:
            element.decompose()
    _walk_element(soup, draft)


def _is_hidden(element: Tag) -> bool:
    return (
        element.has_attr("hidden")
        or element.get("aria-hidden") == "true"
        or bool(_HIDDEN.search(str(element.get("style") or "")))
    )


def _walk_element(element: Tag, draft: Draft) -> None:
    """Add the blocks inside *element*; a run of inline content between blocks is a paragraph."""
    for kind, nodes in _runs(element):
        if kind == "inline":
            _add_inline(nodes, draft, item=element.name == "li")
            continue
        child = nodes[0]
        if not isinstance(child, Tag):
            continue
        if child.name in _HEADINGS:
            draft.add("heading", _words(child), level=int(child.name[1]))
        elif child.name == "table":
            _add_table(child, draft)
        elif child.name == "dl":
            _add_definitions(child, draft)
        else:
            _walk_element(child, draft)


def _runs(element: Tag) -> Iterator[tuple[str, list[Tag | NavigableString]]]:
    run: list[Tag | NavigableString] = []
    for child in element.children:
        if isinstance(child, Tag) and (child.name in _BLOCKS or child.find(list(_BLOCKS))):
            if run:
                yield "inline", run
                run = []
            yield "block", [child]
        elif isinstance(child, (Tag, NavigableString)):
            run.append(child)
    if run:
        yield "inline", run


def _add_inline(nodes: Sequence[Tag | NavigableString], draft: Draft, *, item: bool) -> None:
    words = "".join(_words(node) if isinstance(node, Tag) else _SPACES.sub(" ", str(node)) for node in nodes)
    if not words.strip():
        return
    bold = [tag for node in nodes if isinstance(node, Tag) for tag in _bold_in(node)]
    marked = [one_line(tag.get_text()) for tag in bold]
    label = ""
    if marked and words.strip().startswith(marked[0]):
        after = words.strip()[len(marked[0]) :]
        if marked[0].endswith(_LABEL_END) or after.startswith(":"):
            label = marked[0]
    bold_line = _is_bold_line(words, marked) and not item
    marked = [mark.rstrip(".:?!؟：") for mark in marked]
    if bold_line:
        draft.add("heading", one_line(words), level=BOLD_LINE)
    elif item:
        line = one_line(words)
        fact = fact_of(line)
        draft.add("item", line, label=fact[0] if fact else label.rstrip(".:?!؟："), marked=marked)
    else:
        draft.add_lines(words, label=label.rstrip(".:?!؟："), marked=marked)


def _bold_in(node: Tag) -> list[Tag]:
    own = [node] if node.name in ("b", "strong") else []
    return own + list(node.find_all(["b", "strong"]))


def _words(element: Tag) -> str:
    """Return the words of an inline element; a line break stays one."""
    if element.name == "br":
        return "\n"
    if element.name == "img":
        return str(element.get("alt") or "")
    parts = []
    for child in element.children:
        if isinstance(child, Tag):
            parts.append(_words(child))
        elif isinstance(child, NavigableString):
            parts.append(_SPACES.sub(" ", str(child)))
    return "".join(parts)


def _add_table(table: Tag, draft: Draft) -> None:
    columns: tuple[str, ...] = ()
    caption = table.find("caption")
    if isinstance(caption, Tag):
        draft.add("paragraph", _words(caption))
    for row in table.find_all("tr"):
        cells = row.find_all(["td", "th"], recursive=False)
        texts = [one_line(_words(cell)) for cell in cells]
        is_head = bool(cells) and (all(cell.name == "th" for cell in cells) or row.find_parent("thead") is not None)
        if is_head and not columns:
            columns = tuple(texts)
            draft.add("columns", " | ".join(filter(None, texts)))
        else:
            draft.add_row(columns if len(columns) == len(texts) else (), texts)


def _add_definitions(element: Tag, draft: Draft) -> None:
    term = ""
    for part in element.find_all(["dt", "dd"]):
        words = one_line(_words(part))
        if part.name == "dt":
            term = words
        elif term:
            draft.add("fact", f"{term}: {words}", label=term)
            term = ""
        else:
            draft.add("paragraph", words)
