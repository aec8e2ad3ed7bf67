"""Fit the answer selector and write its weights.

usage: python -m benchmarks.train_selector FOLDER [--held PATTERN ...] [--epochs 3] [--layers 8] [--out FILE]

FOLDER has sets as benchmarks/answering/README.md describes them.  The lower layers of the bundled embedding model stay
as they are.  Each question is shown with the pieces that answer it and with some of those that lie near it; the loss is
that of a choice among them and "none", which is right where nothing answers, and where what answers is taken away.
Everything random comes from one seed.  After each epoch the figures on the held sets are printed: the share of
questions whose best piece is right, and how well the best logit tells what has an answer from what has none.
"""

from __future__ import annotations

import argparse
import copy
import math
import random
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.answer_units import read_sets
from benchmarks.selector_data import Example, examples
from rag.loading import bundled_name, lazy_embedder
from rag.scorer.weights import load, save
from rag.selector.network import SHARED, Network
from rag.selector.text import LONGEST, asked
from rag.settings import Settings
from rag.shelf.weights import prepare_weights

FILE = Path(__file__).resolve().parents[1] / "rag" / "selector" / "weights.safetensors"
SEED = 7
QUESTIONS = 6  # in a batch
SHOWN = 7  # pieces of a question
NEAR = 16  # pieces among which those that do not answer are drawn
TAKEN_AWAY = 0.15  # share of the questions with an answer that are shown without it
HELD = 480  # questions that the figures are of
RATES = (1.0e-4, 8e-4)  # layers, head


