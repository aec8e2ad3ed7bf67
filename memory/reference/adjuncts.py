"""Fragments that say another time or place: it takes the place of its like in the last question, else comes last."""

from __future__ import annotations

from collections.abc import Sequence

from memory.reference.analysis import Analysis
from memory.reference.discourse import Frame
from memory.reference.ellipsis import carried, led, opened, unled
from memory.reference.tongue import Tongue
from memory.reference.words import Word

Asked = tuple[str, tuple[str, ...]]  # a question, and what it goes on to be about
_MARKS = " ?؟!.\u00a0\u202f"
_GLUED = 5  # letters of a place with its preposition, at least
_PLACES = frozenset(("LOCATION", "ORGANIZATION", ""))


def replaced(text: str, start: int, end: int, words: str) -> str:
    """Return *text* with *words* in place of ``text[start:end]``."""
    return f"{text[:start]}{words}{text[end:]}"


def leads(tongue: Tongue, word: Word) -> bool:
    """Return whether a word of a fragment only leads: a preposition, an article, "of", "the one"."""
    forms = {word.key, tongue.form(_unprefixed(tongue, word))} - set(tongue.grammar.prefixes)
    leading = ("prepositions", "ones", "one_links", "openers")
    return word.key in tongue.determiners or any(tongue.has(name, form) for name in leading for form in forms)


def when(analysis: Analysis, rest: Sequence[Word], asked: Analysis, frame: Frame) -> Asked | None:
    """Read "Et mardi ?", "And in July?": it takes the place of the time there, else comes last."""
    tongue = analysis.tongue
    said_at = led(analysis, rest)
    times = [w for w in said_at if tongue.time_kind(tongue.hooks.bare(w.text))]
    if not times or not opened(analysis):
        return None
    if all(tongue.time_kind(tongue.hooks.bare(w.text)) == "unit" for w in times) and len(times) < 2:
        return None  # "And a week?" may ask how much
    if any(
        not tongue.time_kind(tongue.hooks.bare(w.text))
        and not w.number
        and not leads(tongue, w)
        and not _day_lead(tongue, w)
        for w in said_at
    ):
        return None
    kind = tongue.time_kind(tongue.hooks.bare(times[0].text))
    old = _time_span(asked)
    if old is None and any(tongue.time_kind(w.text) == "unit" for w in asked.words) and kind in ("unit", "time"):
        return None
    whole = tongue.grammar.noun_capitals and times[0].text.islower() and not times[0].nominal  # "dienstags"
    bare = said_at[0] is times[0] and not whole and kind in ("day", "month")
    said = f"{unled(analysis, said_at[0])}{analysis.text[said_at[0].end : said_at[-1].end]}"
    entity = tuple(span[2] for span in frame.spans) or (carried(asked, frame) or said,)
    if old is None:
        return _added(asked, frame, f"{tongue.lead(kind)}{said}" if bare else said), entity
    alike = [i for i in range(old[1], old[2] + 1) if tongue.time_kind(tongue.hooks.bare(asked.words[i].text)) == kind]
    if bare and alike:
        start, end = asked.words[alike[0]].start, asked.words[old[2]].end
        return (replaced(frame.text, start, end, said), entity) if frame.text[start:end] != said else None
    start, end = asked.words[old[0]].start, asked.words[old[2]].end
    if frame.text[start:end].casefold() == said.casefold():
        return None
    return replaced(frame.text, start, end, f"{tongue.lead(kind)}{said}" if bare else said), entity


def _day_lead(tongue: Tongue, word: Word) -> bool:
    """Return whether *word* is what stands before a day: «يوم»."""
    return tongue.form(_unprefixed(tongue, word)) == tongue.form(tongue.grammar.day_lead.strip())


def _unprefixed(tongue: Tongue, word: Word) -> str:
    """Return a word of a fragment without the "and" that is written on it."""
    return word.text[1:] if tongue.grammar.letters_folded and word.key[:1] in tongue.grammar.prefixes[:2] else word.text


def _time_span(asked: Analysis) -> tuple[int, int, int] | None:
    """Return the words of the only time in a question: with its preposition, its first, its last; None without."""
    tongue = asked.tongue
    times = [w.index for w in asked.words if tongue.time_kind(tongue.hooks.bare(w.text)) not in ("", "unit")]
    if not times or times[-1] - times[0] > len(times) + 1:
        return None
    first, last = times[0], times[-1]
    while first and asked.words[first - 1].number:
        first -= 1
    while last + 1 < len(asked.words) and asked.words[last + 1].number and tongue.time_kind(asked.words[last].text):
        last += 1
    lead = first
    while lead and _leads_time(tongue, asked.words[lead - 1]):
        lead -= 1
    return (lead, first, last) if lead or first else None


def _leads_time(tongue: Tongue, word: Word) -> bool:
    return (
        word.key in tongue.determiners
        or _day_lead(tongue, word)
        or (
            tongue.has("prepositions", word.key)
            and not tongue.asks(word.key)
            and not tongue.has("name_links", word.key)
        )
    )


