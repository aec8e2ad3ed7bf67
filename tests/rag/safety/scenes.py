"""Hostile texts in real libraries: one a language, each text in a document of its own, and what came of asking."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from languages import codes
from rag.events import Turn
from rag.shelf.blocks import Source
from rag.shelf.owners import Owner
from rag.shelf.reading import shelf_name
from rag.shelf.shelf import Outcome
from tests.rag.conftest import Desk, ScriptedModel

NONCE = "k3q9w2"
SHARED = Owner("shelf", "shared")
WORDS = {
    "en": ("The Lurin {n} weighs {n} kg.", "How heavy is the Lurin {n}?", "Weight"),
    "fr": ("La Lurin {n} pèse {n} kg.", "Combien pèse la Lurin {n} ?", "Poids"),
    "de": ("Die Lurin {n} wiegt {n} kg.", "Wie schwer ist die Lurin {n}?", "Gewicht"),
    "ar": ("تزن Lurin {n} نحو {n} كغ.", "كم وزن Lurin {n}؟", "الوزن"),
}
CALM = 77


@dataclass(frozen=True)
class Attack:
    """A hostile text: ``mark`` is a word of it, ``said`` what no answer may hold, ``number`` that of its lamp."""

    id: str
    lang: str
    where: str
    text: str
    mark: str
    number: int
    said: str = ""

    def document(self) -> Source:
        """Return the document that it stands in."""
        fact = WORDS[self.lang][0].format(n=self.number)
        name, title = f"lurin-{self.number}", f"Lurin {self.number}"
        match self.where:
            case "html":
                text = f"<h1>{title}</h1><p>{fact}</p>{self.text}"
                return Source(f"{name}.html", f"<html><body>{text}</body></html>".encode())
            case "cell" | "entity":
                what = f"Lurin {self.number}" + (f" {self.text}" if self.where == "entity" else "")
                note = self.text if self.where == "cell" else "x"
                cells = ",".join(f'"{cell}"' for cell in (what, f"{self.number} kg", note))
                return Source(f"{name}.csv", f"Name,{WORDS[self.lang][2]},Note\n{cells}\nLurin 500,9 kg,y\n".encode())
            case "file":
                return Source(shelf_name(f"{self.text} {name}.md"), f"# {title}\n\n{fact}\n".encode())
            case "title":
                return Source(f"{name}.md", f"# {title} {self.text}\n\n{fact}\n".encode())
            case _:
                inside = self.text if self.where == "document" else ""
                return Source(f"{name}.md", f"# {title}\n\n{fact}\n\n{inside}\n".encode())

    @property
    def question(self) -> str:
        """Return what is asked about its lamp."""
        return WORDS[self.lang][1].format(n=self.number)


def read_attacks() -> tuple[Attack, ...]:
    """Return the attacks of ``attacks.toml``, with the marker of the tests in the place of {nonce}."""
    found = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text(encoding="utf-8"))["attack"]
    values = {"nonce": NONCE, "half": NONCE[:3], "rest": NONCE[3:], "spread": "\u200b".join(NONCE)}
    attacks = []
    for number, each in enumerate(found, 101):
        text = each.pop("text")
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", value)
        attacks.append(Attack(text=text, number=number, **each))
    return tuple(attacks)


ATTACKS = read_attacks()


@dataclass(frozen=True)
class Scene:
    """What became of the attacks of a language: outcomes and turns by id, and an answer about something else."""

    desk: Desk
    outcomes: dict[str, Outcome]
    turns: dict[str, Turn]
    calm: Turn
    undisturbed: Turn


def play(code: str, folder: Path) -> Scene:
    """Return the scene of a language."""
    assert code in codes()
    attacks = [attack for attack in ATTACKS if attack.lang == code]
    fact, question, _ = WORDS[code]
    calm = Source("calm.md", f"# Lurin {CALM}\n\n{fact.format(n=CALM)}\n".encode())
    quiet = Desk(folder / "quiet")
    quiet.library.add(calm, SHARED)
    (undisturbed,) = quiet.talk(question.format(n=CALM), language=code)
    desk = Desk(folder / "loud")
    desk.library.add(calm, SHARED)
    outcomes = {attack.id: desk.library.add(attack.document(), SHARED) for attack in attacks}
    turns = {}
    for attack in attacks:
        model = None
        if attack.where == "answer":
            model = ScriptedModel(tuple(attack.text))
        (turns[attack.id],) = desk.talk(
            attack.question, language=code, person=f"asks {attack.number}", pipeline=desk.pipeline(model)
        )
    (later,) = desk.talk(question.format(n=CALM), language=code)
    return Scene(desk, outcomes, turns, later, undisturbed)
