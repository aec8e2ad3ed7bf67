"""Templates of ``languages/listening.py`` compiled to patterns over the normal form of a clause.

In the normal form each word is followed by one space, so that a template is tried between words only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from languages import fold
from languages.listening import Frame, Listening, listening_of

_PIECE = re.compile(r"<\w+>|\{\w*\}|[\[\]()|…^$*]|[^\s\[\]()|<>{}…^$*]+(?=(\{\})?)")
_BORDER = r"(?<!\S)"
_GAP = r"(?P<gap{}>(?:\S+ ){{0,5}}?)"
_FIRST = "<i>"
# "inverted": the verb before its subject; "headless": without a subject; "subordinate": the verb last
Order = Literal["plain", "inverted", "headless", "subordinate"]
_CHOICE = re.compile(r"\([^()\[\]]+\)|\[[^()\[\]]+\]")


@dataclass(frozen=True, slots=True)
class Template:
    """A template of a frame.  Its *kind* is the order of its words."""

    frame: Frame
    pattern: re.Pattern[str]
    order: int
    kind: Order = "plain"
    needs: tuple[frozenset[str], ...] = ()  # one word of each is in whatever it fits
    denying: bool = False  # negations are among its own words


@dataclass(frozen=True, slots=True)
class Cues:
    """A list of templates without a value: single words apart, the others by a word that they need."""

    words: frozenset[str]
    patterns: tuple[tuple[frozenset[str], re.Pattern[str]], ...]

    def spans(self, text: str, present: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Yield where the words of a cue stand in *text*, whose words are *present*; what fills a gap is left out."""
        if self.words & present:
            place = 0
            for word in text.split():
                if word in self.words:
                    yield place, place + len(word)
                place += len(word) + 1
        for anchor, pattern in self.patterns:
            if anchor and not anchor & present:
                continue
            for match in pattern.finditer(text):
                start = match.start()
                for name in pattern.groupindex:
                    yield start, match.start(name)
                    start = match.end(name)
                if start < match.end():
                    yield start, match.end()

    def found(self, text: str, present: frozenset[str]) -> bool:
        """Return whether one of the cues stands in *text*."""
        return next(self.spans(text, present), None) is not None


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of one language, found by a word of the clause."""

    by_word: Mapping[str, tuple[Template, ...]]
    always: tuple[Template, ...]

    def fitting(self, present: frozenset[str]) -> list[Template]:
        """Return the templates that can fit a clause of the words *present*, in the order of their file."""
        found = {template.order: template for template in self.always}
        for word in present:
            for template in self.by_word.get(word, ()):
                for need in template.needs:
                    if need.isdisjoint(present):
                        break
                else:
                    found[template.order] = template
        return [found[order] for order in sorted(found)]


@lru_cache(maxsize=16)
def frames_of(code: str) -> Frames:
    """Return the compiled frames of a language.  Raises: LanguagePackError."""
    own = listening_of(code)
    templates: list[Template] = []
    for frame in own.frames:
        for denying, says in (pair for text in frame.says for pair in _denials(text, own)):
            for text, kind in _orders(says, own):
                needs = needs_of(text, own)
                templates.append(Template(frame, compiled(text, own), len(templates), kind, needs, denying))
    common = Counter(word for template in templates for need in template.needs for word in need)
    by_word: dict[str, list[Template]] = {}
    for template in templates:  # found by the rarest of the words that it needs
        for word in min(template.needs, key=lambda need: sum(common[word] for word in need), default=()):
            by_word.setdefault(word, []).append(template)
    always = tuple(template for template in templates if not template.needs)
    return Frames({word: tuple(group) for word, group in by_word.items()}, always)


def cues(phrases: Sequence[str], own: Listening) -> Cues:
    """Return a list of templates without a value, compiled."""
    single = frozenset(fold(p) for p in phrases if re.fullmatch(r"[^\s\[\]()|<>{}…^$*]+", p))
    others = tuple((anchor_of(p, own), compiled(p, own)) for p in phrases if fold(p) not in single)
    return Cues(single, others)


def _orders(says: str, own: Listening) -> Iterator[tuple[str, Order]]:
    """Yield a template in the orders of words that its language has: as it stands, headless, inverted, verb last."""
    yield says, "plain"
    if not says.startswith(_FIRST):
        return
    items = _top_level(says)
    if len(items) < 2 or items[1].startswith(("[", "{", "…")):
        return
    yield " ".join(items[1:]), "headless"
    if own.verb_second and len(items) > 2:
        yield " ".join((items[1], _FIRST, *items[2:])), "inverted"
        yield " ".join((_FIRST, *items[2:], items[1])), "subordinate"


def _denials(says: str, own: Listening) -> Iterator[tuple[bool, str]]:
    """Yield a template with whether it denies; a class of phrases with and without a negation makes it two."""
    negations = {fold(word) for word in own.negations}
    for name in re.findall(r"<(\w+)>", says):
        denying = [phrase for phrase in own.classes[name] if negations & set(fold(phrase).split())]
        if denying and name != "my":
            yield from _denials(says.replace(f"<{name}>", f"({'|'.join(denying)})"), own)
            rest = [phrase for phrase in own.classes[name] if phrase not in denying]
            if rest:
                yield from _denials(says.replace(f"<{name}>", f"({'|'.join(rest)})"), own)
            return
    words = {fold(word) for word in re.split(r"[\s\[\]()|<>{}…^$*]+", re.sub(r"\[[^\]]*\]", " ", says))}
    yield bool(negations & words), says


def _top_level(template: str) -> list[str]:
    """Return the items of a template; what stands in brackets is one."""
    items: list[str] = []
    depth = 0
    for word in template.split():
        if depth:
            items[-1] += f" {word}"
        else:
            items.append(word)
        depth += sum(word.count(c) for c in "[(") - sum(word.count(c) for c in "])")
    return items


def compiled(template: str, own: Listening) -> re.Pattern[str]:
    """Return the pattern of *template*; its groups are "value", and "detail" with the name of what is looked up."""
    out = [_BORDER]
    gaps = 0
    template = _CHOICE.sub(_longest_first, template)
    pieces = list(_PIECE.finditer(template))
    for number, match in enumerate(pieces):
        piece = match.group()
        last = number == len(pieces) - 1
        if piece in "[(":
            out.append("(?:")
        elif piece in ("]", ")"):
            out.append(")?" if piece == "]" else ")")
        elif piece in "|^$":
            out.append(piece if piece != "$" else r"\Z")
        elif piece == "*":
            out.append(r"\S+ ")
        elif piece == "…":
            out.append(_GAP.format(gaps))
            gaps += 1
        elif piece == "{}":
            out.append("(?P<value>.+) " if last else "(?P<value>.+?) ")
        elif piece.startswith("{"):
            lead = r"\S*" if own.compounds and piece != "{relation}" else ""  # Zahnarzttermin is a Termin
            out.append(f"(?P<{piece[1:-1]}>{lead}(?:{_any_of(_details(piece[1:-1], own))})) ")
        elif piece.startswith("<"):
            out.append(f"(?:{_any_of(own.classes[piece[1:-1]])}) ")
        else:
            out.append(re.escape(fold(piece)) + ("" if template[match.end() : match.end() + 2] == "{}" else " "))
    return re.compile("".join(out))


def _longest_first(match: re.Match[str]) -> str:
    """Return a choice with its longer phrases first: of "have" and "have got" the second is tried first."""
    inner = match.group()[1:-1].split("|")
    return match.group()[0] + "|".join(sorted(inner, key=len, reverse=True)) + match.group()[-1]


def _details(name: str, own: Listening) -> Iterable[str]:
    found = {"relation": own.relations, "event": own.events, "group": own.groups}[name]
    return [word for words in found.values() for word in words]


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted({fold(p) for p in phrases}, key=len, reverse=True)) or "(?!)"


def anchor_of(template: str, own: Listening) -> frozenset[str]:
    """Return words of which a clause that fits *template* has at least one; empty where there are none such."""
    best: frozenset[str] = frozenset()
    for item in _top_level(template):
        words = _needed(item, own)
        if words and (not best or len(words) < len(best)):
            best = words
    return best


def needs_of(template: str, own: Listening) -> tuple[frozenset[str], ...]:
    """Return sets of words; whatever fits *template* has one of each."""
    return tuple(words for item in _top_level(template) if (words := _needed(item, own)))


def _needed(item: str, own: Listening) -> frozenset[str]:
    if item.startswith("<") and item.endswith(">") and item != _FIRST:
        return frozenset(fold(phrase).split()[0] for phrase in own.classes[item[1:-1]])
    if item.startswith("("):
        alternatives = item[1:-1].split("|")
        if not any(c in item[1:-1] for c in "[(") and all(alternatives):
            firsts = [_needed(alternative.split()[0], own) for alternative in alternatives]
            return frozenset().union(*firsts) if all(firsts) else frozenset()
        return frozenset()
    if item.startswith("{") and item != "{}" and (item == "{relation}" or not own.compounds):
        return frozenset(fold(phrase).split()[0] for phrase in _details(item[1:-1], own))
    if re.fullmatch(r"[^\[\]()|<>{}…^$*]+", item):
        return frozenset((fold(item),))
    return frozenset()
