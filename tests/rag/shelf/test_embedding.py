"""The bundled weights are made into a model once, and the model sees texts as they are compared."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rag.errors import EmbeddingUnavailable, WeightsDamaged
from rag.shelf.embedding import SentenceEmbedder, gains_from_bfloat16, load_embedder, plain
from rag.shelf.weights import bundled_file, prepare_weights
from rag.shelf.weightsfile import floats, matrix, read_weights

HIDDEN, WIDE, LAYERS = 32, 64, 1
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁a", "b", "<mask>")


def four_bit(rows: int, columns: int, seed: int) -> tuple[bytes, np.ndarray]:
    """Return a matrix as the file holds it, and its values."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 16, (rows, columns // 32, 32))
    scales = random.uniform(0.01, 0.1, (rows, columns // 32)).astype("<f2")
    packed = (values[:, :, :16] | values[:, :, 16:] << 4).astype(np.uint8)
    data = b"".join(scales[r, c].tobytes() + packed[r, c].tobytes() for r in range(rows) for c in range(columns // 32))
    return data, ((values - 8) * scales.astype(np.float32)[:, :, None]).reshape(rows, columns)


def tiny_file(path: Path) -> Path:
    """Write a whole weights file of a model with one layer of 32 dimensions."""
    tensors: list[tuple[str, int, int, bytes]] = []

    def add_matrix(name: str, rows: int, columns: int) -> None:
        tensors.append((name, 1, rows * columns, four_bit(rows, columns, len(tensors))[0]))

    def add_floats(name: str, count: int) -> None:
        tensors.append((name, 0, count, np.linspace(0.5, 1.5, count, dtype="<f4").tobytes()))

    add_matrix("emb.word", len(PIECES), HIDDEN)
    for name, count in (("emb.pos", 16 * HIDDEN), ("emb.type", 2 * HIDDEN), ("emb.ln.w", HIDDEN), ("emb.ln.b", HIDDEN)):
        add_floats(name, count)
    for short, rows, columns in (
        ("q", HIDDEN, HIDDEN),
        ("k", HIDDEN, HIDDEN),
        ("v", HIDDEN, HIDDEN),
        ("ao", HIDDEN, HIDDEN),
        ("fi", WIDE, HIDDEN),
        ("fo", HIDDEN, WIDE),
    ):
        add_matrix(f"l0.{short}.w", rows, columns)
        add_floats(f"l0.{short}.b", rows)
    for short in ("aln", "oln"):
        add_floats(f"l0.{short}.w", HIDDEN)
        add_floats(f"l0.{short}.b", HIDDEN)

    blob = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, blob)])
    head = struct.pack("<4sI7ifi", b"E5S1", 1, HIDDEN, LAYERS, 2, WIDE, len(PIECES), 16, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(offsets[-1]))
    head += struct.pack(f"<{len(PIECES) + 1}I", *offsets.tolist())
    head += struct.pack(f"<{len(PIECES)}f", *(-float(n) for n in range(len(PIECES)))) + b"".join(blob)
    characters = struct.pack("<IB", 0x1, 0) + struct.pack("<IBI", 0x9, 1, 0x20)
    head += struct.pack("<iI", 2, len(characters)) + characters
    size = 4 + sum(2 + len(name) + 1 + 4 + 16 for name, *_ in tensors)
    directory, data, at = [struct.pack("<i", len(tensors))], [], len(head) + size
    for name, kind, count, content in tensors:
        directory.append(
            struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, at, len(content))
        )
        data.append(content)
        at += len(content)
    path.write_bytes(head + b"".join(directory) + b"".join(data))
    return path


def test_the_file_gives_back_the_values_that_were_packed(tmp_path: Path) -> None:
    file = read_weights(tiny_file(tmp_path / "tiny.bin"))
    assert (file.header.hidden, file.header.layers, file.pieces) == (HIDDEN, LAYERS, PIECES)
    assert (file.removed, file.spaces) == ("\x01", "\t")
    np.testing.assert_allclose(matrix(file, "emb.word", len(PIECES), HIDDEN), four_bit(len(PIECES), HIDDEN, 0)[1])
    assert floats(file, "emb.ln.w", HIDDEN)[[0, -1]].tolist() == [0.5, 1.5]
    with pytest.raises(ValueError, match=r"emb\.ln\.w"):
        floats(file, "emb.ln.w", HIDDEN + 1)


