"""Every failure that the application names, so that a person is told in their language what to do.

    ReferentError
    ├── SettingsInvalid          a setting in the environment or in .env cannot be used
    ├── DataMissing              data/ of the checkout (demonstration documents, type sets) is not there
    ├── DiskFull                 nothing more can be written where something is to be
    ├── PortTaken                another program listens where the page is to be served
    ├── InputInvalid             a program hands over something else than a question with its messages
    ├── QuestionEmpty            there is nothing in the message to answer
    ├── QuestionTooLong          the message is longer than a question may be
    ├── QuestionsTooFast         the person has asked as many questions in a minute as one may
    ├── ImportInvalid            a file to be imported is no exported conversation
    ├── ImportTooLarge           a file to be imported is larger than one may be
    ├── SignInNeeded             something is to be done for a person, and nobody has signed in
    ├── OwnerUnknown             a shelf or a person is named by nothing, or by a placeholder such as "*"
    ├── CasesMissing             the path leads to no cases to measure
    ├── DocumentNotFound         no document of that name stands on that shelf
    ├── DocumentRefused          a file is not taken in; the others are
    │   ├── DocumentMissing      the path leads to nothing
    │   ├── DocumentNameTaken    another file is called so on this shelf
    │   ├── DocumentEmpty        there are no words in it
    │   ├── DocumentUnreadable   it cannot be opened or decoded
    │   ├── DocumentMislabelled  its bytes are not what its name says
    │   ├── DocumentLocked       it asks for a password
    │   ├── DocumentScanned      it holds pictures of text
    │   ├── DocumentGarbled      its letters cannot be told from what it draws
    │   ├── DocumentMisencoded   its letters are those of another encoding
    │   ├── DocumentTooLarge     it is larger than the limit allows
    │   ├── DocumentTooLong      it has more pages than the limit allows
    │   ├── DocumentTooManyRows  it has more rows than the limit allows
    │   ├── DocumentTooComplex   reading it takes more time or memory than a file may take
    │   └── FormatUnknown        its format is none that is read
    ├── EmbeddingError           texts cannot be turned into vectors
    │   ├── WeightsMissing       the package with the bundled weights is not installed
    │   ├── WeightsDamaged       the bundled file is not what it should be
    │   ├── EmbeddingUnavailable the embedding model that was named cannot be loaded
    │   ├── ScorerDamaged        the learned scorer's weights cannot be read
    │   └── SelectorDamaged      the answer selector's weights cannot be read
    ├── RerankerUnavailable      the cross-encoder that was named cannot be loaded
    ├── ShelfIndexError          the index of a shelf cannot be used
    │   ├── IndexOfAnotherModel  the index was made with another embedding model
    │   ├── IndexUnreachable     no Chroma server is at the address that is set
    │   └── IndexBusy            another process has been writing for longer than we wait
    └── ModelError               the chat model did not answer
        ├── ModelUnreachable     no connection to its address
        ├── ModelTimeout         no answer in time
        ├── ModelRefusedKey      the key is missing, wrong, or not allowed to use it
        ├── ModelUnknown         the address knows no model of that name
        ├── ModelBusy            too many requests, or the quota is used up
        ├── ModelOverBudget      the turn, or the person's day, may cost no more
        ├── ModelBrokenStream    the answer broke off
        ├── ModelCut             the answer is longer than it may be
        ├── ModelEmpty           the answer has no text
        ├── ModelFiltered        the server's content filter ended the answer, or refused the question
        └── ModelMalformed       what came is no answer, or a structured one has not the form asked for

Each class carries ``key``, the key of its text in the language packs' ``ui.toml``, and each error ``values``,
what is filled into that text.  ``str(error)`` is English, for logs and the terminal: found, expected, next.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar


class ReferentError(Exception):
    """A failure that has a name.  ``key`` and ``values`` say it in the person's language."""

    key: ClassVar[str] = "error.unexpected"

    def __init__(self, message: str, values: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.values: Mapping[str, str] = MappingProxyType(dict(values or {}))


class SettingsInvalid(ReferentError):
    """A setting in the environment or in .env cannot be used."""

    key = "error.settings_invalid"


class DataMissing(ReferentError):
    """``data/`` of the checkout is not there."""

    key = "error.data_missing"


class DiskFull(ReferentError):
    """Nothing more can be written where something is to be."""

    key = "error.store_full"


class PortTaken(ReferentError):
    """Another program listens where the page is to be served.  Values: ``port``."""

    key = "error.port_taken"


class InputInvalid(ReferentError):
    """A program hands over something else than a question with its messages: its author is told, not a person."""


class QuestionEmpty(ReferentError):
    """There is nothing in the message to answer."""

    key = "error.question_empty"


class QuestionTooLong(ReferentError):
    """The message is longer than a question may be.  Values: ``limit``, ``length``."""

    key = "error.question_too_long"


class QuestionsTooFast(ReferentError):
    """The person has asked as many questions in a minute as one may.  Values: ``limit``."""

    key = "error.questions_too_fast"


class SignInNeeded(ReferentError):
    """Something is to be done for a person, and nobody has signed in, or not lately."""

    key = "error.sign_in_needed"


class OwnerUnknown(ReferentError):
    """A shelf or a person is named by nothing, or by a placeholder such as "*"."""

    key = "error.owner_unknown"


class CasesMissing(ReferentError):
    """The path leads to no cases to measure.  Values: ``name``, the path."""

    key = "error.cases_missing"


class ImportInvalid(ReferentError):
    """A file to be imported is no conversation as they are exported.  Values: ``name``."""

    key = "error.import_invalid"


class ImportTooLarge(ReferentError):
    """A file to be imported is larger than one may be.  Values: ``name``, ``limit`` in MB."""

    key = "error.import_too_large"


class DocumentNotFound(ReferentError):
    """No document of that name stands on that shelf.  Values: ``name``."""

    key = "error.document_not_found"


class DocumentRefused(ReferentError):
    """A file is not taken in.  Values: ``name``, and what the subclass says."""

    key = "error.document_unreadable"


class DocumentMissing(DocumentRefused):
    """The path leads to nothing."""

    key = "error.document_missing"


class DocumentNameTaken(DocumentRefused):
    """Another file is called so on this shelf.  Values: ``name``, ``other``, that file."""

    key = "error.document_name_taken"


class DocumentEmpty(DocumentRefused):
    """There are no words in it."""

    key = "error.document_empty"


class DocumentUnreadable(DocumentRefused):
    """It cannot be opened or decoded."""

    key = "error.document_unreadable"


class DocumentMislabelled(DocumentRefused):
    """Its bytes are not what its name says.  Values: ``name``, ``found``."""

    key = "error.document_mislabelled"


class DocumentLocked(DocumentRefused):
    """It asks for a password."""

    key = "error.document_password"


class DocumentScanned(DocumentRefused):
    """It holds pictures of text and no text."""

    key = "error.document_scanned"


class DocumentGarbled(DocumentRefused):
    """Its letters cannot be told from what it draws."""

    key = "error.document_garbled"


class DocumentMisencoded(DocumentRefused):
    """Its letters are those of another encoding, or were lost.  Values: ``name``, ``preview``."""

    key = "error.document_misencoded"


class DocumentTooLarge(DocumentRefused):
    """It is larger than the limit allows.  Values: ``name``, ``limit``."""

    key = "error.document_too_large"


class DocumentTooLong(DocumentRefused):
    """It has more pages than the limit allows.  Values: ``name``, ``pages``, ``limit``."""

    key = "error.document_too_long"


class DocumentTooManyRows(DocumentRefused):
    """It has more rows than the limit allows.  Values: ``name``, ``limit``."""

    key = "error.document_too_many_rows"


class DocumentTooComplex(DocumentRefused):
    """Reading it takes more time or memory than a file may take."""

    key = "error.document_too_complex"


class FormatUnknown(DocumentRefused):
    """Its format is none that is read.  Values: ``name``, ``formats``."""

    key = "error.document_unknown_format"


class EmbeddingError(ReferentError):
    """Texts cannot be turned into vectors."""

    key = "error.embedding_unavailable"


class WeightsMissing(EmbeddingError):
    """The package with the bundled weights is not installed."""

    key = "error.weights_missing"


class WeightsDamaged(EmbeddingError):
    """The bundled file is not what it should be."""

    key = "error.weights_damaged"


class EmbeddingUnavailable(EmbeddingError):
    """The embedding model that was named cannot be loaded.  Values: ``model``."""

    key = "error.embedding_unavailable"


class ScorerDamaged(EmbeddingError):
    """The learned scorer's weights cannot be read.  Values: ``name``."""

    key = "error.weights_damaged"


class SelectorDamaged(EmbeddingError):
    """The answer selector's weights cannot be read.  Values: ``name``."""

    key = "error.weights_damaged"


class RerankerUnavailable(ReferentError):
    """The cross-encoder that was named cannot be loaded.  Values: ``model``."""

    key = "error.reranker_unavailable"


class ShelfIndexError(ReferentError):
    """The index cannot be used."""

    key = "error.index"


class IndexOfAnotherModel(ShelfIndexError):
    """The index was made with another embedding model.  Values: ``found``, ``expected``, ``command``."""

    key = "error.index_other_model"


class IndexUnreachable(ShelfIndexError):
    """No Chroma server is at the address that is set.  Values: ``address``."""

    key = "error.index_unreachable"


class IndexBusy(ShelfIndexError):
    """Another process has been writing for longer than we wait."""

    key = "error.index_busy"


class ModelError(ReferentError):
    """The chat model did not answer.  Values: ``model``."""

    key = "error.model_failed"


class ModelUnreachable(ModelError):
    """No connection to its address.  Values: ``model``, ``address``."""

    key = "error.model_unreachable"


class ModelTimeout(ModelError):
    """No answer in time.  Values: ``model``, ``seconds``."""

    key = "error.model_timeout"


class ModelRefusedKey(ModelError):
    """The key is missing, wrong, or not allowed to use it."""

    key = "error.model_refused_key"


class ModelUnknown(ModelError):
    """The address knows no model of that name."""

    key = "error.model_unknown"


class ModelBusy(ModelError):
    """Too many requests, or the quota is used up."""

    key = "error.model_busy"


class ModelOverBudget(ModelError):
    """The turn, or the person's day, may cost no more."""

    key = "error.model_over_budget"


class ModelBrokenStream(ModelError):
    """The answer broke off."""

    key = "error.model_broken_stream"


class ModelCut(ModelError):
    """The answer is longer than it may be: what came of it is kept."""

    key = "error.model_cut"


class ModelEmpty(ModelError):
    """The answer has no text."""

    key = "error.model_empty"


class ModelFiltered(ModelError):
    """The server's content filter ended the answer, or refused the question."""

    key = "error.model_filtered"


class ModelMalformed(ModelError):
    """What came is no answer, or a structured one does not have the form asked for."""

    key = "error.model_malformed"
