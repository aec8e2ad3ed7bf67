"""The values in a text by their type: money, mass, time, dates, telephone numbers, names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from languages import fold

_N = r"\d+(?:[.,\u00a0\u202f ]\d{3})*(?:[.,]\d+)?"
_UNITS = {
    "money": r"euros?|€|\$|£|usd|eur|gbp|pounds?|dollars?|pfund|chf|sar|franken|francs?|ريال\w*|درهم\w*|دينار\w*|جنيه\w*|يورو|دولار\w*|ليره|هلله",
    "mass": r"kg|kilos?|g|gr|grams?|grammes?|gramm|kilogramm|kilogrammes?|ounces?|oz|lbs?|pounds?|غرام\w*|جرام\w*|كيلوغرام\w*|كيلو\w*|كجم|كغ|جم|غ",
    "time": r"hours?|h|hrs?|minutes?|min|mins|seconds?|sec|days?|weeks?|months?|years?|heures?|secondes?|jours?|semaines?|mois|ans?|annees?|stunden?|std|minuten?|sekunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|werktage|arbeitstage|ساعه|ساعات|ساعتين|ساعتان|دقيقه|دقائق|ثانيه|ثوان\w*|يوما?|ايام|يومين|يومان|اسبوع\w*|اسابيع|شهرا?|اشهر|شهور|شهرين|سنه|سنوات|سنتين|سنتان|عاما?|اعوام|عامين|عامان",
    "data": r"gb|go|tb|to|mb|mo|gigabytes?|gigas?|غيغا\w*|جيجا\w*|تيرا\w*|ميغا\w*|ميجا\w*",
    "rate": r"[mgk]bit/s|[mgk]b/s|[mg]bps|mbit|megabits?|ميغابت\w*|ميجابت\w*|غيغابت\w*|جيجابت\w*",
    "length": r"mm|cm|m|km|metres?|meters?|metern?|inch(?:es)?|feet|foot|ft|zoll|pouces?|zentimeter|millimeter|متر\w*|سم|مم|بوصه|بوصات|سنتيمتر\w*|كيلومتر\w*",
    "power": r"w|watts?|kw|واط\w*",
    "charge": r"mah|wh|مللي\w*",
    "sound": r"db|decibels?|dezibel|ديسيبل",
    "percent": r"%|percent|prozent|pour cent|بالمئه|بالمائه|في المئه",
    "shots": r"shots?|photos?|vues?|cliches?|aufnahmen|bilder|fotos|صور\w*|لقط\w*|tirages?",
}
_WORDS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|ein|eine|einen|einem|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|واحد\w*|ثلاث\w*|اربع\w*|خمس\w*|ست|سته|سبع\w*|ثماني\w*|تسع\w*|عشر\w*"
_DUAL = r"ساعتين|ساعتان|يومين|يومان|شهرين|شهران|سنتين|سنتان|عامين|عامان|سنه واحده|سنه|دقيقتين|دقيقتان|اسبوعين|اسبوعان"


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    out = {}
    for name, units in _UNITS.items():
        before = r"|(?:[€$£]|usd|eur|sar|chf)\s?" + _N if name == "money" else ""
        dual = "|" + _DUAL if name == "time" else ""
        out[name] = re.compile(rf"(?<!\w)(?:(?:{_N}|{_WORDS})[\s\u00a0\u202f-]?(?:\w+ )?(?:{units})(?!\w){before}{dual})")
    out["clock"] = re.compile(r"\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:h|uhr|am|pm|a\.m|p\.m)\b|الساعه")
    out["date"] = re.compile(r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b\d{1,2}(?:\.|er|st|nd|rd|th)? ?(?:of )?[a-z\u0600-\u06ff]{3,}|[a-z]{3,} \d{1,2}\b")
    out["year"] = re.compile(r"\b(?:19|20)\d\d\b")
    out["phone"] = re.compile(r"(?:\+|\b)\d(?:[\d \u00a0\u202f/-]{5,})\d\b|\b\d{4,5}\b")
    out["email"] = re.compile(r"\S+@\S+\.\w+")
    out["code"] = re.compile(r"[*#]\d+|\b[a-z]{1,4}-?\d+[a-z]?\b|\b\d{4}\b")
    out["number"] = re.compile(rf"\d|\b(?:{_WORDS})\b|{_DUAL}")
    out["free"] = re.compile(r"\bfree\b|nothing|gratuit|offert|gratis|kostenlos|kostenfrei|مجان|sans frais|inclus|included")
    return out


def types(text: str) -> frozenset[str]:
    folded = fold(text)
    found = {n for n, p in _patterns().items() if p.search(folded)}
    if re.search(r"(?<![.!?:]\s)(?<!^)\b[A-ZÄÖÜÉÈÀ][\w'’-]+ [A-ZÄÖÜÉÈÀ][\w'’-]+", text) or re.search(r"[\u0600-\u06ff]", text):
        found.add("name")
    return frozenset(found)
