"""What the scripted library knows of products: names with properties, and the passages that state them."""

from __future__ import annotations

from memory.types import Attribute, Name
from rag.events import Passage


def _product(name: str, *facts: tuple[str, str, str]) -> Name:
    return Name(name, "PRODUCT", attributes=tuple(Attribute(*fact) for fact in facts), nouns=("laptop",))


CATALOGUE, SHEET, KATALOG, DALIL = (
    "products/catalogue.csv",
    "products/veltara-13.md",
    "produkte/katalog.csv",
    "المنتجات/دليل.csv",
)
PRODUCTS = (
    _product(
        "Veltara 13",
        ("Price", "£1,199", CATALOGUE), ("Price", "£1,249", SHEET), ("Weight", "1.2 kg", CATALOGUE),
        ("Weight", "1200 g", SHEET), ("Screen", "13.3 inches", CATALOGUE), ("Colours", "sand", CATALOGUE),
        ("Preis", "1.199 €", KATALOG), ("Gewicht", "1,2 kg", KATALOG), ("السعر", "4,799 ريالًا", DALIL),
        ("الوزن", "1.2 كغ", DALIL),
    ),
    _product(
        "Veltara 15",
        ("Price", "£1,399", CATALOGUE), ("Weight", "1.6 kg", CATALOGUE), ("Screen", "15.6 inches", CATALOGUE),
        ("Preis", "1.399 €", KATALOG), ("Gewicht", "1,6 kg", KATALOG), ("السعر", "5,599 ريالًا", DALIL),
        ("الوزن", "1.6 كغ", DALIL), ("Numeric pad", "yes", CATALOGUE),
    ),
    _product("Ridge [7]", ("Price", "=£99", CATALOGUE), ("Screen", "13.3 inches", CATALOGUE)),
    Name("Ada Holm", "PERSON", attributes=(Attribute("Role", "head", SHEET), Attribute("Room", "7", SHEET))),
    Name("Veltara Case", "PRODUCT"),
)  # fmt: skip


def row(number: int, document: str, language: str, context: str) -> Passage:
    cells = [part.partition(": ")[2] for part in context.split("; ")]
    return Passage(
        f"row-{document}-{number}", document, "\t".join(cells), language=language, kind="row", context=context
    )


PASSAGES = (
    row(
        1, CATALOGUE, "en", "Name: Veltara 13; Price: £1,199; Weight: 1.2 kg; Screen: 13.3 inches; Colours: sand, slate"
    ),
    row(2, CATALOGUE, "en", "Name: Veltara 15; Price: £1,399; Weight: 1.6 kg; Screen: 15.6 inches; Numeric pad: yes"),
    row(3, CATALOGUE, "en", "Name: Ridge [7]; Price: =£99; Screen: 13.3 inches"),
    Passage("sheet", SHEET, "The Veltara 13 weighs 1200 g.\nPrice: £1,249", heading="Veltara 13", language="en"),
    row(1, KATALOG, "de", "Name: Veltara 13; Preis: 1.199 €; Gewicht: 1,2 kg"),
    row(2, KATALOG, "de", "Name: Veltara 15; Preis: 1.399 €; Gewicht: 1,6 kg"),
    row(1, DALIL, "ar", "الاسم: Veltara 13; السعر: 4,799 ريالًا; الوزن: 1.2 كغ"),
    row(2, DALIL, "ar", "الاسم: Veltara 15; السعر: 5,599 ريالًا; الوزن: 1.6 كغ"),
)
