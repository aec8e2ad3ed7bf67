"""The clauses of a message in their normal form, each with what keeps it from stating something.

A clause ends at punctuation, before a word that opens one, and before what opens a question.  It is no grammar: a
clause here is as much as one of the templates needs to see.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from languages import Token, fold, sentences, words
from languages.grammar import hooks_of
from languages.lexicon import lexicon
from languages.listening import Listening, listening_of
from memory.knowledge.templates import Cues, cues

_BREAK = re.compile(r"[,;:!?…؟؛،\n()\u2013\u2014>\[\]]|\.\.| - |/(?=\s)")
_QUOTED = re.compile(r"«[^»]{1,400}»|“[^”“]{1,400}[”“]|„[^“”]{1,400}[“”]|\"[^\"]{1,400}\"")
_QUOTED_LINE = re.compile(r"(?m)^\s*>.*$")
_DEFINITE = 4  # letters of a word with its article, at least
_LABEL = 3  # words before a colon, at most, that are a label
_NAME_WORDS = 2  # words in quotation marks, at most, that are a name and not someone's sentence


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of the normal form: what stands at ``[start:end]`` of the message, and how it is looked up."""

    key: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class View:
    """Pieces as a text of look-up forms, a space after each."""

    pieces: tuple[Piece, ...]
    text: str
    starts: tuple[int, ...]
    present: frozenset[str]

    def piece_at(self, place: int) -> int:
        """Return the number of the piece that holds the character *place*."""
        return bisect_right(self.starts, place) - 1

    def cut(self, start: int, end: int) -> tuple[Piece, ...]:
        """Return the pieces of ``text[start:end]``; the first without what of it stands before *start*."""
        first, last = self.piece_at(start), self.piece_at(max(start, end - 1))
        chosen = list(self.pieces[first : last + 1])
        skip = start - self.starts[first]
        if chosen and skip:
            whole = chosen[0]
            letters = skip if len(whole.key) == len(whole.text) else 0
            chosen[0] = Piece(whole.key[skip:], whole.text[letters:], whole.start + letters, whole.end)
        return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: ``full`` is all of it, ``bare`` is without fillers, negations and the words of its acts,
    ``spoken`` without fillers only.

    ``negations`` are where in the message it is negated.  ``reported`` is someone else's, ``unsure`` a condition or
    what depends on one.
    """

    full: View
    bare: View
    spoken: View
    sentence: int
    first: bool  # of its sentence
    asked: bool = False
    unsure: bool = False
    reported: bool = False
    negations: tuple[int, ...] = ()
    no_longer: bool = False
    adds: bool = False
    corrects: bool = False
    instead: bool = False


@dataclass(frozen=True, slots=True)
class Guards:
    """The lists of one language that decide what a clause is, compiled."""

    code: str
    own: Listening
    vocabulary: frozenset[str]
    openers: Cues
    conditions: Cues
    supposing: Cues
    unreal: Cues
    reports: Cues
    tags: Cues
    fillers: Cues
    negations: Cues
    no_longer: Cues
    additions: Cues
    corrections: Cues
    instead: Cues
    links: frozenset[str]
    ands: frozenset[str]
    subjects: frozenset[str]
    resumes: frozenset[str]
    relatives: frozenset[str]
    expansions: dict[str, tuple[str, ...]] = field(hash=False)


@lru_cache(maxsize=16)
def guards_of(code: str) -> Guards:
    """Return the guards of a language.  Raises: LanguagePackError."""
    own = listening_of(code)
    subjects = {fold(word).split()[0] for name in ("i", "my") for word in own.classes.get(name, ())}
    return Guards(
        code,
        own,
        _vocabulary(own),
        openers=cues(own.openers, own),
        conditions=cues(own.conditions, own),
        supposing=cues(own.supposing, own),
        unreal=cues(own.unreal, own),
        reports=cues(own.reports, own),
        tags=cues(own.tags, own),
        fillers=cues(own.fillers, own),
        negations=cues(own.negations, own),
        no_longer=cues(own.no_longer, own),
        additions=cues(own.additions, own),
        corrections=cues(own.corrections, own),
        instead=cues(own.instead, own),
        links=frozenset(map(fold, own.links)),
        ands=frozenset(map(fold, own.ands)),
        subjects=frozenset(subjects),
        resumes=frozenset(map(fold, own.resumes)),
        relatives=frozenset(fold(word) for forms in own.relations.values() for word in forms if " " not in word),
        expansions={fold(word): tuple(fold(whole).split()) for word, whole in own.expansions.items()},
    )


def _vocabulary(own: Listening) -> frozenset[str]:
    """Return the words of all templates and of the lists that decide what a clause is."""
    deciding = (own.openers, own.conditions, own.supposing, own.unreal, own.reports, own.tags)
    acts = (own.fillers, own.negations, own.no_longer, own.additions, own.corrections, own.instead)
    phrases = [*own.classes.values(), *deciding, *acts, *own.relations.values(), *own.groups.values()]
    phrases += [frame.says for frame in own.frames] + [asking.asks for asking in own.asking]
    pieces = (re.split(r"[\s\[\]()|<>{}…^$*]+", fold(text)) for group in phrases for text in group)
    return frozenset(word for words_of in pieces for word in words_of if word)


def view(pieces: Sequence[Piece]) -> View:
    """Return *pieces* as a view."""
    keys = [piece.key for piece in pieces]
    starts = accumulate((len(key) + 1 for key in keys), initial=0)
    return View(tuple(pieces), "".join(f"{key} " for key in keys), tuple(starts)[: len(keys)], frozenset(keys))


def clauses(message: str, code: str) -> tuple[Clause, ...]:
    """Return the clauses of *message*, which is in the language *code*, in order.

    >>> [clause.full.text.strip() for clause in clauses("I'm in Basel, do you deliver here?", "en")]
    ['i am in basel', 'do you deliver here']
    """
    guards = guards_of(code)
    text = _without_quotations(message)
    found: list[Clause] = []
    tokens = words(text)
    place = 0
    for number, span in enumerate(sentences(text)):
        here: list[Token] = []
        while place < len(tokens) and tokens[place].start < span.end:
            if tokens[place].start >= span.start:
                here.append(tokens[place])
            place += 1
        parts = list(_parts(text, [p for token in here for p in _pieces(token, guards)], guards))
        ends = text[span.start : span.end].rstrip("\"'»”) ")
        asked = ends.endswith(("?", "؟")) or text[span.end : span.end + 2].strip().startswith(("?", "؟"))
        found.extend(_judged(parts, number, asked, guards))
    return tuple(found)


def normal_form(text: str, code: str) -> View:
    """Return the words of *text* in their normal form, all of them as one."""
    guards = guards_of(code)
    return view([piece for token in words(text) for piece in _pieces(token, guards)])


def _without_quotations(message: str) -> str:
    """Return *message* with spaces in place of what it quotes; single names in quotation marks stay."""

    def _blank(match: re.Match[str]) -> str:
        quoted = match.group()
        return quoted if len(quoted.split()) <= _NAME_WORDS else " " * len(quoted)

    if ">" in message:
        message = _QUOTED_LINE.sub(lambda match: " " * len(match.group()), message)
    return _QUOTED.sub(_blank, message)


def _pieces(token: Token, guards: Guards) -> Iterator[Piece]:
    """Yield the pieces of a word: written out, and without what is written on it."""
    key = _folded(token.text)
    start = token.start
    if key in guards.expansions:
        for word in guards.expansions[key]:
            yield Piece(word, token.text, start, token.end)
        return
    if key not in guards.vocabulary:
        for letter in guards.own.proclitics:
            rest = key[len(letter) :]
            if key.startswith(letter) and _stands_alone(rest, key, guards):
                yield Piece(letter, token.text[: len(letter)], start, start + len(letter))
                yield from _pieces(Token(token.text[len(letter) :], start + len(letter), token.end), guards)
                return
        for before, after in guards.own.circumfixes:
            inner = key[len(before) : len(key) - len(after)]
            if key.startswith(before) and key.endswith(after) and inner in guards.vocabulary:
                yield Piece(fold(before), token.text, start, token.end)
                yield Piece(inner, token.text, start, token.end)
                return
    yield Piece(key, token.text, start, token.end)


@lru_cache(maxsize=8192)
def _folded(word: str) -> str:
    return fold(word)


def _stands_alone(rest: str, whole: str, guards: Guards) -> bool:
    """Return whether *rest* is a word of its own, and *whole* none, so that what is written on it is another word."""
    if rest in guards.vocabulary or rest in guards.expansions:
        return True
    words_known = lexicon(guards.code)
    if len(rest) > _DEFINITE and hooks_of(guards.code).is_definite(rest) and words_known.kind(whole) is None:
        return True
    return len(rest) > 2 and words_known.kind(rest) is not None and words_known.kind(whole) is None


def _parts(text: str, pieces: Sequence[Piece], guards: Guards) -> Iterator[tuple[View, bool]]:
    """Yield the clauses of a sentence and whether each opens as a question."""
    whole = view(pieces)
    opens = {whole.piece_at(start) for start, _ in guards.openers.spans(whole.text, whole.present)}
    held: list[Piece] = []
    begun = 0
    for number, piece in enumerate(pieces):
        if held and (number in opens or _breaks(text, pieces, number, begun, guards)):
            yield view(held), begun in opens
            held, begun = [], number
        elif held and ":" in text[held[-1].end : piece.start]:
            held.append(Piece(":", ":", held[-1].end, piece.start))
        held.append(piece)
    if held:
        yield view(held), begun in opens


def _breaks(text: str, pieces: Sequence[Piece], number: int, begun: int, guards: Guards) -> bool:
    before, here = pieces[number - 1], pieces[number]
    gap = text[before.end : here.start]
    if _BREAK.search(gap) is not None:
        return not (number - begun <= _LABEL and _goes_on(gap, here, guards))
    if here.key in guards.links:
        return True
    if here.key not in guards.ands:
        return False
    following = [piece.key for piece in pieces[number + 1 : number + 3]]
    denied = following[:1] if following and following[0] in guards.negations.words else []
    return bool(set(following[len(denied) : len(denied) + 1]) & guards.subjects)


def _goes_on(gap: str, following: Piece, guards: Guards) -> bool:
    """Return whether a few words before *gap* only say what the rest is of: "budget: 900", "mon budget, c'est 900"."""
    return gap.strip() == ":" or (gap.strip() == "," and following.key in guards.resumes)


def _judged(parts: Sequence[tuple[View, bool]], sentence: int, asked: bool, guards: Guards) -> Iterator[Clause]:
    whole = view([piece for part, _ in parts for piece in part.pieces])
    supposed = guards.supposing.found(whole.text, whole.present)
    conditional = [guards.conditions.found(part.text, part.present) for part, _ in parts]
    opened = any(opens for _, opens in parts)
    tagged = asked and len(parts) > 1 and guards.tags.found(parts[-1][0].text, parts[-1][0].present)
    reported = False
    ends = _last_question(parts, guards)
    for number, (part, opens) in enumerate(parts):
        unreal = any(conditional) and guards.unreal.found(part.text, part.present)
        told = guards.reports.found(part.text, part.present)
        reported = (reported and part.pieces[0].key not in guards.instead.words) or told
        yield _clause(
            part, guards, sentence, number == 0,
            asked=opens or (asked and not opened and number >= ends) or (tagged and number == len(parts) - 2),
            unsure=supposed or conditional[number] or unreal, reported=reported,
        )  # fmt: skip


def _last_question(parts: Sequence[tuple[View, bool]], guards: Guards) -> int:
    """Return from which clause on the sentence is one question: "c'est Anna | qui vient" has no comma to part it."""
    number = len(parts) - 1
    while number > 0:
        before, here = parts[number - 1][0].pieces[-1], parts[number][0].pieces[0]
        if here.key not in guards.links or here.start - before.end != 1:
            break
        number -= 1
    return number


def _clause(
    part: View, guards: Guards, sentence: int, first: bool, *, asked: bool, unsure: bool, reported: bool
) -> Clause:
    spans = {
        name: list(cue.spans(part.text, part.present))
        for name, cue in (
            ("no_longer", guards.no_longer), ("fillers", guards.fillers), ("negations", guards.negations),
            ("additions", guards.additions), ("corrections", guards.corrections), ("instead", guards.instead),
        )
    }  # fmt: skip
    dropped = {
        number
        for found in spans.values()
        for start, end in found
        for number in range(part.piece_at(start), part.piece_at(max(start, end - 1)) + 1)
    }
    bare = part if not dropped else view([p for number, p in enumerate(part.pieces) if number not in dropped])
    spoken = bare
    if spans["negations"]:
        idle = {part.piece_at(start) for start, _ in spans["fillers"]}
        spoken = view([p for number, p in enumerate(part.pieces) if number not in idle])
    negated = {part.pieces[part.piece_at(start)].start for start, _ in spans["negations"]}
    if spans["corrections"]:  # "no, I ..." denies nothing
        taken = {part.pieces[part.piece_at(start)].start for start, _ in spans["corrections"]}
        negated -= taken
    return Clause(
        part, bare, spoken, sentence, first, asked, unsure, reported, tuple(sorted(negated)), bool(spans["no_longer"]),
        bool(spans["additions"]), bool(spans["corrections"]), bool(spans["instead"]),
    )  # fmt: skip
