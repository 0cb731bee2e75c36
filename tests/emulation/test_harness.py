"""The harness, the ports and the device room together, with a model whose every answer is known."""

from __future__ import annotations

import base64
import shutil
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from mcucomp import boards
from mcucomp.device import Limits, Session, open_session
from mcucomp.device import run as run_once
from mcucomp.device.protocol import Line, decode, encode
from mcucomp.errors import CheckFailed, DeviceError, InvalidInput, ToolFailed

sys.path.insert(0, str(Path(__file__).parent))
from fake_model.build import build

VALUES = bytes((7 * i + 3) & 0xFF for i in range(700))
RESULT = bytes((v + 1) & 0xFF for v in VALUES[:10])
WRITE_BELOW, WRITE_ABOVE, USE_STACK, CRASH = 1, 2, 4, 8
READ_PAINT, SPOIL_INPUT, HANG, FAIL = 16, 32, 64, 128
QEMU_BOARDS = [name for name, board in boards.known().items() if "qemu" in board.emulators]
LOOP_INSTRUCTIONS_A_ROUND = 2


def needs(board: boards.Board) -> None:
    """Skips, saying why, where the tools for a board are absent."""
    if shutil.which(f"{board.toolchain}gcc") is None:
        pytest.skip(f"{board.toolchain}gcc not found")
    if not board.is_host and shutil.which("qemu-system-arm") is None:
        pytest.skip("qemu-system-arm not found")


def orders(bits: int = 0, last: int = 1, hundreds: int = 0, above: int = 0) -> bytes:
    """The second input of the fake model: see fake_model/model.c."""
    return bytes([bits, last, hundreds & 0xFF, hundreds >> 8, above, 0, 0, 0])


@pytest.fixture(scope="module", params=["host", *QEMU_BOARDS])
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    board = boards.find(request.param)
    needs(board)
    folder = tmp_path_factory.mktemp(board.name)
    with open_session(board, build(board, folder), log_folder=folder / "log") as opened:
        yield opened


def counts_instructions(session: Session) -> bool:
    return session.firmware.has_ticks


def test_the_firmware_says_what_it_is(session: Session) -> None:
    firmware = session.firmware
    assert firmware.model == "fake"
    assert firmware.build_id == 7
    assert firmware.arena_bytes == 1024
    assert (firmware.step_count, firmware.written_count) == (3, 3)
    assert firmware.input_bytes == (700, 8)
    assert firmware.output_bytes == (10, 700)
    session.expect("fake", 1024)


def test_outputs_and_peak_are_exact(session: Session) -> None:
    run = session.infer([VALUES, orders()])
    assert run.outputs == (RESULT, VALUES)
    assert run.arena_peak_bytes == 900
    assert run.guards == "ok"
    assert run.guards_ok
    assert run.traced == ()


@pytest.mark.parametrize("above", [1, 2, 3, 123, 124])
def test_the_peak_is_exact_wherever_it_is(session: Session, above: int) -> None:
    run = session.infer([VALUES, orders(above=above)])
    assert run.arena_peak_bytes == 900 + above
    assert run.guards_ok


@pytest.mark.parametrize("paint", [0x55, 0xAA])
def test_a_byte_that_equals_the_paint_of_one_run_counts(session: Session, paint: int) -> None:
    assert session.infer([VALUES, orders(last=paint)]).arena_peak_bytes == 900


@pytest.mark.parametrize(
    ("bits", "guards"),
    [
        (WRITE_BELOW, "below"),
        (WRITE_ABOVE, "above"),
        (WRITE_BELOW | WRITE_ABOVE, "both"),
    ],
)
def test_a_write_beside_the_arena_is_found(session: Session, bits: int, guards: str) -> None:
    run = session.infer([VALUES, orders(bits)])
    assert run.guards == guards
    assert not run.guards_ok
    assert session.infer([VALUES, orders()]).guards_ok


def test_inputs_that_the_run_overwrites_are_sent_again(session: Session) -> None:
    run = session.infer([VALUES, orders(SPOIL_INPUT)])
    assert run.outputs == (RESULT, b"\0" + VALUES[1:])


