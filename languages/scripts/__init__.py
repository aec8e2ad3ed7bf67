"""Compile the word lists of the language folders from their sources: ``python -m languages.scripts --help``."""
