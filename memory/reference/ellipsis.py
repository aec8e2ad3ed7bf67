"""Questions that leave something out: a new thing asked the old question, or a new attribute of the old thing.

What does the Aero 14 weigh?  —  And the Aero 16?      the thing takes the old one's place in the last question
How much is the Aero 14?      —  And the battery?      the attribute is asked of the thing in focus
Is the hall free on Monday?   —  And on Tuesday?       the adjunct is added to the last question
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from languages.grammar import DEFINITE, Referent, key
from languages.text import fold
from memory.reference.analysis import Analysis, analyse
from memory.reference.candidates import Antecedent
from memory.reference.discourse import Discourse, Frame
from memory.reference.expression import asks_who, is_identity
from memory.reference.phrases import Phrase
from memory.reference.rewrite import owned_link, referent_of
from memory.reference.salience import choose
from memory.reference.tongue import Tongue
from memory.reference.words import Word
from memory.types import Catalog, Link

_AROUND = frozenset(("ORGANIZATION", "LOCATION", "PERSON", ""))
_LINKED = 5  # characters between a thing and its maker: " von ", " de "
_SHORT = 9  # words in a fragment at most
_END_MARKS = " ?؟!.\u00a0\u202f"


def content(analysis: Analysis) -> list[Word]:
    """Return the words of the question without what only opens or fills it ("And", "ok", "Et pour")."""
    tongue, words = analysis.tongue, analysis.words
    i = 0
    while i < len(words):
        match = tongue.longest(analysis.keys, i, tongue.sets["openers"] | tongue.sets["fillers"])
        if match is None:
            break
        i += match[1]
    end = len(words)
    while end > i + 1 and tongue.has("fillers", words[end - 1].key):  # "The Lite, of course."
        if words[end - 2].key in tongue.determiners:
            break  # "und der kurze?"
        end -= 1
    return list(words[i:end])


def is_fragment(analysis: Analysis) -> bool:
    """Return whether the question is short and has no finite verb."""
    rest = content(analysis)
    if not rest or len(rest) > _SHORT:
        return False
    tongue = analysis.tongue
    first = rest[0]
    if not tongue.grammar.copulas and asks_who(analysis) and len(rest) > 1:
        return False  # «من أمينة الصندوق؟» is whole without a verb
    if any(tongue.has("first_persons", word.key) for word in rest):
        return False
    if tongue.grammar.noun_capitals and first.opens and first.capital and len(rest) > 2:
        nominal = tongue.lexicon.parts(first.text) & {"noun", "adj"} or analysis.phrase_at(first.index) is not None
        if not nominal:
            return False  # a verb that no list knows opens the question
    named = {i for name in analysis.names for i in range(name.first, name.last + 1)}
    nouns = {i for phrase in analysis.phrases for i in range(phrase.first, phrase.last + 1)}
    led = {  # "for implants": no verb; "to pay": one
        word.index
        for before, word in pairwise(analysis.words)
        if tongue.has("prepositions", before.key) and tongue.may_be_noun(word.key)
        if "inf" not in tongue.lexicon.parts(word.text)
    }
    return not any(
        word.index not in named
        and (word.key in tongue.verbs or (word.index not in nouns | led and tongue.is_verb(word.key)))
        for word in rest
    )


def opened(analysis: Analysis) -> bool:
    """Return whether the question begins as a continuation: "And …", "Et pour …", "Und …", «و»."""
    words, tongue = analysis.words, analysis.tongue
    if not words:
        return False
    if tongue.longest(analysis.keys, 0, tongue.sets["openers"]) is not None:
        return True
    first = words[0].key
    long = len(first) > 3 or (len(first) == 3 and tongue.has("prepositions", first[1:]))  # «وفي»
    return tongue.grammar.letters_folded and first[:1] in tongue.grammar.prefixes[:2] and long


def new_thing(
    analysis: Analysis,
    discourse: Discourse,
    known: Sequence[Antecedent],
    thing: tuple[str, str],
    *,
    preposition: str = "",
    sibling: bool = False,
) -> Link | None:
    """Return the last question with the new *thing* (phrase and entity) in place of its own, as one link; or None.

    With a *preposition* the new thing takes the place of what had the same one; None where nothing had it.  A *sibling*
    is a bare name, which is spoken of as the thing before it.
    """
    frame, (words, entity) = discourse.frame, thing
    if frame is None or frame.language != analysis.tongue.code:
        return None
    span = _same_preposition(frame, preposition) if preposition else _focus_span(frame, discourse, known)
    if span is None:
        return None
    start, end, old = span[:3]
    if fold(old) == fold(entity):
        return None
    left, right, words = _fitted(analysis.tongue, frame, span, words, bearer=_bearer(old, known) if sibling else None)
    rest = analysis.tongue.hooks.agreed(frame.text[end + right :], _spoken_of(entity, known, analysis.tongue))
    question = frame.text[: start - left] + words + rest
    return _whole(analysis, question, (entity,), ("ellipsis_new_entity",))


def _spoken_of(entity: str, known: Sequence[Antecedent], tongue: Tongue) -> Referent:
    """Return *entity* with its gender: by the conversation, else by its first name."""
    told = next((a for a in known if fold(a.entity) == fold(entity) and len(a.genders) == 1), None)
    gender = next(iter(told.genders)) if told is not None else tongue.lexicon.person_gender(entity)
    return Referent(entity, gender=gender or "")


def parallel(
    analysis: Analysis, discourse: Discourse, phrase: Phrase, catalog: Catalog, *, owned: bool = False
) -> Link | None:
    """Return the last question with *phrase* in place of the only thing like it there; None where there is none.

    "Where is the bicycle cellar?  And the laundry?"; a person takes a person's place, by name or by role.  *owned*
    where something of it is asked for: "And the coach's?".
    """
    frame, tongue = discourse.frame, analysis.tongue
    if (
        frame is None
        or frame.language != tongue.code
        or phrase.determined != DEFINITE
        or tongue.is_property(phrase.noun)
    ):
        return None
    asked = analyse(frame.text, frame.language, (catalog,))
    old = _counterpart_of(phrase, asked, tongue, owned=owned)
    if old is None or fold(old.entity) == fold(phrase.entity):
        return None
    first, end = analysis.words[phrase.first], _complemented(asked, old)
    words = unled(analysis, first) + analysis.text[first.end : phrase.end]
    genders = phrase.genders if len(phrase.genders) == 1 else frozenset()
    noun = words.partition(" ")[2] if phrase.determiner else words
    number = "p" if phrase.numbers == {"p"} else "s"
    referent = Referent(noun, DEFINITE if phrase.determiner else "", next(iter(genders), ""), number)
    left, right = 0, 0
    if owned and not genders and tongue.articles_agree:
        return None
    if tongue.grammar.noun_capitals and _is_owner(asked, old):
        words = tongue.hooks.phrase(referent, "owner")
    elif genders or old.preposition:
        left, right, words = tongue.hooks.place(
            frame.text[: old.start], frame.text[old.start : end], frame.text[end:], referent, "any"
        )
    question = frame.text[: old.start - left] + words + frame.text[end + right :]
    return _whole(analysis, question, (noun,), ("ellipsis_new_entity",))


def _is_owner(asked: Analysis, phrase: Phrase) -> bool:
    """Return whether a phrase is the genitive of the noun before it: "die Nummer der Vorsitzenden"."""
    before = asked.phrase_at(phrase.first - 1) if phrase.first and not phrase.preposition else None
    return before is not None and not asked.text[before.end : phrase.start].strip()


def another_role(analysis: Analysis, discourse: Discourse, catalog: Catalog) -> Link | None:
    """Return "Who is the coach of the juniors?" for "And the coach of the juniors?" after another such question."""
    frame, tongue, rest = discourse.frame, analysis.tongue, content(analysis)
    phrase = analysis.phrase_at(rest[0].index) if rest else None
    if frame is None or frame.language != tongue.code or phrase is None or phrase.first != rest[0].index:
        return None
    role = _kind(phrase, tongue) == "PERSON" or any(n.type == "PERSON" for n in catalog.of_kind(phrase.noun))
    if phrase.name or not role or tongue.is_property(phrase.noun) or not is_fragment(analysis):
        return None
    asked = analyse(frame.text, frame.language, (catalog,))
    old = next((p for p in asked.phrases if is_identity(asked, p.first)), None)
    if old is None or asked.text[old.start : old.end] == analysis.text[phrase.start : phrase.end]:
        return None
    body = frame.text.rstrip(_END_MARKS)
    words = unled(analysis, rest[0]) + analysis.text[rest[0].end : rest[-1].end]
    question = frame.text[: old.start] + words + frame.text[len(body) :]
    named = words if tongue.grammar.letters_folded else phrase.entity
    return _whole(analysis, question, (named,), ("ellipsis_new_entity",))


def _counterpart_of(phrase: Phrase, asked: Analysis, tongue: Tongue, *, owned: bool) -> Phrase | None:
    """Return the only phrase of the last question that *phrase* stands against; None where there is none."""
    if any(is_identity(asked, p.first) for p in asked.phrases):
        return None
    persons = [p for p in asked.phrases if p.type == "PERSON" or (not p.name and _kind(p, tongue) == "PERSON")]
    if len(persons) == 1 and _kind(phrase, tongue) in ("PERSON", ""):
        return persons[0]
    things = [p for p in asked.phrases if p.determined == DEFINITE and not p.name and not tongue.is_property(p.noun)]
    named = any(p.name and not p.preposition for p in asked.phrases)
    alike = owned or _kind(phrase, tongue) != "PERSON"
    return things[0] if len(things) == 1 and not named and alike else None


def _kind(phrase: Phrase, tongue: Tongue) -> str:
    known = tongue.lexicon.kind(phrase.noun)
    return known.type if known else ""


def _complemented(asked: Analysis, phrase: Phrase) -> int:
    """Return where a phrase ends with the complement that belongs to its noun: "le local à vélos"."""
    tongue, words = asked.tongue, asked.words
    after = words[phrase.last + 1 : phrase.last + 3]
    beside = after and not asked.text[phrase.end : after[0].start].strip() and tongue.lexicon.rules.head != "last"
    if beside and not tongue.may_be_verb(after[0].key) and tongue.base(after[0].text) in tongue.scales:
        return after[0].end  # «القاعة الكبيرة»: its adjective is not the other thing's
    bare = len(after) == 2 and after[1].key not in tongue.closed and not asked.text[phrase.end : after[0].start].strip()
    belongs = bare and tongue.grammar.noun_first and tongue.has("prepositions", after[0].key)
    return after[1].end if belongs and tongue.may_be_noun(after[1].key) else phrase.end


def _bearer(name: str, known: Sequence[Antecedent]) -> Antecedent | None:
    return next((a for a in known if fold(a.entity) == fold(name)), None)


def _fitted(
    tongue: Tongue, frame: Frame, span: tuple[int, int, str, str], words: str, *, bearer: Antecedent | None
) -> tuple[int, int, str]:
    """Return *words* as they stand in place of *span*, as ``Hooks.place`` does: "du A" becomes "de la B"."""
    start, end, _, preposition = span
    head, _, rest = words.partition(" ")
    replaced = tongue.determiners.get(
        key(frame.text[start:end].partition(" ")[0], folded=tongue.grammar.letters_folded)
    )
    rules = tongue.determiners.get(key(head, folded=tongue.grammar.letters_folded))
    if bearer is not None:
        referent = replace(referent_of(bearer, tongue), name=words)
    elif rules and rules[0].kind == DEFINITE and not rules[0].contracted and rest:
        gender = rules[0].genders[0] if len(rules) == 1 and len(rules[0].genders) == 1 else ""
        if not gender and not (replaced and replaced[0].contracted):
            return 0, 0, words
        referent = Referent(rest, head.casefold(), gender, "p" if rules[0].numbers == ("p",) else "s")
    else:
        return 0, 0, words
    case = preposition if preposition and (replaced and replaced[0].contracted) else "subject" if bearer else "any"
    return tongue.hooks.place(frame.text[:start], frame.text[start:end], frame.text[end:], referent, case)


def _same_preposition(frame: Frame, preposition: str) -> tuple[int, int, str, str] | None:
    return next((span for span in reversed(frame.spans) if span[3] == preposition), None)


def _focus_span(frame: Frame, discourse: Discourse, known: Sequence[Antecedent]) -> tuple[int, int, str, str] | None:
    """Return the span of the thing that the last question was about: its only name, else the most salient one."""
    if not frame.spans:
        return None
    if len(frame.spans) == 1:
        return frame.spans[0]
    by_name = {fold(a.entity): a for a in known}
    things = [s for s in frame.spans if (a := by_name.get(fold(s[2]))) is not None and a.type not in _AROUND]
    if len(things) == 1:
        return _with_maker(frame, things[0])  # "der Inspiron 14 von Dell"
    here = {fold(span[2]) for span in frame.spans}
    top = choose([a for a in known if fold(a.entity) in here], discourse)
    if len(top) != 1:
        return None
    return next((span for span in frame.spans if fold(span[2]) == fold(top[0].entity)), None)


def _with_maker(frame: Frame, span: tuple[int, int, str, str]) -> tuple[int, int, str, str]:
    """Return *span* up to the end of its maker's name right behind it, which would be wrong of another thing."""
    start, end, entity, preposition = span
    after = next((s for s in frame.spans if end <= s[0] <= end + _LINKED and fold(s[2]) in fold(entity)), None)
    return (start, after[1], entity, preposition) if after is not None else span


