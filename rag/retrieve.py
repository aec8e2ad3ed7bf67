"""Questions to passages: dense and lexical rankings of the standalone and the raw question, fused.

    legs       (standalone, raw, context, general) x (dense, lexical), each over every shelf and language searched
    merge      one ranking a leg: languages are made comparable first
    fuse       reciprocal rank fusion
    entities   passages that name what is asked about go up, those of their siblings down
    rerank     by a cross-encoder, where one is set
    choose     a fair share an entity, no document more than three of the first five, no text twice

One embedding batch and one Chroma query a shelf and language.  Nothing here is learned from questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from languages.text import fold, spellings
from memory.types import Embedder, Name
from rag.events import Hit, Passage
from rag.reranking import Reranker, rerank
from rag.shelf.owners import Scope
from rag.shelf.shelf import Leg, Library

# Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet, SIGIR 2009.
FUSION_K: Final = 60
DEPTH: Final = 40  # passages a leg; what stands deeper adds less than 1/100
CANDIDATES: Final = 80  # of what is fused, that are looked at: names move a passage by a fifth at most
# The raw question only corrects a standalone one that went wrong: it must not outvote it.  The context stands in for
# a thing that the question does not name; at full weight it found no more and moved the first passage away.  The
# general question finds what holds for all things of the sort, which names none of them.
WEIGHTS: Final = {
    "dense standalone": 1.0,
    "lexical standalone": 1.0,
    "dense raw": 0.1,
    "lexical raw": 0.2,
    "dense context": 0.5,
    "lexical context": 0.3,
    "dense general": 0.3,
    "lexical general": 0.3,
}
# A passage counts in a lexical ranking by how much of the question's words it has, as a share of FULL.  Ranks alone
# take a passage that shares a name or an accident of letters for as good as one that has every word.  Measured on the
# questions of conversations as humans complete them (first .90 to .93 instead of .83 to .94) and on XQuAD's
# paragraphs, where the fusion is above both legs in each language.  Also tried: .2, .3 and .5, squared, and the best
# passage's share for the whole ranking.
FULL: Final = 0.4
# Words of another language meet by accident, but names are the same.  At .2 German questions find English paragraphs as
# well as by meaning alone (first .84, at .6 .81, at 1 .79, by ranks alone .68), but those of conversations, which name
# things, find less (first .75, at .6 .78, at 1 .83).
OTHER_LANGUAGE: Final = 0.6

# Fused scores lie close together (rank 1 and rank 20 differ by a third), so these are small: the standalone question
# names its entities already, and a name that most passages share (the shop's own) says nothing about any of them.
# Against .20 and .10: gold documents among the first five .964 for .949 (en), .945 for .952 (fr), .954 for .933 (de),
# .941 for .941 (ar).
NAMED_ABOVE: Final = 0.08  # the heading or the row names the entity: all of it is about that
NAMED_WITHIN: Final = 0.04  # the text names it
SIBLING: Final = -0.20  # it is about another of the same family
MOST_OF_FIRST: Final = (3, 5)  # passages of one document among the first
_UNDIVIDED: Final = frozenset(("ORGANIZATION", "LOCATION", "OTHER"))  # a longer name is no sibling of one of these


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for: the question as understood and as said, its entities, and where to look."""

    standalone: str
    raw: str
    language: str
    scope: Scope
    entities: tuple[str, ...] = ()
    k: int = 8
    context: str = ""  # the question before it with this one, where this one may not say by itself what it is about
    general: str = ""  # the question with what its things are in place of their names: "when can we board the boat?"


def retrieve(library: Library, embedder: Embedder, query: Query, reranker: Reranker | None = None) -> tuple[Hit, ...]:
    """Return the *k* best passages, best first, each with its fused score and the score of each leg.

    Raises: IndexOfAnotherModel, RerankerUnavailable, and what the store raises.
    """
    labelled = {
        "standalone": query.standalone.strip(),
        "raw": query.raw.strip(),
        "context": query.context.strip(),
        "general": query.general.strip(),
    }
    labels: dict[str, str] = {}
    for label, text in labelled.items():
        if text:
            labels.setdefault(text, label)
    texts = tuple(labels)
    if not texts:
        return ()
    legs = library.search(embedder.embed_queries(texts), texts, query.scope, DEPTH)
    rankings = {
        f"{kind} {label}": _merged([leg for leg in legs if leg.kind == kind and leg.query == n], query.language)
        for kind in ("dense", "lexical")
        for n, label in enumerate(labels.values())
    }
    scores = _first(fuse(rankings))
    found = library.passages(list(scores), query.scope)
    entities = _entities(library, query)
    boosts = _boosts(found, entities)
    hits = [
        Hit(found[id_], score * boosts[id_], _legs_of(id_, rankings)) for id_, score in scores.items() if id_ in found
    ]
    hits.sort(key=lambda hit: -hit.score)
    if reranker is not None:
        hits = rerank(reranker, texts[0], hits)
    return choose(hits, entities, query.k)


