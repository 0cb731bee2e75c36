"""Small step graphs of every kind that planning must survive, drawn by Hypothesis or a seed."""

from __future__ import annotations

import random

from mcucomp.memory import Buffer, Step, StepGraph


def drawn_graph(draw: random.Random, most_steps: int = 7) -> StepGraph:
    """Scratch, several outputs and readers, views with two writers, held buffers, unread inputs,
    empty buffers, loose steps, extra precedence; steps in any numbering."""
    count = draw.randint(1, most_steps)
    names = list(range(count))
    draw.shuffle(names)
    buffers = []
    for writer in range(count):
        for _ in range(draw.choice([0, 1, 1, 1, 2])):
            readers = [j for j in range(writer + 1, count) if draw.random() < 0.35]
            writers = [writer]
            other = draw.randrange(count)
            if draw.random() < 0.15 and writer != other < min(readers, default=count):
                writers.append(other)
            buffers.append(
                Buffer(
                    f"b{len(buffers)}",
                    draw.choice([0, draw.randint(1, 64), draw.randint(1, 64)]),
                    tuple(names[w] for w in writers),
                    tuple(names[r] for r in readers),
                    held=draw.random() < 0.15,
                    from_start=draw.random() < 0.05,
                )
            )
    for _ in range(draw.randint(0, 2)):
        readers = [names[j] for j in range(count) if draw.random() < 0.3]
        buffers.append(
            Buffer(f"b{len(buffers)}", draw.randint(1, 64), (), tuple(readers), draw.random() < 0.1)
        )
    steps = tuple(
        Step(f"s{v}", "STEP", draw.choice([0, 0, 0, draw.randint(1, 40)])) for v in range(count)
    )
    precedence = tuple(
        (names[a], names[b])
        for a in range(count)
        for b in range(a + 1, count)
        if draw.random() < 0.05
    )
    return StepGraph(steps, tuple(buffers), precedence, draw.choice([1, 4, 16]))
