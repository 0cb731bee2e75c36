"""How does a test compare kernels of the DSP extension with portable ones?

Pairs of calls become the tables of a program for the emulated Cortex-M4, which
draws the inputs, runs both and says what differs; see
`tests/emulation/dsp_kernels/main.c`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from mcucomp import backends, boards
from mcucomp.backends.cmsis_nn_copy import Copy
from mcucomp.build.toolchain import LANGUAGE_FLAGS, MODEL_OPTIMISATION, WARNING_FLAGS
from mcucomp.codegen.constants import ConstantPool, literal
from mcucomp.ops import ConstantArray, KernelCall, ParamValue
from mcucomp.ops.row_types import RowForm, RowMode
from mcucomp.paths import firmware_folder

MAIN = Path(__file__).parents[1] / "emulation" / "dsp_kernels" / "main.c"
ROUNDS = 4
SEED = 20_231


@dataclass(frozen=True, slots=True)
class Pair:
    """A portable call, the one to compare with it, and the bytes of their tensors.

    With a `distance` the inputs are also run at that many bytes behind the output.
    """

    portable: KernelCall
    tested: KernelCall
    input_bytes: tuple[int, ...]
    output_bytes: int
    distance: int | None = None
    # How `tested` runs row by row, where it does.
    form: RowForm | None = None

    @property
    def kernel(self) -> str:
        """What is tested."""
        return self.tested.kernel if self.form is None else self.form.kernel

    @property
    def scratch_bytes(self) -> int:
        if self.form is None:
            return self.tested.scratch_bytes
        return max(self.form.scratch_bytes, self.form.state_bytes)


def differences(
    pairs: Sequence[Pair],
    folder: Path,
    board_name: str = "mps2-an386",
    cmsis_nn: Copy | None = None,
) -> list[str]:
    """Runs all pairs in `folder`; a line for each case that differs."""
    lines = _run(pairs, folder, board_name, cmsis_nn=cmsis_nn)
    return [line for line in lines if line.startswith("case ")]


def instructions(pairs: Sequence[Pair], folder: Path) -> list[tuple[int, int]]:
    """What each pair executes: (portable, tested). They must not differ in their results."""
    lines = _run(pairs, folder, "mps2-an386", counts=True)
    assert not any(line.startswith("case ") for line in lines)
    emulator = boards.find("mps2-an386").emulators["qemu"]
    counts: dict[str, list[int]] = {"portable": [], "tested": []}
    for line in lines:
        what, _, rest = line.partition(" ")
        if what in counts:
            counts[what].append(emulator.instructions(int(rest.split()[1])))
    return list(zip(counts["portable"], counts["tested"], strict=True))


def _run(
    pairs: Sequence[Pair],
    folder: Path,
    board_name: str,
    *,
    counts: bool = False,
    cmsis_nn: Copy | None = None,
) -> list[str]:
    kernels = sorted({name for pair in pairs for name in (pair.portable.kernel, pair.kernel)})
    sources = [firmware_folder() / backends.source(kernel) for kernel in kernels]
    if cmsis_nn is not None:
        sources += cmsis_nn.sources(kernels)
    return run_cases(
        Cases(_cases(pairs), len(pairs), max(map(_largest_bytes, pairs))),
        sources,
        folder,
        board_name,
        counts=counts,
        cmsis_nn=cmsis_nn,
    )


def _largest_bytes(pair: Pair) -> int:
    apart_bytes = abs(pair.distance or 0)
    tensors = (*pair.input_bytes, pair.output_bytes)
    return max(pair.scratch_bytes, *(apart_bytes + size for size in tensors))


@dataclass(frozen=True, slots=True)
class Cases:
    """The C text of a table with `count` cases; none has a buffer of more than `buffer_bytes`."""

    text: str
    count: int
    buffer_bytes: int


def run_cases(
    cases: Cases,
    kernels: Sequence[Path],
    folder: Path,
    board_name: str,
    *,
    counts: bool = False,
    cmsis_nn: Copy | None = None,
) -> list[str]:
    """What the program printed; it ran to its end, whatever it found.

    `kernels` are the sources that the cases call.
    """
    board = boards.find(board_name)
    firmware = firmware_folder()
    (folder / "cases.h").write_text(_header(cases, counts))
    (folder / "cases.c").write_text(cases.text)
    sources = [
        MAIN,
        folder / "cases.c",
        firmware / "port" / "common" / "arm_start.c",
        firmware / "port" / "common" / "arm_v7m.c",
        *kernels,
    ]
    script = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True)
    text = (firmware / "port" / "common" / "link.ld.j2").read_text(encoding="utf-8")
    (folder / "link.ld").write_text(script.from_string(text).render(board=board))
    flags = [*board.architecture_flags, *LANGUAGE_FLAGS, *WARNING_FLAGS, *MODEL_OPTIMISATION]
    if cmsis_nn is not None:
        # Its sources are compiled with ours, whatever they are warned of.
        flags += ["-w", *(f"-I{headers}" for headers in cmsis_nn.headers)]
    subprocess.run(
        [
            f"{board.toolchain}gcc", *flags, f"-I{firmware / 'include'}",
            f"-I{firmware / 'runtime'}", "-I.",
            *map(str, sources), "-nostartfiles", "--specs=nano.specs", "-Tlink.ld",
            "-Wl,--gc-sections", "-o", "test.elf",
        ],
        cwd=folder,
        check=True,
    )  # fmt: skip
    run = subprocess.run(
        [
            "qemu-system-arm", "-M", board.emulators["qemu"].machine, "-kernel", "test.elf",
            "-display", "none", "-monitor", "none", "-serial", "null",
            "-semihosting-config", "enable=on,target=native",
            *(["-icount", f"shift={board.emulators['qemu'].icount_shift}"] if counts else []),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )  # fmt: skip
    lines = (run.stderr + run.stdout).splitlines()
    assert f"ran {cases.count}" in lines, f"status {run.returncode}: {lines[-5:]}"
    found = any(line.startswith("case ") for line in lines)
    assert run.returncode == (1 if found else 0)
    return lines


def _header(cases: Cases, counts: bool) -> str:
    return f"""#ifndef CASES_H