def table_of(library: Library, hits: Sequence[Hit], language: str, scope: Scope) -> tuple[Hit, ...]:
    """Return all rows of the table of the first row among *hits*; () without one in *language*.

    A table in another language has the prices of another market.
    """
    rows = (hit.passage for hit in hits if hit.passage.kind == "row" and hit.passage.language == language)
    first = next(rows, None)
    return tuple(Hit(row, 0.0) for row in library.rows(first, scope)) if first is not None else ()


def fuse(rankings: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, float]:
    """Return the weighted sum of 1 / (60 + rank) of each id over the rankings in which it stands.

    >>> round(fuse({"dense standalone": [("a", 0.9)], "lexical standalone": [("a", 0.45)]})["a"] * 61, 6)
    2.0
    >>> round(fuse({"lexical standalone": [("a", 0.1)]})["a"] * 61, 6)
    0.25
    """
    scores: dict[str, float] = {}
    for name, ranked in rankings.items():
        lexical = name.startswith("lexical")
        for rank, (id_, score) in enumerate(ranked, start=1):
            share = min(1.0, score / FULL) if lexical else 1.0
            scores[id_] = scores.get(id_, 0.0) + WEIGHTS[name] * share / (FUSION_K + rank)
    return scores


def _first(scores: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda row: -row[1])[:CANDIDATES])


def _merged(legs: Sequence[Leg], language: str) -> list[tuple[str, float]]:
    """Return one ranking of several collections.

    Cosines within a language are higher than across: in a mixed ranking 99.7 % of the first hits are in the
    question's language.  So a cosine counts by how far it stands above its own collection's average.  BM25 has no
    such bias, but words of another language meet by accident: they count less.
    """
    rows: list[tuple[float, str, float]] = []
    for leg in legs:
        if not leg.ranked:
            continue
        if leg.kind == "dense":
            tail = [score for _, score in leg.ranked[5:]] or [leg.ranked[-1][1]]
            offset = sum(tail) / len(tail)
            rows += [(score - offset, id_, score) for id_, score in leg.ranked]
        else:
            share = 1.0 if leg.language == language else OTHER_LANGUAGE
            rows += [(score * share, id_, score * share) for id_, score in leg.ranked]
    rows.sort(key=lambda row: -row[0])
    return [(id_, score) for _, id_, score in rows[:DEPTH]]


def _legs_of(id_: str, rankings: Mapping[str, Sequence[tuple[str, float]]]) -> tuple[tuple[str, float], ...]:
    return tuple((name, score) for name, ranked in rankings.items() for found, score in ranked if found == id_)


