"""What does the compiler know about an operator?

An `OperatorDef` says which uses of a TFLite operator can be compiled (its
constraints) and turns one such use into a `KernelCall` (its lowering). A new
operator is one new module in this folder that calls `register`, with its
kernel: a header in `firmware/include/mcuc/` and a source in
`firmware/kernels/portable/`, both found by the kernel's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mcucomp.errors import printable
from mcucomp.ir import Graph, Operator, OptionValue, Tensor


@dataclass(frozen=True, slots=True)
class Node:
    """An operator seen together with the tensors of its graph."""

    graph: Graph
    operator: Operator

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
class KernelCall:
    """One call of one kernel, all arithmetic done.

    `kernel` is the C function, such as `mcuc_conv_2d_s8`; its parameters are
    a `const` struct `mcuc_conv_2d_s8_params` whose members `params` names,
    in order (None is a null pointer). The function takes the struct,
    then a pointer for each tensor of `reads`, each of `writes`, and the
    scratch if there is any; kernels of any number of inputs (or outputs) take
    an array of pointers instead. Tensors of `reads` that are constants are
    passed from flash. `macs` are multiply-accumulates, for reports.

    `clearances` say how a call with a single output may overlap; an input
    without one must not. `views` say that the call does nothing if its tensors
    share bytes in this way: it is then left out. Both are looked up by the
    kernel's name (`with_contract`).

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
    sums: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class OperatorDef:
    """What the compiler knows about one kind of operator."""

    kind: str
    summary: str
    constraints: tuple[Constraint, ...]
    lower: Callable[[Node], KernelCall] = field(repr=False)

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


def registered() -> Mapping[str, OperatorDef]:
    """All definitions by kind, sorted."""
    return dict(sorted(_REGISTRY.items()))