def test_an_output_that_depends_on_the_arena_before_is_refused(session: Session) -> None:
    with pytest.raises(CheckFailed) as caught:
        session.infer([VALUES, orders(READ_PAINT)])
    assert str(caught.value) == (
        f"{place(session)}: output 0 depends on what was in the arena before the run\n"
        "  byte 0 is 85 over paint 0x55 and 170 over 0xaa\n"
        "  fix: a kernel reads what nobody wrote: please report it with the model"
    )


def test_an_error_of_the_model_is_told(session: Session) -> None:
    with pytest.raises(DeviceError) as caught:
        session.infer([VALUES, orders(FAIL)])
    assert str(caught.value) == f"{place(session)}: the model's invoke returned the error 3"


def place(session: Session) -> str:
    run = session.infer([VALUES, orders()], profile=False)
    return run.board if run.board == run.transport else f"{run.board} on {run.transport}"


def test_instructions_of_a_loop_are_counted_exactly(session: Session) -> None:
    """Exactly: a tick is one instruction, or so much less that rounding is right."""
    runs = [session.infer([VALUES, orders(hundreds=n)]) for n in (10, 20, 30, 500)]
    if not counts_instructions(session):
        assert all(run.instructions is None and run.steps is None for run in runs)
        return
    base = runs[0]
    assert base.instructions is not None
    assert base.steps is not None
    for run, hundreds in zip(runs[1:], (20, 30, 500), strict=True):
        assert run.instructions is not None
        assert run.steps is not None
        more = LOOP_INSTRUCTIONS_A_ROUND * 100 * (hundreds - 10)
        assert run.instructions - base.instructions == more
        of_steps = [
            (after.instructions or 0) - (before.instructions or 0)
            for before, after in zip(base.steps, run.steps, strict=True)
        ]
        assert of_steps == [0, more, 0]


def test_steps_add_up_to_the_whole(session: Session) -> None:
    run = session.infer([VALUES, orders(hundreds=10)])
    if run.steps is None:
        assert run.instructions is None
        return
    assert run.instructions is not None
    assert [s.step for s in run.steps] == [0, 1, 2]
    assert all(s.cycles is None for s in run.steps)  # QEMU has no cycle counter
    assert run.cycles is None
    # What is between steps (the calls of the hook in the model) is a few instructions.
    assert abs(sum(s.instructions or 0 for s in run.steps) - run.instructions) <= 25


def test_stack_depth_is_that_of_the_model(session: Session) -> None:
    shallow = session.infer([VALUES, orders()]).stack_bytes
    deep = session.infer([VALUES, orders(USE_STACK)]).stack_bytes
    if session.firmware.clock_hz == 0:
        assert shallow is None
        assert deep is None
        return
    assert shallow is not None
    assert deep is not None
    assert 0 < shallow < 64
    assert 1000 <= deep - shallow <= 1040


def test_a_trace_fetches_what_the_steps_wrote(session: Session) -> None:
    run = session.infer([VALUES, orders(last=77)], trace=True)
    assert run.traced == (RESULT, VALUES[:200], bytes([77]))
    assert run.arena_peak_bytes == 900


def test_profiling_does_not_change_the_count_of_the_whole(session: Session) -> None:
    plain = session.infer([VALUES, orders()], profile=False)
    assert plain.steps is None
    whole, again = plain.instructions, session.infer([VALUES, orders()], trace=True).instructions
    assert whole == again


def test_a_held_run_shows_the_arena_between_steps(session: Session) -> None:
    result, values = (720, len(RESULT)), (0, len(VALUES))
    run = session.held([VALUES, orders()])
    assert run.peek(values) == VALUES
    run.mask((400, 300))  # the first step reads the first ten alone
    run.step()
    assert run.peek(result) == RESULT
    assert run.sum(result) == zlib.crc32(RESULT)
    assert run.peek((390, 10)) == VALUES[390:400]
    masked = run.peek((400, 300))
    assert all(a != b for a, b in zip(masked, VALUES[400:], strict=True))
    run.mask((400, 300))
    run.step()
    run.finish()
    assert run.peek(values) == VALUES
    assert session.infer([VALUES, orders()]).outputs == (RESULT, VALUES)


