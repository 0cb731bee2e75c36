"""The JSON documents: build, export, run, check.

Sizes in bytes, null for what is not known.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import mcucomp
from mcucomp import placement
from mcucomp.certify import memory_members

if TYPE_CHECKING:
    from mcucomp.build_directory import BuildDirectory
    from mcucomp.check import Trace, Verdict
    from mcucomp.device import Run
    from mcucomp.pipeline import Built, Exported

SCHEMA = 1


def text(document: dict[str, object]) -> str:
    """A document as a file holds it."""
    return json.dumps(document, indent=2) + "\n"


def build_document(built: Built) -> dict[str, object]:
    """`report.json`, and what `mcucomp build --json` prints."""
    graph = built.planned.model.graphs[0]
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": {
            "file": built.planned.model.source,
            "sha256": built.planned.model.sha256,
            "name": built.name,
        },
        "build_id": built.sources.build_id,
        "board": built.board.name,
        **memory_members(built.planned.plan),
        "possible_peaks_bytes": list(built.planned.possible_peaks_bytes),
        "state_bytes": built.sources.state_bytes,
        "sizes": _sizes(built),
        "placement": placement.as_dict(built.board),
        "regions": _regions(built),
        "operators": _operators(built),
        # Which step each call is one of, in their order; null where each step is called once.
        "calls": None if built.planned.rows is None else list(built.planned.rows.calls_made),
        # What each call leaves in the arena: [tensor, from which of its bytes, offset, bytes].
        "written": None if built.planned.rows is None else built.planned.rows.written,
        # Tensors of the file that have other bytes in the graph that runs.
        "changed": [t.index for t in graph.tensors if t.is_changed],
        "inputs": [
            {
                **_tensor(built, given),
                "quantized": _quantized(built, given, t),
                "streamed": None if built.planned.rows is None else built.planned.rows.arrival(t),
            }
            for given, t in zip(built.planned.given, graph.inputs, strict=True)
        ],
        "outputs": [
            {**_tensor(built, answered), "quantized": _quantized(built, answered, t)}
            for answered, t in zip(built.planned.answered, graph.outputs, strict=True)
        ],
    }


def _sizes(built: Built) -> dict[str, object] | None:
    """Flash and RAM by part; None for the host."""
    sizes = built.image.sizes
    if sizes is None:
        return None
    return {
        "flash_bytes": sizes.flash_bytes,
        "code_bytes": sizes.code_bytes,
        "harness_bytes": sizes.flash_harness_bytes,
        "weights_bytes": sizes.flash_weights_bytes,
        "ram_bytes": sizes.ram_bytes,
        "flash": {
            "weights_bytes": sizes.flash_weights_bytes,
            "model_bytes": sizes.flash_model_bytes,
            "kernels_bytes": sizes.flash_kernels_bytes,
            "rest_bytes": sizes.flash_rest_bytes,
        },
        "ram": {
            "arena_bytes": sizes.ram_arena_bytes,
            "state_bytes": sizes.ram_state_bytes,
            "data_bytes": sizes.ram_data_bytes,
            "stack_bytes": sizes.ram_stack_bytes,
        },
    }


def _regions(built: Built) -> list[dict[str, object]] | None:
    """What each memory region holds; None for the host."""
    if built.image.sizes is None:
        return None
    return [
        {
            "name": region.name,
            "kind": region.kind,
            "origin": region.origin,
            "bytes": region.size_bytes,
            "used_bytes": region.used_bytes,
            "left_bytes": region.left_bytes,
            "parts": list(region.parts),
        }
        for region in built.image.regions
    ]


def _operators(built: Built) -> list[dict[str, object]]:
    """The steps of the graph that runs in their order: operator, kernel, and why that kernel."""
    graph = built.planned.model.graphs[0]
    is_in_rows = built.planned.rows is not None
    return [
        {
            "step": k,
            "operator": operator.index,
            "kind": operator.kind,
            "kernel": choice.call.kernel,
            "backend": choice.backend,
            "reason": choice.reason,
            "estimated_instructions": choice.instructions or None,
            "alternatives": [
                {"kernel": kernel, "instructions": count, "constant_bytes": size_bytes}
                for kernel, count, size_bytes in choice.alternatives
            ],
            "macs": choice.call.macs,
            # In rows no step writes a whole tensor that could be compared.
            "writes": [] if is_in_rows else list(choice.call.writes),
            "arena": None if is_in_rows else _arena(built, built.planned.plan.order[k]),
            "output_elements": sum(graph.tensors[t].elements for t in choice.call.writes),
            "scratch_bytes": choice.call.scratch_bytes,
        }
        for k, (operator, choice) in enumerate(built.planned.executed)
    ]


def _arena(built: Built, step: int) -> dict[str, object]:
    """Where in the arena a step reads and writes, as [offset, bytes] each; constants are not."""
    main, tensors = built.planned.main, built.planned.model.graphs[0].tensors
    memory, plan, call = main.memory, main.plan, main.choices[step].call

    def spans(indices: Sequence[int]) -> list[list[int]]:
        return [
            [plan.offsets[memory.buffer_of_tensor[t]] + memory.place_in_buffer[t],
             tensors[t].size_bytes]
            for t in indices
            if t in memory.buffer_of_tensor
        ]  # fmt: skip

    scratch = plan.scratch_offsets[step]
    return {
        "reads": spans(call.reads),
        "writes": spans(call.writes),
        "scratch": None if scratch is None else [scratch, call.scratch_bytes],
    }


def _quantized(built: Built, given: int, index: int) -> dict[str, object] | None:
    """How an input that the model has differs from what is handed over; None where it does not."""
    quantization = built.planned.model.graphs[0].tensors[index].quantization
    if given == index or quantization is None:
        return None
    return {"scale": quantization.scales[0], "zero_point": quantization.zero_points[0]}


def _tensor(built: Built, index: int) -> dict[str, object]:
    tensor = built.planned.model.graphs[0].tensors[index]
    return {
        "name": tensor.name,
        "dtype": tensor.dtype.value,
        "shape": list(tensor.shape),
        "bytes": tensor.size_bytes,
    }


def export_document(exported: Exported) -> dict[str, object]:
    """`export.json`, and what `mcucomp export --json` prints."""
    package = exported.package
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "format": exported.format,
        "package": package.name,
        "cpu": package.cpu,
        "models": [
            {
                "file": planned.model.source,
                "sha256": model.sha256,
                "name": model.name,
                "header": model.header,
                **memory_members(planned.plan),
                "state_bytes": model.sources.state_bytes,
                "weights_bytes": model.sources.weights_bytes,
                "constants_bytes": model.sources.constants_bytes,
            }
            for model, planned in zip(package.models, exported.planned, strict=True)
        ],
        "kernels": [{"name": kernel.name, "crc32": kernel.crc32} for kernel in package.kernels],
        "files": list(exported.files),
    }


def run_document(build: BuildDirectory, run: Run) -> dict[str, object]:
    """What `mcucomp run --json` prints."""
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": build.report["model"],
        "board": run.board,
        "transport": run.transport,
        "predicted": {
            "arena_peak_bytes": build.arena_peak_bytes,
            "possible_peaks_bytes": sorted(build.possible_peaks_bytes),
        },
        "measured": {
            "arena_peak_bytes": run.arena_peak_bytes,
            "stack_bytes": run.stack_bytes,
            "instructions": run.instructions,
            "cycles": run.cycles,
            "guards_ok": run.guards_ok,
        },
        "steps": None
        if run.steps is None
        else [
            {
                "step": operator["step"],
                "kind": operator["kind"],
                "instructions": step.instructions,
                "cycles": step.cycles,
            }
            for operator, step in zip(build.report["operators"], run.steps, strict=True)
        ],
        "outputs": [
            {
                "name": name,
                "bytes": len(data),
                "crc32": f"{zlib.crc32(data):08x}",
                "data": data.hex(),
            }
            for name, data in zip(build.output_names, run.outputs, strict=True)
        ],
    }


def check_document(
    build: BuildDirectory, verdict: Verdict, trace: Trace | None = None
) -> dict[str, object]:
    """What `mcucomp check --json` prints: the first run's document, and the verdict.

    `trace` is null unless it was asked for.
    """
    mismatch = verdict.first_mismatch
    return {
        **run_document(build, verdict.runs[0]),
        "check": {
            "ok": verdict.ok,
            "inputs": verdict.inputs,
            "sequence": verdict.sequence,
            "mismatching_bytes": verdict.mismatching_bytes,
            "near_numbers": verdict.near_numbers,
            "most_ulps": verdict.most_ulps,
            "peaks_as_predicted": verdict.peak_ok,
            "guards_ok": verdict.guards_ok,
            "first_mismatch": None if mismatch is None else dataclasses.asdict(mismatch),
        },
        "trace": None if trace is None else dataclasses.asdict(trace),
    }
