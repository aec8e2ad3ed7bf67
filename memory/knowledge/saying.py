"""A stored value told to the person in one sentence of their language."""

from __future__ import annotations

from languages import load


def say(key: str, value: str, language: str, *, detail: str = "") -> str:
    """Return one sentence that tells the person what is stored under *key*; *detail* as in ``Heard``.

    The sentences are the texts "told" of the language's folder; a key that has none is told as what was said.

    >>> say("budget", "900 €", "fr"), say("family", "Mia", "de", detail="daughter")
    ('Votre budget est de 900 €.', 'Ihre Tochter: Mia.')

    Raises: UnknownLanguage, LanguagePackError.
    """
    texts = load(language)
    for name in (f"told_{key}.{detail}", f"told.{key}"):
        if name in texts.texts:
            return texts.text(name, {"value": value})
    return texts.text("told.anything", {"value": value})