def adjunct(analysis: Analysis, discourse: Discourse, catalog: Catalog) -> Link | None:
    """Return the last question with the fragment ("on Tuesday", "en août") in it, as one link; or None.

    It takes the place of what answers it in that question (the same preposition, another time), else the end.
    """
    frame = discourse.frame
    rest = content(analysis)
    if frame is None or not rest or frame.language != analysis.tongue.code:
        return None
    if analysis.tongue.asks(rest[0].key):
        return None  # «ومتى تدرّب؟» asks something else
    rest = _with_prepositions(analysis, rest)
    addition = unled(analysis, rest[0]) + analysis.text[rest[0].end : rest[-1].end]
    asked = analyse(frame.text, frame.language, (catalog,))
    entities = tuple(dict.fromkeys(span[2] for span in frame.spans)) or (carried(asked, frame) or addition,)
    old = _counterpart(rest, asked, analysis)
    if old is not None:
        question = frame.text[: old[0]] + addition + frame.text[old[1] :]
        return _whole(analysis, question, entities, ("ellipsis_new_attribute",))
    if not frame.spans and not (carried(asked, frame) and analysis.tongue.has("prepositions", rest[0].key)):
        return None
    body = frame.text.rstrip(_END_MARKS)
    mark = frame.text[len(body) :] or "?"
    question = f"{body} {addition}{mark}"
    return _whole(analysis, question, entities, ("ellipsis_new_attribute",))


