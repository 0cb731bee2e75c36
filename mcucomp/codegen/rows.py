"""What C does a plan in rows become?

In: a graph, its kernel calls, how they run in rows, and the plan. Out: the same
files as for a plan of whole tensors. Each operator is a function of its row;
rows that lie scattered have a table of addresses; the sequence of steps is a
table with its repetitions told once (`row_steps.py`), all of it constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcucomp.codegen.constants import NUMPY_DTYPES, ConstantPool, tensor_constant
from mcucomp.codegen.names import comment
from mcucomp.codegen.row_program import RowProgram
from mcucomp.codegen.row_steps import Loop, loops_of
from mcucomp.codegen.sources import ApiTensor, Sources, Text, api_names, api_tensor, given_floats
from mcucomp.codegen.state import lay_out
from mcucomp.codegen.texts import param_text, pointers
from mcucomp.errors import short_name
from mcucomp.ops import ConstantArray, KernelCall
from mcucomp.ops.row_types import RowForm, RowMode, RowWindow
from mcucomp.rows.layout import NOWHERE, offsets_of_rows, start_of

TABLE_TYPES = ("uint8_t", "uint16_t", "uint32_t")
_TEMPLATES = {
    "model.h": "model.h",
    "model.c": "rows.c",
    "weights.h": "weights.h",
    "weights.c": "weights.c",
}


@dataclass(frozen=True, slots=True)
class _Window:
    """The members of a row_window of the generated code; `place` is its first tap's."""

    name: str
    place: int
    members: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Operator:
    """The function that carries out one operator, and its line in the header comment."""

    number: int
    index: int
    kind: str
    kernel: str
    params: tuple[tuple[str, str], ...]
    pointers: int
    windows: tuple[_Window, ...]
    arguments: tuple[str, ...]
    takes_row: bool
    how: str
    accesses: tuple[str, ...]


def emit_rows(name: str, program: RowProgram, stem: str = "", given: Sequence[int] = ()) -> Sources:
    """The C of `program`; names, `stem` and `given` are those of `emit`."""
    emitter = _Emitter(name, program)
    graph = program.graph
    operators = [emitter.operator(number, k) for number, k in enumerate(program.order)]
    inputs = given_floats(emitter.io(graph.inputs, "input"), graph, given)
    streamed = [t in program.plan.streamed_inputs for t in graph.inputs]
    inputs = tuple(replace(io, is_streamed=s) for io, s in zip(inputs, streamed, strict=True))
    theirs = {call.kernel for call in program.calls if call.files}
    members = {**_members(emitter, operators), **_stream_members(emitter, inputs)}
    text = Text(
        name=name,
        stem=stem,
        model=program.model,
        pool=emitter.pool,
        kernels=frozenset(operator.kernel for operator in operators) - theirs,
        own={f: text for k in program.order for f, text in sorted(program.calls[k].files.items())},
        params=[value for operator in operators for _, value in operator.params],
        inputs=inputs,
        outputs=emitter.io(graph.outputs, "output"),
        state=lay_out(()),
        arena_bytes=max(program.plan.arena_bytes, program.alignment),
    )
    return text.sources(_TEMPLATES, members)


def _members(emitter: _Emitter, operators: Sequence[_Operator]) -> dict[str, object]:
    """What the templates ask for of the operators and their steps."""
    program = emitter.program
    loops = loops_of(emitter.numbered_steps())
    streams = len(program.plan.streamed_inputs)
    return {
        "plan": program.plan,
        "alignment": program.alignment,
        "high_water_bytes": program.high_water_bytes,
        "operators": operators,
        "loops": loops,
        "loop_texts": [_told(loop) for loop in loops],
        "step_type": _smallest(len(operators) + streams),
        "row_type": _smallest(max((s.row for loop in loops for s in loop.steps), default=0)),
        "offset_type": emitter.table_type,
        "has_windows": any(operator.windows for operator in operators),
        "input_rows": emitter.places(program.graph.inputs),
        "output_rows": emitter.places(program.graph.outputs),
    }


