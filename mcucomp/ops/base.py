"""What does the compiler know about an operator?

An `OperatorDef` says which uses of a TFLite operator can be compiled (its
constraints) and turns one such use into a `KernelCall` (its lowering). A new
operator is one new module in this folder that calls `register`, with its
kernel: a header in `firmware/include/mcuc/` and a source in
`firmware/kernels/portable/`, both found by the kernel's name.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from mcucomp.errors import printable
from mcucomp.ir import Graph, Model, Operator, OptionValue, Tensor

CUSTOM = "CUSTOM"


@dataclass(frozen=True, slots=True)
class Node:
    """An operator seen together with the tensors of its graph.

    `model` is where operators find what lies outside of their graph, number
    `graph_index` of it: the graphs that they call, the resources that graphs
    share. None where an operator is looked at on its own.
    """

    graph: Graph
    operator: Operator
    model: Model | None = None
    graph_index: int = 0

    def has_input(self, position: int) -> bool:
        inputs = self.operator.inputs
        return position < len(inputs) and inputs[position] >= 0

    def input(self, position: int) -> Tensor:
        return self.graph.tensors[self.operator.inputs[position]]

    def output(self, position: int = 0) -> Tensor:
        return self.graph.tensors[self.operator.outputs[position]]

    def option(self, name: str) -> OptionValue:
        return self.operator.options[name]

    @property
    def at(self) -> str:
        """Where messages say this operator is."""
        return f"operator {self.operator.index} {printable(self.operator.kind)}"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One condition on an operator's use.

    `sentence` is the documentation and the error message at once; `found`
    returns None where the condition holds, else what the model has instead.
    Constraints are tried in order, and the first that fails ends the list, so
    a later one may rely on those before it.
    """

    sentence: str
    found: Callable[[Node], str | None]


@dataclass(frozen=True, slots=True)
class ConstantArray:
    """A constant that a kernel's parameters point to: values in flash.

    `values` is one-dimensional and of the dtype that `c_type` names. The
    weights of the model (`is_weight`) are counted apart from quantisation
    parameters in reports.
    """

    c_type: str
    values: np.ndarray
    is_weight: bool = False


ParamValue = int | float | bool | tuple[int, ...] | ConstantArray | None


