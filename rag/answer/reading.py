"""What speaks for each unit of the passages as an answer: its words, its values, what it is about, where it stands."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from languages import codes, fold, words
from languages.grammar import hooks_of
from rag.answer.generic import speaks_of_kind
from rag.answer.measures import has_measure, types
from rag.answer.questions import DISTINCT, VALUES, Asked, languages_of_documents, patterns, stated
from rag.answer.request import AnswerRequest
from rag.answer.stems import indefinite_articles, stem, stems, stop_stems
from rag.answer.subjects import About, Subject, about, is_kin, is_led_by_sibling, names_another
from rag.answer.units import Unit, columns_of
from rag.answer.when import When

_PART = 5  # letters: a stem this long counts as a part of a compound ("laufzeit" in "Akkulaufzeit")
_PHRASE = 4  # words of "another spare pair" and the like before a verb, at most
_OPENING = 4  # words before the name of what a sentence is about, at most
_BETWEEN = re.compile(r"[,;:،؛]")
_OF_KIND = 0.4  # how much what is said of all of a kind is said of one
_LONG = 45  # words: a unit longer than this says too much at once
_MENTIONED = 0.3  # what a word of a name counts that the question mentions without asking about it
_IMPLIED = 0.7  # how surely a value of an attribute's own type states that attribute: "1.2 kg" is a weight


@dataclass(frozen=True, slots=True)
class Features:
    """What speaks for a unit, each in [0, 1] unless said otherwise."""

    overlap: float  # share of the question's content words in the unit and its label, weighted by rarity
    around: float  # the same for the heading and the sentence before
    label: float  # share of the label's words that the question has
    attribute: float  # the attribute asked for is stated, 0.5 by a hint only
    value: float  # a value of the expected type is there
    similarity: float  # cosine with the question, less the mean of the candidates, in standard deviations / 3
    meaning: float  # the same for the question without the names in it
    rank: float  # 1 for the best passage, falling
    dense: float  # the passage's cosine with the question beside the best passage's, times 20: 0 or less
    lexical: float  # the passage's lexical score beside the best passage's
    subject: float  # the unit names the subject itself
    inherited: float  # the title, the section or a sentence before names it
    foreign: float  # it speaks of a sibling
    cell: float  # it is the subject's own row, and has a column for the attribute
    digits: float  # share of the question's numbers, beside the subject's own, in the unit or above it
    length: float  # it is very long or has no more than two words
    period: float  # 1 where its days, months or ranges hold those asked about, -1 where they are others
    past: float  # it says what was so once, or stands in an older edition than others


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its features and their weighted sum."""

    unit: Unit
    features: Features
    score: float
    attributes: Mapping[str, float]
    uncovered: float  # share of the question's content words that its document, as far as retrieved, does not have
    crossing: bool  # whether its language is another than the question's
    logit: float | None = None  # how well it answers, as the selector says
    measured: bool = True  # whether it has a value in the unit that the question names, if it names one