def carried(asked: Analysis, frame: Frame) -> str:
    """Return what the last question goes on to be about: its name, else its subject or first thing, "" without."""
    if frame.spans:
        return frame.spans[0][2]
    tongue = asked.tongue
    things = [
        p for p in asked.phrases if p.type not in ("TIME", "MONEY") and p.noun and p.determined != "interrogative"
    ]
    things = [p for p in things if not tongue.is_property(p.noun)] or things
    return next((p.entity for p in things if p.subject), things[0].entity if things else "")


def _counterpart(rest: Sequence[Word], asked: Analysis, analysis: Analysis) -> tuple[int, int] | None:
    """Return the offsets in the last question of what *rest* stands against; None where nothing does."""
    tongue = analysis.tongue
    lead = unled(analysis, rest[0])
    same = [word for word in asked.words if word.text.casefold() == lead.casefold() or word.key == rest[0].key]
    if same and rest[0].key not in tongue.determiners:
        return same[-1].start, _end_of(asked, same[-1])
    if not any(word.key in tongue.times for word in rest):
        return None
    times = [word for word in asked.words if word.key in tongue.times]
    phrase = asked.phrase_at(times[-1].index) if times else None
    if phrase is not None:
        return phrase.start, phrase.end
    return (times[-1].start, times[-1].end) if times else None


