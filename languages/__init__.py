"""Everything the engine knows of a language, from data in one folder a language.

>>> from languages import codes, load
>>> load(codes()[0]).direction
'ltr'
"""

from languages.detect import Detection, detect
from languages.errors import LanguageError, LanguagePackError, MissingValue, UnknownLanguage, UnknownText
from languages.pack import Language, Prompts, codes, default_code, load
from languages.quantities import Quantity, parse_number, quantities
from languages.text import Folded, Span, Token, clean, fold, fold_map, sentences, words

__all__ = [
    "Detection",
    "Folded",
    "Language",
    "LanguageError",
    "LanguagePackError",
    "MissingValue",
    "Prompts",
    "Quantity",
    "Span",
    "Token",
    "UnknownLanguage",
    "UnknownText",
    "clean",
    "codes",
    "default_code",
    "detect",
    "fold",
    "fold_map",
    "load",
    "parse_number",
    "quantities",
    "sentences",
    "words",
]
