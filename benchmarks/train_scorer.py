"""Fit the learned scorer of reference resolution and write its weights.

usage: python -m benchmarks.train_scorer CASES [--epochs 4] [--out FILE] [--held FOLDER]
       [--leave-out ROUND ...] [--layers 8] [--start FILE] [--average FILE [--share 0.5]]

CASES is the folder with references/, breadth/ and public/ (their README names sources and licences; of public/ only
the MIT and CC BY parts are used).  The project's own cases, in benchmarks/training/ and tests/memory/reference/cases/,
are read as well.  The lower layers of the bundled embedding model stay as they are, so their states are computed once.
Everything random comes from one seed.  After each epoch the figures on the cases of --held are printed:
the share of statuses told right, and of antecedents overlapped by the likeliest span.

The shipped weights are a mean of fits, which carries over to conversations over documents and to new cases better than
each alone (benchmarks/README.md):
    python -m benchmarks.train_scorer CASES --leave-out t4 t5 t6 r5 r6 r7 r8 --layers 6 --out first.safetensors
    python -m benchmarks.train_scorer CASES --leave-out t5 t6 r6 r7 r8 --average first.safetensors
        --out mean.safetensors  (one command)
    python -m benchmarks.train_scorer CASES --leave-out t1 t2 r2 r3 r4 r7 r8 --epochs 2
        --start mean.safetensors --average mean.safetensors --share 0.33  (one command)
"""

from __future__ import annotations

import argparse
import copy
import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.scorer_data import Example, completed, crossed, example, lengthened, misspelt, read_lines, rewritten
from rag.loading import bundled_name
from rag.scorer.network import SHARED, Network
from rag.scorer.scorer import LONGEST
from rag.scorer.text import pair
from rag.scorer.weights import FILE, load, save
from rag.settings import Settings
from rag.shelf.weights import prepare_weights

ROOT = Path(__file__).resolve().parents[1]
SEED = 7
BATCH = 16
RATES = (1.2e-4, 8e-4)  # layers, heads; tried half and twice on held-out cases
STATUS_WEIGHTS = (1.0, 1.0, 1.5)
LANGUAGES = ("en", "fr", "de", "ar")
IGNORED = -100


@dataclass(slots=True)
class Row:
    """One example, coded: token ids, which tokens are the messages', the shared layers' states, the targets."""

    example: Example
    ids: list[int]
    second: list[bool]
    first: list[bool]
    refers: list[float]
    pointers: list[tuple[list[int], list[int], list[int], list[int]]] = field(default_factory=list)
    omitted: int = IGNORED
    lower: Tensor = field(default_factory=lambda: torch.zeros(0))


