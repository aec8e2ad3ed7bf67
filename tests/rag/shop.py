"""A small shop in four languages: three documents each, and what people ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Talk:
    """A question, a follow-up, and what right answers hold."""

    language: str
    question: str
    answer: str
    follow_up: str
    understood: str  # what the standalone question names
    second: str


DOCUMENTS = {
    "en": {
        "kestrel-12.md": "# Tavira Kestrel 12\n\nThe Tavira Kestrel 12 is a light laptop.\n\n## Price\n\n"
        "The Tavira Kestrel 12 costs $840.\n\n## Warranty\n\n"
        "The warranty of the Tavira Kestrel 12 lasts 30 months.\n",
        "norda-headset.md": "# Norda Halo headset\n\nThe Norda Halo is a headset for long calls.\n\n## Price\n\n"
        "The Norda Halo costs $95.\n\n## Warranty\n\nThe warranty of the Norda Halo lasts 18 months.\n",
        "returns.txt": "Returns\n\nYou can return a device within 21 days of delivery.\n"
        "The refund takes 6 working days.\n",
    },
    "fr": {
        "kestrel-12.md": "# Tavira Kestrel 12\n\nLe Tavira Kestrel 12 est un ordinateur portable léger.\n\n## Prix\n\n"
        "Le Tavira Kestrel 12 coûte 840 €.\n\n## Garantie\n\nLa garantie du Tavira Kestrel 12 dure 30 mois.\n",
        "casque-norda.md": "# Norda Halo\n\nLe Norda Halo est un casque pour les longs appels.\n\n## Prix\n\n"
        "Le Norda Halo coûte 95 €.\n\n## Garantie\n\nLa garantie du Norda Halo dure 18 mois.\n",
        "retours.txt": "Retours\n\nVous pouvez renvoyer un appareil dans les 21 jours.\n"
        "Le remboursement prend 6 jours.\n",
    },
    "de": {
        "kestrel-12.md": "# Tavira Kestrel 12\n\nDas Tavira Kestrel 12 ist ein leichtes Notebook.\n\n## Preis\n\n"
        "Das Tavira Kestrel 12 kostet 840 €.\n\n## Garantie\n\nDie Garantie des Tavira Kestrel 12 gilt 30 Monate.\n",
        "norda-kopfhoerer.md": "# Norda Halo\n\nDer Norda Halo ist ein Kopfhörer für lange Gespräche.\n\n## Preis\n\n"
        "Der Norda Halo kostet 95 €.\n\n## Garantie\n\nDie Garantie des Norda Halo gilt 18 Monate.\n",
        "rueckgabe.txt": "Rückgabe\n\nGeräte nehmen wir innerhalb von 21 Tagen zurück.\n"
        "Die Erstattung dauert 6 Tage.\n",
    },
    "ar": {
        "kestrel-12.md": "# Tavira Kestrel 12\n\nجهاز Tavira Kestrel 12 حاسوب محمول خفيف.\n\n## السعر\n\n"
        "سعر Tavira Kestrel 12 هو 840 ريالًا.\n\n## الضمان\n\nمدة ضمان Tavira Kestrel 12 هي 30 شهرًا.\n",
        "norda-halo.md": "# Norda Halo\n\nسماعة Norda Halo مناسبة للمكالمات الطويلة.\n\n## السعر\n\n"
        "سعر Norda Halo هو 95 ريالًا.\n\n## الضمان\n\nمدة ضمان Norda Halo هي 18 شهرًا.\n",
        "returns.txt": "الإرجاع\n\nيمكن إرجاع الجهاز خلال 21 يومًا من التسليم.\nيستغرق ردّ المبلغ 6 أيام عمل.\n",
    },
}

TALKS = (
    Talk(
        "en", "How much does the Tavira Kestrel 12 cost?", "840", "And its warranty?", "Tavira Kestrel 12", "30 months"
    ),
    Talk("fr", "Combien coûte le Tavira Kestrel 12 ?", "840", "Et sa garantie ?", "Tavira Kestrel 12", "30 mois"),
    Talk(
        "de",
        "Was kostet das Tavira Kestrel 12?",
        "840",
        "Und wie lange gilt seine Garantie?",
        "Tavira Kestrel 12",
        "30",
    ),
    Talk("ar", "كم سعر Tavira Kestrel 12؟", "840", "وكم مدة ضمانه؟", "Tavira Kestrel 12", "30"),
)


def write_shop(folder: Path, *languages: str) -> Path:
    """Return *folder* with the documents of *languages*, in a folder each where they are several."""
    for language in languages:
        home = folder / language if len(languages) > 1 else folder
        home.mkdir(parents=True, exist_ok=True)
        for name, text in DOCUMENTS[language].items():
            (home / name).write_text(text, encoding="utf-8")
    return folder
