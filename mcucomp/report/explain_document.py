"""What the weights prove, as one JSON document: every channel's interval, and the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mcucomp
from mcucomp.report.documents import SCHEMA

if TYPE_CHECKING:
    from mcucomp.explaining import Explanation, Step, Work
    from mcucomp.values import Values


def explain_document(found: Explanation) -> dict[str, object]:
    """What `mcucomp explain --json` prints."""
    arenas = found.arena_bytes
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": {"file": found.model.source, "sha256": found.model.sha256},
        "before": {**_work(found.before), "arena_bytes": arenas[0]},
        "after": {**_work(found.after), "arena_bytes": arenas[1]},
        "operators": [_step(step) for step in found.steps],
        "tensors": [
            document
            for graph, values in enumerate(found.values)
            for document in _tensors(graph, values)
        ],
    }


def _work(work: Work) -> dict[str, object]:
    return {"macs": work.macs, "weights_bytes": work.weights_bytes}


def _step(step: Step) -> dict[str, object]:
    return {
        "graph": step.graph,
        "operator": step.operator.index,
        "kind": step.operator.kind,
        "output": step.operator.outputs[0],
        "channels": step.channels,
        "constant_channels": step.constant,
        "channels_left": step.left,
        "activation_dropped": step.loses_clamp,
        "before": _work(step.before),
        "after": _work(step.after),
    }


def _tensors(graph: int, values: Values) -> list[dict[str, object]]:
    """Those that are computed or given; constants are in the file."""
    documents: list[dict[str, object]] = []
    for index, known in sorted(values.tensors.items()):
        tensor = values.graph.tensors[index]
        if tensor.is_constant:
            continue
        low, high = values.channels(index)
        sums = None
        if known.sums is not None:
            ends = (known.sums.low.ravel().tolist(), known.sums.high.ravel().tolist())
            sums = [list(pair) for pair in zip(*ends, strict=True)]
        documents.append(
            {
                "graph": graph,
                "tensor": index,
                "name": tensor.name,
                "why": known.why,
                "intervals": [list(p) for p in zip(low.tolist(), high.tolist(), strict=True)],
                "sums": sums,
            }
        )
    return documents