def test_wrong_inputs_are_refused_before_anything_is_sent(session: Session) -> None:
    with pytest.raises(InvalidInput) as caught:
        session.infer([VALUES])
    assert str(caught.value) == "the model has 2 inputs; 1 were given"
    with pytest.raises(InvalidInput) as caught:
        session.infer([VALUES, b"123"])
    assert str(caught.value) == "input 1 of the model has 8 B; 3 B were given"


def test_another_model_is_noticed(session: Session) -> None:
    where = place(session)
    with pytest.raises(DeviceError) as caught:
        session.expect("kws")
    assert str(caught.value) == (
        f"{where}: the firmware runs the model fake; expected is kws\n"
        "  fix: flash the firmware of this build directory"
    )
    with pytest.raises(DeviceError) as caught:
        session.expect("fake", 1024, build_id=8)
    assert str(caught.value) == (
        f"{where}: the firmware is of another build of fake\n"
        "  fix: flash the firmware of this build directory"
    )
    with pytest.raises(DeviceError) as caught:
        session.expect("fake", 2048)
    assert str(caught.value) == (
        f"{where}: the firmware has an arena of 1,024 B; expected is 2,048 B\n"
        "  fix: flash the firmware of this build directory"
    )


@pytest.mark.parametrize("name", QEMU_BOARDS)
def test_a_crash_is_told_with_its_address(name: str, tmp_path: Path) -> None:
    board = boards.find(name)
    needs(board)
    elf = build(board, tmp_path)
    with pytest.raises(DeviceError) as caught:
        run_once(board, elf, [VALUES, orders(CRASH)], log_folder=tmp_path / "log")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"{name} on qemu: the firmware stopped: HardFault at 0x")
    address = int(lines[0].rsplit(" ", 1)[1], 16)
    region = board.memory[0]
    assert region.origin < address < region.end


def test_an_endless_inference_is_given_up(tmp_path: Path) -> None:
    board = boards.find("stm32")
    needs(board)
    stages = []
    with pytest.raises(DeviceError) as caught:
        run_once(
            board,
            build(board, tmp_path),
            [VALUES, orders(HANG)],
            log_folder=tmp_path / "log",
            limits=Limits(run_s=1),
            progress=lambda p: stages.append(p.stage),
        )
    assert str(caught.value).startswith("stm32 on qemu: no result of 'run' within 1 s\n")
    assert "run" in stages
    assert "send inputs" in stages


def test_an_arena_too_small_for_the_model_is_told(tmp_path: Path) -> None:
    board = boards.find("host")
    needs(board)
    program = build(board, tmp_path, arena_bytes=512)
    with pytest.raises(DeviceError) as caught:
        run_once(board, program, [VALUES, orders()], log_folder=tmp_path / "log")
    assert str(caught.value) == (
        "host: the device refuses 'paint': the model does not accept the arena"
        " (too small, or not aligned)\n"
        "  fix: firmware and mcucomp are of different versions: build again and flash it"
    )


def test_the_harness_is_clean_under_sanitizers(checked_program: Path, tmp_path: Path) -> None:
    board = boards.find("host")
    run = run_once(board, checked_program, [VALUES, orders()], log_folder=tmp_path, trace=True)
    assert run.outputs == (RESULT, VALUES)
    assert run.arena_peak_bytes == 900


