"""Which order and which offsets make a file need less of TFLM's arena?

In: a model, its bytes, the kernel library, and the rules. Out: a `Rewrite`: the
bytes of a file in which operators stand in the order found and, where it is
safe and helps, metadata prescribes the offsets; with the head that TFLM will
have for it, to the byte, and for the file as it was. Under `+values` it is first
freed of what no input can make matter; nothing else in the file changes.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp import planner, tflite
from mcucomp.errors import AnswerIsNo, UnsupportedModel, printable
from mcucomp.ir import Model
from mcucomp.rewrite.drop_channels import BLOCK_CHANNELS
from mcucomp.tflm import inplace, metadata, placement
from mcucomp.tflm.blocks import NEVER, Block, Orders, Requests, blocks, called_graphs, file_orders
from mcucomp.tflm.greedy import greedy, head_bytes, pinned_blocks
from mcucomp.tflm.narrowing import narrowed
from mcucomp.tflm.scratch import KernelLibrary, requests
from mcucomp.tflm.step_graph import step_graph

_COMPRESSION = "COMPRESSION_METADATA"
_GREATEST_OLD_CODE = 127


class Rules(enum.Enum):
    """What a rewrite may do: order and offsets; outputs over dying inputs; a smaller model."""

    ORDERS = "orders"
    INPLACE = "+inplace"
    VALUES = "+values"
    VALUES_INPLACE = "+values+inplace"

    @property
    def has_inplace(self) -> bool:
        return self in (Rules.INPLACE, Rules.VALUES_INPLACE)

    @property
    def has_values(self) -> bool:
        return self in (Rules.VALUES, Rules.VALUES_INPLACE)

    @property
    def with_inplace(self) -> Rules:
        """The same, and outputs over dying inputs."""
        return Rules.VALUES_INPLACE if self.has_values else Rules.INPLACE


@dataclass(frozen=True, slots=True)
class Layout:
    """An order for each graph, offsets by (graph, tensor), and the head that TFLM makes of them.

    Without offsets TFLM's own planner places everything. `shared` counts the
    pairs of tensors that start at one byte on purpose.
    """

    orders: tuple[tuple[int, ...], ...]
    offsets: Mapping[tuple[int, int], int] | None
    head_bytes: int
    shared: int = 0


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A file to write. `before` and `after` say what TFLM needs for the heads.

    `notes` say what could not be done, and why; `moved` counts the operators
    that stand elsewhere than in the input. `file_bytes` are before and after.
    """

    data: bytes
    file_bytes: tuple[int, int]
    rules: Rules
    kernels: str
    before: Layout
    after: Layout
    notes: tuple[str, ...]

    @property
    def moved(self) -> int:
        return sum(
            position != index for order in self.after.orders for position, index in enumerate(order)
        )


def rewrite(model: Model, data: bytes, rules: Rules, kernels: KernelLibrary) -> Rewrite:
    """The file of `model`, whose bytes are `data`, made to need less.

    Raises:
        AnswerIsNo: no order and no offsets that were found need less.
        InvalidModel, UnsupportedModel: TFLM's needs cannot be foreseen.
    """
    _require_plain(model)
    before = _as_it_is(model, requests(model, kernels))
    why_not, original_bytes = metadata.why_not(model), len(data)
    smaller = None
    if rules.has_values:
        # Where kernels are not the plain ones, they like whole blocks of channels.
        multiple = BLOCK_CHANNELS if kernels.replaces else 1
        smaller = narrowed(model, data, multiple)
    if smaller is not None:
        model, data = tflite.read(smaller, model.source), smaller
    notes = [f"order only: {why_not}"] if why_not else []
    # The first of the best: the file's own order before others, no metadata before some.
    as_it_is = before if smaller is None else _as_it_is(model, requests(model, kernels))
    layouts = (as_it_is, *candidates(model, rules, kernels))
    after = min(layouts, key=lambda layout: layout.head_bytes)
    if after.head_bytes >= before.head_bytes and (
        smaller is None or after.head_bytes > before.head_bytes
    ):
        raise AnswerIsNo(
            f"needs {before.head_bytes:,} B of head, and no order or offsets were found that"
            " need less",
            at=printable(model.source),
            details=notes,
            fix="" if rules.has_inplace or why_not else f"try --rules {rules.with_inplace.value}",
        )
    if after.shared:
        notes.append(
            f"outputs lie over inputs; this is safe with the kernels {kernels.name} of TFLM's own"
            " sources, and may not be with others"
        )
    made = patched(model, data, after)
    sizes = (original_bytes, len(made))
    return Rewrite(made, sizes, rules, kernels.name, before, after, tuple(notes))


def candidates(model: Model, rules: Rules, kernels: KernelLibrary) -> list[Layout]:
    """The layouts that are considered under `rules`, each of which TFLM can run."""
    needed = requests(model, kernels)
    found = []
    for orders in _candidate_orders(model, needed):
        found.append(_online(model, orders, needed))
        if metadata.why_not(model) is not None:
            continue
        found += _pinned(model, orders, needed, Rules.ORDERS, kernels)
        if rules.has_inplace:
            found += _pinned(model, orders, needed, Rules.INPLACE, kernels)
    return found


