"""What people say of themselves in one language, as data: ``languages/<code>/listening.toml``.

Whoever listens reads a message clause by clause in a normal form: folded words, elisions and short forms written out
(``expansions``), words that say nothing here taken out (``fillers``).  The templates below are matched against that.

A template is words with white space between them, and

    <name>     any phrase of the class *name* in ``classes``
    (a|b c)    one of these          [a|b c]   one of these, or nothing
    {}         the value             {x}       an entry of ``relations``, ``events`` or ``groups``: the detail
    …          up to five words     ^ and $   where the clause begins and ends

A template that begins with ``<i>`` is also heard without it at the start of a sentence or after "and"; where
``verb_second`` holds, also with the verb before it and with the verb at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Literal

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from languages.files import FOLDER, Text, read_checked

_STRICT = ConfigDict(extra="forbid")

Slot = Literal[
    "name",  # a person's name in a frame that says so: "my name is …"
    "person",  # a name where something else may stand as well: "I'm …"
    "place",
    "whereabouts",  # a place where something else may stand as well: "I'm in …"
    "organisation",
    "job",
    "role",  # a job where something else may stand as well: "I'm a …"
    "thing",  # what can be owned
    "named",  # a thing with a name or number of its own
    "words",  # what is liked
    "wanted",  # what is wanted or needed: a thing, no action
    "phrase",  # the same as one phrase, to which no second is added by "and"
    "money",
    "count",
    "age",
    "code",  # an order number and the like
    "plan",
    "email",
    "phone",
    "date",
    "relation",  # the word for a relative itself
    "without",  # the words of the template themselves, of which the last names a product or a part
    "whole",  # the words of the template themselves
]


@dataclass(frozen=True, slots=True, config=_STRICT)
class Frame:
    """Ways to say one kind of thing.  ``key`` is what is stated by it, independent of the language.

    ``held``: it also stands within a question ("would it suit my team of 12?").  ``negated`` is the key where the
    clause is negated, "" where nothing is stated then.  ``full``: negations and fillers are part of the templates.
    """

    key: Text
    slot: Slot
    says: tuple[Text, ...]
    act: Literal["states", "corrects", "retracts"] = "states"
    negated: str = ""
    detail: str = ""
    held: bool = False
    full: bool = False


@dataclass(frozen=True, slots=True, config=_STRICT)
class Asking:
    """Ways to ask the memory for what stands under *key*."""

    key: Text
    asks: tuple[Text, ...]


@dataclass(frozen=True, slots=True, config=_STRICT)
class Listening:
    """All that listening asks of one language.  Lists are templates unless said otherwise."""

    classes: Mapping[str, tuple[Text, ...]]
    frames: tuple[Frame, ...]
    asking: tuple[Asking, ...] = ()
    verb_second: bool = False
    compounds: bool = False  # nouns are written together, so that an event or group may be the end of a word
    expansions: Mapping[str, Text] = field(default_factory=dict)  # a word and what it stands for: "i'm" = "i am"
    recall: tuple[Text, ...] = ()  # single words of a question to the memory: remember, again
    sayings: tuple[Text, ...] = ()  # single words for saying: "what did I say before" asks for nothing older
    before: tuple[Text, ...] = ()  # the value before the current one: "before that", "my old …"
    earlier: tuple[Text, ...] = ()  # the same, unless it says when something was said: "before"
    at_first: tuple[Text, ...] = ()  # the oldest value: originally
    ago: tuple[Text, ...] = ()  # what a time is set back by: two weeks *ago*
    past: Mapping[str, Text] = field(default_factory=dict)  # yesterday = "1 day", the unit a calendar's
    elsewhere: tuple[Text, ...] = ()  # single words by which a question goes beyond the memory: *for* my budget
    proclitics: tuple[Text, ...] = ()  # letters written on the next word: و
    circumfixes: tuple[tuple[str, str], ...] = ()  # what a negated word begins and ends with: ما…ش
    fillers: tuple[Text, ...] = ()  # now, just, by the way
    negations: tuple[Text, ...] = ()  # not, never
    no_longer: tuple[Text, ...] = ()
    additions: tuple[Text, ...] = ()  # also, as well
    corrections: tuple[Text, ...] = ()  # no; actually; I meant
    instead: tuple[Text, ...] = ()  # what follows a negation and says what holds: but, sondern
    conditions: tuple[Text, ...] = ()  # if, unless, whether
    supposing: tuple[Text, ...] = ()  # imagine: nothing of the sentence is stated
    unreal: tuple[Text, ...] = ()  # would, hätte: after a condition nothing is stated
    reports: tuple[Text, ...] = ()  # she says: what follows is someone else's
    tags: tuple[Text, ...] = ()  # right? oder?: what stands before is asked
    openers: tuple[Text, ...] = ()  # what opens a question: "do you"; * is any one word
    links: tuple[Text, ...] = ()  # single words that open a clause: but, because
    ands: tuple[Text, ...] = ()  # single words
    resumes: tuple[Text, ...] = ()  # single words that take up what a comma set off: "mon budget, c'est ..."
    inner_places: tuple[Text, ...] = ()  # single words before the place itself: "in a flat *in* Bern"
    articles: tuple[Text, ...] = ()  # single words left out at the front of a value
    stops: tuple[Text, ...] = ()  # single words that end a value, beside the stop words
    joins: tuple[Text, ...] = ()  # single words that stand inside a value: machine *à* laver
    about: tuple[Text, ...] = ()  # single words before an amount: around, up to
    pleas: tuple[Text, ...] = ()  # single words: please
    closers: tuple[Text, ...] = ()  # what is left out at the end of a value: please
    infinitive: str = ""  # a regular expression for folded words that are verbs where no noun is known
    participle: str = ""  # a regular expression for folded words that end a clause of the past: "habe … gelesen"
    infinitives: tuple[Text, ...] = ()  # single words before a verb: an action is no thing that is wanted
    not_owned: tuple[Text, ...] = ()  # nouns that one "has" without owning them: a question
    not_jobs: tuple[Text, ...] = ()  # nouns for people that name no job
    not_names: tuple[Text, ...] = ()  # what follows "I'm" and is no name
    name_parts: tuple[Text, ...] = ()  # von, ben: inside a person's name
    glued: tuple[Text, ...] = ()  # prepositions written on a word
    multipliers: Mapping[str, int] = field(default_factory=dict)  # k = 1000
    slang: Mapping[str, Text] = field(default_factory=dict)  # words for money that are no units: bucks = USD
    relations: Mapping[str, tuple[Text, ...]] = field(default_factory=dict)  # daughter = ["daughter", ...]
    events: Mapping[str, tuple[Text, ...]] = field(default_factory=dict)
    groups: Mapping[str, tuple[Text, ...]] = field(default_factory=dict)  # team = ["team", ...]
    dates: tuple[Text, ...] = ()  # tomorrow, next week; {weekday} and {month} stand for any
    it: tuple[Text, ...] = ()  # words by which the thing spoken of is meant
    states: Mapping[str, tuple[Text, ...]] = field(
        default_factory=dict
    )  # verbs of things: price = ["costs"], "" = ["has"]
    attributes: Mapping[str, tuple[Text, ...]] = field(default_factory=dict)  # their nouns: memory = ["ram"]


@lru_cache(maxsize=16)
def listening_of(code: str) -> Listening:
    """Return what listening asks of a language; nothing is heard in one that has no file for it.

    Raises: LanguagePackError where the file is not as it should be.
    """
    if not (FOLDER / code / "listening.toml").is_file():
        return Listening(classes={}, frames=())
    return read_checked(code, "listening.toml", TypeAdapter(Listening))
