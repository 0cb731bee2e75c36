"""Which resource does a handle mean?

In: a model, and a tensor of one of its graphs that is a handle. Out: the name
of the resource, and the slot that has its bytes. VAR_HANDLE gives handles their
names; IF and WHILE hand them on, so a handle may have several sources, which
must all name the same. All graphs share the resources of a model.

A resource is as large as what is assigned to it, and starts, as in TFLM, with
every byte as the zero point of what the file's first ASSIGN_VARIABLE assigns.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcucomp.ir import Model, Operator, Tensor
from mcucomp.ops.base import Constraint, Node, Slot
from mcucomp.ops.conditions import Role
from mcucomp.ops.state import LEAST_ALIGNMENT_BYTES

HANDLE = Role("handle", 0)

# Where the operands of a calling operator begin that its graphs get, and which graphs.
_BRANCHES = ("then_subgraph_index", "else_subgraph_index")
_LOOP = ("cond_subgraph_index", "body_subgraph_index")

Name = tuple[str, str]
_Handle = tuple[int, int]


def resource_slot(node: Node) -> Slot | None:
    """The state behind the handle that is input 0; None where nothing is ever assigned to it."""
    name = _name_of(node)
    if node.model is None or name is None:
        return None
    assigned = next(_assigned(node.model, name), None)
    if assigned is None:
        return None
    zero_points = assigned.quantization.zero_points if assigned.quantization else (0,)
    return Slot(
        key=("resource", *name),
        size_bytes=assigned.size_bytes,
        initial=zero_points[0] & 0xFF,
        alignment=max(LEAST_ALIGNMENT_BYTES, assigned.dtype.element_bytes or 1),
    )


def names_one_resource() -> Constraint:
    def found(node: Node) -> str | None:
        if node.model is None:
            return "a graph without its model"
        names = _names(node.model, (node.graph_index, node.operator.inputs[0]), set())
        return None if len(names) == 1 else f"{len(names)} resources"

    return Constraint("handle comes from a VAR_HANDLE, and means the same resource always", found)


def holds(role: Role) -> Constraint:
    """The resource of the handle has as many bytes as the tensor, and something assigns it."""

    def found(node: Node) -> str | None:
        slot, tensor = resource_slot(node), role.of(node)
        if slot is None or tensor is None:
            return "a variable that nothing is assigned to"
        if slot.size_bytes != tensor.size_bytes:
            return f"{tensor.size_bytes} B for a variable of {slot.size_bytes} B"
        return None

    return Constraint(f"{role.name} has the bytes of what the variable is assigned first", found)


def _name_of(node: Node) -> Name | None:
    if node.model is None:
        return None
    names = _names(node.model, (node.graph_index, node.operator.inputs[0]), set())
    return next(iter(names)) if len(names) == 1 else None


def _assigned(model: Model, name: Name) -> Iterator[Tensor]:
    """What is assigned to a resource, in the order of the file."""
    for index, graph in enumerate(model.graphs):
        for operator in graph.operators:
            if operator.kind == "ASSIGN_VARIABLE" and len(operator.inputs) == 2:
                names = _names(model, (index, operator.inputs[0]), set())
                if names == {name}:
                    yield graph.tensors[operator.inputs[1]]


def _names(model: Model, handle: _Handle, seen: set[_Handle]) -> set[Name]:
    """The resources that a handle may mean."""
    if handle in seen:
        return set()
    seen.add(handle)
    graph_index, tensor = handle
    graph = model.graphs[graph_index]
    found: set[Name] = set()
    for operator in graph.operators:
        if tensor in operator.outputs:
            if operator.kind == "VAR_HANDLE":
                found.add(_declared(operator))
            position = operator.outputs.index(tensor)
            for source in _returned(model, graph_index, operator, position):
                found |= _names(model, source, seen)
    if tensor in graph.inputs:
        for source in _given(model, graph_index, graph.inputs.index(tensor)):
            found |= _names(model, source, seen)
    return found


def _declared(operator: Operator) -> Name:
    container, shared_name = (operator.options.get(n) for n in ("container", "shared_name"))
    return str(container or ""), str(shared_name or "")


def _returned(
    model: Model, graph_index: int, operator: Operator, position: int
) -> Iterator[_Handle]:
    """Where an output of IF or WHILE may be from."""
    called = _BRANCHES if operator.kind == "IF" else _LOOP[1:] if operator.kind == "WHILE" else ()
    for option in called:
        callee = operator.options.get(option)
        if isinstance(callee, int) and position < len(model.graphs[callee].outputs):
            yield callee, model.graphs[callee].outputs[position]
    if operator.kind == "WHILE" and position < len(operator.inputs):
        yield graph_index, operator.inputs[position]


def _given(model: Model, callee: int, position: int) -> Iterator[_Handle]:
    """Where an input of a graph may be from."""
    for index, graph in enumerate(model.graphs):
        for operator in graph.operators:
            if operator.kind == "IF" and callee in _called(operator, _BRANCHES):
                yield from _operand(index, operator, position + 1)
            elif operator.kind == "WHILE" and callee in _called(operator, _LOOP):
                yield from _operand(index, operator, position)
                yield from _returned(model, index, operator, position)


def _called(operator: Operator, options: tuple[str, ...]) -> list[object]:
    return [operator.options.get(option) for option in options]


def _operand(index: int, operator: Operator, position: int) -> Iterator[_Handle]:
    if position < len(operator.inputs) and operator.inputs[position] >= 0:
        yield index, operator.inputs[position]
