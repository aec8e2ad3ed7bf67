"""Who or what an expression can mean: agreement on evidence, never on a guess; what is bound in its own sentence.

Unknown gender or number matches everything.  Evidence comes from the determiner, noun and type of every mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from languages.text import fold
from memory.reference.analysis import Analysis
from memory.reference.discourse import Discourse, Mention
from memory.reference.expression import Expression
from memory.reference.phrases import Phrase
from memory.reference.tongue import Tongue

_NEVER = frozenset(("TIME", "MONEY"))  # a pronoun for a thing or a person does not mean a date or a sum
_REGIONS = frozenset(("city", "town", "village", "place", "country", "region"))
_PLACES = frozenset(("LOCATION", "ORGANIZATION", "EVENT"))


@dataclass(frozen=True, slots=True)
class Antecedent:
    """An entity of the conversation with all that its mentions tell of it."""

    entity: str
    mentions: tuple[Mention, ...]
    type: str
    nouns: tuple[str, ...]
    genders: frozenset[str]
    numbers: frozenset[str]
    article: str
    named: bool

    @property
    def last(self) -> Mention:
        """Return the newest mention."""
        return self.mentions[-1]


def antecedents(discourse: Discourse) -> tuple[Antecedent, ...]:
    """Return the entities of the discourse, in the order in which they first came."""
    by_entity: dict[str, list[Mention]] = {}
    for mention in discourse.mentions:
        by_entity.setdefault(_identity(mention), []).append(mention)
    return tuple(_united(tuple(mentions)) for mentions in by_entity.values())


def _identity(mention: Mention) -> str:
    return fold(mention.entity)


def _united(mentions: tuple[Mention, ...]) -> Antecedent:
    types = [m.type for m in mentions if m.type]
    genders: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    for mention in mentions:
        if mention.genders:
            genders = (genders & frozenset(mention.genders)) or frozenset(mention.genders)
        if mention.numbers:
            numbers = (numbers & frozenset(mention.numbers)) or frozenset(mention.numbers)
    nouns = tuple(dict.fromkeys(m.noun for m in mentions if m.noun))
    article = next((m.article for m in reversed(mentions) if m.article and m.determined == "definite"), "")
    named = any(m.named for m in mentions)
    return Antecedent(mentions[0].entity, mentions, types[-1] if types else "", nouns, genders, numbers, article, named)


def agrees(expression: Expression, antecedent: Antecedent, tongue: Tongue) -> bool:
    """Return whether nothing that is known speaks against *antecedent*."""
    if expression.kind == "place":
        return _is_place(antecedent)
    if expression.kind == "time":
        return antecedent.type == "TIME"
    if not _same_kind(expression, antecedent, tongue):
        return False
    if expression.genders and antecedent.genders and not expression.genders & antecedent.genders:
        return False
    if expression.animacy == "person" and not _is_person(antecedent, tongue):
        return False
    if expression.animacy == "thing" and antecedent.type == "PERSON":
        return False
    return _numbers_agree(expression, antecedent)


def _numbers_agree(expression: Expression, antecedent: Antecedent) -> bool:
    if not expression.numbers or not antecedent.numbers:
        return True
    if expression.numbers & antecedent.numbers:
        return True
    # They, leur, ihnen: a company is spoken of in the plural; "d" is the dual, which two things joined have.
    return expression.numbers == {"p"} and antecedent.type == "ORGANIZATION"


def _is_place(antecedent: Antecedent) -> bool:
    if antecedent.type:
        return antecedent.type in _PLACES
    return antecedent.named and bool(antecedent.last.preposition) and not any(c.isdigit() for c in antecedent.entity)


def _is_person(antecedent: Antecedent, tongue: Tongue) -> bool:
    if antecedent.type:
        return antecedent.type == "PERSON"
    return antecedent.named and tongue.lexicon.person_gender(antecedent.entity) is not None


def _same_kind(expression: Expression, antecedent: Antecedent, tongue: Tongue) -> bool:
    """Return whether an expression's noun ("this camera") can name *antecedent*; a pronoun asks for a thing alone."""
    if expression.kind in ("definite", "demonstrative", "other", "ordinal", "comparison", "both") and expression.noun:
        return names(expression.noun, antecedent, tongue)
    if antecedent.named or expression.kind == "adverb":
        return antecedent.named and antecedent.type not in _NEVER
    if not tongue.lexicon.kind(antecedent.nouns[-1] if antecedent.nouns else ""):
        return False
    return bool(antecedent.nouns) and not tongue.is_property(antecedent.nouns[-1]) and antecedent.type not in _NEVER


def names(noun: str, antecedent: Antecedent, tongue: Tongue) -> bool:
    """Return whether *noun* can name *antecedent*: by the nouns said of it, by its type where none was said."""
    lexicon = tongue.lexicon
    if any(lexicon.is_a(own, noun) or fold(own) == fold(noun) for own in antecedent.nouns):
        return True
    folded = fold(noun)
    if folded and re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", fold(antecedent.entity)):
        return True
    kind = lexicon.kind(noun)
    if kind is None:
        return False
    if kind.type == "PERSON" and antecedent.type == "PERSON":
        return True
    if antecedent.nouns and any(lexicon.kind(own) is not None for own in antecedent.nouns):
        return False
    if not antecedent.named:
        return False
    if kind.type == "LOCATION" and kind.id not in _REGIONS:
        return False  # an airport or a hotel is not just any place
    if antecedent.type:
        return antecedent.type == kind.type
    return kind.type in ("PRODUCT", "SERVICE")


