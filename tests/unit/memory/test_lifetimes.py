"""What lives when, on graphs small enough to say by hand."""

from __future__ import annotations

from mcucomp.memory import Buffer, Lifetime, Step, StepGraph, lifetimes, live_bytes, round_up

# x -> (0) -> a -> (1) -> b -> (2) -> y, and a is read again by 2; u is an input nobody reads.
CHAIN = StepGraph(
    steps=(Step("a", "A"), Step("b", "B", scratch_bytes=5), Step("y", "C")),
    buffers=(
        Buffer("x", 10, (), (0,)),
        Buffer("u", 3, (), ()),
        Buffer("a", 20, (0,), (1, 2)),
        Buffer("b", 30, (1,), (2,)),
        Buffer("y", 7, (2,), (), held=True),
    ),
    alignment=4,
)


def test_lifetimes_are_half_open() -> None:
    assert lifetimes(CHAIN, (0, 1, 2)) == (
        Lifetime(0, 1),
        Lifetime(0, 1),
        Lifetime(0, 3),
        Lifetime(1, 3),
        Lifetime(2, 3),
    )


def test_live_bytes_round_each_buffer_and_add_scratch() -> None:
    assert live_bytes(CHAIN, (0, 1, 2)) == (12 + 4 + 20, 20 + 32 + 8, 20 + 32 + 8)


def test_an_output_that_is_an_input_is_held_to_the_end() -> None:
    graph = StepGraph(
        (Step("a", "A"), Step("b", "B")),
        (
            Buffer("x", 8, (), (0,), held=True),
            Buffer("a", 8, (0,), (1,)),
            Buffer("b", 8, (1,), (), True),
        ),
    )
    assert lifetimes(graph, (0, 1))[0] == Lifetime(0, 2)


def test_an_output_that_nobody_reads_lives_at_its_own_step() -> None:
    graph = StepGraph((Step("a", "A"), Step("b", "B")), (Buffer("a", 8, (0,), ()),))
    assert lifetimes(graph, (1, 0)) == (Lifetime(1, 2),)


def test_round_up() -> None:
    assert [round_up(n, 16) for n in (0, 1, 16, 17)] == [0, 16, 16, 32]
