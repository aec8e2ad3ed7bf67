"""A pilot that has gone on for a while: its cases in each language, what people said of answers, and asked in vain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.store import unanswered
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import Database
from memory.store.thumbs import Thumb, Thumbs
from memory.store.unanswered import Unanswered
from memory.types import Resolution
from rag.events import Answer, Turn
from rag.turns import new_turn

NOW = datetime.now(UTC)


@dataclass(frozen=True)
class Pilot:
    """A language's conversation (its questions are scripted), and what is asked in vain and said of an answer."""

    talk: tuple[tuple[str, str, str], ...]  # question, expected in the answer, the right document
    vain: tuple[str, str, str]  # question, standalone, the nearest document
    rated: tuple[str, str, str]  # question, answer, what would have been right
    question: Mapping[str, Any]  # a single question, whose expectation fails


def _question(history: str, question: str, expression: str, wanted: str, standalone: str) -> Mapping[str, Any]:
    return {
        "kind": "possessive",
        "history": [{"role": "user", "text": history}],
        "question": question,
        "status": "resolved",
        "references": [{"text": expression, "entities": [wanted]}],
        "standalone": [standalone],
    }


PILOTS: Mapping[str, Pilot] = {
    "en": Pilot(
        (("How much is the Veltara 13?", "£1,199", "veltara-13.md"), ("And its warranty?", "48 months", "returns.md")),
        ("Do you repair it in Kelsbury?", "Do you repair the Veltara 13 in Kelsbury?", "support/returns.md"),
        ("How long is the Veltara 15 guaranteed?", "The Veltara 15 is guaranteed for 24 months.", "48 months"),
        _question("How much is the Brenta 4?", "And its weight?", "its", "Quersa 9", "And the Quersa 9's weight?"),
    ),
    "fr": Pilot(
        (("Quel est le prix du Veltara 13\u202f?", "1\u202f199\u00a0€", "veltara-13.md"),
         ("Et sa garantie\u202f?", "48 mois", "retours.md")),
        ("Le réparez-vous à Montcerval\u202f?", "Réparez-vous le Veltara 13 à Montcerval\u202f?", "support/returns.md"),
        ("Combien de temps le Veltara 15 est-il garanti\u202f?", "Le Veltara 15 est garanti 24 mois.", "48 mois"),
        _question("Combien coûte la Brenta 4\u202f?", "Et son poids\u202f?", "son", "Quersa 9",
                  "Et le poids de la Quersa 9\u202f?"),
    ),
    "de": Pilot(
        (("Was kostet das Veltara 13?", "1.199\u00a0€", "veltara-13.md"),
         ("Und wie lange hat es Garantie?", "48 Monate", "rueckgabe.md")),
        ("Reparieren Sie es in Lindenrath?", "Reparieren Sie das Veltara 13 in Lindenrath?", "support/returns.md"),
        ("Wie lange gilt die Garantie des Veltara 15?", "Das Veltara 15 hat 24 Monate Garantie.", "48 Monate"),
        _question("Was kostet die Brenta 4?", "Und ihr Gewicht?", "ihr", "Quersa 9", "Und das Gewicht der Quersa 9?"),
    ),
    "ar": Pilot(
        (("كم سعر Veltara 13؟", "4,799", "veltara-13.md"), ("وكم مدة ضمانه؟", "48 شهرًا", "returns.md")),
        ("هل تصلحونه في السنابل؟", "هل تصلحون Veltara 13 في السنابل؟", "support/returns.md"),
        ("كم مدة ضمان Veltara 15؟", "ضمان Veltara 15 لمدة 24 شهرًا.", "48 شهرًا"),
        _question("كم سعر Brenta 4؟", "وكم وزنه؟", "وزنه", "Quersa 9", "وكم وزن Quersa 9؟"),
    ),
}  # fmt: skip


def cases(code: str) -> bytes:
    """Return a file of cases in a language: right once, wrong twice, and one line that is no case."""
    pilot = PILOTS[code]
    turns = [{"user": asked, "gold_answer_any": [wanted], "gold_docs": [name]} for asked, wanted, name in pilot.talk]
    lines = [
        json.dumps({"id": "talk", "lang": code, "turns": turns}, ensure_ascii=False),
        json.dumps({"id": "weight", "lang": code, **pilot.question}, ensure_ascii=False),
        "{broken",
    ]
    return "\n".join(lines).encode()


def write_cases(file: Path, *spoken: str) -> None:
    """Write the cases of the languages *spoken* into one file, each with ids of its own."""
    lines = []
    for code in spoken:
        for line in cases(code).decode().split("\n")[:2]:
            case = json.loads(line)
            lines.append(json.dumps(case | {"id": f"{case['id']}-{code}"}, ensure_ascii=False))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines), encoding="utf-8")


def rate(database: Database, *spoken: str) -> None:
    """Let people have asked in vain, and have said of answers what they thought of them."""
    for place, code in enumerate(spoken):
        pilot, at = PILOTS[code], NOW - timedelta(days=place, hours=1)
        conversations = Conversations(database, now=lambda at=at: at)
        thumbs = Thumbs(database, now=lambda at=at: at)
        conversation = conversations.create(LOCAL_PERSON, code)
        question, standalone, nearest = pilot.vain
        asked = Resolution(question, standalone, "resolved", language=code)
        turn = Turn(f"vain-{code}", 0, question, code, asked, Answer("–", answered=False))
        listed = Unanswered(turn.id, LOCAL_PERSON, question, standalone, code, ("shared",), nearest, at)
        conversations.add_turn(
            conversation, LOCAL_PERSON, new_turn(turn), lambda connection, row=listed: unanswered.put(connection, row)
        )
        rated, answer, note = pilot.rated
        wrong = Turn(
            f"rated-{code}", 1, rated, code, Resolution(rated, rated, "unchanged"), Answer(answer, answered=True)
        )
        right = Turn(f"right-{code}", 2, standalone, code, asked, Answer(answer, answered=True))
        for each in (wrong, right):
            conversations.add_turn(conversation, LOCAL_PERSON, new_turn(each))
        thumbs.give(wrong.id, LOCAL_PERSON, Thumb("down", "fact", note, code))
        thumbs.give(right.id, LOCAL_PERSON, Thumb("up"))