@pytest.mark.parametrize("damage", [b"", b"E5S1", b"PK\x03\x04" + bytes(200)])
def test_a_damaged_file_is_named(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "tiny.bin"
    path.write_bytes(damage)
    with pytest.raises(WeightsDamaged, match=r"tiny\.bin"):
        read_weights(path)


def test_a_folder_is_made_once_and_whole(tmp_path: Path) -> None:
    source, shares = tiny_file(tmp_path / "tiny.bin"), []
    folder = prepare_weights(tmp_path / "cache", shares.append, source=source)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    made = (folder / "model.safetensors").stat().st_mtime_ns
    left = folder.parent / f"{folder.name}.dead.part"
    left.mkdir()
    assert prepare_weights(tmp_path / "cache", source=source) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == made
    model = load_embedder(str(folder), tmp_path)
    assert model.dimension == HIDDEN
    vectors = model.embed_passages(("a b", "b", ""))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-5)
    assert vectors.dtype == np.float32


def test_two_processes_make_it_once(tmp_path: Path) -> None:
    source = tiny_file(tmp_path / "tiny.bin")
    root = str(Path(__file__).parents[3])
    script = (
        f"import sys; sys.path.insert(0, {root!r}); from pathlib import Path\n"
        "from rag.shelf.weights import prepare_weights\n"
        f"prepare_weights(Path({str(tmp_path / 'cache')!r}), source=Path({str(source)!r}))"
    )
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert len([path for path in (tmp_path / "cache/models").iterdir() if path.is_dir()]) == 1


def test_a_model_that_cannot_be_loaded_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailable) as caught:
        load_embedder(str(tmp_path / "nowhere"), tmp_path)
    assert "REFERENT_EMBEDDING_MODEL" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("chosen", [None, "ACTIVE"])
def test_threads_that_wait_sleep_unless_a_person_chose_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str | None
) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", chosen or "")  # so that it is put back afterwards
    if chosen is None:
        monkeypatch.delenv("OMP_WAIT_POLICY")
    with pytest.raises(EmbeddingUnavailable):
        load_embedder(str(tmp_path / "nowhere"), tmp_path)
    assert os.environ["OMP_WAIT_POLICY"] == (chosen or "PASSIVE")


def test_what_is_embedded_is_plain() -> None:
    assert plain("ضَمانُ الجِهـــاز") == "ضمان الجهاز"
    assert plain("Cafe\u0301\u0000 \n du  port") == "Café du port"
    assert len(plain("ﷺ" * 100_000)) <= 4000


@pytest.mark.parametrize(
    ("text", "gains"),
    [
        ("flags\t\t: fpu avx512_bf16 sse", True),
        ("flags\t\t: fpu avx2", False),
        ("Features : fp asimd bf16", True),
        ("", False),
    ],
)
def test_bfloat16_is_chosen_by_the_processor(tmp_path: Path, text: str, gains: bool) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\n{text}\n")
    assert gains_from_bfloat16(tmp_path / "cpuinfo") is gains
    assert gains_from_bfloat16(tmp_path / "missing") is False


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> SentenceEmbedder:
    return load_embedder("bundled", tmp_path_factory.mktemp("cache"))


@pytest.mark.model
def test_the_bundled_model_finds_across_languages(bundled: SentenceEmbedder) -> None:
    passages = (
        "The battery lasts fourteen hours.",
        "La garantie est de deux ans.",
        "Das Gerät wiegt 1,2 Kilogramm.",
        "نفتح من التاسعة صباحًا حتى السادسة مساءً.",
    )
    questions = (
        "كم تدوم البطارية؟",
        "How long is the warranty?",
        "Combien pèse-t-il ?",
        "Wann haben Sie geöffnet?",
    )
    scores = bundled.embed_queries(questions) @ bundled.embed_passages(passages).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2, 3]


@pytest.mark.model
def test_vowels_tatweel_and_composition_do_not_change_a_vector(bundled: SentenceEmbedder) -> None:
    pairs = bundled.embed_queries(("ضَمــانُ الهاتف", "ضمان الهاتف", "Gro\u0308\u00dfe", "Größe"))
    assert float(pairs[0] @ pairs[1]) == pytest.approx(1.0, abs=1e-5)
    assert float(pairs[2] @ pairs[3]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.model
def test_the_name_holds_the_hash_of_the_file(bundled: SentenceEmbedder) -> None:
    assert bundled_file().name == "e5-small-q4.bin"
    assert bundled.name.startswith("multilingual-e5-small@")
    assert bundled.dimension == 384