@dataclass(frozen=True, slots=True)
class Clearance:
    """Where a call's output may lie over one of its inputs, if nobody needs that input afterwards.

    With distance = address of the input - address of the output, no byte is
    overwritten before its last read where low_bytes <= distance <= high_bytes
    (None: no limit on that side) and the distance is a multiple of
    `multiple_bytes`. It follows from the order of reads and writes that the
    kernel's header states. `position` is the input's in the call's `reads`.
    `kernel` names another form of the kernel that this is true of, with the
    same parameters; empty for the call's own.
    """

    position: int
    low_bytes: int | None = None
    high_bytes: int | None = None
    multiple_bytes: int = 1
    kernel: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A tensor that is `part` of the bytes of another, `whole`, from `offset_bytes` on."""

    whole: int
    part: int
    offset_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Slot:
    """State that lasts from one inference to the next, apart from the arena.

    Calls that name the same `key` share the bytes; `mcucomp.ops.state` makes keys.
    When a model starts, and after a reset, every byte has the value `initial`, or
    the bytes are those of the array `initial` (a copy of them is in flash). What
    `outlives_reset` is left alone by a reset. It lies at a multiple of `alignment`.
    """

    key: tuple[str | int, ...]
    size_bytes: int
    initial: int | ConstantArray = 0
    alignment: int = 4
    outlives_reset: bool = False


class ControlForm(Enum):
    """How a step runs other graphs."""

    BRANCH = "branch"  # by the first of `reads`: the first graph or the second, on the others
    LOOP = "loop"  # the second graph as long as the first one says so; both on all of `reads`
    ONCE = "once"  # the only graph, in the first inference, which the only slot remembers


@dataclass(frozen=True, slots=True)
class Control:
    """A step that runs graphs of the model, by their numbers. The generated code does it."""

    form: ControlForm
    graphs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KernelCall:
    """One call of one kernel, all arithmetic done.

    `kernel` is the C function, such as `mcuc_conv_2d_s8`; its parameters are
    a `const` struct `mcuc_conv_2d_s8_params` whose members `params` names,
    in order (None is a null pointer). The function takes the struct,
    then a pointer for each tensor of `reads`, each of `writes`, each slot of
    `updates`, and the scratch if there is any; kernels of any number of inputs
    (or outputs) take an array of pointers instead. Tensors of `reads` that are
    constants are passed from flash, variables from where their state is. `macs`
    are multiply-accumulates, for reports.

    `clearances` say how a call with a single output may overlap; an input
    without one must not. `views` say that the call does nothing if its tensors
    share bytes in this way: it is then left out. Both are looked up by the
    kernel's name (`with_contract`).

    A step with `control` has no kernel; what it hands on are the bytes of
    `reads` and `writes` in their order. A call with neither does nothing.

    `files` are C sources and headers of a kernel that does not come with mcucomp, by
    name; such a call states its clearances itself.

    `sums` are the (lowest, highest) sum of products and bias of each output
    channel over all inputs that can occur, where that is known; kernels may rely
    on them. They are below those that the weights alone allow.
    """

    kernel: str
    params: Mapping[str, ParamValue]
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    scratch_bytes: int = 0
    macs: int = 0
    clearances: tuple[Clearance, ...] = ()
    views: tuple[View, ...] = ()
    reads_as_array: bool = False
    writes_as_array: bool = False
    updates: tuple[Slot, ...] = ()
    control: Control | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    sums: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class OperatorDef:
    """What the compiler knows about one kind of operator.

    `kind` is TFLite's upper-case name; of a custom operator (`is_custom`) the name that files give.
    One that `has_effects` does more than write its outputs and its own state,
    and stays where nobody reads them. Its float32 results may be `float_ulps` units in the last
    place off where functions are another C library's than the host's. One that `keeps_values`
    has those of its first input as its output, in their order.
    """

    kind: str
    summary: str
    constraints: tuple[Constraint, ...]
    lower: Callable[[Node], KernelCall] = field(repr=False)
    has_effects: bool = False
    is_custom: bool = False
    float_ulps: int = 0
    keeps_values: bool = False

    def violation(self, node: Node) -> str | None:
        """The first constraint that `node` breaks, as `sentence; found ...`."""
        for constraint in self.constraints:
            found = constraint.found(node)
            if found is not None:
                return f"{constraint.sentence}; found {found}"
        return None


_REGISTRY: dict[str, OperatorDef] = {}


def register(definition: OperatorDef) -> OperatorDef:
    """Make `definition` known under its kind."""
    if definition.kind in _REGISTRY:
        raise ValueError(f"{definition.kind} is defined twice")
    _REGISTRY[definition.kind] = definition
    return definition


def definition_of(operator: Operator) -> OperatorDef | None:
    """What is known about the kind of `operator`; None where it cannot be compiled."""
    is_custom = operator.kind == CUSTOM
    found = _REGISTRY.get(operator.custom_code if is_custom else operator.kind)
    return found if found is not None and found.is_custom == is_custom else None


def registered() -> Mapping[str, OperatorDef]:
    """All definitions by kind, sorted."""
    return dict(sorted(_REGISTRY.items()))


@contextlib.contextmanager
def registering(definitions: Sequence[OperatorDef]) -> Iterator[None]:
    """For as long as this lasts, these definitions are known too.

    Raises:
        ValueError: one is known already.
    """
    before = dict(_REGISTRY)
    try:
        for definition in definitions:
            register(definition)
        yield
    finally:
        _REGISTRY.clear()
        _REGISTRY.update(before)
