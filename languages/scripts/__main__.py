"""The command line of the word lists: one command a source, which writes into its language's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from languages.scripts.arabic import arabic_words
from languages.scripts.english import english_forms, english_kinds
from languages.scripts.french import french
from languages.scripts.german import german_nouns, german_words
from languages.scripts.names import first_names
from languages.wordforms import save_forms, save_lines

_LANGUAGES = Path(__file__).parents[1]

app = typer.Typer(no_args_is_help=True, help="Compile the word lists of the language folders from their sources.")
Source = Annotated[Path, typer.Argument(exists=True, help="The folder or file of the source.")]


@app.command("french")
def compile_french(folder: Source) -> None:
    """Compile fr.dic and fr.aff of Debian's hunspell-fr-classical."""
    _report(save_forms(_LANGUAGES / "fr" / "lexicon.xz", french(folder)))


@app.command("german")
def compile_german(file: Source) -> None:
    """Compile nouns.csv of the package german-nouns, and the hand lists of verbs and adjectives."""
    words = _LANGUAGES / "de" / "words.toml"
    _report(save_forms(_LANGUAGES / "de" / "lexicon.xz", german_nouns(file, words)))
    _report(save_forms(_LANGUAGES / "de" / "words.xz", german_words(words)))


@app.command("english")
def compile_english(folder: Source) -> None:
    """Compile WordNet 3.0 of Debian's wordnet-base."""
    _report(save_forms(_LANGUAGES / "en" / "lexicon.xz", english_forms(folder)))
    _report(save_lines(_LANGUAGES / "en" / "kinds.xz", english_kinds(folder)))


@app.command("arabic")
def compile_arabic() -> None:
    """Compile the hand lists of Arabic verbs, adjectives and adverbs."""
    _report(save_forms(_LANGUAGES / "ar" / "words.xz", arabic_words(_LANGUAGES / "ar" / "words.toml")))


@app.command("names")
def compile_names() -> None:
    """Compile the first names of the package faker, which must be installed."""
    _report(save_forms(_LANGUAGES / "names.xz", first_names()))


def _report(count: int) -> None:
    typer.echo(f"{count} forms")


if __name__ == "__main__":
    app()
