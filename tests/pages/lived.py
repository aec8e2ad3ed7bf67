"""A person who has talked for a while: conversations, facts with their history, things, relations."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory import Heard
from memory.memory import EntityMemory, Said
from memory.store.conversations import LOCAL_PERSON, Conversations, NewTurn
from memory.store.database import Database
from memory.store.entities import Named

NOW = datetime.now(UTC)


@dataclass(frozen=True)
class Life:
    """What a person says of themself in one language, and what they talk about."""

    facts: tuple[tuple[str, str], ...]
    later: tuple[str, str]  # a fact that takes the place of one before
    things: tuple[tuple[str, str, str], ...]  # name, type, a sentence about it
    titles: tuple[str, ...]


LIVES: Mapping[str, Life] = {
    "en": Life(
        (("name", "Alex"), ("place", "Kelsbury"), ("employer", "Holm & Daughters"), ("budget", "£900"),
         ("owns", "Veltara 13"), ("likes", "quiet keyboards")),
        ("budget", "£1,200"),
        (("Veltara 13", "PRODUCT", "The Veltara 13 is a bit loud under load."), ("Veltara 15", "PRODUCT", ""),
         ("Inga Holm", "PERSON", "Inga Holm repairs it in Kelsbury."), ("Kelsbury", "LOCATION", "")),
        ("How much is the Veltara 13?", "Can I return a tablet that I have already set up?", "And the Ridge?"),
    ),
    "fr": Life(
        (("name", "Camille"), ("place", "Montcerval"), ("employer", "Atelier Verdolin"), ("budget", "900\u00a0€"),
         ("owns", "Veltara 13"), ("likes", "les claviers silencieux")),
        ("budget", "1\u202f200\u00a0€"),
        (("Veltara 13", "PRODUCT", "Le Veltara 13 est un peu bruyant."), ("Veltara 15", "PRODUCT", ""),
         ("Mathis Verdolin", "PERSON", "Mathis Verdolin le répare à Montcerval."), ("Montcerval", "LOCATION", "")),
        ("Quel est le prix du Veltara 13\u202f?", "Puis-je rendre une tablette ouverte\u202f?", "Et le Ridge\u202f?"),
    ),
    "de": Life(
        (("name", "Jona"), ("place", "Lindenrath"), ("employer", "Werkstatt Oberkamp"), ("budget", "900\u00a0€"),
         ("owns", "Veltara 13"), ("likes", "leise Tastaturen")),
        ("budget", "1.200\u00a0€"),
        (("Veltara 13", "PRODUCT", "Das Veltara 13 ist unter Last etwas laut."), ("Veltara 15", "PRODUCT", ""),
         ("Jannis Oberkamp", "PERSON", "Jannis Oberkamp repariert es."), ("Lindenrath", "LOCATION", "")),
        ("Was kostet das Veltara 13?", "Kann ich ein schon eingerichtetes Tablet zurückgeben?", "Und das Ridge?"),
    ),
    "ar": Life(
        (("name", "ريم"), ("place", "السنابل"), ("employer", "ورشة الشهراني"), ("budget", "3,000 ريال"),
         ("owns", "Veltara 13"), ("likes", "لوحات المفاتيح الهادئة")),
        ("budget", "4,500 ريال"),
        (("Veltara 13", "PRODUCT", "جهاز Veltara 13 مزعج قليلًا عند الحمل."), ("Veltara 15", "PRODUCT", ""),
         ("رائد الشهراني", "PERSON", "يصلحه رائد الشهراني في السنابل."), ("السنابل", "LOCATION", "")),
        ("كم سعر Veltara 13؟", "هل يمكنني إرجاع جهاز لوحي بعد فتحه؟", "وماذا عن Ridge؟"),
    ),
}  # fmt: skip


def live(database: Database, code: str = "en", person: str = LOCAL_PERSON, *, now: datetime = NOW) -> tuple[str, ...]:
    """Return the ids of the conversations that *person* has had, the newest last."""
    life, ids = LIVES[code], []
    for number, title in enumerate(life.titles):
        at = now - timedelta(days=(45, 1, 0)[number], hours=1)
        conversations, memory = (
            Conversations(database, now=lambda at=at: at),
            EntityMemory(database, now=lambda at=at: at),
        )
        conversation = conversations.create(person, code)
        ids.append(conversation)
        turn = f"{person[:8]}-{code}-{number}-{uuid.uuid4().hex[:8]}"
        said = Said(conversation, turn, _named(life, number), _heard(life, number), _related(life, number))

        def keep(connection: object, memory: EntityMemory = memory, said: Said = said) -> object:
            return memory.remember(person, said, connection)  # type: ignore[arg-type]

        answer = {"text": life.things[0][2] or title, "answered": True, "citations": [], "method": "extraction"}
        resolution = {"question": title, "standalone": title, "status": "unchanged", "language": code}
        record = {
            "id": turn,
            "number": 0,
            "question": title,
            "language": code,
            "resolution": resolution,
            "answer": answer,
        }
        conversations.add_turn(conversation, person, NewTurn(turn, title, code, record), keep)
    return tuple(ids)


def _named(life: Life, number: int) -> tuple[Named, ...]:
    things = life.things[: len(life.things) - number]
    spelt = things[0][0].split()[0] if number == 1 else ""
    return tuple(
        Named(name, type_, text=spelt if place == 0 else "", sentence=sentence if number == 0 else "")
        for place, (name, type_, sentence) in enumerate(things)
    )


def _heard(life: Life, number: int) -> tuple[Heard, ...]:
    said = {0: life.facts, 1: (life.later,)}.get(number, ())
    return tuple(Heard("", key, value, 0, 0) for key, value in said)


def _related(life: Life, number: int) -> tuple[tuple[str, str, str], ...]:
    first, second, somebody, place = (thing[0] for thing in life.things)
    if number:
        return ()
    return (first, "COMPARES_TO", second), (somebody, "LOCATED_IN", place)
