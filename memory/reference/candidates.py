"""Who or what an expression can mean: agreement on evidence, never on a guess; what is bound in its own sentence.

Unknown gender or number matches everything.  Evidence comes from the determiner, noun and type of every mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from languages.text import fold
from memory.reference.discourse import Discourse, Mention
from memory.reference.expression import Expression
from memory.reference.tongue import Tongue

NEVER = frozenset(("TIME", "MONEY"))  # a pronoun for a thing or a person does not mean a date or a sum
_ANYBODY = frozenset(("person", "man", "woman", "adult", "child", "colleague", "employee"))  # nouns that fit any person
_REGIONS = frozenset(("city", "town", "village", "place", "country", "region"))
_WRITTEN_ON = 2  # letters of an article that is part of the word, at most
_NO_PLACES = frozenset(("PRODUCT", "SERVICE", "PERSON", "DOCUMENT", "TIME", "MONEY"))
PLACES = frozenset(("LOCATION", "ORGANIZATION", "EVENT"))
_MADE = frozenset(("PRODUCT", "SERVICE", "DOCUMENT"))
_MEASURED = frozenset(("MONEY", "TIME", "ATTRIBUTE"))  # a deposit, a duration: they are no thing that has one


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


def contradicts(expression: Expression, antecedent: Antecedent) -> bool:
    """Return whether gender, number or animacy, each on evidence, rule *antecedent* out."""
    if _is_of_another_sort(expression, antecedent):
        return True
    asked = expression.genders
    if expression.kind == "place" and antecedent.type in _NO_PLACES:
        return True
    if expression.kind == "possessive" and _is_word(expression.noun, antecedent):
        return True  # an extension has no extension
    if expression.singular and (antecedent.numbers == {"s"} or expression.numbers == {"s"}):
        asked = expression.singular
    renamed = bool(expression.noun) and expression.kind in ("definite", "demonstrative")  # the noun has its own gender
    if not renamed and asked and antecedent.genders and not asked & antecedent.genders:
        return True
    if expression.animacy == "person" and not _may_be_person(antecedent):
        return True
    return (expression.animacy == "thing" and antecedent.type == "PERSON") or not _numbers_agree(expression, antecedent)


def _may_be_person(antecedent: Antecedent) -> bool:
    """Return whether nothing says that *antecedent* is no person: "the line, 01632 960" has a number."""
    numbered = not antecedent.named and any(map(str.isdigit, antecedent.entity))
    return antecedent.type == "PERSON" or (antecedent.type in ("", "OTHER") and not numbered)


def _is_word(noun: str, antecedent: Antecedent) -> bool:
    """Return whether *antecedent* is no more than *noun* itself, whatever article is written on it."""
    said, own = fold(antecedent.entity), fold(noun)
    return bool(own) and " " not in said and said.endswith(own) and len(said) - len(own) <= _WRITTEN_ON


def _is_of_another_sort(expression: Expression, antecedent: Antecedent) -> bool:
    """Return whether a noun cannot be said of *antecedent*: "the deposit" of a person, "the secretary" of a thing."""
    if expression.kind not in ("definite", "demonstrative") or not (expression.noun or expression.sort):
        return False
    if antecedent.type == "PERSON":
        return expression.sort != "PERSON" and (expression.kind == "definite" or bool(expression.sort))
    if expression.sort in _MEASURED:
        return antecedent.type in _MADE or antecedent.type in ("ORGANIZATION", "LOCATION")
    if expression.sort == "PERSON" and any(map(str.isdigit, antecedent.entity)):
        return True
    return expression.sort in ("PERSON", "ORGANIZATION", "LOCATION") and antecedent.type in _MADE


def may_have(antecedent: Antecedent, nouns: Sequence[str], tongue: Tongue) -> bool:
    """Return whether a question for *nouns* alone can be one about *antecedent*: "And the garage?" is of no person."""
    return antecedent.type != "PERSON" or not nouns or any(map(tongue.is_property, nouns))


def _numbers_agree(expression: Expression, antecedent: Antecedent) -> bool:
    if expression.kind == "definite" and expression.numbers == {"p"}:
        return antecedent.numbers == {"p"}  # "the banks" does not take up one bank
    if expression.numbers == {"p"} and expression.genders and antecedent.type == "PERSON" and not antecedent.numbers:
        return False  # "elles" are several; English "they" may be one
    if not expression.numbers or not antecedent.numbers:
        return True
    if expression.numbers & antecedent.numbers:
        return True
    if expression.numbers == {"s"} and antecedent.named and antecedent.type == "PRODUCT":
        return True  # headphones are a plural, the model that they are of is an "it"
    # They, leur, ihnen: a company is spoken of in the plural; "d" is the dual, which two things joined have.
    return expression.numbers == {"p"} and antecedent.type == "ORGANIZATION"


def _is_place(antecedent: Antecedent) -> bool:
    if antecedent.type:
        return antecedent.type in PLACES
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
        return antecedent.named and antecedent.type not in NEVER
    if not tongue.lexicon.kind(antecedent.nouns[-1] if antecedent.nouns else ""):
        return False
    return bool(antecedent.nouns) and not tongue.is_property(antecedent.nouns[-1]) and antecedent.type not in NEVER


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
        return kind.id in _ANYBODY or any(folded in fold(m.sentence) for m in antecedent.mentions)
    if antecedent.nouns and any(lexicon.kind(own) is not None for own in antecedent.nouns):
        return False
    if not antecedent.named:
        return False
    if kind.type == "LOCATION" and kind.id not in _REGIONS:
        return False  # an airport or a hotel is not just any place
    if antecedent.type:
        return antecedent.type == kind.type
    return kind.type in ("PRODUCT", "SERVICE") and " " not in noun


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


def side_by_side(antecedents: Sequence[Antecedent]) -> bool:
    """Return whether one coordination names all: "a confidentiality agreement and a training agreement"."""
    groups = [{m.group for m in a.mentions if m.group >= 0} for a in antecedents]
    return bool(set.intersection(*groups)) if groups else False