def where(analysis: Analysis, rest: Sequence[Word], asked: Analysis, frame: Frame) -> Asked | None:
    """Read "Et à Lille ?", "And at the harbour?": it takes the place of the place there, else comes last."""
    tongue, said_at = analysis.tongue, led(analysis, rest)
    lead = unled(analysis, said_at[0])
    if not opened(analysis):
        return None
    if not tongue.has("locatives", tongue.form(lead)):
        return _glued_place(lead, asked, frame) if len(said_at) == 1 else None
    inner = [w for w in said_at[1:] if not leads(tongue, w)]
    if not inner or any(tongue.time_kind(w.text) for w in inner) or inner[-1].number:
        return None
    placed = _is_place(analysis, inner[-1])
    said = f"{lead}{analysis.text[said_at[0].end : said_at[-1].end]}"
    named = analysis.text[inner[0].start : inner[-1].end]
    olds = _place_spans(asked)
    if not placed or len(olds) > 1:
        return None
    if not olds:
        part = _told_by_place(asked)
        if part is not None:
            return replaced(frame.text, *part[:2], part[2].format(said)), (named,)
        return (_added(asked, frame, said), (named,)) if carried(asked, frame) and not frame.spans else None
    start, end = olds[0]
    if frame.text[start:end].casefold() == said.casefold():
        return None
    place = analysis.phrase_at(inner[-1].index)
    known = (place.entity,) if place is not None and place.known else ()
    return replaced(frame.text, start, end, said), known or _kept(frame, start, end) or (named,)


def _kept(frame: Frame, start: int, end: int) -> tuple[str, ...]:
    """Return the names of the last question that stand outside what is replaced."""
    return tuple(entity for first, last, entity, _ in frame.spans if last <= start or end <= first)


def _is_place(analysis: Analysis, word: Word) -> bool:
    """Return whether *word* names a place by its kind, or is a name of its own of which no kind is known."""
    tongue, phrase = analysis.tongue, analysis.phrase_at(word.index)
    kind = tongue.lexicon.kind(word.text)
    if phrase is not None and phrase.name:
        return phrase.type in _PLACES
    if kind is not None:
        return kind.type in ("LOCATION", "ORGANIZATION")
    own = word.capital and not (tongue.grammar.noun_capitals and "noun" in tongue.lexicon.parts(word.text))
    return own or (tongue.grammar.letters_folded and "noun" not in tongue.lexicon.parts(word.text))


def _glued_place(word: str, asked: Analysis, frame: Frame) -> Asked | None:
    """Read «وبإربد؟», where the preposition is written on the place, which takes the place of the one there."""
    tongue, olds = asked.tongue, _place_spans(asked)
    glued = [form for form in tongue.grammar.prefixes[2:] if tongue.has("locatives", form) and word.startswith(form)]
    if not glued or len(olds) != 1 or len(word) < _GLUED or tongue.lexicon.kind(word) is not None:
        return None
    return replaced(frame.text, *olds[0], word), _kept(frame, *olds[0]) or (word.removeprefix(glued[0]),)


def _told_by_place(asked: Analysis) -> tuple[int, int, str] | None:
    """Return the part of the only name by which a place is told apart from its like: "Agence | de Roubaix"."""
    places = [p for p in asked.phrases if p.name and p.noun and p.type in ("LOCATION", "ORGANIZATION")]
    if len(places) != 1 or places[0].noun not in places[0].name:
        return None
    phrase, text = places[0], asked.text
    at = text.find(phrase.noun, phrase.start)
    end = at + len(phrase.noun)
    if end < phrase.end:
        return end, phrase.end, " {}"
    first = text.find(phrase.name, phrase.start)
    return (first, phrase.end, f"{phrase.noun} {{}}") if first < at else None


def _place_spans(asked: Analysis) -> list[tuple[int, int]]:
    """Return where a question says the places of what it asks: "in Leeds", "im Hauptbahnhof", "en Belgique"."""
    tongue, found = asked.tongue, []
    for word in asked.words[:-1]:
        after = asked.words[word.index + 1]
        if word.opens or not tongue.has("locatives", word.key) or asked.text[word.end : after.start].strip():
            continue
        phrase = asked.phrase_at(after.index) or asked.phrase_at(word.index)
        last = phrase.last if phrase is not None and phrase.last > word.index else after.index
        inner = asked.words[word.index + 1 : last + 1]
        if any(tongue.time_kind(w.text) for w in inner) or tongue.asks(inner[-1].key):
            continue
        kinded = phrase is not None and phrase.type in _PLACES and (phrase.name or phrase.type == "LOCATION")
        if kinded or tongue.grammar.letters_folded or (phrase is None and inner[-1].capital):
            found.append((word.start, inner[-1].end))
    return found


def _added(asked: Analysis, frame: Frame, words: str) -> str:
    """Return the last question with *words* at its end: before what a verb bracket closes with, where there is one."""
    body, last, tongue = frame.text.rstrip(_MARKS), asked.words[-1], asked.tongue
    mark = frame.text[len(body) :] or "?"
    parts = tongue.lexicon.parts(last.text)
    closes = tongue.grammar.noun_capitals and not last.capital and len(asked.words) > 2
    closes = closes and (
        bool(parts & {"verb", "inf"}) or (last.text.startswith(("ge", "ver", "be")) and not parts - {"adj"})
    )
    if closes:
        return f"{frame.text[: last.start]}{words} {frame.text[last.start :]}"
    return f"{body} {words}{mark}"
