"""The turn: questions over documents, in conversation.  Read ``rag/pipeline.py`` first.

The values of a turn are here; what makes one is imported from its own module, because it takes longer to load::

    from rag.build import application
    from rag.settings import read_settings
"""

from rag.errors import ReferentError
from rag.events import (
    Answer,
    Asked,
    Citation,
    Clarification,
    Done,
    Event,
    Found,
    Hit,
    Notice,
    Passage,
    Piece,
    Turn,
    Understood,
)

__all__ = [
    "Answer",
    "Asked",
    "Citation",
    "Clarification",
    "Done",
    "Event",
    "Found",
    "Hit",
    "Notice",
    "Passage",
    "Piece",
    "ReferentError",
    "Turn",
    "Understood",
]