def unled(analysis: Analysis, first: Word) -> str:
    """Return the first word of a fragment without the "and" that is written on it."""
    tongue = analysis.tongue
    bare = tongue.hooks.bare(first.text)
    if bare == first.text and tongue.grammar.letters_folded and opened(analysis) and first.opens:
        inner = first.text[1:]
        known = tongue.lexicon.kind(inner) is not None or tongue.has("prepositions", tongue.form(inner))
        bare = inner if known or tongue.time_kind(inner) or tongue.hooks.is_definite(inner) else bare
    return bare


def _with_prepositions(analysis: Analysis, rest: list[Word]) -> list[Word]:
    """Return *rest* with the prepositions right before it, which "And for …" counts among what opens a question."""
    first = rest[0].index
    while first and _leads(analysis, first - 1):
        first -= 1
    if first < rest[0].index and first == 0:
        return rest  # "About the Aero 14": nothing else opens it
    return [*analysis.words[first : rest[0].index], *rest]


def _leads(analysis: Analysis, at: int) -> bool:
    """Return whether word *at* is a preposition, but for one that belongs to a question: "what about"."""
    tongue, word = analysis.tongue, analysis.words[at]
    taken_in = any(rule.contracted for rule in tongue.determiners.get(word.key, ()))
    asks = at > 0 and tongue.asks(analysis.words[at - 1].key)
    return (taken_in or tongue.has("prepositions", word.key)) and not asks