def _require_plain(model: Model) -> None:
    """Compressed constants change what operators request; they are left alone."""
    if _COMPRESSION in (model.metadata or {}):
        raise UnsupportedModel(
            f"has compressed constants (metadata {_COMPRESSION})",
            at=printable(model.source),
            fix="rewrite the model before it is compressed",
        )


def _as_it_is(model: Model, needed: Requests) -> Layout:
    offsets = metadata.prescribed(model)
    orders = file_orders(model)
    placed = blocks(model, orders, needed, offsets)
    head = head_bytes(placed, greedy(placed, pinned_blocks(placed, offsets)))
    return Layout(orders, offsets or None, head)


def _online(model: Model, orders: Orders, needed: Requests) -> Layout:
    placed = blocks(model, orders, needed)
    head = head_bytes(placed, greedy(placed, {}))
    return Layout(tuple(map(tuple, orders)), None, head)


def _candidate_orders(model: Model, needed: Requests) -> list[tuple[tuple[int, ...], ...]]:
    """The file's orders, and those that the planner finds, each graph after those it calls."""
    found = list(file_orders(model))
    for g in _callees_first(model):
        problem = step_graph(model, g, found, needed)
        if problem.steps:
            found[g] = planner.plan(problem).order
    orders = [file_orders(model), tuple(found)]
    return list(dict.fromkeys(orders))


def _callees_first(model: Model) -> list[int]:
    """The graphs that run, each after those that it calls."""
    sequence: list[int] = []

    def visit(g: int) -> None:
        for operator in model.graphs[g].operators:
            for called in called_graphs(operator):
                if called not in sequence:
                    visit(called)
        sequence.append(g)

    visit(0)
    return sequence


def _pinned(
    model: Model, orders: Orders, needed: Requests, rules: Rules, kernels: KernelLibrary
) -> list[Layout]:
    """Layouts with prescribed offsets: one, or one for each way to choose what is shared."""
    placed = blocks(model, orders, needed)
    if rules is Rules.ORDERS:
        return [_placed(orders, placed, [])]
    index_of = {b.tensor: i for i, b in enumerate(placed) if b.graph == 0 and b.tensor is not None}
    lives = {
        tensor: placed[i].lifetime for tensor, i in index_of.items() if placed[i].lifetime != NEVER
    }
    choices = inplace.sharings(model, orders[0], lives, kernels)
    layouts = []
    for choose in (0, -1):  # an operator with two inputs that die may take either
        pairs = [(index_of[s[choose].input], index_of[s[choose].output]) for s in choices]
        if pairs:
            layouts.append(_placed(orders, placed, pairs))
    return layouts


def _placed(orders: Orders, placed: Sequence[Block], shared: Sequence[tuple[int, int]]) -> Layout:
    """Offsets for all tensors, and what TFLM's planner makes of them and of the scratch."""
    used = [i for i, b in enumerate(placed) if b.lifetime != NEVER]
    position = {i: k for k, i in enumerate(used)}
    groups = placement.groups_of(
        [placed[i] for i in used], [(position[a], position[b]) for a, b in shared]
    )
    offsets = placement.place(groups).offsets
    pinned = {
        used[k]: offset for group, offset in zip(groups, offsets, strict=True) for k in group.blocks
    }
    # What nothing ever touches lies anywhere.
    pinned |= {i: 0 for i, b in enumerate(placed) if b.lifetime == NEVER and b.operator is None}
    head = head_bytes(placed, greedy(placed, pinned))
    by_tensor = {
        (placed[i].graph, tensor): offset
        for i, offset in sorted(pinned.items())
        if (tensor := placed[i].tensor) is not None
    }
    return Layout(tuple(map(tuple, orders)), by_tensor, head, len(shared))


def patched(model: Model, data: bytes, layout: Layout) -> bytes:
    """The file of `model`, whose bytes are `data`, with the layout's orders and offsets."""
    values = tflite.unpack(data, model.source)
    for graph, order in zip(values["subgraphs"], layout.orders, strict=True):
        if order:
            graph["operators"] = [graph["operators"][i] for i in order]
    for code in values.get("operator_codes", ()):
        _state_both_codes(code)
    _set_offsets(model, values, layout)
    return tflite.repack(values)


def _state_both_codes(code: tflite.Values) -> None:
    """Old builds of TFLM look at one field of the operator's code, old files have the other."""
    number = max(code.get("builtin_code", 0), code.get("deprecated_builtin_code", 0))
    code["builtin_code"] = number
    code["deprecated_builtin_code"] = min(number, _GREATEST_OLD_CODE)


def _set_offsets(model: Model, values: tflite.Values, layout: Layout) -> None:
    name = metadata.NAME.encode()
    entries = [e for e in values.get("metadata", []) if e.get("name") != name]
    if layout.offsets is not None:
        values["buffers"].append({"data": metadata.entry(model, layout.offsets)})
        entries.append({"name": name, "buffer": len(values["buffers"]) - 1})
    if "metadata" in values or entries:
        values["metadata"] = entries