Words = tuple[str, ...]  # of a name, folded


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing asked about: how it is written, and how those are that it must not be taken for."""

    forms: tuple[Words, ...]
    siblings: tuple[Words, ...] = ()


def _entities(library: Library, query: Query) -> list[Entity]:
    if not query.entities:
        return []
    catalog = library.catalog(query.scope)
    found = []
    for given in query.entities:
        name = catalog.get(given) or Name(given)
        forms = _forms((given, name.name, *name.aliases))
        if name.type in _UNDIVIDED and not any(map(str.isdigit, name.name)):  # "Orrin Telecom" is Orrin
            found.append(Entity(forms))
            continue
        kin = {other for word in {word for form in forms for word in form} for other in catalog.siblings(word)}
        others = _forms(form for other in kin if other.name != name.name for form in (other.name, *other.aliases))
        found.append(Entity(forms, tuple(o for o in others if any(are_siblings(form, o) for form in forms))))
    return found


def are_siblings(name: Words, other: Words) -> bool:
    """Return whether *other* is a different thing of the same family: another number, or a word more.

    >>> are_siblings(("tern", "14"), ("tern", "16")), are_siblings(("tern", "14"), ("tern", "14", "pro"))
    (True, True)
    >>> are_siblings(("tern", "14"), ("brevik", "tern", "14")), are_siblings(("tern", "14"), ("lark", "2"))
    (False, False)
    """
    if name == other:
        return False
    numbers, others = ({word for word in words_ if any(map(str.isdigit, word))} for words_ in (name, other))
    if numbers and others and numbers != others:
        return bool(set(name) & set(other) - numbers - others)
    return len(other) > len(name) and other[: len(name)] == name


def _forms(names_: Iterable[str]) -> tuple[Words, ...]:
    return tuple(dict.fromkeys(form for name in names_ if (form := folded_words(name))))


@lru_cache(maxsize=8192)
def folded_words(text: str) -> Words:
    """Return the words of *text* as they are compared; remembered, because passages are met again and again."""
    return tuple(map(fold, spellings(text)))


def names(text: str, entity: Entity) -> bool:
    """Return whether *entity* is named in *text*: one of its forms stands there, and not within a sibling's.

    >>> tern = Entity((("tern", "14"),), (("tern", "14", "pro"),))
    >>> names("The Tern 14 is light.", tern), names("The Tern 14 Pro is not.", tern), names("A lantern 14", tern)
    (True, False, False)
    """
    if not any(_may_hold(text, form) for form in entity.forms):
        return False
    held = folded_words(text)
    taken = (range(start, start + len(form)) for form in entity.siblings for start in _places(form, held))
    covered = {at for places in taken for at in places}
    return any(start not in covered for form in entity.forms for start in _places(form, held))


def _may_hold(text: str, form: Words) -> bool:
    """Return whether all words of *form* stand somewhere in *text*; telling that costs a tenth of parting its words."""
    folded = _folded(text)
    return all(word in folded for word in form)


@lru_cache(maxsize=8192)
def _folded(text: str) -> str:
    return fold(text)


def _places(form: Words, held: Words) -> list[int]:
    """Return where *form* stands in *held*, with what Arabic writes onto its first word."""
    first, size = form[0], len(form)
    return [
        at
        for at, word in enumerate(held[: len(held) - size + 1])
        if word.endswith(first) and _CLITICS.issuperset(word[: -len(first)]) and held[at + 1 : at + size] == form[1:]
    ]


# Arabic writes "and", "for", "by", "like" and "the" onto the name: وHilal, للآيفون.
_CLITICS: Final = frozenset("\u0648\u0641\u0628\u0644\u0643\u0627")


def _boosts(found: Mapping[str, Passage], entities: Sequence[Entity]) -> dict[str, float]:
    """Return by what each passage's score is multiplied: 1, more where it names an entity, less for a sibling."""
    boosts = dict.fromkeys(found, 1.0)
    for entity in entities:
        gains = {id_: _gain(passage, entity) for id_, passage in found.items()}
        documents = {(passage.shelf, passage.document) for passage in found.values()}
        naming = {(found[id_].shelf, found[id_].document) for id_, gain in gains.items() if gain > 0}
        rare = 1.0 - len(naming) / len(documents) if documents else 0.0
        for id_, gain in gains.items():
            boosts[id_] = max(boosts[id_], 1.0 + gain * rare) if gain > 0 else boosts[id_] + gain * (boosts[id_] <= 1.0)
    return boosts


def _gain(passage: Passage, entity: Entity) -> float:
    above = f"{passage.heading} {passage.context}"
    if names(above, entity):
        return NAMED_ABOVE
    if names(passage.text, entity):
        return NAMED_WITHIN
    kin = [form for form in entity.siblings if _may_hold(above, form)]
    return SIBLING if kin and any(_places(form, folded_words(above)) for form in kin) else 0.0


def choose(hits: Sequence[Hit], entities: Sequence[Entity], k: int) -> tuple[Hit, ...]:
    """Return *k* of *hits*, which come best first: a fair share an entity, several documents, no text twice."""
    most, first = MOST_OF_FIRST
    chosen: list[Hit] = []
    texts: set[Words] = set()
    per_document: dict[tuple[str, str], int] = {}
    later: list[Hit] = []
    for hit in _shared_out(hits, entities):
        passage = hit.passage
        said = (passage.heading, *folded_words(passage.text))
        if said in texts:
            continue
        texts.add(said)
        document = (passage.shelf, passage.document)
        if len(chosen) < first and per_document.get(document, 0) >= most:
            later.append(hit)
            continue
        per_document[document] = per_document.get(document, 0) + 1
        chosen.append(hit)
        if len(chosen) == first:
            chosen += later
            later = []
        if len(chosen) >= max(k, first):
            break
    return tuple((chosen + later)[:k])


def _shared_out(hits: Sequence[Hit], entities: Sequence[Entity]) -> list[Hit]:
    """Return *hits* with those that name an entity in turns, one an entity, before the rest in their order."""
    if len(entities) < 2:
        return list(hits)
    queues = [[hit for hit in hits if _gain(hit.passage, entity) > 0] for entity in entities]
    order: list[Hit] = []
    for turn in range(max(map(len, queues))):
        order += hits[turn : turn + 1]  # the best of all has its turn too: the answer may name neither
        order += [queue[turn] for queue in queues if turn < len(queue)]
    return list({hit.passage.id: hit for hit in (*order, *hits)}.values())