def conversation(program: Path, said: bytes) -> list[Line]:
    """What the host program answers to bytes that no session would send, and that it ends well."""
    ended = subprocess.run([program], input=said, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    lines = [decode(raw) for raw in ended.stdout.split(b"\n") if raw]
    assert all(isinstance(line, Line) for line in lines)
    start, end, *answers = (line for line in lines if isinstance(line, Line))
    assert (start.word, start.values["build"]) == ("start", "00000007")
    assert (end.word, end.values["lines"]) == ("end", "1")
    return answers


def painted() -> bytes:
    """Paint, and orders that want nothing special."""
    data = {"id": 1, "index": 1, "offset": 0, "base64": orders()}
    return encode("paint", {"id": 1, "pattern": 0x55}) + encode("data", data)


def signed(body: bytes) -> bytes:
    return body + b" crc=%08X\n" % zlib.crc32(body)


@pytest.fixture(scope="module")
def checked_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The harness for the host, where any access out of bounds ends it."""
    board = boards.find("host")
    needs(board)
    flags = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
    return build(board, tmp_path_factory.mktemp("checked"), *flags)


FULL = base64.b64encode(bytes(192))


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"mcuc 1 data id=9 index=2 offset=0 base64=AAAA", "range"),
        (b"mcuc 1 data id=9 index=4294967295 offset=0 base64=AAAA", "range"),
        (b"mcuc 1 data id=9 index=0 offset=509 base64=" + FULL, "range"),
        (b"mcuc 1 data id=9 index=0 offset=4294967295 base64=AAAA", "range"),
        (b"mcuc 1 data id=9 index=1 offset=9 base64=AAAA", "range"),
        (b"mcuc 1 data id=9 index=0 offset=4294967296 base64=AAAA", "malformed"),
        (b"mcuc 1 data id=9 index=-1 offset=0 base64=AAAA", "malformed"),
        (b"mcuc 1 data id=9 index=00 offset=0 base64=AAAA", "malformed"),
        (b"mcuc 1 data id=9 index=0 offset=0 base64=AAA", "malformed"),
        (b"mcuc 1 data id=9 index=0 offset=0 base64=", "malformed"),
        (b"mcuc 1 data id=9 index=0 offset=0 base64=A===", "malformed"),
        (b"mcuc 1 data id=9 index=0 offset=0 base64=AA=A", "malformed"),
        (b"mcuc 1 data id=9 index=0 offset=0 base64=AA\xff=", "malformed"),
        (b"mcuc 1 data id=9 offset=0 index=0 base64=AAAA", "malformed"),
        (b"mcuc 1 paint id=9 pattern=256", "malformed"),
        (b"mcuc 1 paint id=9 pattern=1 more=1", "malformed"),
        (b"mcuc 1 run id=9 mode=4", "malformed"),
        (b"mcuc 1 resume id=9", "unpainted"),
        (b"mcuc 1 resume id=0", "malformed"),
        (b"mcuc 1 sum id=9 offset=1025 bytes=0", "malformed"),
        (b"mcuc 1 sum id=9 offset=1 bytes=4294967295", "malformed"),
        (b"mcuc 1 peek id=9 offset=1000 bytes=25", "malformed"),
        (b"mcuc 1 peek id=9 offset=0 bytes=193", "malformed"),
        (b"mcuc 1 mask id=9 offset=1024 bytes=1", "malformed"),
        (b"mcuc 1 run id=0 mode=0", "malformed"),
        (b"mcuc 1 hello id=9 x=1", "malformed"),
        (b"mcuc 1 hello id=x", "unknown"),
        (b"mcuc 1 reset id=9", "unknown"),
        (b"mcuc 1 ", "unknown"),
        (b"mcuc 2 hello id=9", "damaged"),
        (b"", "damaged"),
        (b"mcuc 1 hello id=9 " + b"x" * 10_000, "damaged"),
    ],
)
def test_a_hostile_line_is_refused_and_changes_nothing(
    checked_program: Path, body: bytes, what: str
) -> None:
    before = painted()
    after = encode("run", {"id": 2, "mode": 0})
    lines = conversation(checked_program, before + signed(body) + after)
    assert [line.values["what"] for line in lines if line.word == "error"] == [what]
    result = next(line for line in lines if line.word == "result")
    assert (result.values["guards"], result.values["peak"]) == ("ok", "900")


def test_nothing_runs_and_nothing_is_told_before_the_paint(checked_program: Path) -> None:
    said = encode("run", {"id": 1, "mode": 0}) + encode("outputs", {"id": 2})
    said += encode("data", {"id": 3, "index": 0, "offset": 0, "base64": b"abc"})
    said += encode("repaint", {"id": 4, "pattern": 0})
    lines = conversation(checked_program, said)
    assert [line.values.get("what") for line in lines if line.word != "end"] == ["unpainted"] * 4


def test_a_run_that_is_asked_for_again_does_not_run_again(checked_program: Path) -> None:
    said = painted() + 3 * encode("run", {"id": 2, "mode": 1})
    words = [line.word for line in conversation(checked_program, said)]
    assert words == [
        "end",
        "end",
        "running",
        *["step"] * 3,
        "result",
        "end",
        *["result", "end"] * 2,
    ]


def test_a_held_run_goes_on_once_for_each_resume(checked_program: Path) -> None:
    """Commands that come again, since their answers were lost, do nothing again."""
    said = painted() + 2 * encode("run", {"id": 2, "mode": 3})
    said += 2 * encode("resume", {"id": 3}) + encode("resume", {"id": 4})
    said += encode("paint", {"id": 5, "pattern": 0}) + encode("run", {"id": 6, "mode": 0})
    said += 2 * encode("resume", {"id": 7})
    lines = conversation(checked_program, said)[2:]
    assert [(line.word, line.values["id"]) for line in lines] == [
        *[("running", "2"), ("held", "2"), ("end", "2"), ("held", "2"), ("end", "2")],
        *[("running", "3"), ("held", "3"), ("end", "3"), ("held", "3"), ("end", "3")],
        *[("running", "4"), ("held", "4"), ("end", "4")],
        *[("error", "5"), ("end", "5"), ("error", "6"), ("end", "6")],
        *[("running", "7"), ("result", "7"), ("end", "7"), ("result", "7"), ("end", "7")],
    ]
    assert [x.values["step"] for x in lines if x.word == "held"] == ["0", "0", "1", "1", "2"]
    assert {x.values["what"] for x in lines if x.word == "error"} == {"held"}


def test_a_mask_that_comes_again_does_not_undo_itself(checked_program: Path) -> None:
    peek = {"offset": 0, "bytes": 40}
    said = painted() + encode("peek", {"id": 2, **peek})
    said += 2 * encode("mask", {"id": 3, **peek}) + encode("peek", {"id": 4, **peek})
    said += encode("mask", {"id": 5, **peek}) + encode("peek", {"id": 6, **peek})
    lines = conversation(checked_program, said)
    before, masked, back = (x.data("base64") for x in lines if x.word == "bytes")
    assert before == back == 40 * b"\x55"
    assert all(a != b for a, b in zip(before, masked, strict=True))
    assert len(set(masked)) > 10


def test_another_host_finds_a_device_that_was_held(checked_program: Path) -> None:
    """The go byte: the model runs to its end, of which nothing is told."""
    said = painted() + encode("run", {"id": 2, "mode": 3}) + b"\n" + encode("hello", {"id": 1})
    said += painted() + encode("run", {"id": 2, "mode": 0})
    lines = conversation(checked_program, said)[2:]
    words = [line.word for line in lines if line.word not in ("end", "input", "output")]
    assert words == ["running", "held", "ready", "hello", "running", "result"]
    assert lines[-2].values["peak"] == "900"


def test_a_terminal_ends_lines_with_a_carriage_return(checked_program: Path) -> None:
    said = b"\r" + encode("hello", {"id": 1}).replace(b"\n", b"\r")
    words = [line.word for line in conversation(checked_program, said)]
    assert words[:3] == ["ready", "end", "hello"]


def test_noise_is_survived(checked_program: Path) -> None:
    random = Random(1)
    good = encode("data", {"id": 3, "index": 0, "offset": 0, "base64": bytes(50)})
    noise = b""
    for _ in range(2000):
        line = bytearray(good)
        for _ in range(random.randrange(1, 4)):
            line[random.randrange(len(line))] = random.randrange(256)
        noise += bytes(line[random.randrange(5) :]) + bytes(random.choices(range(256), k=20))
    said = painted() + noise + b"\n"
    lines = conversation(checked_program, said + encode("run", {"id": 2, "mode": 0}))
    result = next(line for line in lines if line.word == "result")
    assert (result.values["guards"], result.values["peak"]) == ("ok", "900")


def test_a_program_that_dies_is_told_with_its_last_words(tmp_path: Path) -> None:
    board = boards.find("host")
    needs(board)
    program = build(board, tmp_path)
    with pytest.raises(ToolFailed) as caught:
        run_once(board, program, [VALUES, orders(CRASH)], log_folder=tmp_path / "log")
    # What an undefined instruction is to a program depends on the computer.
    signals = {int(signal.SIGILL), int(signal.SIGTRAP)}
    assert str(caught.value) in {
        f"{program}: the firmware ended by itself, signal {number}\n"
        "  fix: it is our bug unless the C compiler is broken: please report it"
        for number in signals
    }
