"""Lifetimes and offsets as TFLM has them, on graphs small enough to work out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np

from mcucomp.ir import DType, Graph, Model, Operator, Tensor
from mcucomp.memory import Lifetime
from mcucomp.tflm.blocks import NEVER, Block, blocks, file_orders
from mcucomp.tflm.greedy import greedy, head_bytes
from tests.support.models import ModelBuilder, model_of


def _lives(model: Model) -> dict[tuple[int, int | None], Lifetime]:
    return {(b.graph, b.tensor): b.lifetime for b in blocks(model, file_orders(model), {})}


def test_a_chain() -> None:
    """The input lives from 0 to its last reader's step, an output to its own step at least."""
    b = ModelBuilder()
    x = b.input((1, 17), scale=0.5)
    y = b.operator("RELU", (x,), (1, 17), scale=0.5)
    z = b.operator("RELU", (y,), (1, 17), scale=0.5)
    model = b.finish()
    assert _lives(model) == {
        (0, x): Lifetime(0, 2),
        (0, y): Lifetime(1, 3),
        (0, z): Lifetime(2, 3),
    }
    assert {block.size_bytes for block in blocks(model, file_orders(model), {})} == {32}


def test_constants_variables_and_tensors_without_bytes_are_not_planned() -> None:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.constant(np.zeros(4, np.int8))
    b.tensor((1, 4), is_variable=True)
    b.tensor((0,))
    unused = b.tensor((1, 4))
    y = b.operator("RELU", (x,), (1, 4), scale=0.5)
    lives = _lives(b.finish())
    assert set(lives) == {(0, x), (0, unused), (0, y)}
    assert lives[0, unused] == NEVER


def test_a_variable_with_an_offset_is_planned() -> None:
    b = ModelBuilder()
    b.input((1, 4), scale=0.5)
    state = b.tensor((1, 4), is_variable=True)
    model = b.finish(outputs=())
    planned = blocks(model, file_orders(model), {}, {(0, state): 64})
    assert [block.tensor for block in planned] == [0, state]


def _calling_model() -> Model:
    """graph 0: IF(condition, x) -> y, then RELU; both branches have one operator."""

    def tensor(index: int, dtype: DType = DType.FLOAT32) -> Tensor:
        return Tensor(index, f"t{index}", dtype, (1, 8))

    def operator(index: int, kind: str, ins: tuple[int, ...], out: int, **options: int) -> Operator:
        return Operator(index, kind, ins, (out,), options)

    call = operator(0, "IF", (0, 1), 2, then_subgraph_index=1, else_subgraph_index=2)
    main = Graph(
        "main",
        (tensor(0, DType.BOOL), tensor(1), tensor(2), tensor(3)),
        (call, operator(1, "RELU", (2,), 3)),
        (0, 1),
        (3,),
    )
    branch = Graph("branch", (tensor(0), tensor(1)), (operator(0, "RELU", (0,), 1),), (0,), (1,))
    return model_of(main, branch, dataclasses.replace(branch, name="other"))


def test_called_graphs_live_beside_what_lives_across_the_call() -> None:
    assert _lives(_calling_model()) == {
        (0, 0): Lifetime(0, 6),
        (0, 1): Lifetime(0, 6),
        (0, 2): Lifetime(1, 7),
        (0, 3): Lifetime(6, 7),
        (1, 0): Lifetime(2, 4),
        (1, 1): Lifetime(3, 4),
        (2, 0): Lifetime(4, 6),
        (2, 1): Lifetime(5, 6),
    }


def test_scratch_of_a_call_lives_across_it() -> None:
    model = _calling_model()
    planned = blocks(model, file_orders(model), {(0, 0): (20,), (1, 0): (1,)})
    scratch = {(b.graph, b.operator): b for b in planned if b.operator is not None}
    assert scratch[0, 0].lifetime == Lifetime(1, 6)
    assert scratch[0, 0].size_bytes == 32
    assert scratch[1, 0].lifetime == Lifetime(3, 4)


def _block(size_bytes: int, start: int, end: int) -> Block:
    return Block(0, 0, None, size_bytes, Lifetime(start, end))


def test_greedy_takes_the_largest_first_and_of_equals_the_later() -> None:
    planned = [_block(16, 0, 2), _block(32, 0, 2), _block(32, 0, 2)]
    assert greedy(planned, {}) == (64, 32, 0)


def test_greedy_fills_the_first_gap() -> None:
    planned = [_block(64, 0, 4), _block(32, 0, 1), _block(16, 1, 4), _block(16, 0, 1)]
    assert greedy(planned, {0: 32}) == (32, 0, 0, 96)


def test_prescribed_offsets_are_taken_unseen() -> None:
    planned = [_block(32, 0, 4), _block(32, 0, 4), _block(16, 0, 4)]
    offsets = greedy(planned, {0: 16, 1: 16})
    assert offsets == (16, 16, 0)
    assert head_bytes(planned, offsets) == 48


def test_nothing_needs_no_head() -> None:
    assert head_bytes([], greedy([], {})) == 0