def led(analysis: Analysis, rest: Sequence[Word]) -> list[Word]:
    """Return *rest* with the prepositions right before it, which "and in", "et au" counts to what opens it."""
    first = rest[0].index
    while first and _leads(analysis, first - 1):
        first -= 1
    return [*analysis.words[first : rest[0].index], *rest]


def _end_of(asked: Analysis, preposition: Word) -> int:
    """Return where the phrase of *preposition* ends: before a verb, another such phrase, or a mark."""
    tongue, end = asked.tongue, preposition.end
    for word in asked.words[preposition.index + 1 :]:
        closes = tongue.has("prepositions", word.key) or tongue.has("conjunctions", word.key)
        if closes or asked.text[end : word.start].strip() or (tongue.is_verb(word.key) and end > preposition.end):
            break
        end = word.end
    return end


def attribute_of(analysis: Analysis, phrase: Phrase, focus: Antecedent) -> Link:
    """Return the question with the thing in focus as the owner of the attribute asked: "the battery of the Aero 14"."""
    return owned_link(analysis, phrase.end, focus, ("ellipsis_new_attribute",))


def _whole(analysis: Analysis, question: str, entities: tuple[str, ...], evidence: tuple[str, ...]) -> Link:
    rest = content(analysis)
    at = rest[0].start if rest else 0
    question = question[:1].upper() + question[1:] if analysis.text[:1].isupper() else question
    return Link("", (at, at), entities, 0, len(analysis.text), question, evidence)
