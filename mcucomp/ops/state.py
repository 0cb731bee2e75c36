"""Which state does an operator keep from one inference to the next?

In: an operator. Out: a `Slot` for its kernel call's `updates`. There are three
kinds of state, told apart by the first word of a slot's key:

- "tensor": a tensor that the file marks as variable. Every operator of the
  graph that is given it means the same bytes.
- "resource": what VAR_HANDLE names, the same in all graphs (`resources.py`).
- "operator": what one operator keeps for itself, and the file does not show.
"""

from __future__ import annotations

from mcucomp.ir import DType, Tensor
from mcucomp.ops.base import ConstantArray, Constraint, Node, Slot
from mcucomp.ops.conditions import Role, of_tensor

LEAST_ALIGNMENT_BYTES = 4


def variable_slot(node: Node, position: int) -> Slot:
    """The state that input `position`, a variable tensor, stands for.

    As in TFLM every byte starts as the zero point where the tensor is int8, else as 0.
    """
    tensor = node.input(position)
    return tensor_slot(tensor, node.graph_index)


def tensor_slot(tensor: Tensor, graph_index: int) -> Slot:
    """The same for a tensor of graph `graph_index`."""
    zero_points = tensor.quantization.zero_points if tensor.quantization else ()
    is_filled = tensor.dtype is DType.INT8 and zero_points
    return Slot(
        key=("tensor", graph_index, tensor.index),
        size_bytes=tensor.size_bytes,
        initial=zero_points[0] & 0xFF if is_filled else 0,
        alignment=max(LEAST_ALIGNMENT_BYTES, tensor.dtype.element_bytes or 1),
    )


def private_slot(
    node: Node,
    name: str,
    size_bytes: int,
    initial: int | ConstantArray = 0,
    alignment: int = LEAST_ALIGNMENT_BYTES,
) -> Slot:
    """State `name` that the operator keeps for itself; `initial` as in `Slot`."""
    return Slot(
        key=("operator", node.graph_index, node.operator.index, name),
        size_bytes=size_bytes,
        initial=initial,
        alignment=alignment,
    )


def is_variable(role: Role) -> Constraint:
    """The input is a tensor that keeps its values; holds where it is absent."""
    return of_tensor(
        role,
        "is a variable",
        lambda t: None if t.is_variable else "a tensor that is not marked as variable",
    )