def main() -> None:
    """Read, fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held", nargs="*", default=())
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--layers", type=int, default=12 - SHARED)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    embedder = lazy_embedder(Settings())
    fitted: list[Example] = []
    held: list[Example] = []
    for data in read_sets(given.folder, ["*"]):
        part = held if any(fnmatch(data["id"], pattern) for pattern in given.held) else fitted
        part += examples(data, embedder)
    print(f"{len(fitted)} questions, {len(held)} held out", flush=True)
    fit = Fit(given.layers, given.start)
    held = chance.sample(held, min(HELD, len(held)))
    fit.run(fitted, held, epochs=given.epochs, chance=chance, out=given.out)
    print(f"{given.out.name}: {given.out.stat().st_size / 1e6:.1f} MB")


class Fit:
    """The network over the embedding model."""

    def __init__(self, layers: int, start: Path | None) -> None:
        from transformers import AutoModel, AutoTokenizer

        place = prepare_weights(Settings().cache_dir, None)
        self.encoder: Any = AutoModel.from_pretrained(place, add_pooling_layer=False).eval()
        self.tokenizer: Any = AutoTokenizer.from_pretrained(place)
        self.shared = len(self.encoder.encoder.layer) - layers
        self.network = Network(
            copy.deepcopy(self.encoder.encoder.layer[self.shared :]), self.encoder.config.hidden_size
        )
        if start:
            self.network.load_state_dict(load(start))

    def run(
        self, fitted: list[Example], held: Sequence[Example], *, epochs: int, chance: random.Random, out: Path
    ) -> None:
        """Fit on *fitted*, printing loss and held-out figures after each epoch."""
        network = self.network.train()
        layers = [p for name, p in network.named_parameters() if name.startswith("layers")]
        heads = [p for name, p in network.named_parameters() if not name.startswith("layers")]
        optimizer = torch.optim.AdamW([{"params": layers}, {"params": heads}], weight_decay=0.01)
        steps, step, began = epochs * math.ceil(len(fitted) / QUESTIONS), 0, time.monotonic()
        for epoch in range(epochs):
            chance.shuffle(fitted)
            total = 0.0
            for start in range(0, len(fitted), QUESTIONS):
                share = min(1.0, (step + 1) / 100) * max(0.02, 1 - step / steps)
                for group, rate in zip(optimizer.param_groups, RATES, strict=True):
                    group["lr"] = rate * share
                loss = self.loss(fitted[start : start + QUESTIONS], chance)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimizer.step()
                total += float(loss.detach())
                step += 1
                if step % 50 == 0:
                    done = total / (start // QUESTIONS + 1)
                    print(f"  step {step} of {steps}, loss {done:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            print(f"epoch {epoch + 1}: {time.monotonic() - began:.0f} s", flush=True)
            save(network.state_dict(), bundled_name(), out)
            if held:
                self.figures(held)

    def loss(self, part: Sequence[Example], chance: random.Random) -> Tensor:
        """Return the loss of one batch of questions."""
        pairs: list[tuple[str, str]] = []
        ends: list[int] = []
        rights: list[list[int]] = []
        for each in part:
            right = sorted(each.right)
            if right and chance.random() < TAKEN_AWAY:
                right = []
            near = [n for n in range(len(each.pieces)) if n not in each.right][:NEAR]
            weights = [1.0 / (3 + rank) for rank in range(len(near))]
            drawn: list[int] = []
            while near and len(drawn) < SHOWN - len(right):
                at = chance.choices(range(len(near)), weights)[0]
                drawn.append(near.pop(at))
                weights.pop(at)
            shown = [*right, *drawn]
            pairs += [(asked(each.question), each.pieces[n]) for n in shown]
            ends.append(len(pairs))
            rights.append(list(range(len(right))))
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.logits(pairs).float()
        total = torch.zeros(())
        begin = 0
        for end, right in zip(ends, rights, strict=True):
            choice = torch.cat([torch.zeros(1), logits[begin:end]]).log_softmax(-1)
            total = total - (torch.logsumexp(choice[1:][right], 0) if right else choice[0])
            # Each by itself as well: two pieces may both answer, and a logit alone says whether one does.
            wanted = torch.zeros(end - begin)
            wanted[right] = 1.0
            total = total + 0.5 * nn.functional.binary_cross_entropy_with_logits(
                logits[begin:end], wanted, pos_weight=torch.tensor(3.0)
            )
            begin = end
        return total / len(part)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """Return the logits of *pairs* of question and piece, computed in groups of like length."""
        order = sorted(range(len(pairs)), key=lambda n: len(pairs[n][0]) + len(pairs[n][1]))
        size = max(8, math.ceil(len(order) / 4))
        groups = [order[start : start + size] for start in range(0, len(order), size)]
        found = torch.cat([self._logits([pairs[n] for n in group]) for group in groups])
        places = torch.tensor([n for group in groups for n in group])
        return found[torch.argsort(places)]

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        made = self.tokenizer(
            [one for one, _ in pairs], [other for _, other in pairs], truncation=True, max_length=LONGEST, padding=True,
            return_tensors="pt",
        )  # fmt: skip
        there = made["attention_mask"].bool()
        second = torch.tensor([[part == 1 for part in made.sequence_ids(n)] for n in range(len(pairs))])
        with torch.no_grad():
            states = self.encoder.embeddings(input_ids=made["input_ids"])
            mask = torch.zeros(there.shape).masked_fill(~there, torch.finfo(torch.float32).min)[:, None, None, :]
            for layer in self.encoder.encoder.layer[: self.shared]:
                out = layer(states, mask.to(states.dtype))
                states = out[0] if isinstance(out, tuple) else out
        result: Tensor = self.network(states.float(), there, second)
        return result

    @torch.no_grad()
    def figures(self, held: Sequence[Example], pieces: int = 16) -> None:
        """Print the figures on *held*, each question with so many pieces."""
        self.network.eval()
        best: list[tuple[Example, bool, float]] = []
        for each in held:
            part = each.pieces[:pieces]
            with torch.autocast("cpu", torch.bfloat16):
                logits = self.logits([(asked(each.question), text) for text in part]).float()
            top = int(logits.argmax())
            best.append((each, top in each.right, float(logits[top])))
        for code in sorted({each.language for each, _, _ in best}):
            print(f"  {code}: {shares([row for row in best if row[0].language == code])}", flush=True)
        print(f"  all: {shares(best)}", flush=True)
        self.network.train()


def shares(best: Sequence[tuple[Example, bool, float]]) -> str:
    """Return the share of right best pieces, and of pairs with the answerable above the unanswerable."""
    given = [row for row in best if row[0].right]
    none = [row for row in best if not row[0].right]
    right = sum(row[1] for row in given) / max(1, len(given))
    above = sum(one[2] > other[2] for one in given for other in none) / max(1, len(given) * len(none))
    refused = sum(row[2] < 0 for row in none) / max(1, len(none))
    kept = sum(row[2] > 0 for row in given) / max(1, len(given))
    told = f"above {above:.3f}, refused {refused:.3f}, kept {kept:.3f}"
    return f"{len(given)} answered {right:.3f}, {len(none)} none; {told}"


if __name__ == "__main__":
    main()