def main() -> None:
    """Read, fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--held", type=Path, help="a folder with <language>.jsonl to print figures on")
    parser.add_argument("--leave-out", nargs="*", default=(), help="rounds of the own cases that are not fitted on")
    parser.add_argument(
        "--layers", type=int, help="upper layers that are fitted (all but those that the scorer shares)"
    )
    parser.add_argument("--start", type=Path, help="weights fitted before, from which the fit goes on at half the rate")
    parser.add_argument("--average", type=Path, help="weights fitted before: the mean of both is written")
    parser.add_argument("--share", type=float, default=0.5, help="share of the new fit in the mean")
    given = parser.parse_args()
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    encoder, tokenizer = _model()
    fitted, held = _examples(given.cases, given.held, chance, left_out=frozenset(given.leave_out))
    shared = len(encoder.encoder.layer) - given.layers if given.layers else SHARED
    print(f"{len(fitted)} examples, {len(held)} held out", flush=True)
    rows = [coded(e, tokenizer) for e in fitted]
    kept = [coded(e, tokenizer) for e in held]
    for part in (rows, kept):
        lower_states(part, encoder, tokenizer.pad_token_id, shared=shared)
    upper = copy.deepcopy(encoder.encoder.layer[shared:])
    network = Network(upper, encoder.config.hidden_size)
    if given.start:
        network.load_state_dict({name: value.float() for name, value in load(given.start).items()})
    rates = tuple(rate / 2 for rate in RATES) if given.start else RATES
    network = fit(rows, kept, network, epochs=given.epochs, rates=rates, chance=chance)
    state = network.state_dict()
    if given.average:
        base = encoder.encoder.layer[shared:].state_dict()
        state = averaged(state, load(given.average), base, share=given.share)
    save(state, bundled_name(), given.out)
    print(f"{given.out.name}: {given.out.stat().st_size / 1e6:.1f} MB")


def _model() -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    place = prepare_weights(Settings().cache_dir, None)
    return AutoModel.from_pretrained(place, add_pooling_layer=False).eval(), AutoTokenizer.from_pretrained(place)


def averaged(
    state: Mapping[str, Tensor], other: Mapping[str, Tensor], base: Mapping[str, Tensor], *, share: float = 0.5
) -> dict[str, Tensor]:
    """Return the mean of two fits, of which *state* has that *share*.

    The layers that *other* has not fitted are the embedding model's, *base*.
    """
    missing = _layers(state) - _layers(other)
    found = {}
    for name, value in state.items():
        second = other.get(name)
        if name.startswith("layers."):
            _, layer, rest = name.split(".", 2)
            lower = int(layer) < missing
            second = base[f"{layer}.{rest}"] if lower else other[f"layers.{int(layer) - missing}.{rest}"]
        found[name] = share * value.float() + (1 - share) * second.float() if second is not None else value
    return found


def _layers(state: Mapping[str, Tensor]) -> int:
    return len({name.split(".")[1] for name in state if name.startswith("layers.")})


def _examples(
    cases: Path, held: Path | None, chance: random.Random, *, left_out: frozenset[str]
) -> tuple[list[Example], list[Example]]:
    own = [
        case
        for folder in (ROOT / "benchmarks" / "training", ROOT / "tests" / "memory" / "reference" / "cases")
        for language in LANGUAGES
        for case in read_lines(folder / f"{language}.jsonl")
        if case.get("round") not in left_out
    ]
    kept = [example(case) for code in LANGUAGES for case in read_lines(held / f"{code}.jsonl")] if held else []
    given = [
        case
        for folder in ("references", "breadth")
        for language in LANGUAGES
        for case in read_lines(cases / folder / f"{language}.jsonl")
    ]
    base = [example(case) for case in (*given, *own)]
    base = [e for e in base if e.history]
    public = [
        rewritten(case)
        for name in ("en_cast19_20", "en_pronoun_clean")
        for case in read_lines(cases / "public" / f"{name}.jsonl")
        if "canard" not in str(case["id"]).lower() and not (name == "en_pronoun_clean" and "cast" in str(case["id"]))
    ]
    public = [e for e in public if e.history]
    fitted = [
        *base, *completed(base, chance), *crossed(base, 1200, chance), *lengthened(base, 1400, chance),
        *misspelt(base, 700, chance),
        *chance.sample(public, min(400, len(public))), *completed(public, chance)[:200],
    ]  # fmt: skip
    return fitted, [e for e in kept if e.history]


def coded(one: Example, tokenizer: Any) -> Row:
    """Return *one* with token ids and targets."""
    texts = pair(one.question, one.history)
    made = tokenizer(texts.first, texts.second, truncation=True, max_length=LONGEST, return_offsets_mapping=True)
    offsets, sequence = made["offset_mapping"], made.sequence_ids()
    first = [i for i, part in enumerate(sequence) if part == 0 and offsets[i][1] > offsets[i][0]]
    second = [i for i, part in enumerate(sequence) if part == 1 and offsets[i][1] > offsets[i][0]]

    def within(rows: Sequence[int], start: int, end: int) -> list[int]:
        """Return the tokens among *rows* that overlap the offsets."""
        return [i for i in rows if offsets[i][0] < end and start < offsets[i][1]]

    row = Row(one, made["input_ids"], [p == 1 for p in sequence], [p == 0 for p in sequence], [0.0] * len(sequence))
    for reference in one.references:
        anchor = within(first, *reference.anchor) if reference.anchor else [0]
        if reference.anchor:
            for i in anchor:
                row.refers[i] = 1.0
        spans = [texts.spans(*place) for place in reference.places]
        tokens = [within(second, *span) for span in spans if span is not None]
        tokens = [part for part in tokens if part]
        if anchor and tokens:
            inside = [i for part in tokens for i in part]
            row.pointers.append((anchor, [part[0] for part in tokens], [part[-1] for part in tokens], inside))
    if one.omitted is not None and first:
        row.omitted = next((i for i in first if offsets[i][1] > one.omitted), first[-1] + 1)
    elif all(reference.anchor for reference in one.references):
        row.omitted = 0
    return row


@torch.no_grad()
def lower_states(rows: Sequence[Row], encoder: Any, padding: int, *, shared: int) -> None:
    """Fill in the shared layers' states of *rows*, in bfloat16."""
    order = sorted(rows, key=lambda row: len(row.ids))
    with torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            longest = max(len(row.ids) for row in part)
            ids = torch.tensor([row.ids + [padding] * (longest - len(row.ids)) for row in part])
            there = torch.tensor([[True] * len(row.ids) + [False] * (longest - len(row.ids)) for row in part])
            states = encoder.embeddings(input_ids=ids)
            mask = torch.zeros(there.shape).masked_fill(~there, torch.finfo(torch.float32).min)[:, None, None, :]
            for layer in encoder.encoder.layer[:shared]:
                states = layer(states, mask.to(states.dtype))
            for n, row in enumerate(part):
                row.lower = states[n, : len(row.ids)].to(torch.bfloat16).clone()


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows side by side: states (batch, tokens, size) and masks (batch, tokens)."""

    states: Tensor
    there: Tensor
    second: Tensor
    first: Tensor
    refers: Tensor


def forward(network: Network, rows: Sequence[Row]) -> Batch:
    """Return *rows* through the upper layers."""
    longest = max(len(row.ids) for row in rows)
    shape = (len(rows), longest)
    lower = torch.zeros((*shape, rows[0].lower.shape[1]))
    there, second, first = (torch.zeros(shape, dtype=torch.bool) for _ in range(3))
    refers = torch.zeros(shape)
    for n, row in enumerate(rows):
        size = len(row.ids)
        lower[n, :size], there[n, :size] = row.lower.float(), True
        second[n, :size], first[n, :size] = torch.tensor(row.second), torch.tensor(row.first)
        refers[n, :size] = torch.tensor(row.refers)
    return Batch(network.encode(lower, there, second).float(), there, second, first, refers)


def loss_of(network: Network, rows: Sequence[Row]) -> Tensor:
    """Return the loss of one batch: status, what refers, what is left out, where each reference points."""
    made = forward(network, rows)
    cross = nn.functional.cross_entropy
    binary = nn.functional.binary_cross_entropy_with_logits
    status = torch.tensor([row.example.status if row.example.status >= 0 else IGNORED for row in rows])
    total = torch.zeros(())
    if (status != IGNORED).any():
        judged = network.judge(made.states, made.there, made.second)
        total = total + cross(
            judged, status, weight=torch.tensor(STATUS_WEIGHTS), ignore_index=IGNORED, label_smoothing=0.03
        )
    tagged = made.first & torch.tensor([row.example.anchored and row.example.status >= 0 for row in rows])[:, None]
    if tagged.any():
        logits = network.refers(made.states)[..., 0]
        total = total + binary(logits[tagged], made.refers[tagged], pos_weight=torch.tensor(2.0))
    omitted = torch.tensor([row.omitted for row in rows])
    if (omitted != IGNORED).any():
        open_ = made.first | torch.roll(made.first, 1, 1)
        open_[:, 0] = True
        inserts = network.inserts(made.states)[..., 0].masked_fill(~open_, -1e4)
        total = total + 0.5 * cross(inserts, omitted, ignore_index=IGNORED)
    return total + _pointing(network, made, rows)


def _pointing(network: Network, made: Batch, rows: Sequence[Row]) -> Tensor:
    """Return the loss of the pointers: any of the places where the entity stands is right."""
    asked = [(n, pointer) for n, row in enumerate(rows) for pointer in row.pointers]
    if not asked:
        return torch.zeros(())
    which = [n for n, _ in asked]
    anchors = torch.stack([made.states[n, pointer[0]].mean(0) for n, pointer in asked])
    second = made.second[which]
    logits = network.point(anchors, made.states[which])
    allowed = second.clone()
    allowed[:, 0] = True
    starts, ends = (logits[:, k].masked_fill(~allowed, -1e4).log_softmax(-1) for k in (0, 1))
    inside = torch.zeros_like(logits[:, 2])
    total = torch.zeros(())
    for n, (_, (_, first, last, tokens)) in enumerate(asked):
        total = total - torch.logsumexp(starts[n, first], 0) - torch.logsumexp(ends[n, last], 0)
        inside[n, tokens] = 1.0
    belongs = nn.functional.binary_cross_entropy_with_logits(
        logits[:, 2][second], inside[second], pos_weight=torch.tensor(3.0)
    )
    return 0.6 * total / len(asked) + 1.5 * belongs


def fit(
    rows: list[Row],
    held: Sequence[Row],
    network: Network,
    *,
    epochs: int,
    rates: Sequence[float],
    chance: random.Random,
) -> Network:
    """Return the network fitted on *rows*, printing loss and held-out figures after each epoch."""
    network = network.train()
    layers = [p for name, p in network.named_parameters() if name.startswith("layers")]
    heads = [p for name, p in network.named_parameters() if not name.startswith("layers")]
    groups = [{"params": p, "lr": rate} for p, rate in zip((layers, heads), rates, strict=True)]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps, step, began = epochs * math.ceil(len(rows) / BATCH), 0, time.monotonic()
    for epoch in range(epochs):
        total = 0.0
        for part in _batches(rows, chance):
            share = min(1.0, (step + 1) / 80) * max(0.02, 1 - step / steps)
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * share
            with torch.autocast("cpu", torch.bfloat16):
                loss = loss_of(network, part)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            total += float(loss.detach())
            step += 1
        print(f"epoch {epoch + 1}: loss {total * BATCH / len(rows):.3f}, {time.monotonic() - began:.0f} s", flush=True)
        for language in LANGUAGES:
            part = [row for row in held if row.example.language == language]
            if part:
                print(f"  {language}: {_figures(network, part)}", flush=True)
    return network.eval()


def _batches(rows: list[Row], chance: random.Random) -> list[list[Row]]:
    """Return the rows in batches of like length, in random order."""
    chance.shuffle(rows)
    found = []
    for start in range(0, len(rows), BATCH * 20):
        part = sorted(rows[start : start + BATCH * 20], key=lambda row: len(row.ids))
        found += [part[i : i + BATCH] for i in range(0, len(part), BATCH)]
    chance.shuffle(found)
    return found


@torch.no_grad()
def _figures(network: Network, rows: Sequence[Row]) -> str:
    network.eval()
    right, pointed, asked = 0, 0, 0
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        made = forward(network, part)
        judged = network.judge(made.states, made.there, made.second).argmax(-1)
        for n, row in enumerate(part):
            right += int(judged[n]) == row.example.status
            for anchor, first, last, _ in row.pointers[:1] if row.example.status == 0 else []:
                logits = network.point(made.states[n, anchor].mean(0)[None], made.states[n : n + 1])[0]
                starts, ends = (logits[k].masked_fill(~made.second[n], -1e4) for k in (0, 1))
                begin = int(starts.argmax())
                ends[:begin] = ends[begin + 25 :] = -1e4
                end = int(ends.argmax())
                asked += 1
                pointed += any(a <= end and begin <= b for a, b in zip(first, last, strict=True))
    network.train()
    return f"{len(rows)} cases, status right {right / len(rows):.3f}, antecedent found {pointed / max(1, asked):.3f}"


if __name__ == "__main__":
    main()