def bound(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return the phrase of the question itself that the expression means, or None where it is free.

    A name or a noun before it binds it where it agrees; a noun of what things have ("the warranty") does not.
    """
    if expression.kind == "both":
        before = [p for p in analysis.phrases if p.end <= expression.start and p.group >= 0]
        return before[-1] if before else None
    if expression.kind not in ("pronoun", "possessive", "demonstrative", "place"):
        return None
    if expression.kind == "demonstrative" and expression.noun:
        return None
    for phrase in reversed([p for p in analysis.phrases if p.end <= expression.start]):
        beside = phrase.last + 1 == expression.first and not phrase.name and expression.kind == "pronoun"
        if not beside and _binds(phrase, expression, tongue):
            return phrase
    ahead = _ahead(analysis, expression, tongue)
    if ahead is not None:
        return ahead
    if (
        any(tongue.has("generic", word.key) for word in analysis.words[: expression.first])
        and expression.animacy != "thing"
    ):
        first = analysis.words[0]
        return Phrase(first.start, first.end, 0, 0, "", first.text)
    return None


def _ahead(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return the name after a fronted clause that its pronoun means: "Before she retired, did Joan work here?"."""
    comma = re.search(r"[,،]", analysis.text[expression.end :])
    if comma is None or expression.first > 3 or expression.kind not in ("pronoun", "possessive"):
        return None
    if not analysis.words or analysis.words[0].key in tongue.verbs or tongue.has("fillers", analysis.words[0].key):
        return None
    later = [p for p in analysis.phrases if p.name and p.start >= expression.end + comma.end()]
    return next((p for p in later if _binds(p, expression, tongue)), None)


def _binds(phrase: Phrase, expression: Expression, tongue: Tongue) -> bool:
    if expression.kind == "place":
        return phrase.type in _PLACES or (bool(phrase.name) and bool(phrase.preposition) and not phrase.type)
    if phrase.determined == "demonstrative" or phrase.type in _NEVER:
        return False
    if not phrase.name and (tongue.is_property(phrase.noun) or phrase.determined == ""):
        return False
    if expression.genders and phrase.genders and not expression.genders & phrase.genders:
        return False
    if expression.numbers and phrase.numbers and not expression.numbers & phrase.numbers:
        # Singular "they": an indefinite person binds it ("Can a tenant repaint their flat?").
        anyone = phrase.determined in ("indefinite", "quantity") and phrase.type in ("PERSON", "")
        return anyone and not tongue.grammar.genders and _animate(phrase, expression, tongue)
    return _animate(phrase, expression, tongue)


def _animate(phrase: Phrase, expression: Expression, tongue: Tongue) -> bool:
    """Return whether nothing known speaks against a person, or a thing, where the expression asks for one."""
    if expression.animacy == "person" and phrase.type not in ("PERSON", ""):
        return False
    if expression.animacy == "person" and not phrase.type and phrase.name:
        return tongue.lexicon.person_gender(phrase.name) is not None
    return not (expression.animacy == "thing" and phrase.type == "PERSON")


def compatible(
    expression: Expression, known: Iterable[Antecedent], tongue: Tongue, excluded: frozenset[str]
) -> tuple[Antecedent, ...]:
    """Return those that agree; *excluded* are folded entities that the question names itself."""
    fitting = tuple(a for a in known if fold(a.entity) not in excluded and agrees(expression, a, tongue))
    if expression.kind == "place":
        return tuple(a for a in fitting if a.type == "LOCATION") or fitting
    if expression.noun and expression.kind in ("definite", "demonstrative"):
        named = tuple(a for a in fitting if a.named)
        return tuple(a for a in named if _surely(expression.noun, a, tongue)) or named or fitting
    if expression.kind == "pronoun" and expression.case == "dative":
        people = tuple(a for a in fitting if a.type in ("PERSON", "ORGANIZATION") and a.named)
        return people or fitting
    if expression.kind == "possessive" and _is_part(expression.noun, tongue):
        fitting = tuple(a for a in fitting if a.type != "PERSON") or fitting
    if expression.kind in ("pronoun", "possessive", "demonstrative"):
        things = tuple(a for a in fitting if a.type != "LOCATION")
        return things or fitting
    return fitting


def _is_part(noun: str, tongue: Tongue) -> bool:
    """Return whether *noun* names a part of a thing, which people do not have: a fan, a battery."""
    kind = tongue.lexicon.kind(noun) if noun else None
    return kind is not None and kind.type == "PART"


def _surely(noun: str, antecedent: Antecedent, tongue: Tongue) -> bool:
    """Return whether a noun said of *antecedent* is a kind of *noun*; its type alone is not enough."""
    return any(tongue.lexicon.is_a(own, noun) or fold(own) == fold(noun) for own in antecedent.nouns)