class Reader:
    """The units of one question, compared with its words."""

    def __init__(
        self,
        request: AnswerRequest,
        asked: Asked,
        subject: Subject | None,
        *,
        units: Sequence[Unit],
        rivals: tuple[Subject, ...] = (),
    ) -> None:
        self._request, self._asked, self._subject, self._units = request, asked, subject, units
        self._rivals = rivals
        self._framed = subject is not None and subject.frame  # all speaks of it, named or not
        language = request.language
        named = {word for each in (*((subject,) if subject else ()), *rivals) for word in _name_words(each, language)}
        mentioned = {word for each in request.names for word in stems(each.name, language)} - named
        stops = stop_stems(language)
        self._wanted = tuple(
            dict.fromkeys(
                word for word in stems(request.standalone, language) if word not in stops and word not in named
            )
        )
        self._words = [self._stems(unit, f"{unit.label} {unit.plain} {columns_of(unit)}") for unit in units]
        self._heads = [self._stems(unit, unit.heading) for unit in units]
        vocabulary: dict[str, dict[str, None]] = {}
        for unit, own, head in zip(units, self._words, self._heads, strict=True):
            document = request.hits[unit.hit].passage.document
            vocabulary.setdefault(document, {}).update(dict.fromkeys((*own, *head)))
        self._vocabulary = {document: tuple(found) for document, found in vocabulary.items()}
        counts = Counter(word for text in self._words for word in set(text))
        # The words of an interrogative ask, but "at which counter" looks for a counter where the documents have one.
        self._wanted = tuple(
            word for word in self._wanted if word not in asked.used or word in asked.nouns & set(counts)
        )
        total = len(units)
        self._idf = {
            word: math.log(1 + (total - counts[word] + 0.5) / (counts[word] + 0.5))
            * (_MENTIONED if word in mentioned else 1.0)
            for word in self._wanted
        }
        self._uncovered = [word for word in self._wanted if word not in mentioned]
        self._best = _best_legs(request)
        self._names = {
            fold(form) for found in request.named for match in found for form in (match.name.name, *match.name.aliases)
        }
        self._indefinite = bool(indefinite_articles(language) & set(stems(request.standalone, language)))
        self._about = self._subjects()
        self._naming = {
            request.hits[unit.hit].passage.document
            for unit, pair in zip(units, self._about, strict=True)
            if About.SAME in pair
        }
        self._when = When(request, units, self._naming)

    def read(self, number: int) -> Scored:
        """Return the unit of that number with its features, all but the similarities, and no score yet."""
        unit = self._units[number]
        own, head = self._words[number], self._heads[number]
        before = self._before(number)
        label = self._stems(unit, unit.label or _title(unit))
        facts = _merged(stated(own, code) for code in self._codes(unit))
        around = _merged(stated(head, code) for code in self._codes(unit))
        shown = f"{unit.label}: {_shown(unit)}" if "name" in self._asked.values else _shown(unit)
        found = types(shown, self._codes(unit)[0], facts)
        if unit.cells and "number" in found:  # "Price (EUR): 999": the column has the unit
            found |= frozenset().union(*(VALUES.get(name, frozenset()) for name, sure in facts.items() if sure == 1))
        if not label or self._precision(label):  # "Cushions: 35 euros" is not the price of the headphones
            implied = {name: _IMPLIED for name in self._asked.attributes if found & DISTINCT.get(name, frozenset())}
            facts = _merged((facts, implied))
        inside, inherited = self._about[number]
        code = self._codes(unit)[0]
        if inside is not About.SAME and (self._is_of_a_part(own, code) or self._is_owned_elsewhere(unit, code)):
            inside, inherited = About.NOTHING, About.NOTHING
        general = _OF_KIND * speaks_of_kind(self._request, unit, self._subject, inside)
        dense, lexical = self._best[unit.hit]
        named = max(self._precision(label), float(self._states_first(label, code)) if unit.labelled else 0.0)
        features = Features(
            overlap=self._share(own, facts),
            around=max(self._share((*own, *head, *before), _merged((facts, around))) - self._share(own, facts), 0.0),
            label=named * (1.0 if unit.labelled or unit.cells else 0.5),
            attribute=self._attribute(facts, around),
            value=float(bool(found & self._asked.values)) if self._asked.values else 0.5,
            similarity=0.0,
            meaning=0.0,
            rank=1 / (1 + 0.25 * unit.hit),
            dense=dense,
            lexical=lexical,
            subject=float(inside is About.SAME and not self._framed),
            inherited=max(float(inside is not About.SAME and inherited is About.SAME and not self._framed), general),
            foreign=0.0 if general else self._foreign(unit, inside, inherited),
            cell=self._cell(unit, inside),
            digits=self._numbers((*own, *label, *head)),
            length=_length(len(own)) if not found & self._asked.values else 0.0,
            period=self._when.agreement(unit, code),
            past=self._when.past(unit, code),
        )
        passage = self._request.hits[unit.hit].passage
        words = self._vocabulary[passage.document]
        missing = sum(1 for word in self._uncovered if not found_in(word, words))
        return Scored(
            unit,
            features,
            0.0,
            attributes=facts,
            uncovered=missing / max(len(self._uncovered), 1),
            crossing=passage.language in codes() and passage.language != self._request.language,
            measured=not self._asked.base
            or (bool(unit.cells) and "number" in found)
            or has_measure(unit.plain, self._codes(unit)[0], self._asked.base),
        )

    def _before(self, number: int) -> tuple[str, ...]:
        """Return the words of the sentences before this one in its paragraph."""
        found: tuple[str, ...] = ()
        while number and self._units[number].follows:
            number -= 1
            found += self._words[number]
        return found

    def _stems(self, unit: Unit, text: str) -> tuple[str, ...]:
        return stems(text, self._codes(unit)[0])

    def _codes(self, unit: Unit) -> tuple[str, ...]:
        return languages_of_documents(self._request.language, self._request.hits[unit.hit].passage.language)

    def _share(self, text: tuple[str, ...], facts: Mapping[str, float]) -> float:
        """Return the share of the question's words in *text*.

        A word that asks for an attribute is there by any of the attribute's words.
        """
        total = sum(self._idf.values())
        if not total:
            return 0.0
        found = 0.0
        for word, weight in self._idf.items():
            stated_so = max((facts.get(name, 0.0) for name in self._asked.concepts.get(word, ())), default=0.0)
            found += weight * max(found_in(word, text), stated_so)
        return found / total

    def _states_first(self, label: tuple[str, ...], language: str) -> bool:
        """Return whether a label is a word for the one thing asked for: "Price: £9" for "How much is it?"."""
        if any(word not in self._asked.concepts for word in self._wanted):
            return False
        return any(stated(label, language).get(name) == 1 for name in self._asked.attributes[:1])

    def _precision(self, label: tuple[str, ...]) -> float:
        stops = stop_stems(self._request.language)
        content = [word for word in label if word not in stops]
        if not content:
            return 0.0
        return sum(found_in(word, self._wanted) for word in content) / len(content)

    def _foreign(self, unit: Unit, inside: About, inherited: About) -> float:
        """Return 1 for what speaks of a sibling or stands under the title of another thing of the brand."""
        if inside is About.SAME or self._subject is None:
            return 0.0
        if About.OTHER in (inside, inherited):
            return 1.0
        if About.NOTHING not in (inside, inherited) or inside is not inherited or not self._naming or self._framed:
            return 0.0
        apart = self._request.hits[unit.hit].passage.document not in self._naming
        return 1.0 if apart and is_kin(unit.heading.split(" > ")[0], self._subject) else 0.5

    def _cell(self, unit: Unit, inside: About) -> float:
        """Return 1 where a row of the subject's own, or without a subject any row, has a column for the attribute."""
        if len(unit.cells) < 3 or not self._asked.attributes or (self._subject and inside is not About.SAME):
            return 0.0
        first = self._asked.attributes[0]
        columns = [self._stems(unit, column) for column, _ in unit.cells]
        return float(any(stated(column, self._codes(unit)[0]).get(first, 0.0) >= 1 for column in columns))

    def _numbers(self, text: tuple[str, ...]) -> float:
        wanted = [word for word in self._wanted if any(character.isdigit() for character in word)]
        return sum(word in text for word in wanted) / len(wanted) if wanted else 0.5

    def _attribute(self, facts: Mapping[str, float], around: Mapping[str, float]) -> float:
        best = 0.0
        for place, name in enumerate(self._asked.attributes[:4]):
            weight = 1.0 if place == 0 else 0.7
            best = max(best, weight * max(facts.get(name, 0.0), 0.4 * around.get(name, 0.0)))
        return best

    def _subjects(self) -> list[tuple[About, About]]:
        """Return of what each unit speaks by itself, and by what stands before and above it."""
        if self._subject is None:
            return [(About.NOTHING, About.NOTHING)] * len(self._units)
        out: list[tuple[About, About]] = []
        carried = About.NOTHING
        place = (-1, "")
        for unit in self._units:
            if (unit.hit, unit.heading) != place:
                place = (unit.hit, unit.heading)
                carried = self._heading(unit.heading)
            text = f"{unit.label} {unit.plain} {columns_of(unit)}"
            inside = about(text, self._subject)
            if inside is About.SAME and not unit.cells and is_led_by_sibling(unit.plain, self._subject):
                inside = About.SHORT
            if inside is not About.SAME and any(about(text, rival) is About.SAME for rival in self._rivals):
                inside = About.OTHER
            if not unit.follows and (carried is About.OTHER or (self._subject.person and self._is_prose(unit))):
                carried = self._heading(unit.heading)  # a sibling and a person are left with their paragraph
            if self._opens_with_another(unit):
                inside, carried = (About.SHORT, carried) if inside is About.SAME else (inside, About.OTHER)
            out.append((inside, carried))
            if inside in (About.SAME, About.OTHER):
                carried = inside
            elif self._subject.person and names_another(unit.labelled_once, self._subject, self._codes(unit)[0]):
                carried = About.OTHER
                out[-1] = (About.OTHER, carried)
        return out

    def _is_prose(self, unit: Unit) -> bool:
        """Return whether a unit opens a paragraph that is no item of a list, no labelled line and no row."""
        before = self._request.hits[unit.hit].passage.text[: unit.start]
        return not unit.labelled and not unit.cells and (not before or before.endswith("\n"))

    def _opens_with_another(self, unit: Unit) -> bool:
        """Return whether *unit* begins with the name of another thing of the subject's kind: "The Gannet weighs …"."""
        if self._subject is None or unit.cells or unit.hit >= len(self._request.named):
            return False
        for found in self._request.named[unit.hit]:
            if unit.start <= found.start < unit.end and found.name.type == self._subject.type:
                text = self._request.hits[unit.hit].passage.text
                before, after = text[unit.start : found.start], text[found.end : found.end + 1]
                opens = len(before.split()) <= _OPENING and not _BETWEEN.search(before + after)  # "Unlike the A, the B"
                return opens and about(found.name.name, self._subject) is not About.SAME
        return False

    def _is_of_a_part(self, text: tuple[str, ...], language: str) -> bool:
        """Return whether the value asked for is said of something else in the sentence: "a spare pair costs 9"."""
        if self._indefinite:
            return False  # "What does a spare pair cost?" asks for it
        articles, stating = indefinite_articles(language), self._stating(language)
        for at, (word, following) in enumerate(pairwise(text)):
            if word in stating and any(map(str.isdigit, following)):
                return bool(articles & set(text[max(0, at - _PHRASE) : max(0, at - 1)]))
        return False

    def _is_owned_elsewhere(self, unit: Unit, language: str) -> bool:
        """Return whether the attribute is that of another noun right behind it: «سعر الزوج», the price of the pair."""
        hooks, stating = hooks_of(language), self._stating(language)
        own = {root for name in self._request.names for noun in name.nouns for root in stems(noun, language)}
        return any(
            hooks.is_definite(after.text)
            and stem(before.text, language) in stating
            and stem(after.text, language) not in own
            for before, after in pairwise(words(unit.plain))
        )

    def _stating(self, language: str) -> frozenset[str]:
        """Return the stems that state by themselves an attribute asked for: "price", "costs"."""
        named = patterns(language).words
        return frozenset(p[0] for name in self._asked.attributes for p in named[name] if len(p) == 1)

    def _heading(self, heading: str) -> About:
        """Return of what a heading speaks, its last part first."""
        if self._subject is None:
            return About.NOTHING
        for part in reversed(heading.split(" > ")):
            found = about(part, self._subject)
            if found is About.SHORT and fold(part) in self._names:  # the Brook 14 beside the Brook 14 Pro
                found = About.OTHER
            if found is About.NOTHING and any(about(part, rival) is About.SAME for rival in self._rivals):
                found = About.OTHER
            if found is not About.NOTHING:
                return found
        return About.NOTHING


