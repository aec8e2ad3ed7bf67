"""Texts to vectors with sentence-transformers: the bundled model, or any other by name or path.

It knows nothing of shelves and indexes.  torch and sentence_transformers are imported when a model is loaded.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from languages.text import clean
from memory.types import Vectors
from rag.errors import EmbeddingUnavailable
from rag.settings import BUNDLED
from rag.shelf.weights import MODEL, Progress, prepare_weights

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from rag.scorer.scorer import EncoderScorer
    from rag.selector.selector import EncoderSelector

Kind = Literal["query", "document"]
Dtype = Literal["auto", "float32", "bfloat16"]

# The model reads 512 tokens, at most some 2,500 characters of these languages; more would only be tokenised in vain.
LONGEST: Final = 4000
BATCH: Final = 16
KEPT_QUESTIONS: Final = 64

# Written vowels and stretching change the vector (cosine 0.899 with all vowels, 0.956 with tatweel), not the sense.
_VOWELS_AND_TATWEEL = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]")

# Processors with these instructions embed about twice as fast in bfloat16; emulated elsewhere, it is slower.
_BFLOAT16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})


def plain(text: str) -> str:
    """Return *text* as it is embedded: composed, without controls, tashkeel and tatweel, on one line.

    >>> plain("ضَمــان  الهاتف\\n")
    'ضمان الهاتف'
    """
    return " ".join(_VOWELS_AND_TATWEEL.sub("", clean(text[: 2 * LONGEST])).split())[:LONGEST]


class SentenceEmbedder:
    """A loaded sentence-transformers model as ``memory.types.Embedder``; safe to share between threads."""

    def __init__(self, model: SentenceTransformer, name: str) -> None:
        self._model = model
        self._name = name
        self._dimension = int(self.embed_passages(("",)).shape[1])
        self._kept: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """Return the model's name and a hash of its weights."""
        return self._name

    @property
    def dimension(self) -> int:
        """Return the length of each vector."""
        return self._dimension

    def scorer(self) -> EncoderScorer | None:
        """Return the learned scorer over this model's lower layers, None where it was trained over another model.

        Raises: ScorerDamaged.
        """
        from rag.scorer.scorer import open_scorer

        transformer = self._model[0]
        return open_scorer(self._name, transformer.auto_model, self._model.tokenizer, _LOCK)

    def selector(self) -> EncoderSelector | None:
        """Return the answer selector over this model's lower layers, None where it was trained over another model.

        Raises: SelectorDamaged.
        """
        from rag.selector.selector import open_selector

        return open_selector(self._name, self._model[0].auto_model, self._model.tokenizer, _LOCK)

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a question, float32; the last questions are remembered."""
        wanted = [plain(text) for text in texts]
        with _LOCK:
            found = {text: self._kept[text] for text in wanted if text in self._kept}
            missing = [text for text in dict.fromkeys(wanted) if text not in found]
            if missing:
                found.update(zip(missing, self._encode(missing, "query"), strict=True))
            for text in wanted:
                self._kept[text] = found[text]
                self._kept.move_to_end(text)
            while len(self._kept) > KEPT_QUESTIONS:
                self._kept.popitem(last=False)
        return _stack([found[text] for text in wanted], self._dimension)

    def embed_passages(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a passage, float32."""
        if not texts:
            return _stack([], self._dimension)
        with _LOCK:
            return self._encode([plain(text) for text in texts], "document")

    def _encode(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Return the vectors of *texts*; the caller holds the lock (fast tokenizers are not thread-safe)."""
        encode = self._model.encode_query if kind == "query" else self._model.encode_document
        # sentence-transformers puts texts of like length into one batch by itself.
        tensor = encode(list(texts), batch_size=BATCH, show_progress_bar=False, convert_to_tensor=True)
        vectors: Vectors = tensor.float().cpu().numpy().astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
        return unit


# One for the process: two models side by side would only fight for the same cores.
_LOCK: Final = threading.RLock()


def load_embedder(
    model: str,
    cache_dir: Path,
    *,
    dtype: Dtype = "auto",
    progress: Progress | None = None,
) -> SentenceEmbedder:
    """Return the embedder of *model*: "bundled", or a sentence-transformers model's name or path.

    Raises: EmbeddingUnavailable, where it cannot be loaded; WeightsMissing and WeightsDamaged for the bundled one.
    """
    place = str(prepare_weights(cache_dir, progress)) if model == BUNDLED else model
    leave_processors_free()
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # untyped library
    try:
        # A folder needs no network; a name may be fetched from its hub, unless HF_HUB_OFFLINE forbids it.
        loaded = SentenceTransformer(place, device="cpu", local_files_only=Path(place).is_dir())
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        raise EmbeddingUnavailable(
            f"The embedding model {model!r} cannot be loaded ({_first_line(error)}). Expected a folder or a name that "
            "sentence-transformers knows, and a connection for the first use of a name. Correct "
            f'REFERENT_EMBEDDING_MODEL, or set it to "{BUNDLED}".',
            {"model": model},
        ) from error
    if not any(loaded.prompts.values()) and "e5" in Path(place).name.lower():
        loaded.prompts = {"query": "query: ", "document": "passage: "}  # E5's hub folders do not say so themselves
    digest = Path(place).name.split("-")[-2] if model == BUNDLED else _fingerprint(loaded)
    if dtype == "bfloat16" or (dtype == "auto" and gains_from_bfloat16()):
        loaded.to(torch.bfloat16)
    loaded.eval()
    return SentenceEmbedder(loaded, f"{MODEL if model == BUNDLED else Path(model).name}@{digest}")


def leave_processors_free() -> None:
    """Let torch's threads sleep while they wait for one another; to be called before torch is imported.

    By default they spin, and take the processors from the page when another process embeds.  Source: on two processors
    that others use too, 32 passages of 70 words took 3.7 s and 2.4 s of processor time; asleep, 1.2 s and 0.6 s.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def gains_from_bfloat16(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Return whether this processor computes in bfloat16 natively; False where it cannot be told.

    Source: on an AMD EPYC with avx512_bf16 a question took 7 ms instead of 13, a passage of 120 words 15 instead
    of 41; the vectors agree with float32 at cosine 0.999.
    """
    try:
        text = cpuinfo.read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    for line in text.splitlines():
        if line.startswith(("flags", "Features")):
            return not _BFLOAT16_FLAGS.isdisjoint(line.partition(":")[2].split())
    return False


def _fingerprint(model: SentenceTransformer) -> str:
    """Return 16 hexadecimal digits that change when the weights do, even at the same name and size."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().float().flatten()
        sample = flat[:: max(1, flat.numel() // 256)][:256]
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(sample.cpu().numpy().tobytes())
    return digest.hexdigest()[:16]


def _stack(rows: Sequence[Vectors], dimension: int) -> Vectors:
    return np.stack(rows) if rows else np.zeros((0, dimension), dtype=np.float32)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