def _stream_members(emitter: _Emitter, inputs: Sequence[ApiTensor]) -> dict[str, object]:
    """What they ask for of inputs that are handed in row by row."""
    streams = emitter.streams(inputs)
    return {
        "streams": streams,
        "streamed": [io.name for io in inputs if io.is_streamed],
        "quantized_streams": any(io.is_streamed and io.is_given_floats for io in inputs),
        "row_elements_of": {str(s["name"]): s["row_elements"] for s in streams},
        "row_bytes_of": [emitter.row_bytes(t) for t in emitter.program.graph.inputs],
    }


def _smallest(greatest: int) -> str:
    """The unsigned type that holds it in the fewest bytes."""
    return next(t for t in TABLE_TYPES if greatest <= np.iinfo(NUMPY_DTYPES[t]).max)


def _told(loop: Loop) -> str:
    count = len(loop.steps)
    return f"{count} {'step' if count == 1 else 'steps'}" + (
        f", {loop.turns} times" if loop.turns > 1 else ""
    )


class _Emitter:
    """Writes operators of a plan in rows, and collects constants as it meets them."""

    def __init__(self, name: str, program: RowProgram) -> None:
        self.graph, self.calls = program.graph, program.calls
        self.pool = ConstantPool(f"mcuc_{name}_")
        self.program, self.rows = program, program.plan
        self.table_type = _smallest(max(program.plan.arena_bytes, 256))

    def offset(self, tensor: int) -> int:
        if tensor in self.rows.streamed_inputs:
            return 0
        return start_of(self.rows, self.graph, tensor)

    def io(self, indices: Sequence[int], word: str) -> tuple[ApiTensor, ...]:
        names = api_names(indices, word)
        return tuple(
            api_tensor(self.graph.tensors[t], name, f"arena + {self.offset(t)}")
            for t, name in zip(indices, names, strict=True)
        )

    def places(self, indices: Sequence[int]) -> list[tuple[int, int]]:
        """(offset, bytes) of each tensor."""
        return [(self.offset(t), self.graph.tensors[t].size_bytes) for t in indices]

    def numbered_steps(self) -> list[tuple[int, int]]:
        """(number of the operator, row); those where rows arrive are behind the operators'."""
        order = self.program.order
        number = {k: place for place, k in enumerate(order)}
        for place, t in enumerate(self.rows.streamed_inputs):
            number[-1 - self.graph.inputs.index(t)] = len(order) + place
        return [(number[s.operator], s.row or 0) for s in self.rows.steps]

    def streams(self, inputs: Sequence[ApiTensor]) -> list[dict[str, object]]:
        """Each input of which rows arrive: its place among the inputs, and where rows go."""
        found: list[dict[str, object]] = []
        for t in self.rows.streamed_inputs:
            place = self.graph.inputs.index(t)
            rows = len(self.rows.row_offsets[t])
            found.append(
                {
                    "input": place,
                    "number": len(found),
                    "name": inputs[place].name,
                    "given_c_type": inputs[place].given_c_type,
                    "is_given_floats": inputs[place].is_given_floats,
                    "rows": rows,
                    "row_bytes": self.row_bytes(t),
                    "row_elements": inputs[place].elements // rows,
                    "address": self._address(
                        f"{inputs[place].name}_rows", self.rows.row_offsets[t]
                    ),
                }
            )
        return found

    def row_bytes(self, tensor: int) -> int:
        """Of an input that is handed in row by row; 0 for any other."""
        if tensor not in self.rows.streamed_inputs:
            return 0
        return self.graph.tensors[tensor].size_bytes // len(self.rows.row_offsets[tensor])

    def operator(self, number: int, k: int) -> _Operator:
        form = self.program.forms.get(k)
        return self._whole(number, k) if form is None else self._in_rows(number, k, form)

    def _whole(self, number: int, k: int) -> _Operator:
        call = self.calls[k]
        reads = [self._read(t, f"step{number}_input{i}") for i, t in enumerate(call.reads)]
        writes = [f"(void *)(arena + {self.offset(t)})" for t in call.writes]
        arguments = [
            *([pointers("const void *const", reads)] if call.reads_as_array else reads),
            *([pointers("void *const", writes)] if call.writes_as_array else writes),
        ]
        step = next(i for i, s in enumerate(self.rows.steps) if s.operator == k)
        scratch = self.rows.scratch_offsets[step]
        if scratch is not None:
            arguments.append(f"arena + {scratch}")
        return self._made(number, k, call, (), arguments, False, "whole")

    def _read(self, tensor: int, name: str) -> str:
        """A tensor that a whole operator reads; a constant gets the name."""
        found = self.graph.tensors[tensor]
        if found.is_constant:
            return f"(const void *){self.pool.add(name, tensor_constant(found))}"
        return f"(const void *)(arena + {self.offset(tensor)})"

    def _in_rows(self, number: int, k: int, form: RowForm) -> _Operator:
        call = self.calls[k]
        reads, windows, place = [], [], 0
        for position, (tensor, window) in enumerate(zip(call.reads, form.windows, strict=True)):
            name = f"operator{number}_input{position}"
            addresses = self._addresses(name, tensor, window, form)
            if addresses is None:
                windows.append(self._window(name, tensor, window, form, place))
                reads += [f"rows[{place + tap}]" for tap in range(window.taps)]
                place += window.taps
            else:
                reads += [f"(const void *)({address})" for address in addresses]
        is_all = place == len(reads)
        arguments = reads
        if form.as_array:
            arguments = ["rows"] if is_all else [pointers("const void *const", reads)]
        arguments = [*arguments, *self._written(number, k, form)]
        carried = replace(call, kernel=form.kernel, params=form.params)
        how = f"{self._count(k)} rows"
        if form.mode is RowMode.ACCUMULATE:
            how = f"sums of {self._count(k)} rows"
        uses_row = bool(windows) or any("row]" in a or "* row" in a for a in arguments)
        return self._made(
            number, k, carried, windows, arguments, uses_row or form.takes_row, how, place
        )

    def _made(
        self,
        number: int,
        k: int,
        call: KernelCall,
        windows: Sequence[_Window],
        arguments: Sequence[str],
        takes_row: bool,
        how: str,
        count: int = 0,
    ) -> _Operator:
        operator = self.graph.operators[k]
        return _Operator(
            number=number,
            index=operator.index,
            kind=operator.kind,
            kernel=call.kernel,
            params=tuple(
                (key, param_text(self.pool, f"step{number}_{key}", value))
                for key, value in call.params.items()
            ),
            pointers=count,
            windows=tuple(windows),
            arguments=tuple(arguments),
            takes_row=takes_row,
            how=how,
            accesses=(
                *(f"reads  {self._place_of(t)}" for t in call.reads),
                *(f"writes {self._place_of(t)}" for t in call.writes),
            ),
        )

    def _count(self, k: int) -> int:
        return sum(step.operator == k for step in self.rows.steps)

    def _written(self, number: int, k: int, form: RowForm) -> list[str]:
        """State, output row, scratch and row, as far as the kernel takes them."""
        tensor = self.calls[k].writes[0]
        if form.mode is RowMode.ACCUMULATE:
            out = f"(void *)(arena + {self.offset(tensor)})"
            arguments = [f"(void *)(arena + {self.rows.state_offsets[k]})", out]
        else:
            offsets = offsets_of_rows(self.rows, tensor, form.out_rows, form.out_row_bytes)
            arguments = [f"(void *)({self._address(f'tensor{tensor}_rows', offsets)})"]
        if form.takes_scratch:
            arguments.append(self._scratch(number, k, form))
        return [*arguments, "row"] if form.takes_row else arguments

    def _scratch(self, number: int, k: int, form: RowForm) -> str:
        if not form.scratch_bytes:
            return "NULL"
        offsets = [NOWHERE] * form.out_rows
        for step, scratch in zip(self.rows.steps, self.rows.scratch_offsets, strict=True):
            if step.operator == k:
                assert step.row is not None
                assert scratch is not None
                offsets[step.row] = scratch
        return f"(void *)({self._address(f'operator{number}_scratch', offsets)})"

    def _addresses(
        self, name: str, tensor: int, window: RowWindow, form: RowForm
    ) -> list[str] | None:
        """Those of each tap, where a window has but one or a table, and is never outside."""
        offsets = offsets_of_rows(self.rows, tensor, window.height, window.row_bytes)
        if form.mode is RowMode.ACCUMULATE:
            return [self._address(f"tensor{tensor}_rows", offsets)]
        if window.taps != 1 and window.table is None:
            return None
        taps = list(zip(*(window.rows(y) for y in range(form.out_rows)), strict=True))
        if not all(0 <= row < window.height for rows in taps for row in rows):
            assert window.table is None, f"{name} has a table and a border"
            return None
        names = [f"{name}_rows" if tap == 0 else f"{name}_rows{tap}" for tap in range(len(taps))]
        own = tuple(range(window.height))
        return [
            self._address(
                f"tensor{tensor}_rows" if rows == own else tap, [offsets[row] for row in rows]
            )
            for tap, rows in zip(names, taps, strict=True)
        ]

    def _window(
        self, name: str, tensor: int, window: RowWindow, form: RowForm, place: int
    ) -> _Window:
        offsets = offsets_of_rows(self.rows, tensor, window.height, window.row_bytes)
        line = _line(offsets)
        first, step = line or (0, 0)
        table = "NULL" if line else self._table(f"tensor{tensor}_rows", offsets)
        border = "NULL"
        if form.border is not None:
            border = self.pool.add(f"{name}_border", form.border)
        members = {
            "offsets": table,
            "border": border,
            "first": str(first),
            "step": str(step),
            "height": str(window.height),
            "taps": str(window.taps),
            "stride": str(window.stride),
            "dilation": str(window.dilation),
            "pad": str(window.pad),
        }
        return _Window(name, place, tuple(members.items()))

    def _address(self, name: str, offsets: Sequence[int]) -> str:
        """Where row `row` is, as an expression: a table's entry, or a multiple of the row."""
        line = _line(offsets)
        if line is None:
            return f"arena + {self._table(name, offsets)}[row]"
        first, step = line
        return f"arena + {first}" + (f" + {step} * row" if step else "")

    def _table(self, name: str, offsets: Sequence[int]) -> str:
        values = np.array([max(at, 0) for at in offsets], NUMPY_DTYPES[self.table_type])
        return self.pool.add(name, ConstantArray(self.table_type, values))

    def _place_of(self, tensor: int) -> str:
        name = comment(short_name(self.graph.tensors[tensor].name))
        if self.graph.tensors[tensor].is_constant:
            return f"{name}@flash"
        scattered = self.rows.row_offsets.get(tensor)
        if scattered is None:
            return f"{name}@{self.offset(tensor)}"
        line, used = _line(scattered), [at for at in scattered if at != NOWHERE]
        if line is not None and len(used) > 1:
            return f"{name}@{line[0]} and {line[1]} further for each row"
        return f"{name}@{min(used)}..{max(used)}, {len(used)} rows"


def _line(offsets: Sequence[int]) -> tuple[int, int] | None:
    """(first, step) where the offset of row y is first + step * y, for all that are needed."""
    used = [(y, at) for y, at in enumerate(offsets) if at != NOWHERE]
    if len(used) < 2:
        return (used[0][1], 0) if used else (0, 0)
    (y0, at0), (y1, at1) = used[:2]
    step, rest = divmod(at1 - at0, y1 - y0)
    first = at0 - step * y0
    if rest or step < 0 or first < 0 or any(at != first + step * y for y, at in used):
        return None
    return first, step