def _name_words(subject: Subject, language: str) -> frozenset[str]:
    """Return the words of a subject's names, folded and as stems."""
    words = {word for spelling in subject.spellings for word in spelling}
    return frozenset(words | {fold(word) for word in subject.name.split()} | set(stems(subject.name, language)))


def _best_legs(request: AnswerRequest) -> tuple[tuple[float, float], ...]:
    """Return for each hit how near its dense and its lexical score come to the best of all hits."""
    legs = [dict(hit.legs) for hit in request.hits]
    dense = [each["dense standalone"] for each in legs if "dense standalone" in each]
    most, least = max(dense, default=0.0), min(dense, default=0.0)
    lexical = max((each.get("lexical standalone", 0.0) for each in legs), default=0.0)
    return tuple(
        (
            20 * (each.get("dense standalone", least) - most),
            each.get("lexical standalone", 0.0) / lexical if lexical else 1.0,  # found by no words: none is behind
        )
        for each in legs
    )


def found_in(word: str, text: Sequence[str]) -> float:
    """Return 1 where *word* stands in *text*, 0.7 where it is a part of a compound there or has one as its part."""
    if word in text:
        return 1.0
    for other in text:
        if len(word) >= _PART and len(other) > len(word) and (other.startswith(word) or other.endswith(word)):
            return 0.7
        if len(other) >= _PART and len(word) > len(other) and (word.startswith(other) or word.endswith(other)):
            return 0.7
    return 0.0


def _merged(found: object) -> Mapping[str, float]:
    merged: dict[str, float] = {}
    for each in found:  # type: ignore[attr-defined]
        for name, value in each.items():
            merged[name] = max(merged.get(name, 0.0), value)
    return merged


def _shown(unit: Unit) -> str:
    return "; ".join(f"{column}: {value}" for column, value in unit.cells) if unit.cells else unit.plain


def _title(unit: Unit) -> str:
    """Return what a row of two cells is about ("Price | £17"), or the column of a single cell."""
    if len(unit.cells) == 1:
        return unit.cells[0][0]
    return unit.cells[0][1] if len(unit.cells) == 2 else ""


def _length(count: int) -> float:
    if count <= 2:
        return 1.0
    return min(max(count - _LONG, 0) / _LONG, 1.0)