#define CASES_H
#include <stddef.h>
#include <stdint.h>
typedef void call(const int8_t *a, const int8_t *b, int8_t *output, void *scratch);
typedef struct {{
    call *portable;
    call *tested;
    uint32_t a_bytes;
    uint32_t b_bytes;
    uint32_t output_bytes;
    uint32_t scratch_bytes;
    int32_t overlap;
    int32_t distance;
}} test_case;
enum {{ TEST_CASES = {cases.count}, TEST_ROUNDS = {ROUNDS}, TEST_SEED = {SEED} }};
enum {{ TEST_COUNTS = {int(counts)}, TEST_BUFFER_BYTES = {cases.buffer_bytes} }};
extern const test_case test_cases[TEST_CASES];
#endif
"""


def _cases(pairs: Sequence[Pair]) -> str:
    pool = ConstantPool("data_")
    functions, rows = [], []
    for index, pair in enumerate(pairs):
        functions.append(_function(f"portable_{index}", pair.portable, pool))
        tested = f"tested_{index}"
        if pair.form is None:
            functions.append(_function(tested, pair.tested, pool))
        else:
            functions.append(_row_function(tested, pair.form, pool))
        a_bytes, b_bytes = (*pair.input_bytes, 0)[:2]
        sizes = [a_bytes, b_bytes, pair.output_bytes, pair.scratch_bytes]
        overlap = [int(pair.distance is not None), pair.distance or 0]
        rows.append(
            f"    {{portable_{index}, tested_{index}, {', '.join(map(str, sizes + overlap))}}},"
        )
    kernels = {kernel for pair in pairs for kernel in (pair.portable.kernel, pair.kernel)}
    arrays = [
        f"static const {a.c_type} {a.symbol}[{a.length}] = {{\n" + "\n".join(a.rows) + "\n};"
        for a in pool.arrays
    ]
    return "\n".join(
        [
            '#include "cases.h"',
            *(f'#include "{backends.header(kernel)}"' for kernel in sorted(kernels)),
            *arrays,
            *functions,
            f"const test_case test_cases[{len(pairs)}] = {{",
            *rows,
            "};",
            "",
        ]
    )


def _members(name: str, params: Mapping[str, ParamValue], pool: ConstantPool) -> str:
    members = []
    for key, value in params.items():
        if isinstance(value, ConstantArray):
            members.append(f".{key} = {pool.add(f'{name}_{key}', value)}")
        elif isinstance(value, tuple):
            entries = ", ".join(literal(v, "int32_t") for v in value)
            members.append(f".{key} = {{{entries}}}")
        elif value is not None:
            assert isinstance(value, int)
            members.append(f".{key} = {literal(value, 'int32_t')}")
    return ", ".join(members)


def _row_function(name: str, form: RowForm, pool: ConstantPool) -> str:
    """Row after row, where they lie side by side."""
    border = "NULL" if form.border is None else pool.add(f"{name}_border", form.border)
    steps = _sums(form) if form.mode is RowMode.ACCUMULATE else _windows(form, border)
    return (
        f"static void {name}(const int8_t *a, const int8_t *b, int8_t *output, void *scratch) {{\n"
        f"    static const {form.kernel}_params params = "
        f"{{{_members(name, form.params, pool)}}};\n"
        f"    (void)b; (void)scratch;\n{steps}}}"
    )


def _windows(form: RowForm, border: str) -> str:
    """A step an output row."""
    window = form.windows[0]
    inputs = ["rows"]
    if not form.as_array:
        inputs = [f"{x} + y * {w.row_bytes}" for x, w in zip("ab", form.windows, strict=False)]
    arguments = ["&params", *inputs, f"output + y * {form.out_row_bytes}"]
    arguments += ["scratch"] if form.takes_scratch else []
    return (
        f"    for (int32_t y = 0; y < {form.out_rows}; y++) {{\n"
        f"        const void *rows[{window.taps}];\n"
        f"        for (int32_t tap = 0; tap < {window.taps}; tap++) {{\n"
        f"            int32_t x = y * {window.stride} - {window.pad} + tap * {window.dilation};\n"
        f"            rows[tap] = x < 0 || x >= {window.height}\n"
        f"                ? (const void *){border} : a + x * {window.row_bytes};\n"
        "        }\n"
        "        (void)rows;\n"
        f"        {form.kernel}({', '.join(arguments)});\n    }}\n"
    )


def _sums(form: RowForm) -> str:
    """A step an input row, into sums that lie in the scratch."""
    window = form.windows[0]
    last = -window.pad + window.dilation * (window.taps - 1)
    return (
        f"    for (int32_t y = {-window.pad}; y <= {last}; y += {window.dilation}) {{\n"
        f"        if (y >= 0 && y < {window.height}) {{\n"
        f"            const void *rows[1] = {{a + y * {window.row_bytes}}};\n"
        f"            {form.kernel}(&params, rows, scratch, output, y);\n        }}\n    }}\n"
    )


def _function(name: str, call: KernelCall, pool: ConstantPool) -> str:
    inputs = ["a", "b"][: len(call.reads)]
    arguments = ["&params", *inputs, "output", *(["scratch"] if call.scratch_bytes else [])]
    return (
        f"static void {name}(const int8_t *a, const int8_t *b, int8_t *output, void *scratch) {{\n"
        f"    static const {call.kernel}_params params = {{{_members(name, call.params, pool)}}};\n"
        "    (void)a; (void)b; (void)scratch;\n"
        f"    {call.kernel}({', '.join(arguments)});\n}}"
    )
