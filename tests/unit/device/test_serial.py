"""Boards at a serial port: found by USB id, reset, unplugged, at the wrong speed.

The board is a pseudo terminal with a device in Python behind it, or a real
firmware for the host. A wrong baud rate is played by sampling the bits of the line
at the other speed.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcucomp import boards
from mcucomp.device import Limits, Run, Session, open_session, start_session
from mcucomp.device import ports as ports_module
from mcucomp.device.monitor import DAMAGED, UNFINISHED, listen
from mcucomp.device.ports import Port, all_ports, find_port
from mcucomp.device.protocol import encode
from mcucomp.device.recorder import load
from mcucomp.device.transports.replay import Replay
from mcucomp.device.transports.serial_port import SerialPort
from mcucomp.errors import DeviceError, InvalidInput

sys.path.insert(0, str(Path(__file__).parent))
from fake_device import OUTPUT_BYTES, FakeDevice, line

BOARD = boards.find("stm32")
FAST = Limits(answer_s=0.6, run_s=1.0, go_s=0.05, again_s=0.2, attempts=3)
INPUT = b"abcde"


class Bench:
    """A desk with a board: a pseudo terminal at a fixed path, which can be unplugged.

    `wire` is what the line does to bytes that the board sends.
    """

    def __init__(self, folder: Path, wire: Callable[[bytes], bytes] = bytes) -> None:
        self.path = folder / "ttyACM0"
        self.device = FakeDevice()
        self.wire = wire
        self._ends: tuple[int, int] | None = None
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.plug()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def plug(self) -> None:
        with self._lock:
            ends = os.openpty()
            tty.setraw(ends[1])
            os.set_blocking(ends[0], False)
            self.path.unlink(missing_ok=True)
            self.path.symlink_to(os.ttyname(ends[1]))
            self._ends = ends

    def unplug(self) -> None:
        with self._lock:
            if self._ends is not None:
                self.path.unlink(missing_ok=True)
                for fd in self._ends:
                    os.close(fd)
                self._ends = None

    def say(self, raw: bytes) -> None:
        with self._lock:
            if self._ends is not None:
                os.write(self._ends[0], self.wire(raw))

    def _serve(self) -> None:
        while not self._stop.wait(0.002):
            with self._lock:
                if self._ends is None:
                    continue
                with contextlib.suppress(BlockingIOError, OSError):
                    self.device.write(os.read(self._ends[0], 4096))
                said = self.device.read(0)
                for at in range(0, len(said), 512):
                    with contextlib.suppress(BlockingIOError):
                        os.write(self._ends[0], self.wire(said[at : at + 512]))

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.unplug()


@pytest.fixture(autouse=True)
def _short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcucomp.device.conversation._QUIET_S", 0.05)
    monkeypatch.setattr("mcucomp.device.conversation._POLL_S", 0.01)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def begin(bench: Bench, return_s: float = 2.0) -> Session:
    port = SerialPort(lambda: str(bench.path), BOARD, return_s)
    return start_session(port, "stm32", None, limits=FAST)


def expected() -> Run:
    return start_session(FakeDevice(), "stm32", None, limits=FAST).infer([INPUT])


def same(run: Run) -> bool:
    wanted = expected()
    return (run.outputs, run.arena_peak_bytes) == (wanted.outputs, wanted.arena_peak_bytes)


def test_a_run_over_a_port(bench: Bench) -> None:
    with begin(bench) as session:
        run = session.infer([INPUT])
    assert same(run)
    assert run.transport == f"serial {bench.path}"
    assert run.instructions is None, "a board's timer counts no instructions"


def test_other_text_on_the_line_does_no_harm(bench: Bench) -> None:
    bench.device.spoil = lambda raw: b"[rtos] tick\x1b[0m\n" + raw + b"mcu"
    with begin(bench) as session:
        assert same(session.infer([INPUT]))


# ---- resets ---------------------------------------------------------------------------------


def reset_once(device: FakeDevice, when: str, heard: bool) -> None:
    """The device restarts instead of obeying the first command `when`."""
    obey = getattr(device, f"obey_{when}")
    state = {"done": False, "painted": True}

    def paint(said: object, number: int) -> None:
        state["painted"] = True

    def restart(said: object, number: int) -> None:
        if not state["done"]:
            state.update(done=True, painted=False)
            device.memory[:] = bytes(len(device.memory))
            if heard:
                device.report("start", "id=0 build=00000001")
                return
        if not state["painted"]:
            device.report("error", f"id={number} what=unpainted")
            return
        obey(said, number)

    device.obey_paint = paint  # type: ignore[method-assign]
    setattr(device, f"obey_{when}", restart)


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("when", ["data", "run", "outputs"])
def test_a_reset_in_the_middle_begins_the_run_anew(when: str, heard: bool) -> None:
    device = FakeDevice()
    session = start_session(device, "board", None, limits=FAST)
    reset_once(device, when, heard)
    assert same(session.infer([INPUT]))


def test_a_board_that_restarts_again_and_again_is_told() -> None:
    device = FakeDevice()
    session = start_session(device, "board", None, limits=FAST)
    device.obey_run = lambda said, number: device.report(  # type: ignore[method-assign]
        "start", "id=0 build=00000001"
    )
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    assert str(caught.value) == (
        "board on fake: the device restarted in each of 3 attempts\n"
        "  fix: check the board's power, and that nothing presses reset or feeds a watchdog"
    )


# ---- unplugged ------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["data", "run", "outputs"])
def test_a_cable_that_is_pulled_and_put_back(bench: Bench, when: str) -> None:
    """The board went on meanwhile: what was lost is asked for again."""
    obey = getattr(bench.device, f"obey_{when}")
    pulled = threading.Event()

    def pull(said: object, number: int) -> None:
        obey(said, number)
        if not pulled.is_set():
            pulled.set()
            threading.Timer(0.0, lambda: (bench.unplug(), bench.plug())).start()

    setattr(bench.device, f"obey_{when}", pull)
    with begin(bench) as session:
        assert same(session.infer([INPUT]))
    assert pulled.is_set()


def test_a_cable_that_stays_out_is_told(bench: Bench) -> None:
    with begin(bench, return_s=0.3) as session:
        bench.unplug()
        with pytest.raises(DeviceError) as caught:
            session.infer([INPUT])
    assert str(caught.value) == (
        f"serial {bench.path}: the serial port went away and did not come back within 0.3 s\n"
        "  fix: check the USB cable and the board's power, and start again"
    )


# ---- the wrong speed ------------------------------------------------------------------------


def resampled(raw: bytes, sent: int, read: int) -> bytes:
    """What a UART at `read` baud makes of bytes sent back to back at `sent` baud (8N1)."""
    levels = [1] * 20
    for byte in raw:
        levels += [0, *(byte >> bit & 1 for bit in range(8)), 1]
    levels += [1] * 20

    def level(bit_times: float) -> int:
        at = int(bit_times * sent / read)
        return levels[at] if at < len(levels) else 1

    heard, at = bytearray(), 0.0
    end = len(levels) * read / sent
    while at < end:
        if level(at) == 1:
            at += 1 / 16
            continue
        heard.append(sum(level(at + 1.5 + bit) << bit for bit in range(8)))
        at += 9.5
    return bytes(heard)


def test_the_same_speed_is_heard_as_it_was_sent() -> None:
    assert resampled(b"mcuc 1 ready", 115_200, 115_200) == b"mcuc 1 ready"


@pytest.mark.parametrize("sent", [9_600, 38_400, 57_600, 230_400, 460_800])
def test_a_wrong_baud_rate_is_told(tmp_path: Path, sent: int) -> None:
    bench = Bench(tmp_path, lambda raw: resampled(raw, sent, 115_200))
    try:
        with pytest.raises(DeviceError) as caught:
            begin(bench)
    finally:
        bench.close()
    at, heard, fix = str(caught.value).splitlines()
    assert at == (
        f"stm32 on serial {bench.path}: no answer from the device within 0.6 s;"
        " what comes is no text: the baud rate is wrong"
    )
    assert heard.startswith("  heard last: \\x")
    assert fix == (
        "  fix: the firmware sends 115,200 baud at the clock in the board file: check the"
        " board's crystal and that the port takes 115,200 baud"
    )


def test_silence_is_told_with_the_wiring(bench: Bench) -> None:
    bench.device.spoil = lambda raw: b""
    with pytest.raises(DeviceError) as caught:
        begin(bench)
    assert str(caught.value) == (
        f"stm32 on serial {bench.path}: no answer from the device within 0.6 s\n"
        "  heard nothing at all\n"
        "  fix: check that the firmware is flashed, that USART2 is wired (PA2 transmits, PA3"
        " receives (headers P1; not on the debugger's USB)), and that the port is this one"
    )


def test_half_a_report_is_told_with_what_was_heard(bench: Bench) -> None:
    """The board dies in the middle of a line."""
    bench.device.spoil = lambda raw: raw[:30] if b"hello" in raw else raw
    with pytest.raises(DeviceError) as caught:
        begin(bench)
    assert caught.value.what == (
        "the answer to 'hello' was damaged 3 times in a row: a damaged line"
    )
    assert caught.value.details == ("the line: mcuc 1 hello id=1 model=echo ",)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_stream_cut_repeated_and_corrupted_never_gives_a_wrong_run(data: st.DataObject) -> None:
    """Not lines but the stream is damaged: at any byte, in pieces of any length."""
    device = FakeDevice()
    plan = data.draw(
        st.lists(
            st.tuples(
                st.integers(0, 3000),
                st.integers(1, 300),
                st.sampled_from(["cut", "repeat", "corrupt", "swap"]),
            ),
            max_size=6,
        )
    )
    read, passed = device.read, [0]

    def damaged(timeout_s: float) -> bytes:
        said = read(timeout_s)
        start = passed[0]
        passed[0] += len(said)
        for at, length, how in plan:
            here = at - start
            if not 0 <= here < len(said):
                continue
            piece = said[here : here + length]
            said = {
                "cut": said[:here] + said[here + length :],
                "repeat": said[: here + length] + piece + said[here + length :],
                "corrupt": said[:here] + bytes(b ^ 0x20 for b in piece) + said[here + length :],
                "swap": said[:here] + said[here + length :] + piece,
            }[how]
        return said

    device.read = damaged  # type: ignore[method-assign]
    try:
        run = start_session(device, "stm32", None, limits=FAST).infer([INPUT])
    except DeviceError:
        return  # giving up is allowed, a wrong answer is not
    assert same(run)


# ---- finding the port -----------------------------------------------------------------------


def plugged(monkeypatch: pytest.MonkeyPatch, *ports: tuple[str, str | None, str]) -> None:
    def comports() -> list[SimpleNamespace]:
        return [
            SimpleNamespace(
                device=device,
                vid=None if usb is None else int(usb[:4], 16),
                pid=None if usb is None else int(usb[5:], 16),
                description=description,
            )
            for device, usb, description in ports
        ]

    monkeypatch.setattr(ports_module.list_ports, "comports", comports)


NUCLEO = boards.find("nucleo-f446re")


def test_the_port_is_found_by_its_usb_id(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(
        monkeypatch,
        ("/dev/ttyS0", None, "n/a"),
        ("/dev/ttyUSB0", "0403:6001", "FT232R"),
        ("/dev/ttyACM1", "0483:374b", "STM32 STLink"),
    )
    assert find_port(NUCLEO) == "/dev/ttyACM1"
    assert find_port(BOARD) == "/dev/ttyUSB0"
    assert all_ports()[0] == Port("/dev/ttyACM1", "0483:374b", "STM32 STLink")


def test_no_port_is_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, ("/dev/ttyUSB0", "0403:6001", "FT\x1b232R"))
    with pytest.raises(DeviceError) as caught:
        find_port(NUCLEO)
    assert str(caught.value) == (
        "--port auto: no port is nucleo-f446re: none has a USB id of 0483:374b, 0483:3752\n"
        "  there is /dev/ttyUSB0  0403:6001  FT\\x1b232R\n"
        "  fix: check the USB cable (it must carry data); or name the port with --port"
    )
    plugged(monkeypatch)
    with pytest.raises(DeviceError) as caught:
        find_port(NUCLEO)
    assert caught.value.details == ("there is no serial port at all",)


def test_several_ports_could_be_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, ("/dev/b", "0483:374b", "two"), ("/dev/a", "0483:374b", "one"))
    with pytest.raises(DeviceError) as caught:
        find_port(NUCLEO)
    assert str(caught.value) == (
        "--port auto: 2 ports could be nucleo-f446re\n"
        "  /dev/a  0483:374b  one\n"
        "  /dev/b  0483:374b  two\n"
        "  fix: name one of them with --port"
    )


def test_a_board_without_usb_ids_is_not_looked_for() -> None:
    with pytest.raises(InvalidInput) as caught:
        find_port(boards.find("mps2-an386"))
    assert str(caught.value) == (
        "--port auto: the file of the board mps2-an386 names no USB ids to look for\n"
        "  fix: name the port; 'mcucomp monitor --list' shows them"
    )


def test_auto_opens_the_port_that_was_found(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugged(monkeypatch, (str(bench.path), "0483:374b", "STM32 STLink"))
    with open_session(
        NUCLEO, Path("unused"), log_folder=tmp_path / "log", port="auto", limits=FAST
    ) as session:
        assert same(session.infer([INPUT]))


# ---- monitor --------------------------------------------------------------------------------


def test_the_monitor_shows_every_line_once_and_safely(bench: Bench) -> None:
    port = SerialPort(lambda: str(bench.path), BOARD)
    good = encode("ready", {"id": 0})
    bench.say(b"boot\x1b[2J\r\n" + good + good[:9] + b"\nprompt> ")
    assert list(listen(port, 0.8)) == [
        "boot\\x1b[2J",
        good.decode().strip(),
        f"{DAMAGED}mcuc 1 re",
        f"{UNFINISHED}prompt> ",
    ]
    port.close()


# ---- recordings -----------------------------------------------------------------------------


def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "talk.txt"
    with start_session(FakeDevice(), "stm32", tmp_path / "log", record=path, limits=FAST) as s:
        s.infer([INPUT])
    assert path.read_text() == (tmp_path / "log").read_text()
    return path


def test_a_recording_says_what_it_is_of(tmp_path: Path) -> None:
    assert load(recorded(tmp_path))[:2] == [("#", b"board stm32"), ("#", b"transport fake")]


def test_ticks_of_a_recorded_emulator_are_instructions(tmp_path: Path) -> None:
    path = recorded(tmp_path)
    assert Replay(path, BOARD).instructions(10) is None
    for transport, per_tick in (("qemu", 1), ("renode", 1)):
        path.write_text(path.read_text().replace("transport fake", f"transport {transport}"))
        assert Replay(path, BOARD).instructions(10) == 10 * per_tick
        path.write_text(path.read_text().replace(f"transport {transport}", "transport fake"))


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_half_a_recording_is_told(tmp_path: Path, share: float) -> None:
    path = recorded(tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    sent = [i for i, text in enumerate(lines) if text.startswith("> ")]
    path.write_text("".join(lines[: sent[int(share * len(sent))]]))
    with pytest.raises(DeviceError) as caught:
        start_session(Replay(path), "stm32", None, limits=FAST).infer([INPUT])
    assert str(caught.value) == (
        f"{path}: the recording ends before the conversation does\n"
        "  fix: play it with the command that it was recorded with, or record it again"
    )


def test_what_is_no_recording_is_told(tmp_path: Path) -> None:
    fix = "  fix: 'mcucomp run DIR --record FILE' makes one"
    with pytest.raises(InvalidInput) as caught:
        Replay(tmp_path / "absent")
    assert str(caught.value) == (
        f"{tmp_path / 'absent'}: the recording cannot be read: No such file or directory\n{fix}"
    )
    for content in (b"hello\n", b"! x\n", b"> \xff\n", b"< \\xZZ\n"):
        path = tmp_path / "other"
        path.write_bytes(content)
        with pytest.raises(InvalidInput) as caught:
            Replay(path)
        assert str(caught.value) == f"{path}: this is no recorded conversation\n{fix}"


def test_a_recording_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "no" / "talk.txt"
    device = FakeDevice()
    with pytest.raises(InvalidInput) as caught:
        start_session(device, "stm32", None, record=path)
    assert str(caught.value) == (
        f"{path}: the conversation cannot be recorded: No such file or directory\n"
        "  fix: name another file with --record"
    )
    assert device.closed


def test_the_fake_has_the_output_that_is_compared() -> None:
    assert expected().outputs == (INPUT * (OUTPUT_BYTES // len(INPUT)),)
    assert line("x", "a=1").startswith(b"\nmcuc 1 x a=1 crc=")
